import { randomUUID } from 'node:crypto'
import type { TicketAct } from '@seatwise/line'
import type { FastifyRequest } from 'fastify'
import type { Room, TicketClaims } from '../room.ts'
import type { RoomServices } from '../room-services.ts'
import { ticketOf } from './holder.ts'
import type { Profiles } from './profiles.ts'
import type { Visits } from './visits.ts'

/** Where a room is found: at its event's address, or at its own. */
export interface RoomAddress {
  readonly path: '/api/events/:id' | '/api/rooms/:id'
  readonly find: (id: string) => Promise<Room>
  /** The room, if it is open on this server now. */
  readonly openRoom: (id: string) => Room | undefined
}

/** What the routes of visitors are built from. */
export interface VisitorParts extends RoomServices, ToldOfVisitors {
  readonly address: RoomAddress
}

/** What visitors are told of themselves beside where they stand. */
export interface ToldOfVisitors {
  readonly profiles: Profiles
  readonly visits: Visits
}

export type RoomRequest = FastifyRequest<{ Params: { id: string } }>

/** The room that a request is about, and the ticket of that room which it proves to hold. */
export async function roomAndTicket(
  { find }: RoomAddress,
  request: RoomRequest,
): Promise<{ room: Room; ticket: TicketClaims }> {
  const room = await find(request.params.id)
  return { room, ticket: ticketOf(request, room) }
}

export function actOf({ number, identity, generation }: TicketAct): TicketAct {
  return { number, identity, generation }
}

const KEY_LENGTH_MAX = 100

/** A client that repeats itself because it got no answer says so with its key; without one, each call is its own. */
export function operationOf(request: FastifyRequest): string {
  return keyOf(request) ?? randomUUID()
}

export function keyOf(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key']
  return typeof key === 'string' && key.length > 0 && key.length <= KEY_LENGTH_MAX ? key : undefined
}
