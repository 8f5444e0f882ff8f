import type { Payee } from '@seatwise/domain'

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

/** One line of what is paid for. A discount has a negative price. */
export interface PaymentLine {
  readonly name: string
  readonly quantity: number
  readonly unitPrice: number
}

/**
 * What a provider's own page says and asks. The order is stored before it is sent, so that a retry sends the same;
 * whatever an adapter sends must follow from it alone.
 */
export interface PaymentOrder extends PaymentRequest {
  /** Together they are the amount. */
  readonly lines: readonly PaymentLine[]
  /** Null for a buyer who has none; the page then asks for it where the provider needs it. */
  readonly email: string | null
  /** Of the page that the buyer comes from, such as `ko`; null for the browser's own. */
  readonly language: string | null
  /** When the order was put together, in ISO 8601; deadlines at the provider are counted from it. */
  readonly orderedAt: string
  /** The seller's own account and our fee; null where the money is the house's. Orders of older versions lack it. */
  readonly payee?: Payee | null
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

/** The reason of a payment that was declined because the buyer left the provider's page, or it was closed. */
export const NOT_PAID = 'not_paid'

/** In our minor units; the currency is that of the account at the provider. */
export interface ProviderCharge {
  readonly amount: number
  readonly currency: string
}

/** What to send back of a payment. The same id again sends nothing more, also after a lost answer, days later. */
export interface RefundRequest {
  readonly refundId: string
  /** In minor units, more than 0. */
  readonly amount: number
  readonly currency: string
}

/** `pending`: it will be sent, ask again. `refused`: an operator has to look. */
export type RefundState = 'refunded' | 'pending' | 'refused'

/**
 * What every provider can do. Paying has two steps, so that a crash at any moment leaves a decidable state: *prepare*
 * moves no money, and a payment without a stored reference was never paid. An unpaid payment can be canceled for good.
 *
 * Every method throws when the provider cannot be reached or its answer makes no sense; then the state is unknown.
 */
interface Provider {
  readonly name: string
  status(ref: string): Promise<PaymentState>
  /** Makes sure, where the provider can, that no money arrives any more. The returned state is the one after that. */
  cancel(ref: string): Promise<PaymentState>
  /** Sends back a part of what was captured, or all of it. Idempotent for each `refundId`. */
  refund(ref: string, request: RefundRequest): Promise<RefundState>
  /** How much of a payment was sent back, or is on its way. */
  refunded(ref: string): Promise<number>
  /**
   * What the provider keeps of a captured payment; null while it does not say. A provider that never says has no such
   * method.
   */
  charge?(ref: string): Promise<ProviderCharge | null>
  /** The reference in a webhook, `none` when it is about something else; null when it is forged or stale. */
  readWebhook(body: Buffer, headers: WebhookHeaders): { readonly ref: string } | 'none' | null
}

/** A provider with a page of its own: the buyer chooses the method there, and pays there. */
export interface PageProvider extends Provider {
  readonly kind: 'page'
  /** Percent of a payment to a seller's own account that the house keeps; null where sellers have none. */
  readonly feePercent: number | null
  /** Opens a page for this order; the same order again has the same page. Throws `OrderRefused` if it never will. */
  prepare(order: PaymentOrder): Promise<PreparedPage>
}

export interface PreparedPage {
  readonly ref: string
  /** Where the buyer pays. Until the reference is stored only the server knows it, so no money can move. */
  readonly url: string
}

/** A provider that is told the method that the buyer chose on our page. */
export interface MethodProvider extends Provider {
  readonly kind: 'methods'
  /** Whether the method is well formed; the provider itself decides whether it is valid. */
  accepts(method: string): boolean
  /** Registers a payment, and returns its reference. No money moves. */
  prepare(request: PaymentRequest): Promise<string>
  /** Moves the money, or begins to. Idempotent for each reference. */
  pay(ref: string, method: string): Promise<PaymentState>
}

/** A service that takes money for us. docs/payments.md says how to write one. */
export type PaymentProvider = PageProvider | MethodProvider

/** The provider will not take this order, however often it is asked: the currency, or too small an amount. */
export class OrderRefused extends Error {
  override readonly name = 'OrderRefused'
}

export type WebhookHeaders = Readonly<Record<string, string | string[] | undefined>>
