import { type Discount, type Fee, type PriceTerms, priceOrder, type SeatToPrice } from '@seatwise/domain'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const RUNS = 10_000
const TYPES = ['stalls', 'circle', 'free'] as const

const seatOf = (seatTypeId: string, price: number, variantId: string | null = null): SeatToPrice => ({
  ...{ seatTypeId, variantId, price },
  name: variantId === null ? seatTypeId : `${seatTypeId} · ${variantId}`,
})

describe('price lines', () => {
  it('[B80] the lines of an order are those of the contract', () => {
    const child = seatOf('Stalls', 4_500, 'Child')
    const discount: Discount = { name: 'SPRING', reduction: { percent: 10 }, seatTypeIds: null }
    const order = priceOrder([child, child], { taxRate: 19, fees: [{ name: 'Booking', perTicket: 150 }], discount })
    expect(order).toEqual({
      lines: [
        { kind: 'seat', name: 'Stalls · Child', quantity: 2, unitPrice: 4_500, amount: 9_000, tax: 1_437 },
        { kind: 'discount', name: 'SPRING', amount: -900, tax: -144 },
        { kind: 'fee', name: 'Booking', amount: 300, tax: 48 },
      ],
      ...{ tax: 1_341, amount: 8_400 },
      shares: [
        { paid: 4_200, fees: 150 },
        { paid: 4_200, fees: 150 },
      ],
    })
  })

  it('[B80] lines of 0 are left out, and a free order has none', () => {
    const terms = { taxRate: 19, fees: [{ name: 'Nothing', percent: 5 }] }
    const free = { lines: [], tax: 0, amount: 0, shares: [{ paid: 0, fees: 0 }] }
    expect(priceOrder([seatOf('free', 0)], terms)).toEqual(free)
  })

  it('[B81] what rounding leaves over goes to the first seats that have a price', () => {
    const seats = [seatOf('free', 0), seatOf('stalls', 3), seatOf('stalls', 3)]
    const discount: Discount = { name: 'FIVE', reduction: { amountOff: 5 }, seatTypeIds: null }
    expect(priceOrder(seats, { taxRate: 0, fees: [], discount }).shares.map(({ paid }) => paid)).toEqual([0, 0, 1])
  })

  it('[B80] orders cost what an independent computation with fractions says', () => {
    fc.assert(
      fc.property(orders, ({ seats, terms }) => {
        const { lines, tax, amount } = priceOrder(seats, terms)
        expect({ lines, tax, amount }).toEqual(expected(seats, terms))
      }),
      { numRuns: RUNS },
    )
  })

  it('[B111] every order with a code has the discount that an independent computation says, on the seats it is for', () => {
    fc.assert(
      fc.property(orders, discount, ({ seats, terms }, code) => {
        const { lines, tax, amount, shares } = priceOrder(seats, { ...terms, discount: code })
        expect({ lines, tax, amount }).toEqual(expected(seats, { ...terms, discount: code }))
        const off = expectedOff(seats, code)
        expect(lines.filter(({ kind }) => kind === 'discount').map((line) => line.amount)).toEqual(
          off === 0 ? [] : [-off],
        )
        for (const [index, { seatTypeId, price: full }] of seats.entries()) {
          const { paid = 0, fees = 0 } = shares[index] ?? {}
          const meant: readonly string[] | null = code.seatTypeIds
          if (meant !== null && !meant.includes(seatTypeId)) expect(paid - fees).toBe(full)
        }
      }),
      { numRuns: RUNS },
    )
  })

  it('[B81] the seats share all lines, in any order of refunds, and no share is below 0', () => {
    fc.assert(
      fc.property(orders, fc.infiniteStream(fc.nat()), ({ seats, terms }, picks) => {
        const { amount, lines, shares } = priceOrder(seats, terms)
        const fees = lines.filter(({ kind }) => kind === 'fee').reduce((sum, line) => sum + line.amount, 0)
        expect(shares.reduce((sum, share) => sum + share.fees, 0)).toBe(fees)
        let left = amount
        const remaining = [...shares]
        while (remaining.length > 0) {
          const [share] = remaining.splice((picks.next().value ?? 0) % remaining.length, 1)
          expect(share?.paid).toBeGreaterThanOrEqual(share?.fees ?? 0)
          left -= share?.paid ?? 0
          expect(left).toBeGreaterThanOrEqual(0)
        }
        expect(left).toBe(0)
      }),
      { numRuns: RUNS },
    )
  })

  it('[B82] a code never raises a price, of no seat and of no order', () => {
    fc.assert(
      fc.property(orders, ({ seats, terms }) => {
        const without = priceOrder(seats, { ...terms, discount: null })
        const reduced = priceOrder(seats, terms)
        expect(reduced.amount).toBeLessThanOrEqual(without.amount)
        expect(reduced.amount).toBeGreaterThanOrEqual(0)
        for (const [index, { paid, fees }] of reduced.shares.entries()) {
          expect(paid - fees).toBeLessThanOrEqual(seats[index]?.price ?? 0)
        }
      }),
      { numRuns: RUNS },
    )
  })
})

const percent = (max: number) => fc.integer({ min: 0, max: max * 1_000 }).map((thousandths) => thousandths / 1_000)
const price = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 1_000_000_000 }))
const fee = fc.record(
  { name: fc.constantFrom('Booking', 'Post', 'Hall'), perTicket: price, percent: percent(100) },
  { requiredKeys: ['name'] },
)
const reduction = fc.oneof(
  percent(100).map((value) => ({ percent: value })),
  price.map((amountOff) => ({ amountOff })),
  price.map((value) => ({ price: value })),
)
const discount = fc.record({
  name: fc.constant('CODE'),
  reduction,
  seatTypeIds: fc.option(fc.subarray([...TYPES])),
})
/** A seat type or variant has one price in an order. */
const orders = fc
  .record({
    prices: fc.array(price, { minLength: 6, maxLength: 6 }),
    picks: fc.array(fc.nat({ max: 5 }), { minLength: 1, maxLength: 12 }),
    terms: fc.record({ taxRate: percent(100), fees: fc.array(fee, { maxLength: 3 }), discount: fc.option(discount) }),
  })
  .map(({ prices, picks, terms }) => {
    const seats = picks.map((pick) => {
      const type = TYPES[Math.floor(pick / 2)] ?? 'free'
      return seatOf(type, type === 'free' ? 0 : (prices[pick] ?? 0), pick % 2 === 0 ? null : 'Child')
    })
    return { seats, terms: { ...terms, fees: terms.fees as Fee[] } }
  })

/** A fraction, written down without the code that is tested. */
interface Fraction {
  readonly top: bigint
  readonly bottom: bigint
}

/** From its decimal digits: 7.125 is 7125 / 1000. */
function fractionOf(value: number): Fraction {
  const [whole = '0', digits = ''] = String(value).split('.')
  return { top: BigInt(whole + digits), bottom: 10n ** BigInt(digits.length) }
}

function rounded({ top, bottom }: Fraction): number {
  const isNegative = top < 0n
  const size = isNegative ? -top : top
  const [quotient, rest] = [size / bottom, size % bottom]
  const up = rest * 2n >= bottom ? quotient + 1n : quotient
  return Number(isNegative && up !== 0n ? -up : up)
}

const share = (amount: number, rate: number): number => {
  const { top, bottom } = fractionOf(rate)
  return rounded({ top: BigInt(amount) * top, bottom: bottom * 100n })
}

const taxOf = (amount: number, rate: number): number => {
  const { top, bottom } = fractionOf(rate)
  return rounded({ top: BigInt(amount) * top, bottom: 100n * bottom + top })
}

function expected(seats: readonly SeatToPrice[], { taxRate, fees, discount: code }: PriceTerms) {
  const lines: Record<string, unknown>[] = []
  let [amount, tax, seatSum] = [0, 0, 0]
  const add = (line: { amount: number } & Record<string, unknown>) => {
    if (line.amount === 0) return
    lines.push({ ...line, tax: taxOf(line.amount, taxRate) })
    amount += line.amount
    tax += taxOf(line.amount, taxRate)
  }
  const counted = new Map<string, number>()
  for (const { name } of seats) counted.set(name, (counted.get(name) ?? 0) + 1)
  for (const [name, quantity] of counted) {
    const unitPrice = seats.find((seat) => seat.name === name)?.price ?? 0
    seatSum += unitPrice * quantity
    add({ kind: 'seat', name, quantity, unitPrice, amount: unitPrice * quantity })
  }
  const off = code ? expectedOff(seats, code) : 0
  if (code) add({ kind: 'discount', name: code.name, amount: off === 0 ? 0 : -off })
  for (const { name, perTicket = 0, percent: rate = 0 } of fees) {
    add({ kind: 'fee', name, amount: perTicket * seats.length + share(seatSum - off, rate) })
  }
  return { lines, tax, amount }
}

function expectedOff(seats: readonly SeatToPrice[], { reduction: by, seatTypeIds }: Discount): number {
  const meant = seats.filter(({ seatTypeId }) => seatTypeIds === null || seatTypeIds.includes(seatTypeId))
  const sum = meant.reduce((total, seat) => total + seat.price, 0)
  if ('percent' in by) return share(sum, by.percent)
  if ('amountOff' in by) return by.amountOff > sum ? sum : by.amountOff
  return meant.reduce((total, seat) => total + (seat.price > by.price ? seat.price - by.price : 0), 0)
}
