import { describe, expect, test } from 'vitest'
import { noPurchaseWithoutCapture } from '../../src/checks/money/no-purchase-without-capture.ts'
import { noSeatSoldTwice } from '../../src/checks/seats/no-seat-sold-twice.ts'
import { onlyTheHolder } from '../../src/checks/seats/only-the-holder.ts'
import { seatsWithinLimit } from '../../src/checks/seats/seats-within-limit.ts'
import { soldAfterAHold } from '../../src/checks/seats/sold-after-a-hold.ts'
import { floorCanReserve } from '../../src/checks/visits/floor-can-reserve.ts'
import { admit, hold, join, ledger, outcome, roomLog, sell } from '../history.ts'

/** A sale at the door as the ledger's history tells it: held and sold in the same instant, without a ticket. */
const atDoor = (name: string, seats: readonly string[]) => [hold(name, seats, { door: true }), sell(name, seats)]

describe('sales at the door', () => {
  const LIMITED = roomLog([join(1)], { seatsPerBuyer: 2 })

  test('[B172] are neither sales without a hold nor beyond the limit of one buyer', () => {
    const history = [...LIMITED, ...ledger([...atDoor('a', ['1', '2', '3', '4']), hold('b', ['5'])])]
    expect(outcome(soldAfterAHold, history)).toBe('held')
    expect(outcome(onlyTheHolder, history)).toBe('held')
    expect(outcome(seatsWithinLimit, history)).toBe('held')
    const online = [...LIMITED, ...ledger([hold('a', ['1', '2', '3', '4']), sell('a', ['1', '2', '3', '4'])])]
    expect(outcome(seatsWithinLimit, online)).toHaveLength(1)
  })

  test('[B172] a seat sold at the door and in the line is found, and so is one without its money', () => {
    const twice = ledger([hold('a', ['1']), sell('a', ['1']), ...atDoor('b', ['1'])])
    expect(outcome(noSeatSoldTwice, twice)).toHaveLength(1)
    const unpaid = ledger([hold('a', ['1'], { door: true, amount: 4_500 }), sell('a', ['1'])])
    expect(outcome(noPurchaseWithoutCapture, unpaid)).toHaveLength(1)
    const free = ledger([hold('a', ['1'], { door: true, amount: 0 }), sell('a', ['1'])])
    expect(outcome(noPurchaseWithoutCapture, free)).toBe('held')
  })

  test('[B172] one that took a promised seat is found at the next admission', () => {
    const stock = (remaining: number) => ({ kind: 'stock', remaining }) as const
    const log = roomLog([stock(3), admit(1), admit(2), stock(1), { kind: 'leave', ticket: 1 }, stock(1), admit(3)])
    expect(outcome(floorCanReserve, log)).toEqual(['2 on the floor have 1 seats promised to them'])
  })
})
