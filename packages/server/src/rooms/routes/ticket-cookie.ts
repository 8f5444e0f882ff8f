import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../config/index.ts'
import { addCookie, comesFromOwnPages, hasCookie, readCookie } from '../../http/index.ts'
import type { TicketClaims } from '../room.ts'
import type { TicketTokens } from '../tokens/ticket-token.ts'

const TICKETS_COOKIE = 'seatwise-tickets'
/** Not part of a token's alphabet. */
const SEPARATOR = '.'
/**
 * The maximum number of lines per browser. At 96 bytes each they take a tenth of the header limit. If the oldest
 * ticket was dropped, the visitor finds it again by joining with the same session.
 */
export const TICKETS_PER_BROWSER_MAX = 16

interface Parts {
  readonly config: Config
  readonly roomTokens: { readonly tickets: TicketTokens }
}

/**
 * The tickets that a browser holds, at most one for each room, newest first. One cookie has all of them, because
 * Server-Sent Events and plain forms send no headers of their own. It counts only for requests of the site itself.
 */
export function readTicketCookie(parts: Parts, request: FastifyRequest): readonly TicketClaims[] {
  return comesFromOwnPages(parts.config, request) ? readHeld(parts, request).map(({ claims }) => claims) : []
}

/**
 * Adds tickets to the browser's cookie; each replaces an older one of its room, and the oldest are dropped. All of them
 * are then signed with the first secret.
 */
export function keepTickets(
  parts: Parts,
  call: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  ticketTokens: readonly string[],
): void {
  const held = readHeld(parts, call.request).map(({ token }) => token)
  const { tickets } = parts.roomTokens
  const kept = distinctRooms(parts, [...ticketTokens, ...held]).map(({ token }) => tickets.renew(token) ?? token)
  addCookie(parts.config, call, { name: TICKETS_COOKIE, value: kept.join(SEPARATOR) })
}

/**
 * Whether the cookie has tickets of an older secret, which `keepTickets` renews, and the answer does not set it
 * already.
 */
export function holdsRenewableTickets(parts: Parts, request: FastifyRequest, reply: FastifyReply): boolean {
  if (hasCookie(reply, TICKETS_COOKIE) || !comesFromOwnPages(parts.config, request)) return false
  return readHeld(parts, request).some(({ token }) => parts.roomTokens.tickets.renew(token) !== null)
}

interface HeldTicket {
  readonly token: string
  readonly claims: TicketClaims
}

function readHeld(parts: Parts, request: FastifyRequest): HeldTicket[] {
  const value = readCookie(parts.config, request, TICKETS_COOKIE)
  return value === null ? [] : distinctRooms(parts, value.split(SEPARATOR, TICKETS_PER_BROWSER_MAX))
}

/** Drops everything that is not a ticket token of ours. */
function distinctRooms({ roomTokens }: Parts, tokens: readonly string[]): HeldTicket[] {
  const byRoom = new Map<string, HeldTicket>()
  for (const token of tokens) {
    const claims = roomTokens.tickets.read(token)
    if (claims === null || byRoom.has(claims.room)) continue
    byRoom.set(claims.room, { token, claims })
    if (byRoom.size === TICKETS_PER_BROWSER_MAX) break
  }
  return [...byRoom.values()]
}
