import { OUTSIDE_FROM, secondsLeft, TAKE_MS, TAKES_MAX, type TakeReply, type TakeRequest } from '../../gate.ts'
import { isSoldOut } from '../../room-state.ts'
import { costOf, isPromised } from '../rules/floor-sums.ts'
import type { Room, Take } from '../state/room.ts'
import type { FloorRecord, Ticket } from '../state/ticket.ts'
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
  if (number >= OUTSIDE_FROM) return takeOutside(room, request)
  const floor = floorOf(room, request)
  if (floor === null) return { status: 'stale', seq }
  const { reservationSeconds } = room.settings
  const leftSeconds = secondsLeft(floor.sessionDeadline, reservationSeconds, room.now)
  if (quantity > 0 && leftSeconds < 1) return { status: 'no_time', seq }
  const before = room.takes.get(number) ?? []
  const others = before.filter((other) => other.operation !== operation)
  const wanted = [...others, { operation, quantity, endsAt: room.now + TAKE_MS }]
  const isRepeated = before.some((other) => other.operation === operation && other.quantity === quantity)
  const refused = isRepeated ? null : refusal(room, before, wanted, floor.reservedSeats)
  if (refused !== null) return refused
  setTakes(room, number, wanted)
  return leftSeconds < reservationSeconds && quantity > 0
    ? { status: 'taken', leftSeconds, seq }
    : { status: 'taken', seq }
}

/** A sale outside the line: it may have what no ticket took or is promised, and nothing is promised to it. Rule B166. */
function takeOutside(room: Room, { number, quantity, operation }: TakeRequest): TakeReply {
  const { seq } = room
  const before = room.takes.get(number) ?? []
  // Another sale that happens to have this number: one of them waits, or the two would cost only as much as one.
  if (before.some((other) => other.operation !== operation)) return { status: 'busy', seq }
  const left =
    room.stock === null || !room.settings.stockAware
      ? Number.POSITIVE_INFINITY
      : room.stock - (room.taken - costOf(before, 0)) - room.promised
  if (!before.some((same) => same.quantity === quantity) && quantity > left) {
    return isSoldOut(room) ? { status: 'sold_out', seq } : { status: 'not_enough', available: Math.max(0, left), seq }
  }
  setTakes(room, number, [{ operation, quantity, endsAt: room.now + TAKE_MS }])
  return { status: 'taken', seq }
}

/** Why a ticket may not replace its takes `before` by `wanted`; null when it may. */
function refusal(
  room: Room,
  before: readonly Take[],
  wanted: readonly Take[],
  reservedSeats: number,
): TakeReply | null {
  const { seq } = room
  if (wanted.length > TAKES_MAX) return { status: 'busy', seq }
  const [cost, left] = [costOf(wanted, reservedSeats), leftFor(room, before, reservedSeats)]
  if (cost <= costOf(before, reservedSeats) || cost <= left) return null
  if (wanted.length > 1) return { status: 'busy', seq }
  if (isSoldOut(room)) return { status: 'sold_out', seq }
  return { status: 'not_enough', available: reservedSeats + Math.max(0, left), seq }
}

/** Null when the ticket is not on the floor, or its pass is not valid or has another identity. */
function floorOf(room: Room, { number, fence, quantity, identity }: TakeRequest): FloorRecord | null {
  if (quantity === 0) return room.tickets.get(number)?.floor ?? null
  const holder = passHolder(room, { number, fence })
  const isTheirs = identity === undefined || standsWith(room, holder?.ticket, identity)
  return holder === null || !isTheirs ? null : holder.floor
}

/** Whether an identity is a visitor who stands with this ticket. */
function standsWith(room: Room, ticket: Ticket | undefined, identity: string): boolean {
  const own = room.identities.get(identity)
  return own !== undefined && (own.standsWith ?? own) === ticket
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
