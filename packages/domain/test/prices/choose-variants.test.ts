import { chooseVariants, nameOfSeat } from '@seatwise/domain'
import { describe, expect, it } from 'vitest'

const adult = { id: 'adult', name: 'Adult', price: 9_000 }
const child = { id: 'child', name: 'Child', price: 4_500 }
const stalls = { id: 'stalls', variants: [adult, child] }
const standing = { id: 'standing', variants: [] }

describe('variants of an order', () => {
  it('[B83] without a wish every seat has the first variant of its type', () => {
    const choice = chooseVariants([stalls, standing, stalls], undefined)
    expect(choice).toEqual({ status: 'chosen', variants: [adult, null, adult] })
  })

  it('[B83] the first seats get the variant that the wish names first', () => {
    const wish = [
      { variantId: 'child', quantity: 1 },
      { variantId: 'adult', quantity: 1 },
    ]
    expect(chooseVariants([stalls, standing, stalls], wish)).toEqual({
      status: 'chosen',
      variants: [child, null, adult],
    })
    expect(nameOfSeat('Stalls', child)).toBe('Stalls · Child')
    expect(nameOfSeat('Standing', null)).toBe('Standing')
  })

  it('[B83] too few, too many and unknown variants are told apart', () => {
    const wish = (quantity: number) => [{ variantId: 'child', quantity }]
    expect(chooseVariants([stalls, stalls], wish(1))).toEqual({ status: 'wrong_quantities', seats: 2 })
    expect(chooseVariants([stalls, stalls], wish(3))).toEqual({ status: 'wrong_quantities', seats: 2 })
    expect(chooseVariants([standing], wish(1))).toEqual({ status: 'unknown_variant', variantIds: ['child'] })
  })
})
