import { describe, expect, it } from 'vitest'
import { type Instant, runSale, type SaleSettings, type SimulatedVisitor } from './simulated-sale.ts'

/** One number that four formulas gave for one visitor at one instant; what came true is known later. */
interface Guess {
  readonly visitor: SimulatedVisitor
  readonly atMs: number
  readonly seconds: Record<Formula, number | null>
}

const FORMULAS = ['ours', 'seed 000', 'seed 001', 'seed 003'] as const
type Formula = (typeof FORMULAS)[number]

const SALE: SaleSettings = {
  visitors: 8_000,
  leaving: 0.1,
  vanishing: 0.1,
  rushMs: 60_000,
  trickleMs: 900_000,
  meanServiceMs: 24_000,
  room: { capacity: 200, ratePerMinute: 420, burst: 20, claimSeconds: 0, sessionSeconds: 600 },
  changes: [
    { atMs: 240_000, settings: { ratePerMinute: 300 } },
    { atMs: 600_000, settings: { ratePerMinute: 900 } },
  ],
}

/** The floor is full after two seconds, and decides from then on. */
const RUSH: SaleSettings = {
  ...SALE,
  visitors: 6_000,
  rushMs: 6_000,
  trickleMs: 60_000,
  meanServiceMs: 6_000,
  room: { capacity: 300, ratePerMinute: 9_000, burst: 75, claimSeconds: 0, sessionSeconds: 600 },
  changes: [],
}

/** As in a rehearsal: one in ten takes ten times as long, and these fill the floor before the first of them leaves. */
const SLOW: SaleSettings = {
  ...RUSH,
  visitors: 3_000,
  meanServiceMs: 2_000,
  slow: { share: 0.1, meanServiceMs: 20_000 },
  room: { ...RUSH.room, capacity: 100, ratePerMinute: 3_000, burst: 25, reservationSeconds: 30 },
}

const isWatched = ({ number }: SimulatedVisitor): boolean => number % 101 === 0

/** How far from what came true, as a share of it. Below five seconds visitors do not notice the difference. */
function errorOf({ visitor, atMs, seconds }: Guess, formula: Formula): number | null {
  const guessed = seconds[formula]
  if (guessed === null || visitor.admittedAt === null) return null
  const actual = Math.max(5, (visitor.admittedAt - atMs) / 1000)
  return Math.abs(guessed - actual) / actual
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

/** The formulas of the four, for a visitor at this rank. */
function guessAll({ now, nowMs, estimates, rates }: Instant, number: number, rank: number): Guess['seconds'] {
  const { avgServiceMs } = estimates
  const weighted = rates[0] * 0.4 + rates[1] * 0.3 + rates[2] * 0.2 + rates[3] * 0.1
  return {
    ours: estimates.show(number, rank, now, nowMs).p50,
    'seed 000': avgServiceMs === null ? null : (rank * avgServiceMs) / 1000,
    'seed 001': rank / (now.settings.ratePerMinute / 60),
    'seed 003': weighted === 0 ? null : rank / weighted,
  }
}

/** Small, fast, and the same everywhere (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

describe('estimates in a simulated sale with 20 % churn and two changes of the rate', () => {
  for (const seed of [1, 2, 3]) {
    it(`[R10] [R11] are off by 15 % at the median, less than the seeds', and rise only for a reason (seed ${seed})`, async () => {
      const random = seeded(seed)
      const guesses: Guess[] = []
      const shown = new Map<number, number>()
      const unexplained: string[] = []
      await runSale(SALE, random, async (instant) => {
        const second = Math.round(instant.nowMs / 1000)
        if (second % 10 !== 0 || instant.waiting.length === 0) return
        for (let count = 0; count < 12; count++) {
          const visitor = instant.waiting[Math.floor(random() * instant.waiting.length)]
          const rank = visitor === undefined ? null : await instant.rankOf(visitor)
          // Only this test polls for the visitors watched below: a reason is told once.
          if (visitor === undefined || rank === null || isWatched(visitor)) continue
          guesses.push({ visitor, atMs: instant.nowMs, seconds: guessAll(instant, visitor.number, rank) })
        }
        for (const visitor of instant.waiting.filter(isWatched)) {
          const rank = await instant.rankOf(visitor)
          if (rank === null) continue
          const { p50, reason } = instant.estimates.show(visitor.number, rank, instant.now, instant.nowMs)
          const before = shown.get(visitor.number)
          if (p50 === null) continue
          if (before !== undefined && p50 > before && reason === null)
            unexplained.push(`${visitor.number}: ${before} → ${p50}`)
          shown.set(visitor.number, p50)
        }
      })
      const errors = Object.fromEntries(
        FORMULAS.map((formula) => [
          formula,
          median(guesses.map((guess) => errorOf(guess, formula)).filter((error) => error !== null)),
        ]),
      ) as Record<Formula, number>
      console.log(`seed ${seed}, ${guesses.length} guesses, median error:`, percentages(errors))
      expect(guesses.length).toBeGreaterThan(500)
      expect(shown.size).toBeGreaterThan(50)
      expect(unexplained).toEqual([])
      expect(errors.ours).toBeLessThanOrEqual(0.15)
      expect(Math.min(...Object.values(errors))).toBe(errors.ours)
    })
  }
})

const RUSHES = [
  { what: 'because it will not go on as it began', sale: RUSH },
  { what: 'though some take ten times as long', sale: SLOW },
]

describe.each(RUSHES)('estimates after a rush onto a floor that fills at once', ({ what, sale }) => {
  for (const seed of [1, 2, 3]) {
    it(`[R10] are off by 15 % at the median, ${what} (seed ${seed})`, async () => {
      const random = seeded(seed)
      const guesses: Guess[] = []
      await runSale(sale, random, async (instant) => {
        for (let count = 0; count < 12 && instant.waiting.length > 0; count++) {
          const visitor = instant.waiting[Math.floor(random() * instant.waiting.length)]
          const rank = visitor === undefined ? null : await instant.rankOf(visitor)
          if (visitor === undefined || rank === null) continue
          guesses.push({ visitor, atMs: instant.nowMs, seconds: guessAll(instant, visitor.number, rank) })
        }
      })
      const errors = guesses.map((guess) => errorOf(guess, 'ours')).filter((error) => error !== null)
      console.log(`seed ${seed}, ${errors.length} guesses, median error: ${(median(errors) * 100).toFixed(1)} %`)
      expect(errors.length).toBeGreaterThan(500)
      expect(median(errors)).toBeLessThanOrEqual(0.15)
    })
  }
})

describe('how long people stay', () => {
  it('[R10] is not told while too few have left', async () => {
    const lastTold = async (visitors: number): Promise<number | null> => {
      let told: number | null = null
      const few = { ...RUSH, visitors, leaving: 0, vanishing: 0 }
      await runSale(few, seeded(1), async ({ estimates }) => {
        told = estimates.avgServiceMs
      })
      return told
    }
    expect(await lastTold(4)).toBe(null)
    expect(await lastTold(9)).toBeGreaterThan(3_000)
  })
})

function percentages(errors: Record<Formula, number>): string {
  return FORMULAS.map((formula) => `${formula} ${(errors[formula] * 100).toFixed(1)} %`).join(', ')
}
