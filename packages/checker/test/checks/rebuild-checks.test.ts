import { describe, expect, test } from 'vitest'
import { rebuildsKeepTheLine } from '../../src/checks/order/rebuilds-keep-the-line.ts'
import { admit, answer, epochLog, join, LIMITS, outcome, roomLog, run } from '../history.ts'

type Bodies = Parameters<typeof epochLog>[1]

describe('I28', () => {
  const before = roomLog([join(1), join(2), join(3), { kind: 'leave', ticket: 2 }])
  const opening = { kind: 'epoch', reason: 'flushed', ...LIMITS, afterEpoch: 1, afterSeq: 5 } as const
  const rebuilt = (...bodies: Bodies) => [...before, ...epochLog(2, [opening, ...bodies])]
  const back = (ticket: number, identity = `visitor-${ticket}`, place = ticket) =>
    ({ kind: 'return', ticket, place, class: 0, identity }) as const

  test('[I28] holds when tickets return to their place and new numbers lie beyond', () => {
    const told = answer('join', { ticket: 4, place: 4, identity: 'visitor-4' })
    const records = [...told, ...rebuilt(back(4), join(1_000), admit(1), join(1_001, { identity: 'visitor-2' }))]
    expect(run(rebuildsKeepTheLine, records)).toMatchObject({
      status: 'held',
      counts: { rebuilds: 1, 'tickets drawn': 5, 'tickets kept': 2, 'tickets brought back': 1 },
    })
  })

  test('[I28] is violated by a number that was given out before', () => {
    expect(outcome(rebuildsKeepTheLine, rebuilt(join(3, { identity: 'ada' })))).toContain(
      'The number 3 was given out twice',
    )
    expect(outcome(rebuildsKeepTheLine, rebuilt(back(9), join(8)))).toEqual(['The number 8 was drawn after 9'])
  })

  test('[I28] is violated by a second live ticket of one identity, with or without a rebuild', () => {
    const twice = join(9, { identity: 'visitor-1' })
    expect(outcome(rebuildsKeepTheLine, rebuilt(twice))).toEqual(['The identity of ticket 1 has ticket 9, too'])
    expect(outcome(rebuildsKeepTheLine, roomLog([join(1), twice]))).toHaveLength(1)
  })

  test('[I28] follows a ticket that a guest takes along, and is violated when the account had its own', () => {
    const adopt = (identity: string) => ({ kind: 'adopt', ticket: 3, identity }) as const
    expect(outcome(rebuildsKeepTheLine, rebuilt(adopt('account'), join(9, { identity: 'visitor-3' })))).toBe('held')
    expect(outcome(rebuildsKeepTheLine, rebuilt(adopt('visitor-1')))).toHaveLength(1)
    expect(outcome(rebuildsKeepTheLine, rebuilt(adopt('account'), join(9, { identity: 'account' })))).toHaveLength(1)
  })

  test('[I28] is violated when an ended ticket comes back', () => {
    expect(outcome(rebuildsKeepTheLine, rebuilt(back(2)))).toEqual(['Ticket 2 had ended, and is back'])
    expect(outcome(rebuildsKeepTheLine, rebuilt(admit(2)))).toEqual([
      'Ticket 2 had ended, and something happened to it again',
    ])
  })

  test('[I28] is violated when a place differs from what was told, or one number went to two', () => {
    const told = answer('join', { ticket: 4, place: 4, identity: 'visitor-4' })
    expect(outcome(rebuildsKeepTheLine, [...told, ...rebuilt(back(4, 'visitor-4', 7))])).toEqual([
      'Ticket 4 was told place 4, and stands at 7',
    ])
    const other = answer('join', { ticket: 4, place: 4, identity: 'visitor-5', atMs: 9 })
    expect(outcome(rebuildsKeepTheLine, [...told, ...other])).toEqual(['Ticket 4 was given to two visitors'])
  })

  test('[I28] is vacuous without a rebuild', () => {
    expect(outcome(rebuildsKeepTheLine, before)).toBe('vacuous')
  })
})
