import { describe, expect, test } from 'vitest'
import { noSeatSoldTwice } from '../../src/checks/seats/no-seat-sold-twice.ts'
import { oneEndPerHold } from '../../src/checks/seats/one-end-per-hold.ts'
import { oneHoldPerSeat } from '../../src/checks/seats/one-hold-per-seat.ts'
import { seatsAddUp } from '../../src/checks/seats/seats-add-up.ts'
import { soldAtMostTotal } from '../../src/checks/seats/sold-at-most-total.ts'
import type { ClientRecord } from '../../src/index.ts'
import { hold, ledger, outcome, run, sell } from '../history.ts'

const total = (count: number) => ({ kind: 'total', total: count }) as const
const release = (name: string, seats: readonly string[]) => ({ kind: 'release', hold: name, seats }) as const
const expire = (name: string, seats: readonly string[], atMs?: number) =>
  ({ kind: 'expire', hold: name, seats, ...(atMs === undefined ? {} : { atMs }) }) as const
const refund = (name: string, seats: readonly string[]) => ({ kind: 'refund', hold: name, seats }) as const

describe('I1', () => {
  test('[I1] holds when a seat is sold again after it was given back', () => {
    const records = ledger([hold('a', ['1']), sell('a', ['1']), refund('a', ['1']), hold('b', ['1']), sell('b', ['1'])])
    expect(outcome(noSeatSoldTwice, records)).toBe('held')
  })

  test('[I1] is violated by two sales of one seat, and shows both', () => {
    const records = ledger([sell('a', ['1', '2']), sell('b', ['2', '3'])])
    expect(run(noSeatSoldTwice, records)).toMatchObject({
      status: 'violated',
      violations: [{ message: 'Seat 2 was sold although it is sold', records }],
    })
  })

  test('[I1] distinguishes seats of the same name in another event', () => {
    const [sale] = ledger([sell('a', ['1'])])
    if (sale === undefined) throw new Error('unreachable')
    expect(outcome(noSeatSoldTwice, [sale, { ...sale, event: 'other' }])).toBe('held')
  })

  test('[I1] is vacuous when nothing was sold', () => {
    expect(outcome(noSeatSoldTwice, ledger([hold('a', ['1'])]))).toBe('vacuous')
  })
})

describe('I2', () => {
  const told = (call: string, action: string, seats: readonly string[]): ClientRecord => ({
    record: 'client',
    client: 'client',
    call,
    phase: 'ok',
    monotonicMs: 1,
    action,
    event: 'event',
    operation: call.slice(0, 1),
    seats,
  })

  test('[I2] holds up to the last seat, also when seats are added or given back', () => {
    const records = ledger([
      total(1),
      sell('a', ['1']),
      total(2),
      sell('b', ['2']),
      refund('a', ['1']),
      sell('c', ['1']),
    ])
    expect(outcome(soldAtMostTotal, records)).toBe('held')
  })

  test('[I2] is violated at the first prefix with too many', () => {
    const records = ledger([total(1), sell('a', ['1']), sell('b', ['2']), refund('b', ['2'])])
    expect(outcome(soldAtMostTotal, records)).toEqual(['2 seats are sold in event, which has 1'])
  })

  test('[I2] is violated when clients were told of more than there is', () => {
    const records = [
      ...ledger([total(1), sell('a', ['1'])]),
      told('a', 'purchase', ['1']),
      told('b', 'purchase', ['1']),
    ]
    expect(outcome(soldAtMostTotal, records)).toEqual(['Clients were told of 2 seats bought in event, which has 1'])
  })

  test('[I2] counts an answer to a retry once, and seats given back not at all', () => {
    const records = [
      ...ledger([total(1), sell('a', ['1']), refund('a', ['1']), sell('b', ['1'])]),
      told('a', 'purchase', ['1']),
      told('a again', 'purchase', ['1']),
      told('r', 'refund', ['1']),
      told('b', 'purchase', ['1']),
    ]
    expect(outcome(soldAtMostTotal, records)).toBe('held')
  })

  test('[I2] is vacuous when nothing was sold', () => {
    expect(outcome(soldAtMostTotal, ledger([total(1)]))).toBe('vacuous')
  })
})

describe('I3', () => {
  test('[I3] holds over every way a seat can go', () => {
    const records = ledger([
      total(4),
      { kind: 'block', seats: ['4'] },
      hold('a', ['1', '2']),
      release('a', ['1', '2']),
      hold('b', ['1', '2', '3']),
      expire('b', ['1', '2', '3']),
      sell('b', ['1'], { late: true }),
      refund('b', ['1']),
      { kind: 'unblock', seats: ['4'] },
      hold('c', ['1', '2', '3', '4']),
      { kind: 'extend', hold: 'c', expiresAtMs: 400_000 },
      sell('c', ['1', '2', '3', '4']),
      { kind: 'count', available: 0, held: 0, sold: 4, blocked: 0, total: 4 },
    ])
    expect(outcome(seatsAddUp, records)).toBe('held')
  })

  test('[I3] is violated by a second release', () => {
    const records = ledger([total(2), hold('a', ['1']), release('a', ['1']), release('a', ['1'])])
    expect(outcome(seatsAddUp, records)).toEqual(['After this release, -1 seats of event are held'])
  })

  test('[I3] is violated by holding more than there is', () => {
    const records = ledger([total(1), hold('a', ['1']), hold('b', ['2'])])
    expect(outcome(seatsAddUp, records)).toEqual(['After this hold, -1 seats of event are available'])
  })

  test('[I3] is violated by a count that does not add up, or is negative', () => {
    const count = { kind: 'count', held: 0, sold: 0, blocked: 0, total: 2 } as const
    expect(outcome(seatsAddUp, ledger([{ ...count, available: 1 }]))).toHaveLength(1)
    expect(outcome(seatsAddUp, ledger([{ ...count, available: 3, held: -1 }]))).toHaveLength(1)
  })

  test('[I3] is vacuous when no seat ever moved', () => {
    expect(outcome(seatsAddUp, ledger([total(2)]))).toBe('vacuous')
  })
})

describe('I4', () => {
  test('[I4] holds when a seat is held again after its release, its sale or its time', () => {
    const records = ledger([
      hold('a', ['1']),
      release('a', ['1']),
      hold('b', ['1'], { expiresAtMs: 3_000 }),
      hold('c', ['1'], { atMs: 3_000 }),
    ])
    expect(run(oneHoldPerSeat, records)).toMatchObject({ status: 'held', counts: { 'expired holds taken over': 1 } })
  })

  test('[I4] is violated by two live holds on one seat', () => {
    const records = ledger([hold('a', ['1', '2']), hold('b', ['2', '3'])])
    expect(outcome(oneHoldPerSeat, records)).toEqual(['Seat 2 is held by a and was also given to b'])
  })

  test('[I4] is violated when an extended hold is taken over at its first deadline', () => {
    const records = ledger([
      hold('a', ['1'], { expiresAtMs: 2_000 }),
      { kind: 'extend', hold: 'a', expiresAtMs: 9_000 },
      hold('b', ['1'], { atMs: 5_000 }),
    ])
    expect(outcome(oneHoldPerSeat, records)).toHaveLength(1)
  })

  test('[I4] is not ended by the release of another hold', () => {
    const records = ledger([hold('a', ['1']), release('x', ['1']), hold('b', ['1'])])
    expect(outcome(oneHoldPerSeat, records)).toHaveLength(1)
  })

  test('[I4] lets holds of two epochs overlap, and counts them', () => {
    const records = ledger([hold('a', ['1'], { epoch: 1 }), hold('b', ['1'], { epoch: 2 })])
    expect(run(oneHoldPerSeat, records)).toMatchObject({ status: 'held', counts: { 'seats held across epochs': 1 } })
  })

  test('[I4] is vacuous when nothing was held', () => {
    expect(outcome(oneHoldPerSeat, ledger([total(1)]))).toBe('vacuous')
  })
})

describe('I6', () => {
  test('[I6] holds for one end each, a late payment, and a hold that is still live', () => {
    const records = ledger([
      hold('a', ['1']),
      release('a', ['1']),
      hold('b', ['1']),
      sell('b', ['1']),
      hold('c', ['2']),
      expire('c', ['2']),
      sell('c', ['2'], { late: true }),
      hold('d', ['3']),
    ])
    expect(run(oneEndPerHold, records)).toMatchObject({
      status: 'held',
      counts: { 'holds ended': 3, 'late payments': 1, 'holds still live at the end': 1 },
    })
  })

  test('[I6] is violated by a second end of any kind', () => {
    const records = ledger([hold('a', ['1']), sell('a', ['1']), expire('a', ['1'])])
    expect(outcome(oneEndPerHold, records)).toEqual(['Hold a ended twice: sell, then expire'])
  })

  test('[I6] is violated by an end without a beginning, and by returning seats of another hold', () => {
    expect(outcome(oneEndPerHold, ledger([release('a', ['1'])]))).toEqual(['Hold a ended and never began'])
    expect(outcome(oneEndPerHold, ledger([hold('a', ['1']), release('a', ['1', '2'])]))).toEqual([
      'Hold a never held 2',
    ])
  })

  test('[I6] is violated by a hold that does not end within five seconds of its time', () => {
    const forgotten = hold('a', ['1'], { atMs: 0, expiresAtMs: 1_000 })
    const other = [hold('b', ['2']), expire('b', ['2'], 6_001)]
    expect(outcome(oneEndPerHold, ledger([forgotten, ...other]))).toEqual(['Hold a never ended'])
  })

  test('[I6] is vacuous when no hold ended', () => {
    expect(outcome(oneEndPerHold, ledger([hold('a', ['1'])]))).toBe('vacuous')
  })
})
