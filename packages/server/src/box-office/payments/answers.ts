import { SeatwiseError } from '@seatwise/domain'
import type { Eticket, Purchase, ReservationRow, StoredAnswer } from '@seatwise/ledger'
import { describeError } from '../../http/index.ts'
import type { SigningKeys } from '../../identity/index.ts'
import { issueEticketCode } from '../etickets/eticket-code.ts'
import type { PaymentState } from './provider.ts'

const PURCHASES_PATH = '/api/purchases'

/** A reservation as its buyer sees it. */
function describeReservation(reservation: ReservationRow) {
  const { id, eventId, status, items, amount, currency, expiresAt, paidAt, createdAt, updatedAt } = reservation
  return {
    ...{ id, eventId, status, items, amount, currency },
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
  }: { purchase: Purchase; reservation: ReservationRow; etickets: readonly Eticket[] },
) {
  const { id, status, amount, currency, reason, createdAt, updatedAt } = purchase
  return {
    ...{ id, status, amount, currency, reason },
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    reservation: describeReservation(reservation),
    etickets: etickets.map((eticket) => ({
      id: eticket.id,
      code: issueEticketCode(keys, eticket),
      seatId: eticket.seatId,
    })),
  }
}

/** 201: paid. */
export function paidAnswer(keys: SigningKeys, paid: Parameters<typeof describePurchase>[1]): StoredAnswer {
  return { statusCode: 201, body: describePurchase(keys, paid) }
}

/** 202: not decided yet; `action` is what the buyer has to do. Never stored, because it is not final. */
export function processingAnswer(purchase: Purchase, state: PaymentState): StoredAnswer {
  const { id, operationKey } = purchase
  const action = state.status === 'requires_action' ? { action: { url: state.url } } : {}
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
