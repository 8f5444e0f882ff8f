import { SeatwiseError } from '@seatwise/domain'
import type { NewEticket, Purchase, Refund, ReservationRow, StoredAnswer } from '@seatwise/ledger'
import { describeError } from '../../http/index.ts'
import type { SigningKeys } from '../../identity/index.ts'
import { issueEticketCode } from '../etickets/eticket-code.ts'
import type { PaymentState } from './provider.ts'

const PURCHASES_PATH = '/api/purchases'

/** A reservation as its buyer sees it. */
function describeReservation(reservation: ReservationRow) {
  const { id, eventId, status, items, lines, tax, amount, currency } = reservation
  const { expiresAt, paidAt, createdAt, updatedAt } = reservation
  return {
    ...{ id, eventId, status, items, lines: [...lines], tax, amount, currency },
    expiresAt: expiresAt.toISOString(),
    paidAt: paidAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  }
}

export function describePurchase(
  keys: SigningKeys,
  {
    purchase,
    reservation,
    etickets,
    refunds = [],
  }: {
    purchase: Purchase
    reservation: ReservationRow
    etickets: readonly NewEticket[]
    refunds?: readonly Refund[]
  },
) {
  const { id, status, amount, currency, refunded, receiptNumber, reason, createdAt, updatedAt } = purchase
  return {
    ...{ id, status, amount, currency, refundedAmount: refunded, receiptNumber, reason },
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    refunds: refunds.map(describeRefund),
    reservation: describeReservation(reservation),
    // A code that admits no visitor is never signed.
    etickets: etickets
      .filter(({ isVoid }) => !isVoid)
      .map((eticket) => {
        const isOwn = eticket.holderId === eticket.buyerId
        const code = isOwn ? issueEticketCode(keys, eticket) : null
        return { id: eticket.id, code, seatId: eticket.seatId, shortCode: isOwn ? eticket.shortCode : null }
      }),
  }
}

export function describeRefund({ id, seatIds, amount, kept: keptFees, state: status, createdAt }: Refund) {
  return { id, seatIds: [...seatIds], amount, keptFees, status, createdAt: createdAt.toISOString() }
}

/** 201: paid. */
export function paidAnswer(keys: SigningKeys, paid: Parameters<typeof describePurchase>[1]): StoredAnswer {
  return { statusCode: 201, body: describePurchase(keys, paid) }
}

/** 202: not decided yet; `action` is what the buyer has to do. Never stored, because it is not final. */
export function processingAnswer(purchase: Purchase, state: PaymentState): StoredAnswer {
  const { id, operationKey } = purchase
  const action = state.status === 'requires_action' ? { action: { kind: 'redirect', url: state.url } } : {}
  return { statusCode: 202, body: { id, status: 'PROCESSING', operationId: operationKey, ...action } }
}

/** 402: the hold stays until its deadline, so that the buyer can try another card. */
export function declinedAnswer(purchase: Purchase, reservation: ReservationRow): StoredAnswer {
  const details = {
    purchaseId: purchase.id,
    reason: purchase.reason,
    expiresAt: reservation.expiresAt.toISOString(),
  }
  return errorAnswer(new SeatwiseError('PAYMENT_DECLINED', { details }))
}

/** 400: the money came too late, and no seats were left to sell for it. */
export function sentBackAnswer(purchase: Purchase): StoredAnswer {
  const details = { purchaseId: purchase.id, reason: purchase.reason, sentBack: true }
  return errorAnswer(new SeatwiseError('RESERVATION_EXPIRED', { details }))
}

function errorAnswer(error: SeatwiseError): StoredAnswer {
  return { statusCode: error.status, body: describeError(error, PURCHASES_PATH) }
}
