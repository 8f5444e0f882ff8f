import { findRuns, type HouseRow, maySit, pickFromRuns, type RowRuns } from '@seatwise/domain'
import type { SeatChange, SeatCounts, SeatPlan, SeatStatus } from '@seatwise/ledger'
import { FreeRuns } from './free-runs.ts'
import { type HousePlan, type PlannedHouse, planHouses } from './plan-houses.ts'

/** Seats by id, or a number of seats of one type. */
export type Wish = { readonly seatIds: readonly string[] } | TypeWish

export interface TypeWish {
  readonly seatTypeId: string
  readonly quantity: number
  readonly accessible: boolean
}

/** Why a wish cannot be granted, as far as the copy knows. */
export type Refusal =
  | { readonly status: 'taken'; readonly seatIds: readonly string[] }
  | { readonly status: 'not_enough'; readonly available: number }
  | { readonly status: 'sold_out' }

const STATUSES = ['available', 'held', 'sold', 'blocked'] as const satisfies readonly SeatStatus[]
const CODES: Readonly<Record<SeatStatus, number>> = { available: 0, held: 1, sold: 2, blocked: 3 }

/**
 * One server's copy of an event's seat map, a moment behind the ledger. It turns losers away, picks the best seats, and
 * tells what changed; it never decides that a visitor gets a seat.
 */
export class SeatMapCopy {
  /** A client with an older version must load the whole map: only changes since this version are known. */
  readonly plannedAt: number
  readonly #houses: HousePlan
  readonly #ids: readonly string[]
  readonly #indexes: ReadonlyMap<string, number>
  readonly #statuses: Uint8Array
  /** The version in which each seat last changed. */
  readonly #changedIn: Float64Array
  /** Free seats by type. */
  readonly #free: Uint32Array
  /** Of those, the seats for every visitor, not kept for visitors who need accessible ones. */
  readonly #freeForAll: Uint32Array
  readonly #isAccessible: readonly boolean[]
  /** By type: in no public answer. */
  readonly #isHidden: readonly boolean[]
  /** The free runs of each numbered type. */
  readonly #runs = new Map<string, FreeRuns>()
  readonly #runsOfRow: readonly { readonly runs: FreeRuns; readonly place: number }[]
  /** Seats picked for claims on their way to the ledger: not offered to another visitor until those are answered. */
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
    this.#freeForAll = new Uint32Array(seatTypes.length)
    this.#isAccessible = seats.map(({ accessible }) => accessible)
    this.#isHidden = seatTypes.map(({ isHidden }) => isHidden)
    this.#runsOfRow = this.#findRows()
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

  /** Whether its seats are numbered; undefined when the event has no such type. */
  isNumbered(seatTypeId: string): boolean | undefined {
    return this.#houses.types.get(seatTypeId)?.isNumbered
  }

  isHidden(seatTypeId: string): boolean {
    return this.#houses.types.get(seatTypeId)?.isHidden === true
  }

  /** The ids of the seat types that every visitor may reserve, in the order of the event. */
  get openTypeIds(): readonly string[] {
    return [...this.#houses.types].filter(([, { isHidden }]) => !isHidden).map(([id]) => id)
  }

  freeOf(seatTypeId: string): number {
    const type = this.#houses.types.get(seatTypeId)
    return type === undefined ? 0 : (this.#free[type.place] ?? 0)
  }

  /**
   * Why a wish must fail; null lets it through. What the copy does not know, the ledger decides; so it does about hidden
   * seats, of which a visitor without the right code must not learn what became of them.
   */
  judge(wish: Wish): Refusal | null {
    if ('seatIds' in wish) {
      if (wish.seatIds.some((id) => this.#isSeatHidden(this.#indexes.get(id) ?? -1))) return null
      const taken = wish.seatIds.filter((id) => (this.#statuses[this.#indexes.get(id) ?? -1] ?? 0) !== CODES.available)
      return taken.length === 0 ? null : this.#refuse({ status: 'taken', seatIds: taken })
    }
    if (this.isNumbered(wish.seatTypeId) === undefined || this.isHidden(wish.seatTypeId)) return null
    const available = this.freeOf(wish.seatTypeId)
    return available >= wish.quantity ? null : this.#refuse({ status: 'not_enough', available })
  }

  /** How many seats of a type a visitor could have, by whether they asked for accessible ones. */
  freeFor({ seatTypeId, accessible }: Pick<TypeWish, 'seatTypeId' | 'accessible'>): number {
    const type = this.#houses.types.get(seatTypeId)
    if (accessible || type === undefined || !type.isNumbered) return this.freeOf(seatTypeId)
    return this.#freeForAll[type.place] ?? 0
  }

  /** The best seats for a wish of numbered ones, pencilled in until they are rubbed out; null when there are none. */
  pick(wish: TypeWish, seed: number, own: readonly string[]) {
    const planned = this.#houses.types.get(wish.seatTypeId)
    if (planned === undefined || planned.house === null) return null
    const mine = new Set(own.flatMap((id) => this.#indexes.get(id) ?? []))
    const indexes = this.#pickFrom(planned, { ...wish, seed }, mine)
    if (indexes === null) return null
    for (const index of indexes) {
      this.#pencilled.add(index)
      this.#touch(index)
    }
    return {
      seatIds: indexes.flatMap((index) => this.#ids[index] ?? []),
      rubOut: () => {
        for (const index of indexes) {
          this.#pencilled.delete(index)
          this.#touch(index)
        }
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
      if (before !== code) this.#touch(index)
      this.#statuses[index] = code
      this.#changedIn[index] = version
    }
    this.#version = version
    this.#counts = counts
  }

  /** Every public seat that differs from an earlier version; null when that version is too old. */
  changesSince(version: number): { id: string; status: SeatStatus }[] | null {
    if (version < this.plannedAt || version > this.#version) return null
    const changes: { id: string; status: SeatStatus }[] = []
    if (version === this.#version) return changes
    for (const [index, changedIn] of this.#changedIn.entries()) {
      const status = STATUSES[this.#statuses[index] ?? -1]
      const id = this.#ids[index]
      if (changedIn <= version || status === undefined || id === undefined) continue
      if (!this.#isSeatHidden(index)) changes.push({ id, status })
    }
    return changes
  }

  /**
   * Rows in which the visitor has seats, or other claims have pencilled some in, are recomputed; all others are cached.
   */
  #pickFrom(
    { house, firstRow }: PlannedHouse,
    wish: TypeWish & { readonly seed: number },
    mine: ReadonlySet<number>,
  ): number[] | null {
    const known = this.#runs.get(wish.seatTypeId)
    if (house === null || known === undefined) return null
    const isFree = (index: number) => this.#isAvailable(index) || mine.has(index)
    const pick = (isOffered: (index: number) => boolean, changed: Iterable<number>): number[] | null => {
      const anew = new Map<number, RowRuns | null>()
      for (const index of changed) anew.set((this.#houses.rowOfSeat[index] ?? 0) - firstRow, null)
      const runsAt = (row: HouseRow, place: number): RowRuns => {
        if (!anew.has(place)) return known.at(row, place, wish.accessible)
        const runs = anew.get(place) ?? findRuns(row, place, maySit(house, isOffered, wish.accessible))
        anew.set(place, runs)
        return runs
      }
      return pickFromRuns(house, runsAt, wish)
    }
    const untouched = pick((index) => isFree(index) && !this.#pencilled.has(index), mine)
    // Seats that other claims have pencilled in may become free: trying them beats refusing a visitor.
    return untouched ?? (this.#pencilled.size === 0 ? null : pick(isFree, [...mine, ...this.#pencilled]))
  }

  #refuse(refusal: Refusal): Refusal {
    return this.#counts.available + this.#counts.held === 0 ? { status: 'sold_out' } : refusal
  }

  #count(index: number, by: 1 | -1): void {
    const place = this.#houses.typeOfSeat[index] ?? 0
    this.#free[place] = (this.#free[place] ?? 0) + by
    if (this.#isAccessible[index] !== true) this.#freeForAll[place] = (this.#freeForAll[place] ?? 0) + by
  }

  #isSeatHidden(index: number): boolean {
    return this.#isHidden[this.#houses.typeOfSeat[index] ?? -1] === true
  }

  #isAvailable(index: number): boolean {
    return this.#statuses[index] === CODES.available
  }

  /** Invalidates the free runs of the seat's row. */
  #touch(index: number): void {
    const row = this.#runsOfRow[this.#houses.rowOfSeat[index] ?? -1]
    row?.runs.touch(row.place)
  }

  /** By the row's index among all rows of the event. */
  #findRows(): { runs: FreeRuns; place: number }[] {
    const states = {
      isAvailable: (index: number) => this.#isAvailable(index),
      isPencilled: (index: number) => this.#pencilled.has(index),
    }
    return [...this.#houses.types].flatMap(([seatTypeId, { house }]) => {
      if (house === null) return []
      const runs = new FreeRuns(house, states)
      this.#runs.set(seatTypeId, runs)
      return house.rows.map((_, place) => ({ runs, place }))
    })
  }
}
