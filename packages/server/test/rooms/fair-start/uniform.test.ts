import { randomBytes, randomInt } from 'node:crypto'
import { expect, it } from 'vitest'
import { drawOrder } from '../../../src/rooms/fair-start/draw-order.ts'

const DRAWS = 2_000
const TICKETS = 50

/** How often each ticket drew each place, over many draws. The room's id makes the draws of one seed independent. */
function simulate(seed: Buffer): number[][] {
  const counts = Array.from({ length: TICKETS }, () => new Array<number>(TICKETS).fill(0))
  const numbers = Float64Array.from({ length: TICKETS }, (_, index) => index + 1)
  for (let draw = 0; draw < DRAWS; draw++) {
    const { places } = drawOrder({ roomId: `room-${draw}`, seed, numbers, classes: new Uint8Array(TICKETS) })
    for (const [index, place] of places.entries()) {
      const row = counts[index]
      if (row !== undefined) row[place - 1] = (row[place - 1] ?? 0) + 1
    }
  }
  return counts
}

/** In standard deviations from what a uniform draw gives, by the normal approximation of chi-square. */
function chiSquareDeviation(counts: readonly (readonly number[])[]): number {
  const expected = DRAWS / TICKETS
  const sum = counts.flat().reduce((total, count) => total + (count - expected) ** 2 / expected, 0)
  // Rows and columns are fixed, hence (n − 1)² degrees of freedom, and the factor.
  const freedom = (TICKETS - 1) ** 2
  return ((sum * (TICKETS - 1)) / TICKETS - freedom) / Math.sqrt(2 * freedom)
}

/** How far the mean place of the first half of the tickets is from the middle, in standard deviations. */
function earlyDeviation(counts: readonly (readonly number[])[]): number {
  const early = counts.slice(0, TICKETS / 2)
  const sum = early.reduce((total, row) => total + row.reduce((all, count, place) => all + count * (place + 1), 0), 0)
  const drawn = (DRAWS * TICKETS) / 2
  const mean = (TICKETS + 1) / 2
  // Half of a permutation, drawn without replacement.
  const variance = ((TICKETS ** 2 - 1) / 12) * (TICKETS / 2 / (TICKETS - 1)) * (TICKETS / 2) * DRAWS
  return (sum - drawn * mean) / Math.sqrt(variance)
}

it('[J6] over 2,000 draws of 50 every ticket draws every place equally often, whether it came early or late', () => {
  const seed = randomBytes(32)
  const counts = simulate(seed)
  const [deviation, early] = [chiSquareDeviation(counts), earlyDeviation(counts)]
  console.info(
    `seed ${seed.toString('hex')}: chi-square ${deviation.toFixed(2)} σ, early tickets ${early.toFixed(2)} σ`,
  )
  // Five standard deviations: a fair draw fails once in more than a million runs.
  expect(Math.abs(deviation)).toBeLessThan(5)
  expect(Math.abs(early)).toBeLessThan(5)
})

it('[J6 control] a draw that prefers early tickets a little is found', () => {
  const counts = Array.from({ length: TICKETS }, () => new Array<number>(TICKETS).fill(0))
  for (let draw = 0; draw < DRAWS; draw++) {
    const lots = Array.from({ length: TICKETS }, (_, index) => ({ index, lot: randomInt(1_000) + index * 2 }))
    for (const [place, { index }] of lots.sort((a, b) => a.lot - b.lot || a.index - b.index).entries()) {
      const row = counts[index]
      if (row !== undefined) row[place] = (row[place] ?? 0) + 1
    }
  }
  expect(Math.abs(earlyDeviation(counts))).toBeGreaterThan(5)
})
