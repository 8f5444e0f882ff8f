import { AFTER_SALE_DEFAULTS, type AfterSale, type AfterSaleBody } from '@seatwise/domain'
import { fromField, toField } from '../kit/venue-clock.ts'

/** What buyers may do after they paid, as the editor's fields hold it: times by the clock at the venue. */
export interface AfterDraft {
  readonly transfersUntil: string
  readonly refundsUntil: string
  readonly returnsOfferMinutes: number
  /** Of the fee for refunds, in minor units. */
  readonly perTicket: number
  readonly percent: number
  readonly keepFees: boolean
}

export function afterDraftOf(after: AfterSale | undefined, timeZone: string): AfterDraft {
  const { transfersUntil, refundsUntil, returnsOfferMinutes, refundFee } = after ?? AFTER_SALE_DEFAULTS
  const { perTicket = 0, percent = 0, keepFees = false } = refundFee ?? {}
  return {
    transfersUntil: toField(timeZone, transfersUntil),
    refundsUntil: toField(timeZone, refundsUntil),
    ...{ returnsOfferMinutes, perTicket, percent, keepFees },
  }
}

/** The same instants by the clock of another zone. */
export const inZone = (draft: AfterDraft, from: string, to: string): AfterDraft => ({
  ...draft,
  transfersUntil: toField(to, fromField(from, draft.transfersUntil)),
  refundsUntil: toField(to, fromField(from, draft.refundsUntil)),
})

/** As the API takes it: the whole of it, so that what was emptied is gone. */
export function writeAfter(draft: AfterDraft, timeZone: string): AfterSaleBody {
  const { returnsOfferMinutes, perTicket, percent, keepFees } = draft
  return {
    transfersUntil: fromField(timeZone, draft.transfersUntil),
    refundsUntil: fromField(timeZone, draft.refundsUntil),
    returnsOfferMinutes,
    refundFee: { perTicket, percent, keepFees },
  }
}
