import { SeatwiseError } from '@seatwise/domain'
import type { Actor } from '../../http/index.ts'
import type { Room } from '../room.ts'
import type { RoomAddress } from './room-address.ts'

/** The room, if it belongs to the organiser. Staff and admins may use every room. */
export async function findOwnRoom({ find }: Pick<RoomAddress, 'find'>, id: string, actor: Actor): Promise<Room> {
  const room = await find(id)
  if (actor.role === 'organizer' && room.row.ownerId !== actor.id) {
    throw new SeatwiseError('FORBIDDEN', { message: 'This room belongs to another organiser' })
  }
  return room
}
