import { planRefund, priceOrder, type RefundFee, type SeatToPrice } from '@seatwise/domain'
import fc from 'fast-check'
import { expect, it } from 'vitest'

const RUNS = 5_000

/** Seats of one type have one price. */
const seat: fc.Arbitrary<SeatToPrice> = fc
  .oneof(fc.constant(0), fc.constantFrom(1, 3, 99), fc.integer({ min: 1, max: 100_000 }))
  .map((price) => ({ seatTypeId: `costs ${price}`, variantId: null, name: 'a seat', price }))
const terms = fc.record({
  taxRate: fc.constantFrom(0, 7, 19, 20.125),
  fees: fc.array(
    fc.record({
      name: fc.constant('fee'),
      perTicket: fc.integer({ min: 0, max: 999 }),
      percent: fc.constantFrom(0, 2.5, 33.333),
    }),
    { maxLength: 3 },
  ),
  discount: fc.option(
    fc.record({
      name: fc.constant('CODE'),
      reduction: fc.oneof(
        fc.record({ percent: fc.constantFrom(1, 10, 33.333, 100) }),
        fc.record({ amountOff: fc.integer({ min: 0, max: 200_000 }) }),
      ),
      seatTypeIds: fc.constantFrom(null, ['costs 99', 'costs 3']),
    }),
  ),
})
/** For each seat in which refund it is, and for each refund whether its fees stay. */
const split = fc.record({
  parts: fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 12, maxLength: 12 }),
  keepFees: fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
  turn: fc.integer({ min: 0, max: 3 }),
})

/** As the rule says it, with fractions instead of integers. */
function keptByRule(
  { paid, fees }: { paid: number; fees: number },
  { perTicket, percent, keepFees }: RefundFee,
): bigint {
  const stays = BigInt(keepFees ? fees : 0)
  const share = (BigInt(paid) - stays) * BigInt(Math.round(percent * 1_000))
  const rounded = share / 100_000n + (share % 100_000n >= 50_000n ? 1n : 0n)
  const kept = stays + BigInt(perTicket) + rounded
  return kept < BigInt(paid) ? kept : BigInt(paid)
}

it('[B146] the fee for refunds is what the rule says for each seat, and no cent leaks, in whatever order seats are refunded', () => {
  const fee = fc.record({
    perTicket: fc.integer({ min: 0, max: 2_000 }),
    percent: fc.oneof(
      fc.constantFrom(0, 50, 100, 33.333),
      fc.integer({ min: 0, max: 100_000 }).map((each) => each / 1_000),
    ),
    keepFees: fc.boolean(),
  })
  fc.assert(
    fc.property(
      fc.array(seat, { minLength: 1, maxLength: 12 }),
      terms,
      split,
      fee,
      (seats, prices, { parts, turn }, fee) => {
        const order = priceOrder(seats, prices)
        const items = order.shares.map((share, index) => ({ seatId: String(index), ...share }))
        const together = planRefund(items, { fee })
        expect(BigInt(together.kept)).toBe(items.reduce((sum, item) => sum + keptByRule(item, fee), 0n))
        const order4 = [0, 1, 2, 3].map((index) => (index + turn) % 4)
        const plans = order4.map((part) =>
          planRefund(
            items.filter((_, index) => parts[index] === part),
            { fee },
          ),
        )
        for (const { amount, kept } of plans) expect(Math.min(amount, kept)).toBeGreaterThanOrEqual(0)
        expect(plans.reduce((sum, { amount }) => sum + amount, 0)).toBe(together.amount)
        expect(plans.reduce((sum, { kept }) => sum + kept, 0)).toBe(together.kept)
        expect(together.amount + together.kept).toBe(order.amount)
      },
    ),
    { numRuns: RUNS },
  )
})

it('[B131] however an order is refunded in parts, nothing leaks, nothing is negative, and the order does not matter', () => {
  fc.assert(
    fc.property(fc.array(seat, { minLength: 1, maxLength: 12 }), terms, split, (seats, prices, { parts, ...how }) => {
      const order = priceOrder(seats, prices)
      const items = order.shares.map((share, index) => ({ seatId: String(index), ...share }))
      const refunds = [0, 1, 2, 3].map((part) => ({
        chosen: items.filter((_, index) => parts[index] === part),
        keepFees: how.keepFees[part] ?? false,
      }))
      const inTurn = [...refunds.slice(how.turn), ...refunds.slice(0, how.turn)]
      const plans = inTurn.map(({ chosen, keepFees }) => planRefund(chosen, { keepFees }))
      const sum = (key: 'amount' | 'kept') => plans.reduce((all, plan) => all + plan[key], 0)
      let booked = order.amount
      for (const { amount, kept } of plans) {
        expect(amount).toBeGreaterThanOrEqual(0)
        expect(kept).toBeGreaterThanOrEqual(0)
        booked -= amount + kept
        expect(booked).toBeGreaterThanOrEqual(0)
      }
      expect(sum('amount') + sum('kept')).toBe(order.amount)
      expect(planRefund(items, { keepFees: false })).toEqual({ amount: order.amount, kept: 0 })
    }),
    { numRuns: RUNS },
  )
})
