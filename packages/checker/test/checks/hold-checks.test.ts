import { describe, expect, test } from 'vitest'
import { holdsKeepTheirTime } from '../../src/checks/seats/holds-keep-their-time.ts'
import { oneEndPerHold } from '../../src/checks/seats/one-end-per-hold.ts'
import { onlyTheHolder } from '../../src/checks/seats/only-the-holder.ts'
import { seatsAddUp } from '../../src/checks/seats/seats-add-up.ts'
import { soldAfterAHold } from '../../src/checks/seats/sold-after-a-hold.ts'
import { admit, epochLog, hold, join, LIMITS, ledger, outcome, roomLog, run, sell } from '../history.ts'

const expire = (name: string, seats: readonly string[], atMs: number) =>
  ({ kind: 'expire', hold: name, seats, atMs }) as const

describe('I6', () => {
  const end = (position: number, type: string) =>
    ({ kind: 'news', news: `n${position}`, hold: 'a', type, position, handed: true }) as const

  test('[I6] is violated by a hold that was told to have ended twice, though the ledger keeps one end', () => {
    const once = [hold('a', ['1']), expire('a', ['1'], 2_000), end(1, 'reservation.expired')]
    expect(outcome(oneEndPerHold, ledger(once))).toBe('held')
    expect(outcome(oneEndPerHold, ledger([...once, end(2, 'reservation.canceled')]))).toEqual([
      'Hold a was told to have ended twice',
    ])
  })
})

describe('I5', () => {
  const pass = (ticket: number, fence: number) => ({ room: 'room', ticket, fence })
  const log = roomLog([
    join(1),
    join(2),
    { kind: 'admit', ticket: 1, fence: 1 },
    { kind: 'admit', ticket: 2, fence: 2 },
    { kind: 'handover', ticket: 1, generation: 2, fence: 3 },
    { kind: 'leave', ticket: 2, atMs: 2_000_000 },
  ])

  test('[I5] holds when the holder pays, and fences are those of the ticket and only grow', () => {
    const records = ledger([hold('a', ['1'], pass(1, 1)), hold('b', ['2'], pass(1, 3)), sell('b', ['2'])])
    expect(outcome(onlyTheHolder, [...records, ...log])).toBe('held')
  })

  test('[I5] is violated when another buyer pays', () => {
    const records = ledger([hold('a', ['1']), sell('a', ['1'], { by: 'mallory' })])
    expect(outcome(onlyTheHolder, records)).toEqual(['Hold a was paid by mallory'])
  })

  test('[I5] is violated by an older fence than the ticket had used', () => {
    const records = ledger([hold('a', ['1'], pass(1, 3)), hold('b', ['2'], pass(1, 1))])
    expect(outcome(onlyTheHolder, records)).toEqual(['Hold b was claimed with an older fence'])
  })

  test("[I5] is violated by another ticket's fence, and by one that was never given", () => {
    const records = ledger([hold('a', ['1'], pass(1, 2)), hold('b', ['2'], pass(2, 9))])
    expect(outcome(onlyTheHolder, [...records, ...log])).toEqual([
      'Hold a was claimed by ticket 1 with a fence that belongs to ticket 2',
      'Hold b was claimed by ticket 2 with a fence that was never given',
    ])
  })

  test('[I5] knows that a fence may have been given in a tail that was lost, and only there', () => {
    const opening = { kind: 'epoch', reason: 'flushed', ...LIMITS, afterEpoch: 1, afterSeq: 4 } as const
    const rebuilt = epochLog(2, [opening, { kind: 'admit', ticket: 5, fence: 100, atMs: 2_000_000 }])
    const claims = (fence: number) => [...log, ...rebuilt, ...ledger([hold('a', ['1'], pass(4, fence))])]
    expect(run(onlyTheHolder, claims(50))).toMatchObject({
      ...{ status: 'held', counts: { 'fences of a tail that was lost': 1 } },
    })
    expect(outcome(onlyTheHolder, claims(101))).toHaveLength(1)
  })

  test('[I5] does not judge a fence that the copy of the log has not reached', () => {
    const records = ledger([hold('a', ['1'], { ...pass(1, 9), atMs: 1_999_000 })])
    expect(outcome(onlyTheHolder, [...records, ...log])).toBe('vacuous')
  })

  test('[I5] is vacuous when nothing was held', () => {
    expect(outcome(onlyTheHolder, log)).toBe('vacuous')
  })
})

describe('I7', () => {
  const dueAt = (expiresAtMs: number, atMs = 0) => ({ expiresAtMs, atMs })

  test('[I7] holds when holds expire at their time, extended or not, and a little later', () => {
    const records = ledger([
      hold('a', ['1'], dueAt(10_000)),
      hold('b', ['2'], dueAt(10_000)),
      { kind: 'extend', hold: 'b', expiresAtMs: 20_000, atMs: 5_000 },
      expire('a', ['1'], 10_000),
      expire('b', ['2'], 24_900),
    ])
    expect(outcome(holdsKeepTheirTime, records)).toBe('held')
  })

  test('[I7] is violated by a hold that expires early', () => {
    const records = ledger([hold('a', ['1'], dueAt(10_000)), expire('a', ['1'], 9_000)])
    expect(outcome(holdsKeepTheirTime, records)).toEqual(['Hold a expired 1000 ms before its time'])
  })

  const lateEnd = [
    hold('a', ['1'], dueAt(10_000)),
    hold('b', ['2'], dueAt(300_000, 12_000)),
    expire('a', ['1'], 20_000),
  ]

  test('[I7] is violated by a hold that lives on while a server works on the event', () => {
    expect(outcome(holdsKeepTheirTime, ledger(lateEnd))).toEqual(['Hold a lived 10000 ms longer than its time'])
  })

  test('[I7] excuses holds that are late because of a fault, a new epoch, or no server at work', () => {
    const fault = { record: 'fault', monotonicMs: 0, phase: 'point', fault: 'crash', target: 'server' } as const
    expect(outcome(holdsKeepTheirTime, [...ledger(lateEnd), { ...fault, atMs: 13_000 }])).toBe('held')
    const reopened = epochLog(1, [{ kind: 'epoch', reason: 'restart', ...LIMITS, atMs: 19_000 }])
    expect(outcome(holdsKeepTheirTime, [...ledger(lateEnd), ...reopened])).toBe('held')
    const alone = [hold('a', ['1'], dueAt(10_000)), expire('a', ['1'], 90_000)]
    expect(outcome(holdsKeepTheirTime, ledger(alone))).toBe('held')
  })

  test('[I7] is vacuous when nothing expired', () => {
    expect(outcome(holdsKeepTheirTime, ledger([hold('a', ['1']), sell('a', ['1'])]))).toBe('vacuous')
  })
})

describe('I8', () => {
  test('[I8] holds for held seats, and for a late payment that takes free seats', () => {
    const records = ledger([
      hold('a', ['1']),
      sell('a', ['1']),
      hold('b', ['2']),
      expire('b', ['2'], 3_000),
      sell('b', ['3'], { late: true, atMs: 4_000 }),
    ])
    expect(outcome(soldAfterAHold, records)).toBe('held')
  })

  test('[I8] is violated by a sale without a hold, after its end, of other seats, or to another buyer', () => {
    expect(outcome(soldAfterAHold, ledger([sell('a', ['1'])]))).toEqual(['a was sold without a hold'])
    const ended = ledger([hold('a', ['1']), expire('a', ['1'], 1_000), sell('a', ['1'], { atMs: 2_000 })])
    expect(outcome(soldAfterAHold, ended)).toEqual(['a was sold without a hold'])
    expect(outcome(soldAfterAHold, ledger([hold('a', ['1']), sell('a', ['2'])]))).toEqual(['2 were sold and not held'])
    expect(outcome(soldAfterAHold, ledger([hold('a', ['1']), sell('a', ['1'], { buyer: 'mallory' })]))).toEqual([
      'a was held by buyer of a and sold to mallory',
    ])
  })

  test('[I8] is violated when a late payment takes a seat that another buyer has', () => {
    const records = ledger([
      hold('a', ['1']),
      expire('a', ['1'], 1_000),
      hold('b', ['1'], { atMs: 2_000 }),
      sell('a', ['1'], { late: true, atMs: 3_000 }),
    ])
    expect(outcome(soldAfterAHold, records)).toEqual(['A late payment took 1, held by another buyer'])
  })

  test('[I8] is vacuous when nothing was sold', () => {
    expect(outcome(soldAfterAHold, [...ledger([hold('a', ['1'])]), ...roomLog([join(1), admit(1)])])).toBe('vacuous')
  })
})

describe('I3 at the end', () => {
  const count = (available: number, held: number) =>
    ({ kind: 'count', available, held, sold: 0, blocked: 0, total: 2, exact: true }) as const

  test('[I3] holds when the ledger counts what its history leaves', () => {
    expect(outcome(seatsAddUp, ledger([{ kind: 'total', total: 2 }, hold('a', ['1']), count(1, 1)]))).toBe('held')
  })

  test('[I3] is violated when seats changed without a history', () => {
    const records = ledger([{ kind: 'total', total: 2 }, hold('a', ['1']), count(2, 0)])
    expect(outcome(seatsAddUp, records)).toEqual([
      'The ledger counted 2 available seats; its own history leaves 1',
      'The ledger counted 0 held seats; its own history leaves 1',
    ])
  })
})
