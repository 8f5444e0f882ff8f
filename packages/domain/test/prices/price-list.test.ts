import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type PricedType, type PriceList, risesIn } from '../../src/index.ts'

const TYPE: PricedType = { id: 'hall', currency: 'EUR', price: 1_000, variants: [] }
const LIST: PriceList = { taxRate: 19, fees: [{ name: 'Booking', perTicket: 50, percent: 1 }], seatTypes: [TYPE] }
const variant = (id: string, price: number) => ({ id, name: id, price })
const withType = (what: Partial<PricedType>): PriceList => ({ ...LIST, seatTypes: [{ ...TYPE, ...what }] })
const VARIANTS = withType({ variants: [variant('adult', 1_000), variant('child', 500)] })

describe('rises of prices', () => {
  it.each<[string, PriceList, PriceList]>([
    ['a price', LIST, withType({ price: 1_001 })],
    ['the tax rate', LIST, { ...LIST, taxRate: 19.5 }],
    ['a fee for each ticket', LIST, { ...LIST, fees: [{ name: 'Booking', perTicket: 51, percent: 1 }] }],
    ['a fee in percent', LIST, { ...LIST, fees: [{ name: 'Booking', perTicket: 50, percent: 1.5 }] }],
    ['a new fee', LIST, { ...LIST, fees: [...LIST.fees, { name: 'Mail', perTicket: 1 }] }],
    ['a variant', VARIANTS, withType({ variants: [variant('adult', 1_000), variant('child', 501)] })],
    ['a variant that is gone', VARIANTS, withType({ variants: [variant('adult', 1_000)] })],
    [
      'a dearer variant in the first place',
      VARIANTS,
      withType({ variants: [variant('vip', 2_000), ...VARIANTS.seatTypes.flatMap(({ variants }) => variants)] }),
    ],
    ['a currency', LIST, withType({ currency: 'USD' })],
    ['variants above the own price', LIST, withType({ variants: [variant('adult', 1_100)] })],
  ])('[J65] %s', (_, before, after) => {
    expect(risesIn(before, after)).toHaveLength(1)
  })

  it('[J65] what costs no buyer more is none: lower prices, fees that end, new seat types, cheaper variants', () => {
    const none = [
      withType({ price: 999 }),
      { ...LIST, taxRate: 7, fees: [] },
      { ...LIST, seatTypes: [TYPE, { ...TYPE, id: 'box', price: 9_999 }] },
      withType({ variants: [variant('adult', 1_000), variant('vip', 5_000)] }),
    ]
    for (const after of none) expect(risesIn(LIST, after)).toEqual([])
    expect(risesIn(VARIANTS, withType({ variants: [variant('child', 500)] })), 'the dearer one is gone').toEqual([])
  })

  it('[J65] a change that is no rise, and one back, are not both no rise unless the prices are the same', () => {
    const prices = fc.record({ tax: fc.nat(2), fee: fc.nat(2), price: fc.nat(2) })
    const listOf = ({ tax, fee, price }: { tax: number; fee: number; price: number }) => ({
      ...{ taxRate: tax, fees: [{ name: 'Booking', perTicket: fee }] },
      seatTypes: [{ ...TYPE, price }],
    })
    fc.assert(
      fc.property(prices, prices, (one, other) => {
        const rises = risesIn(listOf(one), listOf(other)).length + risesIn(listOf(other), listOf(one)).length
        expect(rises).toBe(
          Number(one.tax !== other.tax) + Number(one.fee !== other.fee) + Number(one.price !== other.price),
        )
      }),
    )
  })
})
