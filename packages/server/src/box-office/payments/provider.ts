/** A payment to be made. */
export interface PaymentRequest {
  /** Our id; the provider gets it as the idempotency key, so that a retry makes no second payment. */
  readonly purchaseId: string
  readonly reservationId: string
  /** In minor units, more than 0. */
  readonly amount: number
  readonly currency: string
  readonly description: string
}

/** The provider's current state of a payment. */
export type PaymentState =
  /** Prepared; the buyer has not tried to pay yet. */
  | { readonly status: 'unpaid' }
  /** The buyer has to do something at this address first. */
  | { readonly status: 'requires_action'; readonly url: string }
  /** The provider will know later. */
  | { readonly status: 'pending' }
  | { readonly status: 'captured'; readonly amount: number }
  /** No money was taken, and none will be. */
  | { readonly status: 'declined'; readonly reason: string }

/** `pending`: it will be sent, ask again. `refused`: an operator has to look. */
export type RefundState = 'refunded' | 'pending' | 'refused'

/**
 * A service that takes money for us. Paying has two steps, so that a crash at any moment leaves a decidable state: a
 * payment without a stored reference was never paid, and an unpaid payment can be canceled for good.
 *
 * Every method throws when the provider cannot be reached or its answer makes no sense; then the state is unknown.
 */
export interface PaymentProvider {
  readonly name: string
  /** Whether the method is well formed; the provider itself decides whether it is valid. */
  accepts(method: string): boolean
  /** Registers a payment, and returns its reference. No money moves. */
  prepare(request: PaymentRequest): Promise<string>
  /** Moves the money, or begins to. Idempotent for each reference. */
  pay(ref: string, method: string): Promise<PaymentState>
  status(ref: string): Promise<PaymentState>
  /** Makes sure that no money arrives any more. The returned state tells whether that was too late. */
  cancel(ref: string): Promise<PaymentState>
  /** Sends back everything that was captured. Idempotent. */
  refund(ref: string): Promise<RefundState>
  /** The reference in a webhook, `none` when it is about something else; null when it is forged or stale. */
  readWebhook(body: Buffer, headers: WebhookHeaders): { readonly ref: string } | 'none' | null
}

export type WebhookHeaders = Readonly<Record<string, string | string[] | undefined>>
