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
  issued: readonly IssuedTicket[],
): void {
  const rooms = new Set(issued.map(({ room }) => room))
  const others = readHeld(parts, call.request).filter(({ claims }) => !rooms.has(claims.room))
  const tokens = [
    ...issued.map(({ token }) => token),
    ...others.map(({ token }) => parts.roomTokens.tickets.renew(token) ?? token),
  ]
  const value = tokens.slice(0, TICKETS_PER_BROWSER_MAX).join(SEPARATOR)
  addCookie(parts.config, call, { name: TICKETS_COOKIE, value })
}

/** A ticket token that this server has just issued: it need not be verified to be kept. */
export interface IssuedTicket {
  readonly token: string
  readonly room: string
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

/** Leaves out what is not a ticket token of ours. */
function readHeld(parts: Parts, request: FastifyRequest): HeldTicket[] {
  const value = readCookie(parts.config, request, TICKETS_COOKIE)
  if (value === null) return []
  const byRoom = new Map<string, HeldTicket>()
  for (const token of value.split(SEPARATOR, TICKETS_PER_BROWSER_MAX)) {
    const claims = parts.roomTokens.tickets.read(token)
    if (claims !== null && !byRoom.has(claims.room)) byRoom.set(claims.room, { token, claims })
  }
  return [...byRoom.values()]
}
