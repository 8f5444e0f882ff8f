import type { Admission } from '../../contract.ts'
import { isSoldOut } from '../../room-state.ts'
import { isOver, isUndrawn, type Room } from '../state/room.ts'

/** Why no ticket may be admitted, whatever the capacity; null when tickets may. Rules M7, M19 and J8. */
export function reasonToHold(room: Room): Admission['heldBy'] {
  if (room.paused) return 'paused'
  if (room.held !== null) return 'held'
  if (isUnfollowed(room)) return 'unfollowed'
  if (room.now < room.opensAt) return 'not_open'
  if (isOver(room)) return 'closed'
  if (isUndrawn(room)) return 'not_drawn'
  return isSoldOut(room) ? 'sold_out' : null
}

/** How many tickets fit by capacity, and by the stock beside what is taken and promised. Rules M1 and M3. */
export function freeSlots(room: Room): number {
  const slots = room.settings.capacity - room.floor.size
  if (room.stock === null || !room.settings.stockAware) return slots
  return Math.min(slots, room.stock - room.taken - room.promised)
}

/** The ledger is so far behind the log that a loss of this store would lose too much. */
function isUnfollowed({ followWithinMs, unfollowedSince, now }: Room): boolean {
  return followWithinMs !== null && unfollowedSince !== null && now - unfollowedSince > followWithinMs
}
