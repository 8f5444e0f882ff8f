import { sha256, toHex, utf8 } from './sha256.ts'

/** The price list of an event as its log has it. */
export interface PriceList {
  readonly taxRate: number
  readonly fees: readonly { readonly name: string; readonly perTicket?: number; readonly percent?: number }[]
  readonly seatTypes: readonly {
    readonly id: string
    readonly currency: string
    readonly price: number
    readonly variants: readonly { readonly id: string; readonly price: number }[]
  }[]
}

/** The list, or null when it is not the one of its hash. */
export function readPriceList(hash: string, text: string): PriceList | null {
  return toHex(sha256(utf8(text))) === hash ? (JSON.parse(text) as PriceList) : null
}

/** What costs more in the second list: in words. What is new, such as another seat type, is no rise; a new fee is one. */
export function risen(before: PriceList, after: PriceList): string[] {
  const rises: string[] = []
  const known = pricesIn(before)
  for (const [name, price] of pricesIn(after)) if (price > (known.get(name) ?? newPrice(name, price))) rises.push(name)
  for (const type of before.seatTypes) {
    const now = after.seatTypes.find(({ id }) => id === type.id)
    if (now === undefined) continue
    const lowest = Math.min(...offersOf(now).map(({ price }) => price))
    const gone = offersOf(type).find(
      ({ id, price }) => price < lowest && !offersOf(now).some((offer) => offer.id === id),
    )
    if (gone !== undefined) rises.push(`the lowest price of ${type.id}`)
    if (type.currency !== now.currency && offersOf(type).some(({ price }) => price > 0))
      rises.push(`the currency of ${type.id}`)
  }
  return rises
}

/** Everything that has a price, by name. The first offer of a type is what a buyer pays who chooses none. */
function pricesIn({ taxRate, fees, seatTypes }: PriceList): Map<string, number> {
  const prices = new Map([['tax rate', taxRate]])
  for (const { name, perTicket = 0, percent = 0 } of fees) {
    prices.set(`fee ${name} per ticket`, perTicket)
    prices.set(`fee ${name} in percent`, percent)
  }
  for (const type of seatTypes) {
    const offers = offersOf(type)
    prices.set(`usual price of ${type.id}`, offers[0]?.price ?? 0)
    for (const { id, price } of offers) if (id !== null) prices.set(`variant ${id} of ${type.id}`, price)
  }
  return prices
}

function newPrice(name: string, price: number): number {
  return name.startsWith('fee ') ? 0 : price
}

function offersOf({
  price,
  variants,
}: PriceList['seatTypes'][number]): readonly { id: string | null; price: number }[] {
  return variants.length > 0 ? variants : [{ id: null, price }]
}
