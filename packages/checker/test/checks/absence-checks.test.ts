import { describe, expect, test } from 'vitest'
import { absenteesLeaveTheCount } from '../../src/checks/order/absentees-leave-the-count.ts'
import type { HistoryRecord } from '../../src/index.ts'
import { admit, answer, epochLog, join, LIMITS, outcome, run } from '../history.ts'

const TIMES = { silenceMs: 90_000, graceMs: 120_000, awayMs: 3_600_000 }
const OPENED = { kind: 'epoch', reason: 'opened', ...LIMITS, ...TIMES, atMs: 0 } as const
const log = (...bodies: Parameters<typeof epochLog>[1]): HistoryRecord[] => epochLog(1, [OPENED, ...bodies])
const away = (ticket: number, atMs: number) => ({ kind: 'away', ticket, atMs }) as const
const back = (ticket: number, atMs: number) => ({ kind: 'back', ticket, atMs }) as const
const noShow = (ticket: number, atMs: number) => ({ kind: 'expire', reason: 'no_show', ticket, atMs }) as const
const at = (ticket: number, atMs: number) => join(ticket, { atMs })

describe('I38', () => {
  test('[I38] holds when an away ticket that admission passed ends after the grace time', () => {
    const records = log(at(1, 0), at(2, 0), away(1, 91_000), admit(2, 92_000), noShow(1, 213_000))
    expect(run(absenteesLeaveTheCount, records)).toMatchObject({ status: 'held', counts: { 'no-shows': 1 } })
  })

  test('[I38] is violated by a no-show before its time', () => {
    const early = log(at(1, 0), at(2, 0), away(1, 91_000), admit(2, 92_000), noShow(1, 211_000))
    expect(outcome(absenteesLeaveTheCount, early)).toEqual([
      'Ticket 1 ended as a no-show 119000 ms after admission passed it, away for 120000 ms',
    ])
    const unpassed = log(at(1, 0), at(2, 0), away(2, 91_000), admit(1, 92_000), noShow(2, 300_000))
    expect(outcome(absenteesLeaveTheCount, unpassed)).toEqual([
      'Ticket 2 ended as a no-show before admission passed it, away for 209000 ms',
    ])
  })

  test('[I38] a ticket may end after it was away for long, wherever it stands', () => {
    expect(outcome(absenteesLeaveTheCount, log(at(1, 0), away(1, 92_000), noShow(1, 3_690_500)))).toBe('held')
  })

  test('[I38] is violated by an away ticket that does not end in its time', () => {
    const passed = [at(1, 0), at(2, 0), away(1, 91_000), admit(2, 92_000)]
    expect(outcome(absenteesLeaveTheCount, log(...passed, at(3, 218_000)))).toEqual([
      'Ticket 1 was away 6000 ms after it should have ended',
    ])
    expect(outcome(absenteesLeaveTheCount, log(...passed, back(1, 218_000)))).toHaveLength(1)
    expect(outcome(absenteesLeaveTheCount, log(...passed, back(1, 216_000)))).toBe('held')
  })

  test('[I38] times in which no server took heartbeats do not count, and must not be counted', () => {
    const gap = { kind: 'attended', unattendedSinceMs: 100_000, atMs: 500_000 } as const
    const passed = [at(1, 0), at(2, 0), away(1, 91_000), admit(2, 92_000)]
    expect(outcome(absenteesLeaveTheCount, log(...passed, gap, noShow(1, 621_000)))).toBe('held')
    expect(outcome(absenteesLeaveTheCount, log(...passed, gap, noShow(1, 610_000)))).toHaveLength(1)
  })

  test('[I38] a fault excuses what is late, and nothing that is early', () => {
    const fault = (phase: 'begin' | 'end', atMs: number): HistoryRecord => ({
      ...{ record: 'fault', phase, fault: 'stop', target: 'server', atMs, monotonicMs: atMs },
    })
    const passed = [at(1, 0), at(2, 0), away(1, 91_000), admit(2, 92_000)]
    const faults = [fault('begin', 150_000), fault('end', 219_000)]
    expect(outcome(absenteesLeaveTheCount, [...faults, ...log(...passed, noShow(1, 220_000))])).toBe('held')
    expect(outcome(absenteesLeaveTheCount, [...faults, ...log(...passed, noShow(1, 200_000))])).toHaveLength(1)
  })

  test('[I38] is violated by a ticket that counts long after its client vanished', () => {
    const vanished = answer('vanish', { ticket: 1, atMs: 1_000 }).map((record) => ({ ...record, atMs: 1_000 }))
    const records = (lastMs: number) => [...log(at(1, 0), at(2, 0), away(2, 95_000), at(3, lastMs)), ...vanished]
    expect(outcome(absenteesLeaveTheCount, records(99_000))).toHaveLength(1)
    expect(outcome(absenteesLeaveTheCount, records(97_000))).toBe('held')
    expect(outcome(absenteesLeaveTheCount, [...records(99_000), ...answer('status', { ticket: 1 })])).toBe('held')
  })
})
