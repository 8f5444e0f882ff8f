import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { pricesLocked } from '../../src/checks/money/prices-locked.ts'
import { admit, join, outcome, roomLog } from '../history.ts'

const TYPE = {
  id: 'hall',
  currency: 'EUR',
  price: 1_000,
  variants: [] as { id: string; name: string; price: number }[],
}
const LIST = { taxRate: 19, fees: [{ name: 'Booking', perTicket: 50, percent: 0 }], seatTypes: [TYPE] }

function prices(what: Partial<typeof LIST> = {}, listHash?: string) {
  const list = JSON.stringify({ ...LIST, ...what })
  return { kind: 'prices', list, listHash: listHash ?? createHash('sha256').update(list).digest('hex') } as const
}
const ofType = (what: Partial<typeof TYPE>) => prices({ seatTypes: [{ ...TYPE, ...what }] })
const variant = (id: string, price: number) => ({ id, name: id, price })

describe('I41', () => {
  test('[I41] holds when prices fall, and when they rise while no visitor waits or is inside', () => {
    const rises = [
      prices(),
      prices({ taxRate: 25 }),
      join(1),
      { kind: 'leave', ticket: 1 } as const,
      ofType({ price: 2_000 }),
    ]
    expect(outcome(pricesLocked, roomLog(rises))).toBe('held')
    const cheaper = [
      ofType({ price: 900 }),
      prices({ fees: [], seatTypes: [{ ...TYPE, price: 900 }] }),
      prices({
        fees: [],
        seatTypes: [
          { ...TYPE, price: 900 },
          { ...TYPE, id: 'box', price: 9_000 },
        ],
      }),
    ]
    expect(outcome(pricesLocked, roomLog([prices(), join(1), ...cheaper]))).toBe('held')
    expect(outcome(pricesLocked, roomLog([join(1)]))).toBe('vacuous')
  })

  test('[I41] is violated by every kind of rise while a visitor waits, is away or is inside', () => {
    const waiting = [join(1)]
    const away = [join(1), { kind: 'away', ticket: 1 } as const]
    const inside = [join(1), admit(1)]
    const rises = [
      ofType({ price: 1_001 }),
      ofType({ variants: [variant('adult', 1_001), variant('child', 500)] }),
      prices({ taxRate: 19.001 }),
      prices({ fees: [{ name: 'Booking', perTicket: 51, percent: 0 }] }),
      prices({ fees: [...LIST.fees, { name: 'Mail', perTicket: 0, percent: 1 }] }),
      ofType({ currency: 'USD' }),
    ]
    for (const rise of rises) {
      for (const before of [waiting, away, inside]) {
        expect(outcome(pricesLocked, roomLog([prices(), ...before, rise])), JSON.stringify(rise)).toHaveLength(1)
      }
    }
    const child = ofType({ variants: [variant('adult', 1_000), variant('child', 500)] })
    const gone = ofType({ variants: [variant('adult', 1_000)] })
    expect(outcome(pricesLocked, roomLog([child, join(1), gone]))).toHaveLength(1)
  })

  test('[I41] is violated by a list that is not the one of its hash', () => {
    expect(outcome(pricesLocked, roomLog([prices({}, 'ab'.repeat(32))]))).toEqual([
      'A price list is not the one of its hash',
    ])
  })
})
