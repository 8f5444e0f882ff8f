import { SeatwiseError } from '@seatwise/domain'
import type { Active, Known, PlaceState } from '@seatwise/web'
import type { FastifyRequest } from 'fastify'
import type { Room, Standing, TicketClaims } from '../room/room.ts'
import { requireCurrent } from '../room/routes/holder.ts'
import { tellStanding } from '../room/routes/tell-standing.ts'
import { ticketTokenIn } from '../room/routes/ticket-cookie.ts'
import type { Services } from '../services.ts'

/** The ticket that a visitor's browser holds for a room, if it is one of that room. */
export function ticketOfVisitor(
  services: Services,
  request: FastifyRequest,
  room: Room,
  id: string,
): TicketClaims | null {
  const token = ticketTokenIn(request, id)
  const claims = token === null ? null : services.roomTokens.tickets.read(token)
  return claims?.room === room.id ? claims : null
}

/** Where a visitor stands, in the form in which the client library tells it. Looking is a heartbeat. */
export async function placeOf(services: Services, room: Room, ticket: TicketClaims): Promise<PlaceState> {
  const found = await room.look(ticket)
  try {
    requireCurrent(ticket, found.view)
  } catch (error) {
    if (!(error instanceof SeatwiseError)) throw error
    const nobody = knownOf(services, room, 'unknown', new Date(0))
    return error.code === 'TICKET_MOVED'
      ? { ...(await nobody), status: 'moved' }
      : { ...(await nobody), status: 'lost', code: error.code }
  }
  return await describePlace(services, room, found)
}

export async function describePlace(services: Services, room: Room, found: Standing): Promise<PlaceState> {
  const { standing, reservation } = await services.boxOffice.visitOf(room, found)
  const told = tellStanding(services.roomTokens, room, standing, { name: null, avatar: null })
  const known = await knownOf(services, room, told.ticketId, new Date(told.joinedAt))
  const floor = told as { expiresAt?: string; extended?: boolean; activeToken?: string; reason?: string }
  const expiresAt = floor.expiresAt ?? new Date(services.now()).toISOString()
  const deadline = { expiresAt, endsAt: Date.parse(expiresAt), extended: floor.extended === true }
  switch (told.status) {
    case 'waiting': {
      const { rank, position, exact, queueLength, eta } = told
      const at = services.now()
      const countdown = eta.p50 === null ? null : { at, ms: eta.p50 * 1000, rate: 1, until: at }
      const where = { rank: rank ?? 0, position: position ?? 1, exact, queueLength, eta, countdown, riseReason: null }
      return { ...known, status: 'waiting', away: told.away === true, ...where }
    }
    case 'admitted':
      return { ...known, status: 'admitted', ...deadline }
    case 'active':
      return {
        ...known,
        status: 'active',
        ...deadline,
        activeToken: floor.activeToken ?? '',
        reservation: reservation as Active['reservation'],
      }
    case 'completed':
      return { ...known, status: 'completed' }
    case 'expired':
      return { ...known, status: 'expired', reason: (floor.reason ?? 'cancelled') as 'cancelled' }
  }
}

async function knownOf(_services: Services, room: Room, ticketId: string, joinedAt: Date): Promise<Known> {
  const { document } = await room.now()
  return {
    ...{ ticketId, name: null, avatar: null, joinedAt: joinedAt.toISOString(), reach: 'ok', viewers: null },
    room: document,
  }
}
