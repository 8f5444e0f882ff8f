/** A payment that is to be made. */
export interface PaymentOrder {
  /** Ours; the provider gets it as its idempotency key, so that asking twice makes one payment. */
  readonly purchaseId: string
  readonly reservationId: string
  /** In minor units, more than 0. */
  readonly amount: number
  readonly currency: string
  readonly description: string
}

/** What a provider says about a payment now. */
export type PaymentState =
  /** Prepared, and nobody has tried to pay. */
  | { readonly status: 'unpaid' }
  /** The buyer has to do something at this address first. */
  | { readonly status: 'requires_action'; readonly url: string }
  /** The provider will know later. */
  | { readonly status: 'pending' }
  | { readonly status: 'captured'; readonly amount: number }
  /** No money was taken, and none will be. */
  | { readonly status: 'declined'; readonly reason: string }

/** `pending`: it will be sent, ask again. `refused`: somebody has to look. */
export type RefundState = 'refunded' | 'pending' | 'refused'

/**
 * Somebody who takes money for us. Paying has two steps, so that a crash between any two moments can be decided: a
 * payment whose reference we do not have was never paid, and one that nobody paid can be canceled for good.
 *
 * Every method throws when the provider cannot be reached or does not make sense; then nothing is known.
 */
export interface PaymentProvider {
  readonly name: string
  /** Whether it could mean anything; the provider itself has the last word. */
  accepts(method: string): boolean
  /** Announces a payment, and returns its reference. No money moves. */
  prepare(order: PaymentOrder): Promise<string>
  /** Moves the money, or begins to. Once for each reference, however often it is called. */
  pay(ref: string, method: string): Promise<PaymentState>
  status(ref: string): Promise<PaymentState>
  /** Sees to it that no money comes any more. What it returns tells whether that was too late. */
  cancel(ref: string): Promise<PaymentState>
  /** Sends everything back that was captured. Once, however often it is called. */
  refund(ref: string): Promise<RefundState>
  /** The reference that a webhook speaks of, `none` when it is about something else; null when it is forged or stale. */
  readWebhook(body: Buffer, headers: WebhookHeaders): { readonly ref: string } | 'none' | null
}

export type WebhookHeaders = Readonly<Record<string, string | string[] | undefined>>
