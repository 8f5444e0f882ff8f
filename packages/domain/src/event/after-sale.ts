import { EVENT_LIMITS } from './event.ts'
import { badField, requireInstant } from './event-fields.ts'

/** How an organiser wants it after seats were sold. */
export interface AfterSale {
  /** Until when e-tickets may change hands, in ISO 8601 and UTC; null: until the event begins. */
  transfersUntil: string | null
  /** How long returned seats are held for the one they are offered to. */
  returnsOfferMinutes: number
}

/** As it is sent; what is left out stays. */
export interface AfterSaleBody {
  transfersUntil?: string | null
  returnsOfferMinutes?: number
}

/** Two hours: long enough to read mail and to decide, short enough for the next on the list. */
export const RETURNS_OFFER_MINUTES = 120

export const AFTER_SALE_DEFAULTS: AfterSale = Object.freeze({
  transfersUntil: null,
  returnsOfferMinutes: RETURNS_OFFER_MINUTES,
})

export function readAfterSale(body: AfterSaleBody, current: AfterSale = AFTER_SALE_DEFAULTS): AfterSale {
  const { transfersUntil: until, returnsOfferMinutes = current.returnsOfferMinutes } = body
  const { offerMinutesMin, offerMinutesMax } = EVENT_LIMITS
  const isMinutes = Number.isInteger(returnsOfferMinutes)
  if (!isMinutes || returnsOfferMinutes < offerMinutesMin || returnsOfferMinutes > offerMinutesMax) {
    throw badField('after/returnsOfferMinutes', `must be a whole number from ${offerMinutesMin} to ${offerMinutesMax}`)
  }
  const transfersUntil = until == null ? null : requireInstant('after/transfersUntil', until).toISOString()
  return { transfersUntil: until === undefined ? current.transfersUntil : transfersUntil, returnsOfferMinutes }
}
