import type { SaleEvent } from '../event/event.ts'
import type { Variant } from './choose-variants.ts'
import type { Fee } from './price-lines.ts'

/** What an event's prices consist of. */
export interface PriceList {
  readonly taxRate: number
  readonly fees: readonly Fee[]
  readonly seatTypes: readonly PricedType[]
}

export interface PricedType {
  readonly id: string
  readonly currency: string
  readonly price: number
  readonly variants: readonly Variant[]
}

/** The prices of an event, also of its hidden seat types. */
export function priceListOf({
  taxRate,
  fees,
  seatTypes,
}: Pick<SaleEvent, 'taxRate' | 'fees' | 'seatTypes'>): PriceList {
  return {
    taxRate,
    fees: fees.map(({ name, perTicket = 0, percent = 0 }) => ({ name, perTicket, percent })),
    seatTypes: seatTypes.map(({ id, currency, price, variants }) => ({
      ...{ id, currency, price },
      variants: variants.map((variant) => ({ id: variant.id, name: variant.name, price: variant.price })),
    })),
  }
}

/** The list as the public log has it; its hash is of exactly this text. Always in the same order. */
export function priceListText(list: PriceList): string {
  return JSON.stringify(list)
}

/** What a change makes dearer, in words; empty when no buyer pays more afterwards. New seat types are no rise. Rule J65. */
export function risesIn(before: PriceList, after: PriceList): string[] {
  const rises: string[] = []
  if (after.taxRate > before.taxRate) rises.push('the tax rate')
  for (const { name, perTicket = 0, percent = 0 } of after.fees) {
    const old = before.fees.find((fee) => fee.name === name)
    if (perTicket > (old?.perTicket ?? 0) || percent > (old?.percent ?? 0)) rises.push(`the fee ${name}`)
  }
  for (const type of after.seatTypes) {
    const old = before.seatTypes.find(({ id }) => id === type.id)
    if (old !== undefined && isDearer(old, type)) rises.push(`the price of seat type ${type.id}`)
  }
  return rises
}

/**
 * Another currency, a variant that costs more, a higher price for who chooses none, or a price that is gone without one that
 * is as low.
 */
function isDearer(before: PricedType, after: PricedType): boolean {
  const [old, now] = [offersOf(before), offersOf(after)]
  if (before.currency !== after.currency && old.some(({ price }) => price > 0)) return true
  if ((now[0]?.price ?? 0) > (old[0]?.price ?? 0)) return true
  return old.some(({ id, price }) => {
    const same = now.find((offer) => offer.id === id)
    return same === undefined ? now.every((offer) => offer.price > price) : same.price > price
  })
}

/** What a seat of a type can be bought for; the first is what who chooses nothing pays. */
function offersOf({ price, variants }: PricedType): readonly { readonly id: string | null; readonly price: number }[] {
  return variants.length > 0 ? variants : [{ id: null, price }]
}
