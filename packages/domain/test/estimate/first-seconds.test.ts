import { ok } from 'node:assert/strict'
import { describe, it } from 'vitest'
import { type Change, EstimateJudge, type LogEntry, ROOM_DEFAULTS } from '../../src/index.ts'

/*
 * The first seconds of a rush of 100,000: all who get a seat have joined by then, before any slow visitor was seen.
 */

/** Twentieths of the stays on the floor in a rehearsal of 100,000 visitors that came steadily (seconds, November 2026). */
const STAYS = [
  ...[0.73, 1.31, 1.63, 1.9, 2.14, 2.36, 2.58, 2.78, 2.99, 3.21],
  ...[3.46, 3.75, 4.07, 4.46, 4.93, 5.61, 7.32, 15.01, 20.16, 31.41],
] as const
const SETTINGS = {
  ...ROOM_DEFAULTS,
  capacity: 1_000,
  ratePerMinute: 30_000,
  sessionSeconds: 60,
  reservationSeconds: 30,
}
const JOINS_A_TICK = 167
const JOINED_MAX = 10_000
const TICK_MS = 100

/** Visitors join, are admitted as fast as the floor and the rate allow, and leave after a stay as it was measured. */
function judgeRush(stayMs: (number: number) => number) {
  const judge = new EstimateJudge()
  let [at, seq, joined, next, floor] = [1_800_000_000_000, 0, 0, 1, 0]
  const leaving = new Map<number, number[]>()
  const log = (change: Change): void => {
    seq += 1
    const entry: LogEntry = { epoch: 1, seq, at, operation: 'test', change }
    judge.follow(entry)
  }
  const rules = { settings: SETTINGS, paused: false, soldOut: false, opensAt: 0, closesAt: at * 2, stock: null }
  log({ kind: 'opened', reason: 'opened', nextNumber: 1, waiting: 0, floor: 0, rules })
  for (let tick = 0; next <= JOINED_MAX; tick += 1, at += TICK_MS) {
    for (const number of leaving.get(tick) ?? []) log({ kind: 'completed', number })
    floor -= leaving.get(tick)?.length ?? 0
    const rate = (SETTINGS.ratePerMinute / 60_000) * TICK_MS
    for (let count = 0; count < rate && next <= joined && floor < SETTINGS.capacity; count += 1) {
      log({ kind: 'admitted', number: next, class: 0, fence: next, deadline: at + 15_000, active: false })
      const until = tick + Math.ceil(stayMs(next) / TICK_MS)
      leaving.set(until, [...(leaving.get(until) ?? []), next])
      floor += 1
      next += 1
    }
    for (let count = 0; count < JOINS_A_TICK && joined < JOINED_MAX; count += 1) {
      joined += 1
      const visitor = {
        identity: `visitor ${joined}`,
        class: 0 as const,
        code: null,
        limitKey: null,
        shown: null,
        profile: '',
      }
      log({ kind: 'joined', number: joined, place: joined, rank: joined - next, ...visitor })
    }
  }
  return judge.figures()
}

/** Spread like chance, and the same each time: steps of the golden ratio. */
const measured = (number: number): number => (STAYS[Math.floor(((number * 0.618034) % 1) * STAYS.length)] ?? 0) * 1_000

describe('estimates in the first seconds of a rush', () => {
  it('[R10] visitors who have not begun to leave do not pass for slow ones', () => {
    const { judged, medianError, knownShare } = judgeRush(measured)
    ok(judged > 5_000 && knownShare === 1, `${judged} judged, ${knownShare} known`)
    ok((medianError ?? 1) < 0.15, `${medianError}`)
  })
})
