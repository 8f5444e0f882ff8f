import { type Admission, isSoldOut } from '../../contract.ts'
import { isOver, type Room } from '../state/room.ts'

/** Why nobody may go in, whatever the capacity. Rules M7 and M19. */
export function reasonToHold(room: Room): Admission['heldBy'] {
  if (room.paused) return 'paused'
  if (room.held !== null) return 'held'
  if (isUnfollowed(room)) return 'unfollowed'
  if (room.now < room.opensAt) return 'not_open'
  if (isOver(room)) return 'closed'
  return isSoldOut(room) ? 'sold_out' : null
}

/** Slots on the floor for which there is a seat to promise, too, beside what takes may cost. Rules M1 and M3. */
export function freeSlots(room: Room): number {
  const slots = room.settings.capacity - room.floor.size
  if (room.stock === null || !room.settings.stockAware) return slots
  return Math.min(slots, room.stock - room.taken - room.promised)
}

/** The ledger is so far behind the log that too much would be lost with this store. */
function isUnfollowed({ followWithinMs, unfollowedSince, now }: Room): boolean {
  return followWithinMs !== null && unfollowedSince !== null && now - unfollowedSince > followWithinMs
}
