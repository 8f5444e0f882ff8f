/**
 * Best available: which free seats to offer to somebody who asks for a number of them.
 *
 * In this order: side by side in one row; leaving no single seat alone; near the focus of the row, and rows near the
 * front; among equals a choice by seed, so that a crowd that asks together does not fight for one block. Accessible
 * seats are kept for those who ask for them.
 */
export interface HouseRow {
  /** Ascending along the row. Two seats are side by side when their numbers differ by one. */
  readonly numbers: readonly number[]
  /** Where each seat is in the caller's list. */
  readonly indexes: readonly number[]
  /** The seat number that sees best; usually the middle. */
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

/**
 * Indexes of the chosen seats; null when there are not so many that this visitor may have. `isFull` may say of a row, by
 * its place, that nothing is free in it, so that nobody has to look.
 */
export function pickSeats(
  { rows, accessible }: House,
  isFree: (index: number) => boolean,
  wish: SeatWish,
  isFull: (place: number) => boolean = () => false,
): number[] | null {
  const maySit = (index: number) => isFree(index) && (wish.accessible || accessible[index] !== true)
  const runs = () => inOrder(rows, maySit, isFull)
  const window = bestWindow(runs(), wish.quantity, seededRandom(wish.seed), wish.accessible ? accessible : null)
  if (window !== null) return window.run.row.indexes.slice(window.from, window.from + wish.quantity)
  return pickGroups([...runs()], accessible, wish)
}

/** The free stretches, row by row: most wishes are granted near the front, and nobody looks at the rest of the house. */
function* inOrder(
  rows: readonly HouseRow[],
  maySit: (index: number) => boolean,
  isFull: (place: number) => boolean,
): Generator<Run> {
  for (const [place, row] of rows.entries()) if (!isFull(place)) yield* runsOf(row, place, maySit)
}

/** Nowhere are so many side by side: as few groups as possible, the largest first. */
function pickGroups(runs: Run[], accessible: readonly boolean[], wish: SeatWish): number[] | null {
  const random = seededRandom(wish.seed)
  const picked: number[] = []
  while (picked.length < wish.quantity) {
    const longest = runs.reduce((length, { start, end }) => Math.max(length, end - start), 0)
    const quantity = Math.min(wish.quantity - picked.length, longest)
    if (quantity === 0) return null
    const needsAccessible = wish.accessible && picked.length === 0
    const window = bestWindow(runs, quantity, random, needsAccessible ? accessible : null)
    if (window === null) return null
    picked.push(...window.run.row.indexes.slice(window.from, window.from + quantity))
    splitRun(runs, window, quantity)
  }
  return picked
}

/** One row further back is as bad as one seat further out. */
const ROW_STEP = 1
/** Far above every distance in a house, so that an orphan is left only when every other choice leaves one, too. */
const ORPHAN_COST = 100_000

/** A stretch [start, end) of seats in a row that are side by side and may be taken. */
interface Run {
  row: HouseRow
  place: number
  start: number
  end: number
}

interface Window {
  run: Run
  from: number
  cost: number
}

function runsOf(row: HouseRow, place: number, maySit: (index: number) => boolean): Run[] {
  const { numbers, indexes } = row
  const runs: Run[] = []
  let open: Run | null = null
  for (let at = 0; at < numbers.length; at++) {
    if (!maySit(indexes[at] ?? -1)) open = null
    else if (open !== null && numbers[at] === (numbers[at - 1] ?? 0) + 1) open.end = at + 1
    else {
      open = { row, place, start: at, end: at + 1 }
      runs.push(open)
    }
  }
  return runs
}

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
    // Not even a perfect window of this row, or of any row behind it, could win.
    if (best !== null && rowCost > best.cost) break
    for (let from = run.start; from + quantity <= run.end; from++) {
      if (accessible !== null && !includesAccessible(run.row, accessible, from, quantity)) continue
      const cost = rowCost + distanceToFocus(run.row, from, quantity) + orphanCost(run, from, quantity)
      if (best !== null && cost > best.cost) continue
      equals = best !== null && cost === best.cost ? equals + 1 : 1
      if (best === null || cost < best.cost || random() * equals < 1) best = { run, from, cost }
    }
  }
  return best
}

function includesAccessible(row: HouseRow, accessible: readonly boolean[], from: number, quantity: number): boolean {
  for (let at = from; at < from + quantity; at++) if (accessible[row.indexes[at] ?? -1] === true) return true
  return false
}

function distanceToFocus(row: HouseRow, from: number, quantity: number): number {
  const first = row.numbers[from] ?? 0
  return Math.abs(first + (quantity - 1) / 2 - row.focus)
}

/** A single seat left alone on either side is one that hardly anybody buys. */
function orphanCost({ start, end }: Run, from: number, quantity: number): number {
  return (from - start === 1 ? ORPHAN_COST : 0) + (end - from - quantity === 1 ? ORPHAN_COST : 0)
}

/** Takes a window out of its run; what is left on both sides stays, in order. */
function splitRun(runs: Run[], { run, from }: Window, quantity: number): void {
  const rest = [
    { ...run, end: from },
    { ...run, start: from + quantity },
  ]
  runs.splice(runs.indexOf(run), 1, ...rest.filter(({ start, end }) => end > start))
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
