import { testSeed } from '@seatwise/testbench'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Fairness, FairnessStudy, type HistoryRecord } from '../src/index.ts'
import { countInversions } from '../src/replay/inversions.ts'
import { admit, admitNow, answer, join, roomLog } from './history.ts'

/** Every pair, one by one. */
function countSlowly(values: readonly number[]): number {
  return values.reduce((sum, value, index) => sum + values.slice(index + 1).filter((later) => later < value).length, 0)
}

function study(records: readonly HistoryRecord[]): Fairness {
  const fairness = new FairnessStudy()
  for (const record of records) fairness.see(record)
  const [room] = fairness.finish()
  if (room === undefined) throw new Error('Nothing was studied')
  return room
}

const WIDE = { capacity: 100, ratePerMinute: 60_000, burst: 100 }

describe('inversions', () => {
  test('[V11] are as many as there are pairs in the wrong order', () => {
    const property = fc.property(fc.array(fc.integer({ min: 0, max: 50 }), { maxLength: 60 }), (values) => {
      expect(countInversions(values)).toBe(countSlowly(values))
    })
    fc.assert(property, { seed: testSeed() })
  })

  test('[V11] of a hundred thousand are counted', () => {
    const reversed = Array.from({ length: 100_000 }, (_, index) => -index)
    expect(countInversions(reversed)).toBe((100_000 * 99_999) / 2)
  })
})

describe('fairness', () => {
  const three = [join(1, { atMs: 1_000_000 }), join(2), join(3)]

  test('[V11] first come, first served has the distance 0, the reverse 1', () => {
    const inOrder = study(roomLog([...three, admit(1, 1_001_000), admit(2), admit(3)], WIDE))
    expect(inOrder.classes).toMatchObject([{ class: 0, admitted: 3, inversions: 0, kendallTau: 0 }])
    const reversed = study(roomLog([...three, admit(3, 1_001_000), admit(2), admit(1)], WIDE))
    expect(reversed.classes).toMatchObject([{ inversions: 3, inversionsOfPresent: 3, kendallTau: 1 }])
  })

  test('[V12] a ticket that was away is not overtaken, and each class is reported separately', () => {
    const log = [...three, join(4, { class: 2, place: 0.5 }), { kind: 'away', ticket: 1 } as const]
    const { classes } = study(
      roomLog([...log, admit(4, 1_001_000), admit(2), { kind: 'back', ticket: 1 }, admit(1), admit(3)], WIDE),
    )
    expect(classes).toMatchObject([
      { class: 0, admitted: 3, inversions: 1, inversionsOfPresent: 0 },
      { class: 2, admitted: 1, inversions: 0, kendallTau: null },
    ])
  })

  test('[V12] waiting times, no-shows and leavers are counted', () => {
    const log = [...three, admit(1, 1_004_000), { kind: 'expire', ticket: 2, reason: 'no_show' } as const]
    const room = study(roomLog([...log, { kind: 'leave', ticket: 3 }], WIDE))
    expect(room).toMatchObject({ joined: 3, admitted: 1, noShows: 1, noShowShare: 0.5, left: 1 })
    expect(room.waitMs).toMatchObject({ p50: 4_000, max: 4_000 })
  })

  test('[V12] estimates are judged by the log, and short waits are not', () => {
    const told = (ticket: number, atMs: number, expectedMs: number, expectedMsMax: number): HistoryRecord[] =>
      answer('status', { ticket, expectedMs, expectedMsMax }).map((record) => ({ ...record, atMs }))
    const unknown = (ticket: number, atMs: number): HistoryRecord[] =>
      answer('status', { ticket, state: 'waiting' }).map((record) => ({ ...record, atMs }))
    const { estimates } = study([
      ...roomLog([...three, admit(1, 1_010_000), admit(2, 1_020_000)], WIDE),
      // 10 s were true, then 20 s, then 2 s; the third ticket never went in.
      ...told(1, 1_000_000, 8_000, 12_000),
      ...told(2, 1_000_000, 10_000, 15_000),
      ...told(2, 1_018_000, 1_000, 1_000),
      ...told(3, 1_000_000, 1_000, 1_000),
      // Unknown estimates: two were answers to visitors who were admitted later, and one was too late to count.
      ...[...unknown(1, 1_000_000), ...unknown(2, 1_001_000), ...unknown(2, 1_019_000), ...unknown(3, 1_000_000)],
    ])
    expect(estimates).toMatchObject({ judged: 2, knownShare: 0.5, withinP50: 0, withinP90: 0.5 })
    expect(estimates.medianError).toBeCloseTo(0.5)
  })

  test('[V12] two plain formulas are judged at the same instants', () => {
    const told = (ticket: number, atMs: number, rank: number): HistoryRecord[] =>
      answer('status', { ticket, rank, exact: true, expectedMs: 1, expectedMsMax: 1 }).map((record) => ({
        ...record,
        atMs,
      }))
    const leave = { kind: 'complete', ticket: 1, atMs: 1_008_000 } as const
    const { estimates } = study([
      ...roomLog([...three, admit(1, 1_000_000), leave, admit(2, 1_010_000), admit(3, 1_020_000)], {
        ...WIDE,
        capacity: 1,
      }),
      // One admission in ten seconds, and one stay of eight: of two ahead, 20 s and 16 s. 10 s were true.
      ...told(3, 1_010_000, 2),
    ])
    expect(estimates.plainErrors.service).toBeCloseTo(0.6)
    // Two admissions within the ten seconds before.
    expect(estimates.plainErrors.throughput).toBeCloseTo(0)
  })

  test('[V12] an exceeded limit is reported with the excess', () => {
    const narrow = { capacity: 1, ratePerMinute: 60, burst: 1 }
    const { overshoot } = study(roomLog([...three, admit(1, 1_001_000), admit(2), admit(3)], narrow))
    expect(overshoot).toEqual({ capacity: 2, rate: 2 })
    const byOperator = [...three, admit(1, 1_001_000), admitNow(2), admitNow(3)]
    expect(study(roomLog(byOperator, { ...narrow, capacity: 3 })).overshoot).toEqual({ capacity: 0, rate: 0 })
  })
})
