import { SeatwiseError } from '@seatwise/domain'
import type { TicketAct, TicketView } from '@seatwise/line'
import type { FastifyRequest } from 'fastify'
import type { Proofs } from '../../access/enforce-access.ts'
import { readSessionCookie } from '../../access/session-cookie.ts'
import type { Config } from '../../config.ts'
import type { Room, TicketClaims } from '../room.ts'
import type { RoomTokens } from '../tokens/room-tokens.ts'
import { readTicketCookie } from './ticket-cookie.ts'

/** Finds tickets in the header or the room's cookie, and passes in their header. */
export function createProofs(config: Config, tokens: RoomTokens): Proofs {
  return {
    ticketOf(request) {
      const header = request.headers['seatwise-ticket']
      const token = typeof header === 'string' ? header : readTicketCookie(config, request)
      return token === null ? null : tokens.tickets.read(token)
    },
    passOf(request) {
      const header = request.headers['seatwise-pass']
      return typeof header === 'string' ? tokens.passes.read(header) : null
    },
    sessionOf: (request) => readSessionCookie(config, request),
  }
}

/** The ticket of the request, which must be of this room. */
export function ticketOf(request: FastifyRequest, room: Room): TicketClaims {
  if (request.ticket === null) throw new SeatwiseError('BAD_TICKET')
  if (request.ticket.room !== room.id) throw new SeatwiseError('FOREIGN_TICKET')
  return request.ticket
}

/** Whoever is on the floor with the pass of the request; the ticket of the request when it has no pass. */
export async function holderOf(request: FastifyRequest, room: Room): Promise<TicketAct> {
  const { pass } = request
  if (pass === null) return ticketOf(request, room)
  const holder = pass.room === room.id ? await room.holderOf(pass.number, pass.fence) : null
  if (holder === null) throw new SeatwiseError('NOT_ACTIVE')
  return holder
}

/** Refuses a ticket that went to another device, or that nobody knows. */
export function requireCurrent(ticket: TicketAct, view: TicketView): void {
  if (view.state === null) throw new SeatwiseError('BAD_TICKET', { message: 'Nobody knows this ticket any more' })
  if (view.number !== ticket.number) {
    throw new SeatwiseError('BAD_TICKET', { message: 'You have another ticket in this line; join again to find it' })
  }
  if (view.generation > ticket.generation) throw new SeatwiseError('TICKET_MOVED')
}
