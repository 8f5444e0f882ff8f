import type { SeatStatus } from '../engine/index.ts'
import type { SeatFact } from './read-seats.ts'
import type { FreeFrom, SeatCounts, SeatMove } from './seat-map.ts'

/** A seat as it will be when the transaction commits. */
export interface SeatState {
  readonly id: string
  readonly seatTypeId: string
  readonly row: string | null
  readonly number: number | null
  readonly ordinal: number
  status: SeatStatus
  reservationId: string | null
  heldUntil: Date | null
}

/** The seats that one transaction knows of, changed here first and written once, as they are in the end. */
export interface SeatDesk {
  /** The event's counts as they will be. */
  readonly counts: SeatCounts
  find(seatId: string): SeatState | undefined
  seatsOf(reservationId: string): readonly SeatState[]
  /** Up to so many free seats of a type without numbers, in the order of the plan. */
  firstFree(seatTypeId: string, quantity: number): SeatState[]
  hold(seats: readonly SeatState[], by: { reservationId: string; until: Date }): void
  sell(seats: readonly SeatState[], reservationId: string): void
  release(reservationId: string): void
  /** Some seats of a reservation; the others stay as they are. */
  letGo(seats: readonly SeatState[]): void
  /** Given up to where free seats were read: where the first of them is that was not taken. */
  freeFrom(readUpTo: FreeFrom): FreeFrom
  /** Everything that is different from what was read, by ascending id. */
  changed(): SeatState[]
  moves(): SeatMove[]
}

export function openDesk(facts: readonly SeatFact[], counts: SeatCounts): SeatDesk {
  return new Desk(facts, counts)
}

interface KnownSeat extends SeatState {
  /** As it was read. */
  readonly before: SeatFact
}

const isChanged = ({ before, status, reservationId, heldUntil }: KnownSeat): boolean =>
  before.status !== status ||
  before.reservationId !== reservationId ||
  before.heldUntil?.getTime() !== heldUntil?.getTime()

class Desk implements SeatDesk {
  readonly counts: Record<SeatStatus, number>
  readonly #seats = new Map<string, KnownSeat>()
  readonly #byReservation = new Map<string, Set<SeatState>>()
  /** Unnumbered seats by type, the next one last. A seat in here may be taken by now: look before you give it away. */
  readonly #free = new Map<string, SeatState[]>()

  constructor(facts: readonly SeatFact[], counts: SeatCounts) {
    this.counts = { ...counts }
    const free: SeatState[] = []
    for (const before of facts) {
      const seat = { ...before, before }
      this.#seats.set(seat.id, seat)
      if (seat.row === null && seat.status === 'available') free.push(seat)
      if (seat.reservationId !== null) this.#keptBy(seat.reservationId).add(seat)
    }
    free.sort((one, other) => other.ordinal - one.ordinal)
    for (const seat of free) this.#offer(seat)
  }

  find(seatId: string): SeatState | undefined {
    return this.#seats.get(seatId)
  }

  seatsOf(reservationId: string): readonly SeatState[] {
    return [...(this.#byReservation.get(reservationId) ?? [])]
  }

  firstFree(seatTypeId: string, quantity: number): SeatState[] {
    const pile = this.#free.get(seatTypeId) ?? []
    const found = new Set<SeatState>()
    while (found.size < quantity) {
      const seat = pile.pop()
      if (seat === undefined) break
      if (seat.status === 'available') found.add(seat)
    }
    const first = [...found]
    // They are only looked at; holding them is what takes them.
    pile.push(...first.toReversed())
    return first
  }

  hold(seats: readonly SeatState[], by: { reservationId: string; until: Date }): void {
    for (const seat of seats) this.#set(seat, 'held', by.reservationId, by.until)
  }

  sell(seats: readonly SeatState[], reservationId: string): void {
    for (const seat of seats) this.#set(seat, 'sold', reservationId, null)
  }

  release(reservationId: string): void {
    this.letGo(this.seatsOf(reservationId))
  }

  letGo(seats: readonly SeatState[]): void {
    for (const seat of seats) {
      this.#set(seat, 'available', null, null)
      this.#offer(seat)
    }
  }

  freeFrom(readUpTo: FreeFrom): FreeFrom {
    const from = { ...readUpTo }
    for (const { row, status, seatTypeId, ordinal } of this.#seats.values()) {
      const known = from[seatTypeId]
      if (row === null && status === 'available' && known !== undefined) from[seatTypeId] = Math.min(known, ordinal)
    }
    return from
  }

  changed(): KnownSeat[] {
    return [...this.#seats.values()].filter(isChanged).sort((one, other) => (one.id < other.id ? -1 : 1))
  }

  moves(): SeatMove[] {
    return this.changed().map(({ id, status, before, seatTypeId, ordinal }) => ({
      ...{ seatId: id, status, before: before.status },
      place: { seatTypeId, ordinal },
    }))
  }

  #set(seat: SeatState, status: SeatStatus, reservationId: string | null, heldUntil: Date | null): void {
    this.counts[seat.status] -= 1
    this.counts[status] += 1
    if (seat.reservationId !== null) this.#byReservation.get(seat.reservationId)?.delete(seat)
    if (reservationId !== null) this.#keptBy(reservationId).add(seat)
    seat.status = status
    seat.reservationId = reservationId
    seat.heldUntil = heldUntil
  }

  #offer(seat: SeatState): void {
    if (seat.row !== null) return
    const pile = this.#free.get(seat.seatTypeId)
    if (pile === undefined) this.#free.set(seat.seatTypeId, [seat])
    else pile.push(seat)
  }

  #keptBy(reservationId: string): Set<SeatState> {
    const known = this.#byReservation.get(reservationId)
    if (known !== undefined) return known
    const seats = new Set<SeatState>()
    this.#byReservation.set(reservationId, seats)
    return seats
  }
}
