import { describe, expect, test } from 'vitest'
import { soldOutWhenTrue } from '../../src/checks/seats/sold-out-when-true.ts'
import { floorCanReserve } from '../../src/checks/visits/floor-can-reserve.ts'
import { admit, hold, join, ledger, outcome, roomLog, sell } from '../history.ts'

describe('I25', () => {
  const START = 1_000_000
  const total = { kind: 'total', total: 1, atMs: START } as const
  const held = hold('a', ['1'], { atMs: START + 1_000, room: 'room' })
  const sold = { ...sell('a', ['1']), atMs: START + 10_000 }
  const soldOut = (atMs: number, isSoldOut = true) => ({ kind: 'sold-out', isSoldOut, atMs: START + atMs }) as const

  test('[I25] holds when sold out begins after the last sale, and ends when a seat returns', () => {
    const refund = { kind: 'refund', hold: 'a', seats: ['1'], atMs: START + 30_000 } as const
    const log = roomLog([join(1), soldOut(10_100), soldOut(31_000, false), { ...admit(1), atMs: START + 60_000 }])
    expect(outcome(soldOutWhenTrue, [...ledger([total, held, sold, refund]), ...log])).toBe('held')
  })

  test('[I25] is violated when sold out begins while the last seat is only held', () => {
    const log = roomLog([soldOut(5_000)])
    expect(outcome(soldOutWhenTrue, [...ledger([total, held, sold]), ...log])).toEqual([
      'Sold out was said while seats were free or held, 1 at most',
    ])
  })

  test('[I25] is violated when a seat returns and it stays sold out', () => {
    const refund = { kind: 'refund', hold: 'a', seats: ['1'], atMs: START + 30_000 } as const
    const log = roomLog([soldOut(10_100), { kind: 'message', text: 'still here', atMs: START + 40_000 }])
    expect(outcome(soldOutWhenTrue, [...ledger([total, held, sold, refund]), ...log])).toEqual([
      'Seats came back, 1 at most, and 10000 ms later it was still sold out',
    ])
  })

  test('[I25] is violated when a visitor is told sold out while seats are free', () => {
    const log = roomLog([join(1), { kind: 'expire', ticket: 1, reason: 'sold_out' }])
    expect(outcome(soldOutWhenTrue, log)).toEqual(['Ticket 1 was told sold out while it was not'])
  })

  test('[I25] is vacuous when it was never sold out', () => {
    expect(outcome(soldOutWhenTrue, [...ledger([total, held]), ...roomLog([join(1)])])).toBe('vacuous')
  })
})

describe('I27', () => {
  const stock = (remaining: number | null) => ({ kind: 'stock', remaining }) as const
  const reserve = (ticket: number) => ({ kind: 'reserve', ticket, deadlineMs: 9_000_000 }) as const

  test('[I27] holds when every ticket on the floor has a seat or the promise of one', () => {
    const log = roomLog([stock(2), join(1), join(2), join(3), admit(1), admit(2), stock(1), reserve(1)])
    expect(outcome(floorCanReserve, log)).toBe('held')
    const leaves = roomLog([stock(1), admit(1), { kind: 'leave', ticket: 1 }, admit(2)])
    expect(outcome(floorCanReserve, leaves)).toBe('held')
  })

  test('[I27] is violated by an admission beyond the stock', () => {
    const log = roomLog([stock(1), admit(1), admit(2)])
    expect(outcome(floorCanReserve, log)).toEqual(['2 on the floor have 1 seats promised to them'])
    const lost = roomLog([stock(1), admit(1), reserve(1), { kind: 'reserve', ticket: 1, deadlineMs: null }, admit(2)])
    expect(outcome(floorCanReserve, lost)).toHaveLength(1)
  })

  test('[I27] is vacuous where stock does not decide', () => {
    expect(outcome(floorCanReserve, roomLog([stock(null), admit(1), admit(2)]))).toBe('vacuous')
  })
})
