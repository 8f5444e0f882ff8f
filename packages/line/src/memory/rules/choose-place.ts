import { lanePlace, placeBetween, skipRank } from '@seatwise/domain'
import type { TicketClass } from '../../contract.ts'
import { isUndrawn, type Room } from '../state/room.ts'

/** The place of a new ticket; never before an earlier one of its own class, also after a change of mode. Rules L12–L14. */
export function choosePlace(room: Room, ticketClass: TicketClass, number: number): number {
  // Before the draw, places say nothing yet.
  if (ticketClass === 0 || isUndrawn(room)) return number
  const last = room.lastPlaces[ticketClass]
  if (room.settings.priorityMode === 'lanes') {
    const place = lanePlace(ticketClass, number)
    return place > last ? place : justBehind(room, last, number)
  }
  return skipPlace(room, skipRank(ticketClass, room.line.size), last, number)
}

function skipPlace(room: Room, rank: number, last: number, number: number): number {
  const passed = room.line.at(rank)
  if (passed === undefined) return number
  if (passed.score <= last) return justBehind(room, last, number)
  const low = room.line.at(rank - 1)?.score ?? passed.score - 1
  return low <= last ? placeBetween(last, passed.score, true) : placeBetween(low, passed.score, false)
}

/** Between the last ticket of the class and the next ticket behind it; at the back when there is none. */
function justBehind(room: Room, last: number, number: number): number {
  const next = room.line.at(room.line.countBefore(last, Number.POSITIVE_INFINITY))
  return next === undefined ? number : placeBetween(last, next.score, true)
}
