import { isSoldOut } from '../../contract.ts'
import { secondsLeft, TAKE_MS, TAKES_MAX, type TakeReply, type TakeRequest } from '../../gate.ts'
import { costOf, isPromised } from '../rules/floor-sums.ts'
import type { Room, Take } from '../state/room.ts'
import type { FloorRecord } from '../state/ticket.ts'
import { returnTakes, setTakes } from '../tickets/takes.ts'
import { passHolder } from './check.ts'

/** Most tickets whose overdue takes one call gives back. */
const RETURN_MAX = 100

/** Lets claims through to the ledger, in the order given. Rules M21–M23, M25 and M28. */
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

/** Null when the ticket is not on the floor, or its pass does not count or is somebody else's. */
function floorOf(room: Room, { number, fence, quantity, identity }: TakeRequest): FloorRecord | null {
  if (quantity === 0) return room.tickets.get(number)?.floor ?? null
  const holder = passHolder(room, { number, fence })
  return holder === null || (identity !== undefined && identity !== holder.ticket.identity) ? null : holder.floor
}

/** Seats that a ticket may have beside those it has, when everybody else gets what they took or are promised. */
function leftFor(room: Room, takes: readonly Take[], reservedSeats: number): number {
  if (room.stock === null || !room.settings.stockAware) return Number.POSITIVE_INFINITY
  const isTheirs = isPromised(takes, reservedSeats)
  const takenByOthers = room.taken - costOf(takes, reservedSeats)
  const promisedToOthers = room.promised - (isTheirs ? 1 : 0)
  const left = room.stock - takenByOthers - promisedToOthers
  // A claim that the stock tells of already and that is not settled yet counts twice: a promise is kept all the same.
  return isTheirs ? Math.max(left, Math.min(1, room.stock)) : left
}
