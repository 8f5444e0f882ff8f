import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Change, LineStudy, type LogEntry, ROOM_DEFAULTS } from '../../src/index.ts'

const START = 1_800_000_000_000
const CAPACITY = 3
const RATE = 60

/** What a generated visitor does, in the order of the list; `place` only says where it stands. */
interface Visit {
  readonly place: number
  readonly joinsAfterMs: number
  readonly wentAway: boolean
  readonly ending: 'completed' | 'no_show' | 'cancelled'
}

const visits = fc.array(
  fc.record({
    place: fc.integer({ min: 0, max: 20 }),
    joinsAfterMs: fc.integer({ min: 0, max: 2_000 }),
    wentAway: fc.boolean(),
    ending: fc.constantFrom('completed' as const, 'no_show' as const, 'cancelled' as const),
  }),
  { maxLength: 30 },
)

/** All join, then go in by a generated order; each leaves before the next but `floor` goes in. */
function logOf(line: readonly Visit[], order: readonly number[], gapMs: number, floor: number): LogEntry[] {
  let at = START
  const entries: LogEntry[] = []
  const log = (change: Change) => entries.push({ epoch: 1, seq: entries.length + 1, at, operation: 'test', change })
  const settings = { ...ROOM_DEFAULTS, capacity: CAPACITY, ratePerMinute: RATE, burst: 1 }
  const rules = { settings, paused: false, soldOut: false, opensAt: 0, closesAt: START * 2, stock: null }
  log({ kind: 'opened', reason: 'opened', nextNumber: 1, waiting: 0, floor: 0, rules })
  for (const [index, visit] of line.entries()) {
    at += visit.joinsAfterMs
    const visitor = { identity: `${index}`, class: 0 as const, code: null, limitKey: null, shown: null, profile: '' }
    log({ kind: 'joined', number: index + 1, place: visit.place, rank: index, ...visitor })
    if (visit.wentAway) log({ kind: 'away', numbers: [index + 1], ranks: [0] })
  }
  const inside: number[] = []
  const leave = (number: number) => {
    const { ending } = line[number - 1] ?? { ending: 'completed' }
    if (ending === 'completed') log({ kind: 'completed', number })
    else log({ kind: 'expired', numbers: [number], reason: ending, ranks: null })
  }
  for (const index of order) {
    at += gapMs
    log({ kind: 'admitted', number: index + 1, class: 0, fence: 1, deadline: at + 1, active: false })
    inside.push(index + 1)
    if (inside.length >= floor) leave(inside.shift() ?? 0)
  }
  for (const number of inside) leave(number)
  return entries
}

/** The same figures by the plainest means: every pair looked at, every count made anew. */
function naively(entries: readonly LogEntry[], line: readonly Visit[]) {
  const changes = entries.map(({ change, at }) => ({ ...change, at }))
  const admitted = changes.flatMap((change) => (change.kind === 'admitted' ? [change] : []))
  const joinedAt = (number: number) =>
    changes.find((change) => change.kind === 'joined' && change.number === number)?.at ?? 0
  const joinedIn = (second: number) =>
    changes.filter(({ kind, at }) => kind === 'joined' && Math.floor(at / 1_000) === second).length
  const stands = (number: number) => (line[number - 1]?.place ?? 0) * 1_000 + number
  const pairs = admitted.flatMap((one, index) =>
    admitted.slice(index + 1).map((other) => [one.number, other.number] as const),
  )
  const wrong = pairs.filter(([first, second]) => stands(first) > stands(second))
  const isPresent = (number: number) => line[number - 1]?.wentAway === false
  const waits = admitted.map(({ number, at }) => at - joinedAt(number)).sort((a, b) => a - b)
  const endings = (ending: string) => admitted.filter(({ number }) => line[number - 1]?.ending === ending).length
  return {
    joined: line.length,
    admitted: admitted.length,
    inversions: wrong.length,
    inversionsOfPresent: wrong.filter((pair) => pair.every(isPresent)).length,
    tau: pairs.length === 0 ? null : (pairs.length - 2 * wrong.length) / pairs.length,
    noShows: endings('no_show'),
    left: endings('cancelled'),
    completed: endings('completed'),
    joinsPerSecondMax: Math.max(0, ...line.map((_, index) => joinedIn(Math.floor(joinedAt(index + 1) / 1_000)))),
    median: waits.length === 0 ? null : (waits[Math.floor(waits.length / 2)] ?? 0) / 1_000,
  }
}

function study(entries: readonly LogEntry[], placeOf: (number: number) => number) {
  const followed = new LineStudy()
  for (const entry of entries) followed.follow(entry)
  return followed.figures(placeOf)
}

describe('the study of a line', () => {
  it('[J73] counts what a plain count of every pair gives', () => {
    fc.assert(
      fc.property(visits, fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })), (line, lots) => {
        const order = [...line.keys()]
          .map((index) => ({ index, lot: lots.next().value as number }))
          .sort((a, b) => a.lot - b.lot)
          .map(({ index }) => index)
          .slice(0, Math.ceil(line.length * 0.8))
        const entries = logOf(line, order, 1_000, CAPACITY)
        const figures = study(entries, (number) => line[number - 1]?.place ?? 0)
        const { median, tau, ...plain } = naively(entries, line)
        expect(figures).toMatchObject({ ...plain, capacityOvershoot: 0, rateOvershoot: 0 })
        expect(figures.kendallTau ?? 2).toBeCloseTo(tau ?? 2, 12)
        expect(figures.wait.p50).toBe(median)
      }),
      { numRuns: 200 },
    )
  })

  it('[J73] tells admissions above the capacity, and those that the rate had no token for', () => {
    const line = Array.from(
      { length: 6 },
      (_, place): Visit => ({
        ...{ place, joinsAfterMs: 0, wentAway: false, ending: 'completed' },
      }),
    )
    const order = [...line.keys()]
    const placeOf = (number: number) => number
    // One token a second: of six within three seconds only three had one.
    expect(study(logOf(line, order, 500, 1), placeOf)).toMatchObject({ capacityOvershoot: 0, rateOvershoot: 3 })
    expect(study(logOf(line, order, 1_000, CAPACITY + 2), placeOf)).toMatchObject({
      capacityOvershoot: 2,
      rateOvershoot: 0,
    })
  })

  it('[J73] is null where there is nothing to tell', () => {
    const figures = study(logOf([], [], 0, 1), () => 0)
    expect(figures).toMatchObject({ joined: 0, admitted: 0, inversions: 0, kendallTau: null, prices: null })
    expect(figures.wait).toEqual({ p50: null, p90: null, p99: null })
    expect(figures.eta).toEqual({ known: null, medianError: null, p90Coverage: null })
    expect(figures.waitFromOpening).toBe(null)
  })

  it('[J73] takes a second for 100,000 tickets, and grows with the log alone', () => {
    const count = 100_000
    const line = Array.from(
      { length: count },
      (_, place): Visit => ({
        ...{ place, joinsAfterMs: 0, wentAway: false, ending: 'completed' },
      }),
    )
    // The reverse: the most inversions there can be.
    const order = [...line.keys()].reverse()
    const figures = study(logOf(line, order, 1_000, 1), (number) => number)
    expect(figures).toMatchObject({ inversions: (count * (count - 1)) / 2, kendallTau: -1, rateOvershoot: 0 })
  })
})
