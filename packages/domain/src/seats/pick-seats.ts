/**
 * Best available: chooses free seats for a visitor who asks for a number of them.
 *
 * In this order: side by side in one row; leaving no single seat alone; near the focus of the row, and rows near the
 * front; among equals a choice by seed, so that visitors who ask together do not compete for one block. Accessible
 * seats are kept for visitors who ask for them.
 */
export interface HouseRow {
  /** How far along the row each seat stands, ascending. Two seats are side by side when they differ by one. */
  readonly along: readonly number[]
  /** Index of each seat in the caller's list. */
  readonly indexes: readonly number[]
  /** How far along the row the best view is; usually the middle. */
  readonly focus: number
}

export interface House {
  /** The best row first. */
  readonly rows: readonly HouseRow[]
  /** By the caller's index. */
  readonly accessible: readonly boolean[]
}

export interface SeatWish {
  readonly quantity: number
  readonly accessible: boolean
  readonly seed: number
}

/** The free stretches of one row, in order, and the length of the longest. */
export interface RowRuns {
  readonly runs: readonly Run[]
  readonly longest: number
}

/** Indexes of the chosen seats; null when there are not enough that this visitor may have. */
export function pickSeats(house: House, isFree: (index: number) => boolean, wish: SeatWish): number[] | null {
  const known = new Map<number, RowRuns>()
  const runsAt = (row: HouseRow, place: number): RowRuns => {
    const runs = known.get(place) ?? findRuns(row, place, maySit(house, isFree, wish.accessible))
    known.set(place, runs)
    return runs
  }
  return pickFromRuns(house, runsAt, wish)
}

/** Whether a seat may be given to a visitor who asks for accessible ones, or to one who does not. */
export function maySit(
  { accessible }: Pick<House, 'accessible'>,
  isFree: (index: number) => boolean,
  wantsAccessible: boolean,
): (index: number) => boolean {
  return (index) => isFree(index) && (wantsAccessible || accessible[index] !== true)
}

/**
 * The same for a caller that knows the free stretches of each row. It reads one number of each row, and the seats only of
 * the few rows that could win, however large the venue.
 */
export function pickFromRuns(
  { rows, accessible }: House,
  runsAt: (row: HouseRow, place: number) => RowRuns,
  wish: SeatWish,
): number[] | null {
  const enough = inOrder(rows, runsAt, wish.quantity)
  const window = bestWindow(enough, wish.quantity, seededRandom(wish.seed), wish.accessible ? accessible : null)
  if (window !== null) return window.run.row.indexes.slice(window.from, window.from + wish.quantity)
  return pickGroups({ rows, accessible }, runsAt, wish)
}

/** The stretches of rows with a long enough one. Most requests are met near the front, without reading the other rows. */
function* inOrder(
  rows: readonly HouseRow[],
  runsAt: (row: HouseRow, place: number) => RowRuns,
  quantity: number,
): Generator<Run> {
  for (const [place, row] of rows.entries()) {
    const { runs, longest } = runsAt(row, place)
    if (longest >= quantity) yield* runs
  }
}

/** When no row has so many seats side by side: as few groups as possible, the largest first. */
function pickGroups(
  { rows, accessible }: House,
  runsAt: (row: HouseRow, place: number) => RowRuns,
  wish: SeatWish,
): number[] | null {
  const random = seededRandom(wish.seed)
  const picked: number[] = []
  /** Rows with seats that are picked already. */
  const rest = new Map<number, RowRuns>()
  const left = (row: HouseRow, place: number): RowRuns => rest.get(place) ?? runsAt(row, place)
  while (picked.length < wish.quantity) {
    const longest = rows.reduce((length, row, place) => Math.max(length, left(row, place).longest), 0)
    const quantity = Math.min(wish.quantity - picked.length, longest)
    if (quantity === 0) return null
    const needsAccessible = wish.accessible && picked.length === 0
    const window = bestWindow(inOrder(rows, left, quantity), quantity, random, needsAccessible ? accessible : null)
    if (window === null) return null
    const { row, place } = window.run
    picked.push(...row.indexes.slice(window.from, window.from + quantity))
    rest.set(place, without(left(row, place).runs, window, quantity))
  }
  return picked
}

/** One row further back is as bad as one seat further out. */
const ROW_STEP = 1
/** A second accessible seat for a companion is worse than any distance in a venue, and better than a seat left alone. */
const SPARE_COST = 10_000
/** Far above every distance in a venue, so that a single seat is left only when every other choice leaves one, too. */
const ORPHAN_COST = 100_000

/** A stretch [start, end) of seats in a row that are side by side and may be taken. */
interface Run {
  readonly row: HouseRow
  readonly place: number
  readonly start: number
  readonly end: number
}

interface Window {
  run: Run
  from: number
  cost: number
}

/** Reads every seat of a row once. */
export function findRuns(row: HouseRow, place: number, isOffered: (index: number) => boolean): RowRuns {
  const { along, indexes } = row
  const runs: Run[] = []
  let start = -1
  const close = (end: number): void => {
    if (start >= 0) runs.push({ row, place, start, end })
  }
  for (let at = 0; at < along.length; at++) {
    const isOpen = isOffered(indexes[at] ?? -1)
    if (isOpen && start >= 0 && along[at] === (along[at - 1] ?? 0) + 1) continue
    close(at)
    start = isOpen ? at : -1
  }
  close(along.length)
  return { runs, longest: longestOf(runs) }
}

const longestOf = (runs: readonly Run[]): number =>
  runs.reduce((length, { start, end }) => Math.max(length, end - start), 0)

/** The cheapest window of the runs. Of n equally cheap ones each is kept with chance 1/n, by the seed. */
function bestWindow(
  runs: Iterable<Run>,
  quantity: number,
  random: () => number,
  accessible: readonly boolean[] | null,
): Window | null {
  let best: Window | null = null
  let equals = 0
  for (const run of runs) {
    const rowCost = run.place * ROW_STEP
    // Neither a perfect window of this row nor any row behind it could win.
    if (best !== null && rowCost > best.cost) break
    for (let from = run.start; from + quantity <= run.end; from++) {
      const spaces = accessible === null ? 1 : countAccessible(run.row, accessible, from, quantity)
      if (spaces === 0) continue
      const spare = (spaces - 1) * SPARE_COST
      const cost = rowCost + spare + distanceToFocus(run.row, from, quantity) + orphanCost(run, from, quantity)
      if (best !== null && cost > best.cost) continue
      equals = best !== null && cost === best.cost ? equals + 1 : 1
      if (best === null || cost < best.cost || random() * equals < 1) best = { run, from, cost }
    }
  }
  return best
}

function countAccessible(row: HouseRow, accessible: readonly boolean[], from: number, quantity: number): number {
  let count = 0
  for (let at = from; at < from + quantity; at++) if (accessible[row.indexes[at] ?? -1] === true) count++
  return count
}

function distanceToFocus(row: HouseRow, from: number, quantity: number): number {
  const first = row.along[from] ?? 0
  return Math.abs(first + (quantity - 1) / 2 - row.focus)
}

/** A single seat left alone on either side rarely sells. */
function orphanCost({ start, end }: Run, from: number, quantity: number): number {
  return (from - start === 1 ? ORPHAN_COST : 0) + (end - from - quantity === 1 ? ORPHAN_COST : 0)
}

/** The remaining runs of a row on both sides of a window, in order. */
function without(runs: readonly Run[], { run, from }: Window, quantity: number): RowRuns {
  const left = runs.flatMap((one) =>
    one === run
      ? [
          { ...run, end: from },
          { ...run, start: from + quantity },
        ].filter(({ start, end }) => end > start)
      : [one],
  )
  return { runs: left, longest: longestOf(left) }
}

/** Mulberry32: small, fast, and the same everywhere. */
function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
