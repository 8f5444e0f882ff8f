import { pickSeats } from '@seatwise/domain'
import { loadStatement } from '../../engine/index.ts'
import { tell } from '../../outbox/index.ts'
import { endReservations, newsOfEnd, type ReservationRow } from '../../reservations/index.ts'
import {
  type OpenSeatMap,
  openDesk,
  readKeptSeats,
  readSeats,
  type SeatDesk,
  type SeatFact,
  type SeatMove,
  type SeatState,
  setSeats,
} from '../../seat-map/index.ts'

const MARK_PAID = loadStatement(import.meta.url, 'mark-paid.sql')
const SWAP_ITEMS = loadStatement(import.meta.url, 'swap-items.sql')
const READ_EQUAL_SEATS = loadStatement(import.meta.url, 'read-equal-seats.sql')
const COUNT_OWNED = loadStatement(import.meta.url, 'count-owned.sql')
const IS_CODE_USED_UP = loadStatement(import.meta.url, 'is-code-used-up.sql')

export type SeatSale =
  | { readonly status: 'sold'; readonly isMoved: boolean; readonly moves: readonly SeatMove[] }
  | { readonly status: 'gone'; readonly reason: string }

/**
 * Sells a reservation's seats: those it holds; or, when its hold is gone, the same ones if they are free, else equal
 * ones, else nothing. Nothing is changed in the last case.
 */
export async function sellSeats(map: OpenSeatMap, reservation: ReservationRow, ownedMax: number): Promise<SeatSale> {
  switch (reservation.status) {
    case 'PENDING_PAYMENT':
      return await sellHeld(map, reservation)
    case 'EXPIRED':
    case 'CANCELED':
      return await sellLate(map, reservation, ownedMax)
    case 'PAID':
      return { status: 'gone', reason: 'The reservation was paid for before' }
    case 'REFUNDED':
      return { status: 'gone', reason: 'The reservation was refunded before' }
  }
}

async function sellHeld(map: OpenSeatMap, reservation: ReservationRow): Promise<SeatSale> {
  const desk = openDesk(await readKeptSeats(map.transaction, [reservation.id]), map.counts)
  const seats = desk.seatsOf(reservation.id)
  if (seats.length !== reservation.items.length) throw new RangeError(`${reservation.id} does not hold all its seats`)
  await write(map, reservation, desk, seats)
  return { status: 'sold', isMoved: false, moves: desk.moves() }
}

async function sellLate(map: OpenSeatMap, reservation: ReservationRow, ownedMax: number): Promise<SeatSale> {
  const quantity = reservation.items.length
  const [owned] = await map.transaction.run<{ seats: number }>(COUNT_OWNED, [map.eventId, reservation.buyerId, map.at])
  if ((owned?.seats ?? 0) + quantity > ownedMax) return { status: 'gone', reason: 'The buyer has other seats by now' }
  const usedUp = await map.transaction.run(IS_CODE_USED_UP, [reservation.id, map.at])
  if (usedUp.length > 0) return { status: 'gone', reason: 'The code is used up by now' }
  const own = await readSeats(
    map,
    reservation.items.map(({ seatId }) => seatId),
  )
  const overdue = [...new Set(own.flatMap((seat) => (isOverdue(seat, map.at) ? (seat.reservationId ?? []) : [])))]
  const equal = await readEqualSeats(map, own)
  const kept = await readKeptSeats(map.transaction, overdue)
  const desk = openDesk([...new Map([...own, ...equal, ...kept].map((seat) => [seat.id, seat])).values()], map.counts)
  for (const id of overdue) desk.release(id)

  const seats = own.length < quantity ? null : chooseAgain(desk, own, equal)
  if (seats === null) return { status: 'gone', reason: 'The hold was over, and no equal seats are free' }
  const expired = await endReservations(map, overdue, 'EXPIRED')
  await tell(
    map.transaction,
    expired.map((ended) => newsOfEnd(map, ended, 'EXPIRED')),
  )
  await swapItems(map, reservation, own, seats)
  await write(map, reservation, desk, seats)
  return { status: 'sold', isMoved: seats.some(({ id }) => !own.some((seat) => seat.id === id)), moves: desk.moves() }
}

const isOverdue = ({ heldUntil }: SeatFact, at: Date): boolean => heldUntil !== null && heldUntil <= at

/** The same seats where they are free; the others of a type all together, so that a group sits side by side again. */
function chooseAgain(desk: SeatDesk, own: readonly SeatFact[], equal: readonly EqualSeat[]): SeatState[] | null {
  const chosen: SeatState[] = []
  for (const type of new Set(own.map(({ seatTypeId }) => seatTypeId))) {
    const wanted = own.filter(({ seatTypeId }) => seatTypeId === type)
    const same = wanted.flatMap(({ id }) => desk.find(id) ?? []).filter(({ status }) => status === 'available')
    const isNumbered = wanted.some(({ row }) => row !== null)
    if (same.length === wanted.length) chosen.push(...same)
    else if (isNumbered) chosen.push(...pickEqual(desk, wanted, equal))
    else chosen.push(...desk.firstFree(type, wanted.length))
  }
  return chosen.length === own.length ? chosen : null
}

interface EqualSeat extends SeatFact {
  /** How far along the row; null without a number. */
  readonly along: number | null
  readonly accessible: boolean
}

function pickEqual(desk: SeatDesk, wanted: readonly SeatFact[], equal: readonly EqualSeat[]): SeatState[] {
  const type = wanted[0]?.seatTypeId
  const seats = equal.filter(({ seatTypeId }) => seatTypeId === type).map((seat, index) => ({ ...seat, index }))
  const rows = [...Map.groupBy(seats, ({ row }) => row).values()].map((inRow) => {
    const inOrder = inRow.toSorted((one, other) => (one.along ?? 0) - (other.along ?? 0))
    const along = inOrder.map((seat) => seat.along ?? 0)
    const indexes = inOrder.map(({ index }) => index)
    return { along, indexes, focus: ((along[0] ?? 0) + (along.at(-1) ?? 0)) / 2 }
  })
  const house = { rows, accessible: seats.map(({ accessible }) => accessible) }
  const isFree = (index: number): boolean => desk.find(seats[index]?.id ?? '')?.status === 'available'
  const isAccessible = wanted.some(({ id }) => seats.some((seat) => seat.id === id && seat.accessible))
  const wish = { quantity: wanted.length, accessible: isAccessible, seed: wanted[0]?.ordinal ?? 0 }
  const picked = pickSeats(house, isFree, wish) ?? []
  return picked.flatMap((index) => desk.find(seats[index]?.id ?? '') ?? [])
}

/** Most seats read for one late payment: reading a whole stadium would hold up all others. */
const EQUAL_SEATS_MAX = 2_000

async function readEqualSeats(map: OpenSeatMap, own: readonly SeatFact[]): Promise<EqualSeat[]> {
  const types = [...new Set(own.map(({ seatTypeId }) => seatTypeId))]
  const ids = own.map(({ id }) => id)
  return await map.transaction.run<EqualSeat>(READ_EQUAL_SEATS, [types, ids, EQUAL_SEATS_MAX])
}

async function swapItems(
  map: OpenSeatMap,
  reservation: ReservationRow,
  own: readonly SeatFact[],
  seats: readonly SeatState[],
): Promise<void> {
  const gone = own.filter(({ id }) => !seats.some((seat) => seat.id === id))
  const come = seats.filter(({ id }) => !own.some((seat) => seat.id === id))
  if (gone.length === 0) return
  // Each new seat is of the same type as one that goes, and costs what was paid for that one.
  const swaps = gone.map(({ id, seatTypeId }) => {
    const index = come.findIndex((seat) => seat.seatTypeId === seatTypeId)
    const [seat] = come.splice(index, 1)
    if (index < 0 || seat === undefined) throw new RangeError(`No seat replaces ${id}`)
    return { from: id, to: seat.id }
  })
  await map.transaction.run(SWAP_ITEMS, [reservation.id, swaps.map(({ from }) => from), swaps.map(({ to }) => to)])
}

async function write(
  map: OpenSeatMap,
  reservation: ReservationRow,
  desk: SeatDesk,
  seats: readonly SeatState[],
): Promise<void> {
  desk.sell(seats, reservation.id)
  await map.transaction.run(MARK_PAID, [reservation.id, map.at])
  await setSeats(map, desk)
}
