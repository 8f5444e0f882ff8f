import { type House, pickSeats } from '@seatwise/domain'
import type { SeatChange, SeatCounts, SeatPlan, SeatStatus } from '@seatwise/seats'
import { type HousePlan, planHouses } from './plan-houses.ts'

/** Seats by id, or a number of seats of one type. */
export type Wish =
  | { readonly seatIds: readonly string[] }
  | { readonly seatTypeId: string; readonly quantity: number; readonly accessible: boolean }

/** Why a wish cannot be granted, as far as the copy knows. */
export type Refusal =
  | { readonly status: 'taken'; readonly seatIds: readonly string[] }
  | { readonly status: 'not_enough'; readonly available: number }
  | { readonly status: 'sold_out' }

const STATUSES = ['available', 'held', 'sold', 'blocked'] as const satisfies readonly SeatStatus[]
const CODES: Readonly<Record<SeatStatus, number>> = { available: 0, held: 1, sold: 2, blocked: 3 }

/**
 * One server's copy of an event's seat map, a moment behind the ledger. It turns losers away, picks what is best, and
 * tells what changed; it never decides that somebody gets a seat.
 */
export class SeatMapCopy {
  /** What whoever has an older version has to load as a whole: since then every change is known. */
  readonly plannedAt: number
  readonly #houses: HousePlan
  readonly #ids: readonly string[]
  readonly #indexes: ReadonlyMap<string, number>
  readonly #statuses: Uint8Array
  /** The version in which each seat last changed. */
  readonly #changedIn: Float64Array
  /** How many are free, by type. */
  readonly #free: Uint32Array
  /** How many are free, by row; the last one counts all that are in none. */
  readonly #freeInRow: Uint32Array
  /** Seats that were picked for claims on their way to the ledger: not offered to anybody else until those are back. */
  readonly #pencilled = new Set<number>()
  #version: number
  #counts: SeatCounts

  constructor({ version, counts, seats, seatTypes }: SeatPlan) {
    this.plannedAt = version
    this.#version = version
    this.#counts = counts
    this.#houses = planHouses(seats, seatTypes)
    this.#ids = seats.map(({ id }) => id)
    this.#indexes = new Map(seats.map(({ id }, index) => [id, index]))
    this.#statuses = Uint8Array.from(seats, ({ status }) => CODES[status])
    this.#changedIn = new Float64Array(seats.length)
    this.#free = new Uint32Array(seatTypes.length)
    this.#freeInRow = new Uint32Array(this.#houses.rowCount + 1)
    for (const [index, status] of this.#statuses.entries()) if (status === CODES.available) this.#count(index, 1)
  }

  get version(): number {
    return this.#version
  }

  get counts(): SeatCounts {
    return this.#counts
  }

  get size(): number {
    return this.#ids.length
  }

  hasSeat(seatId: string): boolean {
    return this.#indexes.has(seatId)
  }

  /** Whether its seats have numbers; undefined when the event has no such type. */
  isNumbered(seatTypeId: string): boolean | undefined {
    return this.#houses.types.get(seatTypeId)?.isNumbered
  }

  /** Types of seats, in the order of the event. */
  get seatTypeIds(): readonly string[] {
    return [...this.#houses.types.keys()]
  }

  freeOf(seatTypeId: string): number {
    const type = this.#houses.types.get(seatTypeId)
    return type === undefined ? 0 : (this.#free[type.place] ?? 0)
  }

  /** What is known to be in the way of a wish; null lets it through. What the copy does not know is for the ledger. */
  judge(wish: Wish): Refusal | null {
    if ('seatIds' in wish) {
      const taken = wish.seatIds.filter((id) => (this.#statuses[this.#indexes.get(id) ?? -1] ?? 0) !== CODES.available)
      return taken.length === 0 ? null : this.#refuse({ status: 'taken', seatIds: taken })
    }
    if (this.isNumbered(wish.seatTypeId) === undefined) return null
    const available = this.freeOf(wish.seatTypeId)
    return available >= wish.quantity ? null : this.#refuse({ status: 'not_enough', available })
  }

  /** How many seats of a type somebody could have, by whether they asked for accessible ones. */
  freeFor({ seatTypeId, accessible }: { seatTypeId: string; accessible: boolean }): number {
    const house = this.#houses.types.get(seatTypeId)?.house
    if (accessible || house === undefined || house === null) return this.freeOf(seatTypeId)
    const isOffered = (index: number) => this.#statuses[index] === CODES.available && house.accessible[index] !== true
    return house.rows.reduce((sum, { indexes }) => sum + indexes.filter(isOffered).length, 0)
  }

  /** The best seats for a wish of numbered ones, pencilled in until they are rubbed out; null when there are none. */
  pick(wish: { seatTypeId: string; quantity: number; accessible: boolean }, seed: number, own: readonly string[]) {
    const planned = this.#houses.types.get(wish.seatTypeId)
    if (planned === undefined || planned.house === null) return null
    const mine = new Set(own.flatMap((id) => this.#indexes.get(id) ?? []))
    const indexes = this.#pickFrom(planned.house, planned.firstRow, { ...wish, seed }, mine)
    if (indexes === null) return null
    for (const index of indexes) this.#pencilled.add(index)
    return {
      seatIds: indexes.flatMap((index) => this.#ids[index] ?? []),
      rubOut: () => {
        for (const index of indexes) this.#pencilled.delete(index)
      },
    }
  }

  /** Brings the copy to a newer version. */
  apply(version: number, counts: SeatCounts, changes: readonly SeatChange[]): void {
    for (const { seatId, status } of changes) {
      const index = this.#indexes.get(seatId)
      if (index === undefined) continue
      const code = CODES[status]
      const before = this.#statuses[index]
      if (before === CODES.available && code !== CODES.available) this.#count(index, -1)
      if (before !== CODES.available && code === CODES.available) this.#count(index, 1)
      this.#statuses[index] = code
      this.#changedIn[index] = version
    }
    this.#version = version
    this.#counts = counts
  }

  /** Everything that is different from what it was in an earlier version; null when that is not known any more. */
  changesSince(version: number): { id: string; status: SeatStatus }[] | null {
    if (version < this.plannedAt || version > this.#version) return null
    const changes: { id: string; status: SeatStatus }[] = []
    if (version === this.#version) return changes
    for (const [index, changedIn] of this.#changedIn.entries()) {
      const status = STATUSES[this.#statuses[index] ?? -1]
      const id = this.#ids[index]
      if (changedIn > version && status !== undefined && id !== undefined) changes.push({ id, status })
    }
    return changes
  }

  #pickFrom(
    house: House,
    firstRow: number,
    wish: { quantity: number; accessible: boolean; seed: number },
    mine: ReadonlySet<number>,
  ): number[] | null {
    const isFree = (index: number) => this.#statuses[index] === CODES.available || mine.has(index)
    const ownRows = new Set([...mine].map((index) => this.#houses.rowOfSeat[index]))
    const isFull = (place: number) => this.#freeInRow[firstRow + place] === 0 && !ownRows.has(firstRow + place)
    const untouched = pickSeats(house, (index) => isFree(index) && !this.#pencilled.has(index), wish, isFull)
    // What others have only pencilled in may come back: better to try than to turn somebody away for it.
    return untouched ?? (this.#pencilled.size === 0 ? null : pickSeats(house, isFree, wish, isFull))
  }

  #refuse(refusal: Refusal): Refusal {
    return this.#counts.available + this.#counts.held === 0 ? { status: 'sold_out' } : refusal
  }

  #count(index: number, by: 1 | -1): void {
    const place = this.#houses.typeOfSeat[index] ?? 0
    this.#free[place] = (this.#free[place] ?? 0) + by
    const row = this.#houses.rowOfSeat[index] ?? 0
    this.#freeInRow[row] = (this.#freeInRow[row] ?? 0) + by
  }
}
