import { isSoldOut } from '../../room-state.ts'
import { countAway, isOver, type Room } from '../state/room.ts'
import { nextTokenAt } from './bucket.ts'
import { freeSlots, reasonToHold } from './free-slots.ts'

/** When an admission could next change something by itself, given that this one did all it could; null: never. Rule M18. */
export function nextAdmitAt(room: Room): number | null {
  const times: number[] = []
  const firstDeadline = room.floor.first()
  if (firstDeadline !== undefined) times.push(firstDeadline.score)
  if (room.line.size + countAway(room) > 0 && !isOver(room)) times.push(room.closesAt + 1)
  if (room.line.size > 0) {
    const reason = reasonToHold(room)
    if (reason === 'not_open' && !isSoldOut(room)) times.push(room.opensAt)
    const firstReturn = room.takeEnds.first()
    if (reason === null && freeSlots(room) > 0) times.push(nextTokenAt(room.bucket, room.settings))
    else if (reason === null && firstReturn !== undefined) times.push(firstReturn.score)
  }
  return times.length === 0 ? null : Math.min(...times)
}
