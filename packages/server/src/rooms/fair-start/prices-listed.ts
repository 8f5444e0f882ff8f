import { hash } from 'node:crypto'
import { type PricesListed, priceListOf, priceListText, publicEvent, type SaleEvent } from '@seatwise/domain'

/** The prices of an event as its room's log tells them: hidden seat types are in no public answer. */
export function pricesListed(event: SaleEvent): PricesListed {
  const list = priceListText(priceListOf(publicEvent(event)))
  return { kind: 'prices', hash: hash('sha256', list, 'hex'), list }
}
