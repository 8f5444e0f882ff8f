import { createHash, createHmac } from 'node:crypto'
import { seededRandom, suiteSeed } from '@seatwise/testbench'
import { describe, expect, it } from 'vitest'
import { drawOrder, seedOf } from '../../../src/rooms/fair-start/draw-order.ts'

const DRAWS = 2_000
const TICKETS = 50
/** Those who came first, and those who came last. */
const EARLY = TICKETS / 2
/** In standard deviations: a fair draw fails one of these tests once in hundreds of thousands of runs. */
const DEVIATION_MAX = 5

/** Of one draw: the place of each ticket, in the order in which they joined. */
type Places = ArrayLike<number>

describe('draws are uniform', () => {
  const seed = suiteSeed()

  it('[J6] over 2,000 draws of 50 every ticket draws every place equally often, whether it came early or late', () => {
    const draws = simulate(seed)
    const found = Object.entries(deviationsOf(draws)).map(([test, value]) => `${test} ${value.toFixed(2)} σ`)
    console.info(`seed ${seed}: ${found.join(', ')}`)
    for (const [test, value] of Object.entries(deviationsOf(draws)))
      expect(Math.abs(value), test).toBeLessThan(DEVIATION_MAX)
  })

  it('[J6] the simulated draws are those of the recipe', () => {
    const [first] = simulate(seed, 1)
    const { secret, root } = partsOf(seededRandom(seed))
    const key = createHash('sha256').update(secret).update(root).digest()
    const lots = Array.from({ length: TICKETS }, (_, index) => ({
      index,
      lot: createHmac('sha256', key)
        .update(`room-0:${index + 1}`)
        .digest('hex'),
    }))
    lots.sort((one, other) => (one.lot < other.lot ? -1 : 1))
    expect(lots.map(({ index }) => first?.[index])).toEqual(lots.map((_, rank) => rank + 1))
  })

  const BIASED: Readonly<Record<keyof ReturnType<typeof deviationsOf>, (random: () => number) => Places>> = {
    // One ticket gets the first place once in ten draws.
    chiSquare: (random) => swapped(shuffled(random), random() < 0.1 ? 7 : null),
    rankSum: (random) => leaning(random, (index) => (index < EARLY ? 0 : 0.05)),
    correlation: (random) => leaning(random, (index) => index / 1_000),
    // Early tickets are in the middle: their mean place is that of the late ones.
    sameDistribution: (random) => centred(random),
    neighbours: (random) => leaning(random, (index) => (index % 2) * 0.05),
  }

  it.each(Object.entries(BIASED))('[J6 control] a draw with a small bias is found by the test of %s', (test, draw) => {
    const random = seededRandom(seed, 1)
    const draws = Array.from({ length: DRAWS }, () => draw(random))
    const deviations: Record<string, number> = deviationsOf(draws)
    expect(Math.abs(deviations[test] ?? 0)).toBeGreaterThan(DEVIATION_MAX)
  })
})

/** Draws of rooms of their own, each with a secret and a sealed root of its own. */
function simulate(seed: number, draws = DRAWS): Places[] {
  const random = seededRandom(seed)
  const numbers = Float64Array.from({ length: TICKETS }, (_, index) => index + 1)
  return Array.from({ length: draws }, (_, draw) => {
    const { secret, root } = partsOf(random)
    const drawSeed = seedOf(secret, root, new Uint8Array(0))
    return drawOrder({ roomId: `room-${draw}`, seed: drawSeed, numbers, classes: new Uint8Array(TICKETS) }).places
  })
}

function partsOf(random: () => number): { secret: Uint8Array; root: Uint8Array } {
  const bytes = () => Uint8Array.from({ length: 32 }, () => Math.floor(random() * 256))
  return { secret: bytes(), root: bytes() }
}

/** How far each figure is from what a uniform draw gives, in its standard deviations. */
function deviationsOf(draws: readonly Places[]) {
  return {
    chiSquare: chiSquare(countsOf(draws)),
    rankSum: rankSum(draws),
    correlation: correlation(draws),
    sameDistribution: sameDistribution(countsOf(draws)),
    neighbours: neighbours(draws),
  }
}

/** How often each ticket drew each place. */
function countsOf(draws: readonly Places[]): number[][] {
  const counts = Array.from({ length: TICKETS }, () => new Array<number>(TICKETS).fill(0))
  for (const places of draws) {
    for (const [index, row] of counts.entries()) {
      const column = (places[index] ?? 0) - 1
      row[column] = (row[column] ?? 0) + 1
    }
  }
  return counts
}

/** Pearson's test of the whole table. Its rows and columns are fixed, hence (n − 1)² degrees of freedom, and the factor. */
function chiSquare(counts: readonly (readonly number[])[]): number {
  const expected = DRAWS / TICKETS
  const sum = counts.flat().reduce((total, count) => total + (count - expected) ** 2 / expected, 0)
  const freedom = (TICKETS - 1) ** 2
  return ((sum * (TICKETS - 1)) / TICKETS - freedom) / Math.sqrt(2 * freedom)
}

/** Wilcoxon's rank sum: the places of the early half, drawn without replacement. */
function rankSum(draws: readonly Places[]): number {
  const late = TICKETS - EARLY
  const mean = (EARLY * (TICKETS + 1)) / 2
  const variance = (EARLY * late * (TICKETS + 1)) / 12
  const sum = draws.reduce((total, places) => total + sumOf(EARLY, (index) => places[index] ?? 0) - mean, 0)
  return sum / Math.sqrt(variance * draws.length)
}

/** Spearman's correlation of joining and place: its variance over permutations is 1 ÷ (n − 1). */
function correlation(draws: readonly Places[]): number {
  const middle = (TICKETS + 1) / 2
  const spread = (TICKETS * (TICKETS ** 2 - 1)) / 12
  const sum = draws.reduce(
    (total, places) =>
      total + sumOf(TICKETS, (index) => (index + 1 - middle) * ((places[index] ?? 0) - middle)) / spread,
    0,
  )
  return sum * Math.sqrt((TICKETS - 1) / draws.length)
}

/** Whether early and late tickets draw each place equally often: two samples, place by place. */
function sameDistribution(counts: readonly (readonly number[])[]): number {
  const late = TICKETS - EARLY
  // In each draw a place goes to an early ticket or to a late one: a binomial number, but that the early ones have places of theirs.
  const variance = DRAWS * (EARLY / TICKETS) * (late / TICKETS)
  const squares = sumOf(TICKETS, (place) => {
    const early = sumOf(EARLY, (index) => counts[index]?.[place] ?? 0)
    return (early - (DRAWS * EARLY) / TICKETS) ** 2 / variance
  })
  const freedom = TICKETS - 1
  return ((squares * freedom) / TICKETS - freedom) / Math.sqrt(2 * freedom)
}

/** Whether tickets that joined one after the other stand apart as often one way as the other, by turns of even and odd. */
function neighbours(draws: readonly Places[]): number {
  const pairs = TICKETS / 2
  const ahead = draws.reduce(
    (total, places) => total + sumOf(pairs, (pair) => Math.sign((places[2 * pair + 1] ?? 0) - (places[2 * pair] ?? 0))),
    0,
  )
  return ahead / Math.sqrt(pairs * draws.length)
}

function sumOf(count: number, of: (index: number) => number): number {
  let sum = 0
  for (let index = 0; index < count; index += 1) sum += of(index)
  return sum
}

/** Places by random lots, to which something is done. */
function byLots(random: () => number, change: (lot: number, index: number) => number): Places {
  const lots = Array.from({ length: TICKETS }, (_, index) => ({ index, lot: change(random(), index) }))
  const places = new Array<number>(TICKETS).fill(0)
  for (const [rank, { index }] of lots.sort((one, other) => one.lot - other.lot).entries()) places[index] = rank + 1
  return places
}

const leaning = (random: () => number, extra: (index: number) => number): Places =>
  byLots(random, (lot, index) => lot + extra(index))

const shuffled = (random: () => number): Places => byLots(random, (lot) => lot)

/** Lots of early tickets are a little nearer to the middle. */
const centred = (random: () => number): Places =>
  byLots(random, (lot, index) => (index < EARLY ? 0.5 + (lot - 0.5) * 0.95 : lot))

/** The first place goes to this ticket. */
function swapped(places: Places, index: number | null): Places {
  if (index === null) return places
  const changed = Array.from(places)
  const first = changed.indexOf(1)
  changed[first] = changed[index] ?? 0
  changed[index] = 1
  return changed
}
