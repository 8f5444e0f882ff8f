import type { BoxOfficeServices } from '../../box-office/index.ts'
import type { Room } from '../../rooms/index.ts'

/** Where a room is operated: at its event's address, or at its own. */
export interface SaleAddress {
  readonly path: '/api/events/:id' | '/api/rooms/:id'
  /** What the path names, for `config.access`. */
  readonly on: 'event' | 'room'
  readonly find: (id: string) => Promise<Room>
}

/** The same routes for the room of an event and for every room at its own address. */
export function saleAddresses({ rooms }: Pick<BoxOfficeServices, 'rooms'>): readonly SaleAddress[] {
  return [
    { path: '/api/events/:id', on: 'event', find: (id) => rooms.ofEvent(id) },
    { path: '/api/rooms/:id', on: 'room', find: (id) => rooms.byId(id) },
  ]
}
