import {
  chooseVariants,
  type Discount,
  fromThousandths,
  nameOfSeat,
  type PricedOrder,
  priceOrder,
  type VariantRefusal,
  type VariantWish,
} from '@seatwise/domain'
import type { SeatState } from '../../seat-map/index.ts'
import type { SeatTypeFact } from './read-facts.ts'

/** Seats of a claim in the order of the plan, as they are read again later, and what they cost. */
export interface PricedSeats {
  readonly status: 'chosen'
  readonly seats: readonly { readonly seat: SeatState; readonly price: number; readonly variantId: string | null }[]
  readonly order: PricedOrder
  readonly currency: string
}

export interface PriceOptions {
  readonly variants?: readonly VariantWish[] | undefined
  readonly discount?: Discount | null
  /** Nothing is to be paid, fees included. */
  readonly isFree?: boolean
}

/** Prices the seats that a claim gets, from what was read under the lock; or says why its variants do not fit. */
export function priceSeats(
  seatTypes: ReadonlyMap<string, SeatTypeFact>,
  chosen: readonly SeatState[],
  { variants: wish, discount = null, isFree = false }: PriceOptions,
): PricedSeats | VariantRefusal {
  const inOrder = chosen.toSorted((one, other) => one.ordinal - other.ordinal)
  const types = inOrder.map(({ seatTypeId }) => typeOf(seatTypes, seatTypeId))
  const choice = chooseVariants(types, wish)
  if (choice.status !== 'chosen') return choice
  const seats = types.map((type, index) => {
    const variant = choice.variants[index] ?? null
    const { price } = variant ?? type
    const named = { seatTypeId: type.id, variantId: variant?.id ?? null, name: nameOfSeat(type.name, variant) }
    return { ...named, price: isFree ? 0 : price }
  })
  // All types of an event have its currency, tax rate and fees.
  const [first] = types
  if (first === undefined) throw new Error('A claim has at least one seat')
  const fees = isFree ? [] : first.fees
  const order = priceOrder(seats, { taxRate: fromThousandths(first.taxThousandths), fees, discount })
  const priced = inOrder.flatMap((seat, index) => {
    const { price, variantId } = seats[index] ?? {}
    return price === undefined ? [] : [{ seat, price, variantId: variantId ?? null }]
  })
  return { status: 'chosen', seats: priced, order, currency: first.currency }
}

function typeOf(seatTypes: ReadonlyMap<string, SeatTypeFact>, seatTypeId: string): SeatTypeFact {
  const type = seatTypes.get(seatTypeId)
  if (type === undefined) throw new Error(`The event has a seat of type ${seatTypeId}, which it does not have`)
  return type
}
