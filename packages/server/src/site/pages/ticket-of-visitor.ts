import { SeatwiseError } from '@seatwise/domain'
import type { Known, PlaceState } from '@seatwise/web'
import type { FastifyRequest } from 'fastify'
import type { BoxOfficeServices } from '../../box-office/index.ts'
import {
  type Position,
  type Room,
  readTicketCookie,
  requireCurrent,
  type TicketClaims,
  tellVisitor,
} from '../../rooms/index.ts'
import type { PageParts } from './page-parts.ts'

/** The ticket that a visitor's browser holds for a room. */
export function ticketOfVisitor(services: BoxOfficeServices, request: FastifyRequest, room: Room): TicketClaims | null {
  return readTicketCookie(services, request).find((ticket) => ticket.room === room.id) ?? null
}

/** A visitor's position, in the form of the client library. Reading it is a heartbeat. */
export async function placeOf(parts: PageParts, room: Room, ticket: TicketClaims): Promise<PlaceState> {
  const found = await room.look(ticket)
  try {
    requireCurrent(ticket, found.view)
  } catch (error) {
    if (!(error instanceof SeatwiseError)) throw error
    if (error.code === 'TICKET_MOVED') return await movedPlace(room)
    return { ...(await knownOf(room, NO_TICKET)), status: 'lost', code: error.code }
  }
  return await describePlace(parts, room, found)
}

const NO_TICKET = { ticketId: 'unknown', name: null, avatar: null, joinedAt: new Date(0).toISOString() }

/** Another device of the visitor holds the ticket. */
export async function movedPlace(room: Room): Promise<PlaceState> {
  return { ...(await knownOf(room, NO_TICKET)), status: 'moved' }
}

export async function describePlace(parts: PageParts, room: Room, found: Position): Promise<PlaceState> {
  const told = await tellVisitor(parts, room, found)
  const known = await knownOf(room, told)
  const at = parts.now()
  const expiresAt = told.expiresAt ?? new Date(at).toISOString()
  const deadline = { expiresAt, endsAt: Date.parse(expiresAt), extended: told.extended === true }
  switch (told.status) {
    case 'waiting': {
      const { rank, position, exact, queueLength, eta } = told
      const countdown = eta.p50 === null ? null : { at, ms: eta.p50 * 1000, rate: 1, until: at }
      const where = { rank: rank ?? 0, position: position ?? 1, exact, queueLength, eta, countdown, riseReason: null }
      return { ...known, status: 'waiting', away: told.away === true, ...where }
    }
    case 'admitted':
      return { ...known, status: 'admitted', ...deadline }
    case 'active': {
      const reservation = told.reservation ?? null
      return { ...known, status: 'active', ...deadline, activeToken: told.activeToken ?? '', reservation }
    }
    case 'completed':
      return { ...known, status: 'completed' }
    case 'expired':
      return { ...known, status: 'expired', reason: (told.reason ?? 'cancelled') as 'cancelled' }
  }
}

async function knownOf(
  room: Room,
  { ticketId, name, avatar, joinedAt, group }: Pick<Known, 'ticketId' | 'name' | 'avatar' | 'joinedAt' | 'group'>,
): Promise<Known> {
  const { document } = await room.now()
  return { ticketId, name, avatar, joinedAt, ...(group && { group }), reach: 'ok', viewers: null, room: document }
}
