import { secondsLeft, TAKE_MS, TAKES_MAX, type TakeReply, type TakeRequest } from '../../gate.ts'
import { isSoldOut } from '../../room-state.ts'
import { costOf, isPromised } from '../rules/floor-sums.ts'
import type { Room, Take } from '../state/room.ts'
import type { FloorRecord } from '../state/ticket.ts'
import { returnTakes, setTakes } from '../tickets/takes.ts'
import { passHolder } from './check.ts'

/** Most tickets with overdue takes that one call returns. */
const RETURN_MAX = 100

/** The gate: lets claims through to the ledger, in the order given. Rules M21–M23, M25 and M28. */
export function take(room: Room, requests: readonly TakeRequest[]): TakeReply[] {
  returnTakes(room, RETURN_MAX)
  return requests.map((request) => takeOne(room, request))
}

function takeOne(room: Room, request: TakeRequest): TakeReply {
  const { number, quantity, operation } = request
  const { seq } = room
  const floor = floorOf(room, request)
  if (floor === null) return { status: 'stale', seq }
  const { reservationSeconds } = room.settings
  const leftSeconds = secondsLeft(floor.sessionDeadline, reservationSeconds, room.now)
  if (quantity > 0 && leftSeconds < 1) return { status: 'no_time', seq }
  const takes = room.takes.get(number) ?? []
  const others = takes.filter((other) => other.operation !== operation)
  const wanted = [...others, { operation, quantity, endsAt: room.now + TAKE_MS }]
  const isRepeated = takes.some((other) => other.operation === operation && other.quantity === quantity)
  if (!isRepeated) {
    const left = leftFor(room, takes, floor.reservedSeats)
    const cost = costOf(wanted, floor.reservedSeats)
    if (others.length >= TAKES_MAX) return { status: 'busy', seq }
    if (cost > costOf(takes, floor.reservedSeats) && cost > left) {
      if (others.length > 0) return { status: 'busy', seq }
      if (isSoldOut(room)) return { status: 'sold_out', seq }
      return { status: 'not_enough', available: floor.reservedSeats + Math.max(0, left), seq }
    }
  }
  setTakes(room, number, wanted)
  return leftSeconds < reservationSeconds && quantity > 0
    ? { status: 'taken', leftSeconds, seq }
    : { status: 'taken', seq }
}

/** Null when the ticket is not on the floor, or its pass is not valid or has another identity. */
function floorOf(room: Room, { number, fence, quantity, identity }: TakeRequest): FloorRecord | null {
  if (quantity === 0) return room.tickets.get(number)?.floor ?? null
  const holder = passHolder(room, { number, fence })
  return holder === null || (identity !== undefined && identity !== holder.ticket.identity) ? null : holder.floor
}

/** Seats that a ticket may take in addition to those it has, when every other ticket gets what it took or is promised. */
function leftFor(room: Room, takes: readonly Take[], reservedSeats: number): number {
  if (room.stock === null || !room.settings.stockAware) return Number.POSITIVE_INFINITY
  const hasPromise = isPromised(takes, reservedSeats)
  const takenByOthers = room.taken - costOf(takes, reservedSeats)
  const promisedToOthers = room.promised - (hasPromise ? 1 : 0)
  const left = room.stock - takenByOthers - promisedToOthers
  // An unsettled claim that the stock already reflects counts twice for a moment. The promise of one seat still holds.
  return hasPromise ? Math.max(left, Math.min(1, room.stock)) : left
}
