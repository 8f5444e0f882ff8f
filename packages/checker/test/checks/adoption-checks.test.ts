import { describe, expect, test } from 'vitest'
import { adoptedWhole } from '../../src/checks/log/adopted-whole.ts'
import { seatsWithinLimit } from '../../src/checks/seats/seats-within-limit.ts'
import type { LedgerRecord } from '../../src/index.ts'
import { hold, ledger, outcome, roomLog, sell } from '../history.ts'

const log = roomLog([], { seatsPerBuyer: 2 })
const adoption = (guest = 'guest', account = 'ada') => ({ kind: 'adoption', guest, account }) as const
const release = (name: string, seats: readonly string[]) => ({ kind: 'release', hold: name, seats }) as const
const payment = (name: string): Omit<Extract<LedgerRecord, { kind: 'payment' }>, 'record' | 'event' | 'atMs'> => {
  const money = { amount: 100, captured: 0, refunded: 0 }
  return { kind: 'payment', payment: `of ${name}`, hold: name, status: 'declined', ...money }
}
const byGuest = { buyer: 'ada', guest: 'guest' }

describe('I29', () => {
  test('[I29] holds while no buyer has more seats than allowed, also after seats returned or expired', () => {
    const records = ledger([
      hold('a', ['1', '2'], { buyer: 'ada' }),
      release('a', ['1', '2']),
      hold('b', ['1', '2'], { buyer: 'ada', expiresAtMs: 2_500 }),
      hold('c', ['3', '4'], { buyer: 'ada' }),
    ])
    expect(outcome(seatsWithinLimit, [...log, ...records])).toBe('held')
    expect(outcome(seatsWithinLimit, records)).toBe('vacuous')
  })

  test('[I29] is violated by a reservation beyond the limit, pending and paid together', () => {
    const records = ledger([
      hold('a', ['1'], { buyer: 'ada' }),
      sell('a', ['1'], { buyer: 'ada' }),
      hold('b', ['2', '3'], { buyer: 'ada' }),
    ])
    expect(outcome(seatsWithinLimit, [...log, ...records])).toEqual(['ada has 3 seats, and may have 2'])
  })

  test('[I29] what was adopted counts: paid seats may exceed the limit, new ones may not', () => {
    const adopted = [
      hold('a', ['1', '2'], { buyer: 'ada' }),
      hold('b', ['3', '4'], byGuest),
      sell('b', ['3', '4'], { buyer: 'ada' }),
      adoption(),
    ]
    expect(outcome(seatsWithinLimit, [...log, ...ledger(adopted)])).toBe('held')
    const more = ledger([...adopted, hold('c', ['5'], { buyer: 'ada' })])
    expect(outcome(seatsWithinLimit, [...log, ...more])).toEqual(['ada has 5 seats, and may have 2'])
  })

  test('[I29] a pending reservation is not adopted beyond the limit, unless it was being paid for', () => {
    const adopted = [hold('a', ['1'], { buyer: 'ada' }), hold('b', ['3', '4'], byGuest), adoption()]
    expect(outcome(seatsWithinLimit, [...log, ...ledger(adopted)])).toEqual(['b was adopted beyond the limit of 2'])
    expect(outcome(seatsWithinLimit, [...log, ...ledger([...adopted, payment('b')])])).toBe('held')
  })
})

describe('I31', () => {
  const operation = (actor: string) => ({ kind: 'operation', actor, operation: 'key', effect: 'a' }) as const

  test('[I31] holds when everything of the guest is the account’s; a key that both used stays with both', () => {
    const records = [hold('a', ['1'], byGuest), adoption(), operation('ada'), operation('guest')]
    expect(outcome(adoptedWhole, ledger(records))).toBe('held')
    expect(outcome(adoptedWhole, ledger([hold('a', ['1'])]))).toBe('vacuous')
  })

  test('[I31] is violated by a reservation, an answer or a payment that stayed behind, or went elsewhere', () => {
    const records = ledger([
      hold('a', ['1'], { buyer: 'guest' }),
      hold('b', ['2'], { buyer: 'eve', guest: 'guest' }),
      adoption(),
      operation('guest'),
      { ...payment('a'), by: 'guest', operation: 'pay' },
    ])
    expect(outcome(adoptedWhole, records)).toEqual([
      'A hold stayed with the guest guest',
      'Hold b went to eve',
      'A operation stayed with the guest guest',
      'A payment stayed with the guest guest',
    ])
  })
})
