import { describe, expect, test } from 'vitest'
import { progressWithin } from '../../src/checks/service/progress.ts'
import { withinBounds } from '../../src/checks/service/within-bounds.ts'
import type { FaultRecord, GaugeRecord } from '../../src/index.ts'
import { admit, admitNow, epochLog, join, LIMITS, outcome, run } from '../history.ts'

describe('I18', () => {
  const progress = progressWithin(500)
  const opened = { kind: 'epoch', reason: 'opened', ...LIMITS, tokens: 2, atMs: 0 } as const
  const at = (atMs: number, ticket: number) => ({ ...join(ticket), atMs })
  const log = (...bodies: Parameters<typeof epochLog>[1]) => epochLog(1, [opened, ...bodies])

  test('[I18] holds when a ticket that can be admitted is admitted in time', () => {
    expect(run(progress, log(at(0, 1), admit(1, 400), at(1_000, 2), admit(2, 1_500)))).toMatchObject({
      status: 'held',
      counts: { 'chances taken': 2, 'longest wait in ms': 500 },
    })
  })

  test('[I18] is violated when a ticket that could be admitted waits longer', () => {
    expect(outcome(progress, log(at(0, 1), admit(1, 501)))).toEqual([
      'A ticket could have been admitted for 501 ms before this entry',
    ])
    expect(outcome(progress, log(at(0, 1), at(100, 2), at(900, 3), admit(1, 1_000)))).toHaveLength(1)
  })

  test('[I18] counts from when there is a token, a slot is free, or the room resumes', () => {
    const empty = { ...opened, tokens: 0 }
    expect(outcome(progress, epochLog(1, [empty, at(0, 1), admit(1, 1_400)]))).toBe('held')
    expect(outcome(progress, epochLog(1, [empty, at(0, 1), admit(1, 1_600)]))).toHaveLength(1)
    const full = [at(0, 1), at(0, 2), at(0, 3), admit(1, 0), admit(2, 0)]
    const left = { kind: 'leave', ticket: 1, atMs: 9_000 } as const
    expect(outcome(progress, log(...full, left, admit(3, 9_300)))).toBe('held')
    expect(outcome(progress, log(...full, left, admit(3, 9_600)))).toHaveLength(1)
    const paused = [{ kind: 'pause', reason: 'lunch', atMs: 0 } as const, at(10, 1)]
    expect(outcome(progress, log(...paused, { kind: 'resume', atMs: 5_000 }, admit(1, 5_100)))).toBe('held')
    const sold = [{ kind: 'stock', remaining: 0, atMs: 0 } as const, at(10, 1)]
    expect(outcome(progress, log(...sold, { kind: 'stock', remaining: 1, atMs: 5_000 }, admit(1, 5_100)))).toBe('held')
    const early = [{ kind: 'window', opensAtMs: 3_000, closesAtMs: 9_000, atMs: 0 } as const, at(10, 1)]
    expect(outcome(progress, log(...early, admit(1, 3_200)))).toBe('held')
  })

  test('[I18] an admission by an operator leaves the token that is there', () => {
    const oneToken = { ...opened, tokens: 1 }
    expect(outcome(progress, epochLog(1, [oneToken, at(0, 1), at(0, 2), admitNow(1, 0), admit(2, 600)]))).toHaveLength(
      1,
    )
  })

  test('[I18] counts marking a ticket away as progress', () => {
    const away = { kind: 'away', ticket: 1, atMs: 400 } as const
    expect(outcome(progress, log(at(0, 1), at(0, 2), away, admit(2, 800)))).toBe('held')
  })

  test('[I18] excuses what waited for a ledger that was behind, and nothing else', () => {
    const copied = (joinCopiedAtMs: number) =>
      log(at(0, 1), admit(1, 3_600)).map((record, index) => ({
        ...record,
        copiedAtMs: [0, joinCopiedAtMs, 3_700][index] ?? 0,
      }))
    expect(run(progress, copied(3_500))).toMatchObject({
      status: 'held',
      counts: { 'chances that a slow ledger excuses': 1 },
    })
    expect(outcome(progress, copied(100))).toHaveLength(1)
  })

  test('[I18] excuses what a fault delayed, until a while after its end', () => {
    const fault = (phase: FaultRecord['phase'], atMs: number): FaultRecord => ({
      ...{ record: 'fault', monotonicMs: 0, fault: 'cut', target: 'redis' },
      ...{ phase, atMs },
    })
    const late = log(at(0, 1), admit(1, 4_000), at(20_000, 2), admit(2, 20_100))
    expect(run(progress, [...late, fault('begin', 100), fault('end', 3_500)])).toMatchObject({
      status: 'held',
      counts: { 'chances that a fault excuses': 1 },
    })
    expect(outcome(progress, [...late, fault('begin', 10_000), fault('end', 10_500)])).toHaveLength(1)
  })

  test('[I18] is vacuous when no ticket could be admitted', () => {
    expect(outcome(progress, log())).toBe('vacuous')
  })
})

describe('I26', () => {
  const gauge = (value: number): GaugeRecord => ({
    ...{ record: 'gauge', monotonicMs: 0, source: 'server-1', gauge: 'joins that wait' },
    ...{ value, bound: 10 },
  })

  test('[I26] holds up to the bound', () => {
    expect(run(withinBounds, [gauge(0), gauge(10)])).toMatchObject({
      status: 'held',
      counts: { looks: 2, 'things above half of their bound': 1 },
    })
  })

  test('[I26] is violated above it', () => {
    expect(outcome(withinBounds, [gauge(11)])).toEqual(['joins that wait of server-1 was 11, its bound 10'])
  })

  test('[I26] is vacuous without measurements', () => {
    expect(outcome(withinBounds, [])).toBe('vacuous')
  })
})
