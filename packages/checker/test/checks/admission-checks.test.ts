import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { firstComeFirstServed } from '../../src/checks/order/first-come-first-served.ts'
import { floorWithinCapacity } from '../../src/checks/visits/floor-within-capacity.ts'
import { rateKept } from '../../src/checks/visits/rate-kept.ts'
import { admit, admitNow, correct, epochLog, join, LIMITS, outcome, roomLog, run } from '../history.ts'

const complete = (ticket: number) => ({ kind: 'complete', ticket }) as const
const settings = (limits: Partial<Record<keyof typeof LIMITS, number>>) =>
  ({ kind: 'settings', ...LIMITS, ...limits }) as const

describe('I13', () => {
  test('[I13] holds at the edge, and when slots are used again', () => {
    const ends = [
      complete(1),
      { kind: 'expire', ticket: 2, reason: 'timeout' },
      { kind: 'leave', ticket: 3 },
      { kind: 'terminate', ticket: 4 },
    ] as const
    const records = roomLog([
      ...[admit(1), admit(2), ends[0], admit(3), ends[1], admit(4), ends[2], admit(5), ends[3], admit(6)],
    ])
    expect(run(floorWithinCapacity, records)).toMatchObject({
      status: 'held',
      counts: { admissions: 6, 'admissions that filled the floor': 5 },
    })
  })

  test('[I13] is violated by one too many', () => {
    const records = roomLog([admit(1), admit(2), admit(3)])
    expect(outcome(floorWithinCapacity, records)).toEqual(['3 tickets are on the floor, which takes 2'])
  })

  test('[I13] allows a floor above a lowered capacity, until a ticket is admitted', () => {
    const full = [admit(1), admit(2), settings({ capacity: 1 })]
    expect(outcome(floorWithinCapacity, roomLog(full))).toBe('held')
    expect(outcome(floorWithinCapacity, roomLog([...full, complete(1), admit(3)]))).toHaveLength(1)
    expect(outcome(floorWithinCapacity, roomLog([...full, complete(1), complete(2), admit(3)]))).toBe('held')
  })

  test('[I13] remembers the floor over a rebuild, with what the rebuild corrected', () => {
    const before = roomLog([join(1), join(2), admit(1), admit(2)])
    const opening = { kind: 'epoch', reason: 'flushed', ...LIMITS, afterEpoch: 1, afterSeq: 5 } as const
    const paid = correct(1, { state: 'completed' })
    const seated = correct(4, { deadlineMs: 90_000, hasReservation: true })
    const rebuilt = (...bodies: Parameters<typeof epochLog>[1]) => [...before, ...epochLog(2, [opening, ...bodies])]
    expect(outcome(floorWithinCapacity, rebuilt(admit(3)))).toHaveLength(1)
    expect(outcome(floorWithinCapacity, rebuilt(paid, admit(3)))).toBe('held')
    expect(outcome(floorWithinCapacity, rebuilt(paid, seated))).toBe('held')
    expect(outcome(floorWithinCapacity, rebuilt(paid, seated, admit(3)))).toHaveLength(1)
  })

  test('[I13] counts an entry that was recorded twice once', () => {
    const records = roomLog([admit(1), admit(2)])
    expect(outcome(floorWithinCapacity, [...records, ...records])).toBe('held')
  })

  test('[I13] is vacuous when no ticket was admitted', () => {
    expect(outcome(floorWithinCapacity, roomLog([join(1)]))).toBe('vacuous')
  })
})

describe('I14', () => {
  const limits = { capacity: 1_000, ratePerMinute: 60, burst: 2 }
  const paced = (times: readonly number[]) =>
    roomLog(
      times.map((atMs, index) => admit(index + 1, atMs)),
      limits,
    )

  test('[I14] holds for a burst and then one each second', () => {
    expect(outcome(rateKept, paced([0, 0, 1_000, 2_000, 3_000]))).toBe('held')
    expect(outcome(rateKept, paced([0, 5_000, 5_000, 6_000]))).toBe('held')
  })

  test('[I14] is violated by a millisecond, in an interval in the middle', () => {
    expect(outcome(rateKept, paced([0, 10_000, 10_000, 10_999]))).toEqual([
      'This admission is 0.001 too many for 60 a minute and a burst of 2',
    ])
  })

  test('[I14] is violated by a bucket that was full again after a rebuild', () => {
    const opening = { kind: 'epoch', reason: 'flushed', ...limits, afterEpoch: 1, afterSeq: 3 } as const
    const records = [...paced([0, 0]), ...epochLog(2, [opening, admit(3, 10), admit(4, 10)])]
    expect(outcome(rateKept, records)).toHaveLength(2)
  })

  test('[I14] is violated by an epoch that begins with more than its first entry tells', () => {
    const opening = { kind: 'epoch', reason: 'opened', ...limits, tokens: 0, atMs: 0 } as const
    expect(outcome(rateKept, epochLog(1, [opening, admit(1, 1_000), admit(2, 2_000)]))).toBe('held')
    expect(outcome(rateKept, epochLog(1, [opening, admit(1, 999)]))).toHaveLength(1)
  })

  test('[I14] judges each stretch between rate changes by its own rate', () => {
    const raised = [
      admit(1, 0),
      admit(2, 0),
      { ...settings({ ...limits, ratePerMinute: 600 }), atMs: 0 },
      admit(3, 100),
      admit(4, 200),
    ]
    expect(run(rateKept, roomLog(raised, limits))).toMatchObject({ status: 'held', counts: { 'rate changes': 1 } })
    const unchanged = [admit(1, 0), admit(2, 0), { ...settings(limits), atMs: 0 }, admit(3, 100)]
    expect(outcome(rateKept, roomLog(unchanged, limits))).toHaveLength(1)
  })

  test('[I14] leaves out tickets that an operator let in, and they use up no token', () => {
    const byOperator = [admit(1, 0), admitNow(2, 0), admitNow(3, 0), admitNow(4, 0), admit(5, 0), admit(6, 1_000)]
    expect(run(rateKept, roomLog(byOperator, limits))).toMatchObject({
      ...{ status: 'held', counts: { admissions: 3, 'admissions by an operator': 3 } },
    })
    expect(outcome(rateKept, roomLog([...byOperator, admit(7, 1_000)], limits))).toHaveLength(1)
  })

  test('[I14] finds the first violation exactly where looking at every interval finds it', () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 1_500 }), { minLength: 1, maxLength: 40 })
    fc.assert(
      fc.property(gaps, fc.integer({ min: 1, max: 4 }), (steps, burst) => {
        let now = 0
        const times = steps.map((step) => (now += step))
        const records = roomLog(
          times.map((atMs, index) => admit(index + 1, atMs)),
          { ...limits, burst },
        )
        const verdict = run(rateKept, records)
        const found = verdict.status === 'violated' ? verdict.violations[0]?.records[0] : undefined
        const expected = firstTooMany(times, 60, burst)
        expect(found).toEqual(expected === undefined ? undefined : records[expected + 1])
      }),
      { numRuns: 300 },
    )
  })

  test('[I14] is vacuous when no ticket was admitted', () => {
    expect(outcome(rateKept, roomLog([join(1)]))).toBe('vacuous')
  })
})

/** The plain reading of the rule, in quadratic time. */
function firstTooMany(times: readonly number[], ratePerMinute: number, burst: number): number | undefined {
  for (const [last, end] of times.entries()) {
    for (let first = 0; first <= last; first += 1) {
      const allowed = (ratePerMinute * (end - (times[first] ?? 0))) / 60_000 + burst
      if (last - first + 1 > allowed + 1e-9) return last
    }
  }
  return undefined
}

describe('I15', () => {
  test('[I15] holds when the first goes first, and classes pass each other', () => {
    const records = roomLog([
      join(1),
      join(2),
      join(3, { class: 2, place: 0.5 }),
      join(4),
      admit(3),
      admit(1),
      admit(2),
    ])
    expect(run(firstComeFirstServed, records)).toMatchObject({
      status: 'held',
      counts: { 'admissions while equals waited': 2 },
    })
  })

  test('[I15] is violated by overtaking an equal', () => {
    const records = roomLog([join(1), join(2), admit(2)])
    expect(outcome(firstComeFirstServed, records)).toEqual([
      'Ticket 2 at place 2 was admitted before ticket 1 at place 1',
    ])
  })

  test('[I15] goes by place, and by number where places are equal', () => {
    const moved = [join(1, { place: 5 }), join(2, { place: 4 }), join(10, { place: 4 })]
    expect(outcome(firstComeFirstServed, roomLog([...moved, admit(2), admit(10), admit(1)]))).toBe('held')
    expect(outcome(firstComeFirstServed, roomLog([...moved, admit(10)]))).toHaveLength(1)
  })

  test('[I15] allows passing away tickets, until they are back at their place', () => {
    const line = [join(1), join(2), join(3), { kind: 'away', ticket: 1 } as const, admit(2)]
    expect(outcome(firstComeFirstServed, roomLog(line))).toBe('held')
    const returned = [...line, { kind: 'back', ticket: 1 } as const]
    expect(outcome(firstComeFirstServed, roomLog([...returned, admit(3)]))).toHaveLength(1)
    expect(outcome(firstComeFirstServed, roomLog([...returned, admit(1)]))).toBe('held')
  })

  test('[I15] ignores ended tickets', () => {
    const records = roomLog([join(1), join(2), join(3), { kind: 'leave', ticket: 1 }, admit(2)])
    expect(outcome(firstComeFirstServed, records)).toBe('held')
  })

  test('[I15] puts a ticket that its token brought back before those behind it', () => {
    const opening = { kind: 'epoch', reason: 'flushed', ...LIMITS, afterEpoch: 1, afterSeq: 2 } as const
    const brought = { kind: 'return', ticket: 2, place: 2, class: 0, identity: 'visitor-2' } as const
    const rebuilt = (...tail: Parameters<typeof epochLog>[1]) => [
      ...roomLog([join(1)]),
      ...epochLog(2, [opening, join(9), brought, ...tail]),
    ]
    expect(outcome(firstComeFirstServed, rebuilt(admit(1), admit(2)))).toBe('held')
    expect(outcome(firstComeFirstServed, rebuilt(admit(1), admit(9)))).toHaveLength(1)
  })

  test('[I15] agrees with a plain search of the whole line', () => {
    const step = fc.oneof(
      fc.record({ act: fc.constant('join' as const), place: fc.integer({ min: 1, max: 20 }) }),
      fc.record({
        act: fc.constantFrom('admit' as const, 'leave' as const, 'away' as const, 'back' as const),
        pick: fc.nat(30),
      }),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const { bodies, overtakings } = playPlainly(steps)
        const verdict = run(firstComeFirstServed, roomLog(bodies))
        expect(verdict.status === 'violated' ? verdict.violationCount : 0).toBe(overtakings)
      }),
      { numRuns: 300 },
    )
  })

  test('[I15] is vacuous when no ticket waited behind or before an admission', () => {
    expect(outcome(firstComeFirstServed, roomLog([join(1), admit(1)]))).toBe('vacuous')
  })
})

type Step = { act: 'join'; place: number } | { act: 'admit' | 'leave' | 'away' | 'back'; pick: number }

function playPlainly(steps: readonly Step[]) {
  const bodies: Parameters<typeof roomLog>[0][number][] = []
  let line: { ticket: number; place: number; isAway: boolean }[] = []
  let drawn = 0
  let overtakings = 0
  for (const step of steps) {
    if (step.act === 'join') {
      drawn += 1
      line.push({ ticket: drawn, place: step.place, isAway: false })
      bodies.push(join(drawn, { place: step.place }))
      continue
    }
    const chosen = line[step.pick % Math.max(1, line.length)]
    if (chosen === undefined) continue
    if (step.act === 'admit') {
      const before = ({ ticket, place, isAway }: typeof chosen) =>
        !isAway && (place < chosen.place || (place === chosen.place && ticket < chosen.ticket))
      if (line.some(before)) overtakings += 1
    }
    if (step.act === 'away' || step.act === 'back') chosen.isAway = step.act === 'away'
    else line = line.filter((each) => each !== chosen)
    bodies.push({ kind: step.act, ticket: chosen.ticket })
  }
  return { bodies, overtakings }
}
