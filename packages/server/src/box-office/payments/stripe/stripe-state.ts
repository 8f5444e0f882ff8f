import type Stripe from 'stripe'
import { NOT_PAID, type PaymentState, type ProviderCharge } from '../provider.ts'

/** Our payment state for a Checkout Session, which has its Payment Intent with it. */
export function stateOfSession(session: Stripe.Checkout.Session): PaymentState {
  switch (session.status) {
    case 'open':
      return session.url === null ? { status: 'pending' } : { status: 'requires_action', url: session.url }
    case 'complete':
      return session.payment_status === 'unpaid' ? stateOfUnpaid(intentOf(session)) : stateOfPaid(session)
    case 'expired':
      return { status: 'declined', reason: NOT_PAID }
    default:
      return { status: 'pending' }
  }
}

/** The buyer's payment; null until they try to pay. */
export function intentOf({ payment_intent }: Stripe.Checkout.Session): Stripe.PaymentIntent | null {
  return typeof payment_intent === 'string' ? null : payment_intent
}

function stateOfPaid(session: Stripe.Checkout.Session): PaymentState {
  const intent = intentOf(session)
  if (intent === null) throw new Error(`Stripe sent the session ${session.id} without its payment`)
  return { status: 'captured', amount: ourAmount(intent.amount_received, intent.currency) }
}

/** What Stripe keeps of a payment, once it has booked it: the fees of its own transactions, in the account's currency. */
export function chargeIn(booked: readonly Stripe.BalanceTransaction[]): ProviderCharge | null {
  const [first, ...rest] = booked.filter(({ type }) => type === 'charge' || type === 'payment')
  if (first === undefined) return null
  const fee = rest.reduce((sum, { fee: more }) => sum + more, first.fee)
  return { amount: Math.round(ourAmount(fee, first.currency)), currency: first.currency.toUpperCase() }
}

/** A method that takes days to pay. We exclude those; one that Stripe adds later ends as late money. */
function stateOfUnpaid(intent: Stripe.PaymentIntent | null): PaymentState {
  const isOver = intent?.status === 'canceled' || intent?.status === 'requires_payment_method'
  return isOver ? { status: 'declined', reason: intent.last_payment_error?.code ?? 'declined' } : { status: 'pending' }
}

/** Currencies without a minor unit for which Stripe nevertheless counts in hundredths. */
const HUNDREDTHS_OF_WHOLE = new Set(['ISK', 'UGX'])

export function stripeAmount(amount: number, currency: string): number {
  return HUNDREDTHS_OF_WHOLE.has(currency.toUpperCase()) ? amount * 100 : amount
}

export function ourAmount(amount: number, currency: string): number {
  return HUNDREDTHS_OF_WHOLE.has(currency.toUpperCase()) ? amount / 100 : amount
}
