import { faults } from '@seatwise/domain'
import { type DeclineOutcome, declinePayment, type Purchase, readOperation, type StoredAnswer } from '@seatwise/ledger'
import { declinedAnswer, processingAnswer } from './answers.ts'
import { changeOf, type Payments } from './payments.ts'
import type { PaymentState } from './provider.ts'
import { sendAllBack } from './refund-purchase.ts'

/** Applies the provider's decision about a payment, and returns the buyer's answer. */
export async function concludePayment(
  payments: Payments,
  purchase: Purchase,
  state: PaymentState,
): Promise<StoredAnswer> {
  switch (state.status) {
    case 'captured':
      return await confirm(payments, purchase, state.amount)
    case 'declined':
      return await decline(payments, purchase, state.reason)
    case 'unpaid':
    case 'pending':
    case 'requires_action':
      return (await storedAnswer(payments, purchase)) ?? processingAnswer(purchase, state)
  }
}

async function confirm(payments: Payments, found: Purchase, captured: number): Promise<StoredAnswer> {
  const { desk, log, count, follow } = payments
  const { id, eventId, reservationId } = found
  const outcome = await desk.confirm(eventId, { purchaseId: id, reservationId, captured, providerRef: null })
  if (faults.on) await faults.reach('pay.after-confirm')
  if (outcome.status === 'unknown') throw new Error(`The purchase ${id} is gone`)
  const { purchase, reservation } = outcome
  if (outcome.status === 'paid' || outcome.status === 'stuck') count(outcome.status)
  if (outcome.status === 'paid') await follow({ kind: 'paid', reservation, change: changeOf(outcome) })
  if (outcome.status === 'stuck') log.error({ purchaseId: id }, 'a payment is stuck and waits for an operator')
  if (outcome.status === 'refund') await sendAllBack(payments, purchase)
  const answer = outcome.status === 'paid' ? outcome.answer : await storedAnswer(payments, purchase)
  return answer ?? processingAnswer(purchase, { status: 'pending' })
}

async function decline(payments: Payments, { id }: Purchase, reason: string): Promise<StoredAnswer> {
  const alongside = async (_: unknown, outcome: DeclineOutcome): Promise<StoredAnswer | null> =>
    outcome.status === 'declined' ? declinedAnswer(outcome.purchase, outcome.reservation) : null
  const outcome = await declinePayment(payments.ledger, { purchaseId: id, reason, alongside })
  if (outcome.status === 'unknown') throw new Error(`The purchase ${id} is gone`)
  if (outcome.status === 'declined') payments.count('declined')
  return (await storedAnswer(payments, outcome.purchase)) ?? processingAnswer(outcome.purchase, { status: 'pending' })
}

/** The answer stored under the key of a purchase, whether a server or an operator decided it. */
export async function storedAnswer({ ledger }: Payments, purchase: Purchase): Promise<StoredAnswer | null> {
  const { actorId, operationKey } = purchase
  if (actorId === null || operationKey === null) return null
  const operation = await readOperation(ledger.db, actorId, operationKey)
  return operation?.answer ?? null
}
