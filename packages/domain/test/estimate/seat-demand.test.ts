import { equal, ok } from 'node:assert/strict'
import { describe, it } from 'vitest'
import { SeatDemand } from '../../src/index.ts'

const EMPTY = { count: 0, claimed: 0 }

describe('seats that a visitor takes', () => {
  it('[R10] one, as promised, before there is data', () => {
    const { claimed, kept, leavers } = new SeatDemand().read(EMPTY)
    equal(claimed, 1)
    equal(kept, 1)
    equal(leavers, 5)
  })

  it('[R10] as leavers took, later', () => {
    const demand = new SeatDemand()
    // Of a hundred, eighty buy three seats in two orders, and twenty nothing.
    demand.left(100, 140, 120, 200)
    const { claimed, kept, variance } = demand.read(EMPTY)
    ok(Math.abs(kept - 1.2) < 0.02 && Math.abs(claimed - 1.4) < 0.03, `${kept}, ${claimed}`)
    ok(Math.abs(variance - (2 - 1.44)) < 0.1, `${variance}`)
  })

  it('[R10] the first leavers buy nothing, and do not make a sale look endless', () => {
    const demand = new SeatDemand()
    demand.left(20, 20, 0, 0)
    ok(demand.read(EMPTY).kept < 0.3)
    const { kept } = demand.read({ count: 200, claimed: 230 })
    ok(kept > 0.9 && kept < 1.1, `${kept}`)
  })

  it('[R10] the last thousand leavers count', () => {
    const demand = new SeatDemand()
    for (let index = 0; index < 5_000; index += 1) demand.left(1, 2, 2, 4)
    for (let index = 0; index < 5_000; index += 1) demand.left(1, 1, 1, 1)
    ok(Math.abs(demand.read(EMPTY).kept - 1) < 0.02)
  })
})
