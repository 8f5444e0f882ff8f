import { rankMapRanks } from '@seatwise/domain'
import type { FloorItem, RangeItem, RoomNow } from '../../contract.ts'
import { isSoldOut } from '../../room-state.ts'
import { countAway, type Room } from '../state/room.ts'

const RANGE_MAX = 200

/** The public state of a room. Rule L29. */
export function readNow(room: Room): RoomNow {
  const { epoch, seq, now, nextNumber, paused, held, message, opensAt, closesAt } = room
  const { joinsFrom, draw } = room
  const { stock, heldSeats, stockVersion, taken, promised } = room
  return {
    ...{ epoch, seq, now, nextNumber, paused, held, message, opensAt, closesAt },
    ...{ stock, heldSeats, stockVersion, taken, promised, soldOut: isSoldOut(room) },
    joinsFrom,
    draw: draw?.progress ?? null,
    drawnBelow: draw?.drawnBelow ?? 0,
    waiting: room.line.size,
    away: countAway(room),
    floor: room.floor.size,
    admitted: room.admitted,
    active: room.floor.size - room.admitted,
    settings: { ...room.settings },
    logFill: (room.seq - room.followedSeq) / room.logMax,
    samples: rankMapRanks(room.line.size).flatMap((rank) => {
      const found = room.line.at(rank)
      return found === undefined ? [] : [{ place: found.score, rank }]
    }),
  }
}

/** The waiting tickets from one rank to another. Rule L30. */
export function readRange(room: Room, fromRank: number, toRank: number): RangeItem[] {
  const items: RangeItem[] = []
  const last = Math.min(toRank, fromRank + RANGE_MAX - 1, room.line.size - 1)
  for (let rank = fromRank; rank <= last; rank++) {
    const found = room.line.at(rank)
    const ticket = found === undefined ? undefined : room.tickets.get(found.number)
    if (ticket === undefined) continue
    const { number, place, class: ticketClass, shown } = ticket
    items.push({ number, place, rank, class: ticketClass, shown })
  }
  return items
}

/** The tickets on the floor, by deadline. Rule M27. */
export function readFloor(room: Room, limit: number): FloorItem[] {
  const items: FloorItem[] = []
  for (let index = 0; index < Math.min(limit, room.floor.size); index++) {
    const ticket = room.tickets.get(room.floor.at(index)?.number ?? 0)
    if (ticket === undefined || ticket.floor === null) continue
    const { deadline, fence, reservedSeats } = ticket.floor
    const state = ticket.state === 'admitted' ? 'admitted' : 'active'
    items.push({ number: ticket.number, state, deadline, fence, reservedSeats })
  }
  return items
}
