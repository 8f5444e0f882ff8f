import type { RefundFee } from '../prices/plan-refund.ts'
import { EVENT_LIMITS } from './event.ts'
import { badField, requireInstant } from './event-fields.ts'
import { requirePercent } from './event-prices.ts'

/** How an organiser wants it after seats were sold. */
export interface AfterSale {
  /** Until when e-tickets may change hands, in ISO 8601 and UTC; null: until the event begins. */
  transfersUntil: string | null
  /** How long returned seats are held for the one they are offered to. */
  returnsOfferMinutes: number
  /** Until when buyers may refund their own seats, in ISO 8601 and UTC; null: only the organiser refunds. */
  refundsUntil: string | null
  /** What stays of each seat then; null: all of it goes back. */
  refundFee: RefundFee | null
}

/** As it is sent; what is left out stays. */
export interface AfterSaleBody {
  transfersUntil?: string | null
  returnsOfferMinutes?: number
  refundsUntil?: string | null
  refundFee?: Partial<RefundFee> | null
}

/** When e-tickets of an event stop changing hands; null: never. The ledger decides by the same rule (read-transfer-terms.sql). */
export function transfersEnd({
  after,
  startsAt,
}: {
  readonly after: AfterSale
  readonly startsAt: Date | null
}): Date | null {
  return after.transfersUntil === null ? startsAt : new Date(after.transfersUntil)
}

/** Two hours: long enough to read mail and to decide, short enough for the next on the list. */
export const RETURNS_OFFER_MINUTES = 120

export const AFTER_SALE_DEFAULTS: AfterSale = Object.freeze({
  transfersUntil: null,
  returnsOfferMinutes: RETURNS_OFFER_MINUTES,
  refundsUntil: null,
  refundFee: null,
})

export function readAfterSale(body: AfterSaleBody, current: AfterSale = AFTER_SALE_DEFAULTS): AfterSale {
  const { transfersUntil: until, returnsOfferMinutes = current.returnsOfferMinutes } = body
  const { offerMinutesMin, offerMinutesMax } = EVENT_LIMITS
  const isMinutes = Number.isInteger(returnsOfferMinutes)
  if (!isMinutes || returnsOfferMinutes < offerMinutesMin || returnsOfferMinutes > offerMinutesMax) {
    throw badField('after/returnsOfferMinutes', `must be a whole number from ${offerMinutesMin} to ${offerMinutesMax}`)
  }
  return {
    transfersUntil: readUntil('transfersUntil', until, current.transfersUntil),
    returnsOfferMinutes,
    refundsUntil: readUntil('refundsUntil', body.refundsUntil, current.refundsUntil),
    refundFee: body.refundFee === undefined ? current.refundFee : readRefundFee(body.refundFee),
  }
}

function readUntil(field: string, until: string | null | undefined, current: string | null): string | null {
  if (until === undefined) return current
  return until === null ? null : requireInstant(`after/${field}`, until).toISOString()
}

/** A fee of nothing is none. */
function readRefundFee(body: Partial<RefundFee> | null): RefundFee | null {
  const { perTicket = 0, percent = 0, keepFees = false } = body ?? {}
  const { price } = EVENT_LIMITS
  if (!Number.isInteger(perTicket) || perTicket < 0 || perTicket > price) {
    throw badField('after/refundFee/perTicket', `must be a whole number from 0 to ${price}`)
  }
  requirePercent('after/refundFee/percent', percent)
  return perTicket === 0 && percent === 0 && !keepFees ? null : { perTicket, percent, keepFees }
}
