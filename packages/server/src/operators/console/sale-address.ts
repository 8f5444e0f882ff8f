import type { BoxOfficeServices } from '../../box-office/index.ts'
import type { Room } from '../../rooms/index.ts'

/** The roles that watch, and those that also change. */
export const STAFF = ['staff', 'organizer', 'admin'] as const
export const OPERATORS = ['organizer', 'admin'] as const

/** Where a room is operated: at its event's address, or at its own. */
export interface SaleAddress {
  readonly path: '/api/events/:id' | '/api/rooms/:id'
  readonly find: (id: string) => Promise<Room>
}

/** The same routes for the room of an event and for every room at its own address. */
export function saleAddresses({ rooms }: Pick<BoxOfficeServices, 'rooms'>): readonly SaleAddress[] {
  return [
    { path: '/api/events/:id', find: (id) => rooms.ofEvent(id) },
    { path: '/api/rooms/:id', find: (id) => rooms.byId(id) },
  ]
}
