import { randomUUID } from 'node:crypto'
import { SeatwiseError } from '@seatwise/domain'
import type { TicketAct } from '@seatwise/line'
import type { FastifyRequest } from 'fastify'
import type { Room, TicketClaims } from '../room.ts'
import type { RoomServices } from '../room-services.ts'
import { ticketOf } from './holder.ts'
import type { Profiles } from './profiles.ts'
import type { Visits } from './visits.ts'

/** The path of a room: below its event, or its own. */
export interface RoomAddress {
  readonly path: '/api/events/:id' | '/api/rooms/:id'
  /** What the path names, for `config.access`. */
  readonly on: 'event' | 'room'
  /** For visitors: the room of a draft is not found. */
  readonly find: (id: string) => Promise<Room>
  readonly findAny: (id: string) => Promise<Room>
  /** The room, if it is open on this server now. */
  readonly openRoom: (id: string) => Room | undefined
}

/** A room can be found below its event and at its own path. */
export function addressesOf({ rooms }: Pick<RoomServices, 'rooms'>): readonly RoomAddress[] {
  return [
    addressOf(
      '/api/events/:id',
      (id) => rooms.ofEvent(id),
      (id) => rooms.openRoomOfEvent(id),
    ),
    addressOf(
      '/api/rooms/:id',
      (id) => rooms.byId(id),
      (id) => rooms.openRoomById(id),
    ),
  ]
}

function addressOf(
  path: RoomAddress['path'],
  findAny: (id: string) => Promise<Room>,
  openRoom: (id: string) => Room | undefined,
): RoomAddress {
  const find = async (id: string): Promise<Room> => requirePublished(await findAny(id))
  const openPublished = (id: string): Room | undefined => {
    const room = openRoom(id)
    return room?.row.state === 'draft' ? undefined : room
  }
  const on = path === '/api/events/:id' ? 'event' : 'room'
  return { path, on, find, findAny, openRoom: openPublished }
}

/** A draft has no visitors: to them it does not exist. */
export function requirePublished(room: Room): Room {
  if (room.row.state === 'draft') throw new SeatwiseError('NOT_FOUND')
  return room
}

/** The services that the visitor routes use. */
export interface VisitorParts extends RoomServices, ToldOfVisitors {
  readonly address: RoomAddress
}

/** What visitors are told about themselves beside their position. */
export interface ToldOfVisitors {
  readonly profiles: Profiles
  readonly visits: Visits
}

export type RoomRequest = FastifyRequest<{ Params: { id: string } }>

/** The room of a request, and the ticket of that room which the request proves to hold. */
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

/** A retry after a lost answer carries the same key; without a key, each call is its own operation. */
export function operationOf(request: FastifyRequest): string {
  return keyOf(request) ?? randomUUID()
}

export function keyOf(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key']
  return typeof key === 'string' && key.length > 0 && key.length <= KEY_LENGTH_MAX ? key : undefined
}
