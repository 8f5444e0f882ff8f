import type Stripe from 'stripe'
import type { PaymentState } from '../provider.ts'

/** Our payment state for a Payment Intent. */
export function stateOfIntent(intent: Stripe.PaymentIntent): PaymentState {
  switch (intent.status) {
    case 'succeeded':
      return { status: 'captured', amount: ourAmount(intent.amount_received, intent.currency) }
    case 'canceled':
      return { status: 'declined', reason: intent.last_payment_error?.code ?? 'The payment was canceled' }
    case 'requires_payment_method': {
      // A failed attempt returns the intent to this state. We never retry the same intent, so this is final.
      const failure = intent.last_payment_error
      return failure === null ? { status: 'unpaid' } : { status: 'declined', reason: failure.code ?? 'declined' }
    }
    case 'requires_confirmation':
      return { status: 'unpaid' }
    case 'requires_action': {
      const url = intent.next_action?.redirect_to_url?.url ?? null
      return url === null ? { status: 'pending' } : { status: 'requires_action', url }
    }
    // `processing`, and `requires_capture`, which we never ask for: the bank or Stripe has to act first.
    default:
      return { status: 'pending' }
  }
}

/** Currencies without a minor unit for which Stripe nevertheless counts in hundredths. */
const HUNDREDTHS_OF_WHOLE = new Set(['ISK', 'UGX'])

export function stripeAmount(amount: number, currency: string): number {
  return HUNDREDTHS_OF_WHOLE.has(currency.toUpperCase()) ? amount * 100 : amount
}

function ourAmount(amount: number, currency: string): number {
  return HUNDREDTHS_OF_WHOLE.has(currency.toUpperCase()) ? amount / 100 : amount
}
