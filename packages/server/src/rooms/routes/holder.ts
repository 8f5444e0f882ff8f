import { SeatwiseError } from '@seatwise/domain'
import type { TicketAct, TicketView } from '@seatwise/line'
import type { FastifyRequest } from 'fastify'
import type { Config } from '../../config/index.ts'
import { type App, bearerToken, type Callers } from '../../http/index.ts'
import { readSessionCookie } from '../../identity/index.ts'
import type { Room, TicketClaims } from '../room.ts'
import type { RoomServices } from '../room-services.ts'
import type { PassClaims } from '../tokens/pass.ts'
import type { RoomTokens } from '../tokens/room-tokens.ts'
import { readTicketCookie } from './ticket-cookie.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The tickets that the request proves to hold, in routes for ticket holders: one, or those of the cookie. */
    tickets: readonly TicketClaims[]
    /** The pass of the request, in routes that accept one. */
    pass: PassClaims | null
  }
}

/** Reads what a request proves beside an access token: tickets, or a pass. Foreign tokens are dropped. */
export interface Proofs {
  ticketsOf(request: FastifyRequest): readonly TicketClaims[]
  passOf(request: FastifyRequest): PassClaims | null
}

/** Finds tickets in the header or the browser's cookie, and passes in their header. */
export function createProofs(config: Config, roomTokens: RoomTokens): Proofs {
  return {
    ticketsOf(request) {
      const header = request.headers['seatwise-ticket']
      if (typeof header !== 'string') return readTicketCookie({ config, roomTokens }, request)
      const claims = roomTokens.tickets.read(header)
      return claims === null ? [] : [claims]
    },
    passOf(request) {
      const header = request.headers['seatwise-pass']
      return typeof header === 'string' ? roomTokens.passes.read(header) : null
    },
  }
}

/** Must be called before any route is added that reads tickets or a pass. */
export function decorateHolders(app: App): void {
  // No initial value: requests would share the list. `judgeHolder` sets it for every route that reads it.
  app.decorateRequest('tickets')
  app.decorateRequest('pass', null)
}

/** A ticket or a pass alone is enough. The route checks which room it must be for. */
export function createHolderJudge(proofs: Proofs): Callers['judgeHolder'] {
  return (request, access) => {
    if (access === 'ticket-or-pass' && request.headers['seatwise-pass'] !== undefined) {
      request.pass = proofs.passOf(request)
      return request.pass === null ? new SeatwiseError('NOT_ACTIVE') : undefined
    }
    request.tickets = proofs.ticketsOf(request)
    return request.tickets.length === 0 ? new SeatwiseError('BAD_TICKET') : undefined
  }
}

/** The ticket of the request, which must be of this room. */
export function ticketOf(request: FastifyRequest, room: Room): TicketClaims {
  const own = request.tickets.find((ticket) => ticket.room === room.id)
  if (own !== undefined) return own
  // A client sends a header for this room on purpose; the cookie carries tickets of all rooms.
  throw new SeatwiseError(request.headers['seatwise-ticket'] === undefined ? 'BAD_TICKET' : 'FOREIGN_TICKET')
}

/** The holder on the floor with the pass of the request; the ticket of the request when it has no pass. */
export async function holderOf(request: FastifyRequest, room: Room): Promise<TicketAct> {
  const { pass } = request
  if (pass === null) return ticketOf(request, room)
  const holder = pass.room === room.id ? await room.holderOf(pass.number, pass.fence) : null
  if (holder === null) throw new SeatwiseError('NOT_ACTIVE')
  return holder
}

/** Refuses a ticket that moved to another device, or that neither line nor ledger has. */
export function requireCurrent(ticket: TicketAct, view: TicketView): void {
  if (view.state === null) throw new SeatwiseError('BAD_TICKET', { message: 'This ticket is not known any more' })
  if ((view.group?.number ?? view.number) !== ticket.number) {
    throw new SeatwiseError('BAD_TICKET', { message: 'You have another ticket in this line; join again to find it' })
  }
  if (view.generation > ticket.generation) throw new SeatwiseError('TICKET_MOVED')
}

/** The signed-in actor, in a route that requires only a ticket; null for a token or a cookie that is not valid. */
export function actorBeside({ config, identity }: Pick<RoomServices, 'config' | 'identity'>, request: FastifyRequest) {
  const token = bearerToken(request.headers.authorization) ?? readSessionCookie(config, request)
  return token === null ? null : identity.tokens.verify(token)
}
