import { randomUUID } from 'node:crypto'

interface Money {
  readonly currency: string
  readonly value: string
}

/** A payment as Mollie's documentation has it, as far as we read it. */
export interface MolliePayment {
  readonly resource: 'payment'
  readonly id: string
  readonly mode: 'test'
  readonly createdAt: string
  status: 'open' | 'canceled' | 'pending' | 'expired' | 'failed' | 'paid'
  readonly amount: Money
  readonly description: string
  readonly redirectUrl: string
  readonly webhookUrl: string
  readonly metadata: { readonly purchaseId: string; readonly reservationId: string }
  readonly lines: readonly { readonly description: string; readonly quantity: number; readonly totalAmount: Money }[]
  readonly method: readonly string[]
  readonly locale: string | null
  readonly billingEmail: string | null
  readonly sequenceType: 'oneoff'
  readonly profileId: string
}

export interface MollieRefund {
  readonly resource: 'refund'
  readonly id: string
  readonly mode: 'test'
  readonly paymentId: string
  readonly amount: Money
  status: string
  readonly createdAt: string
  readonly description: string
  readonly metadata: unknown
  readonly _links: object
}

/** What we send, and nothing else. */
export const CREATE_FIELDS: ReadonlySet<string> = new Set([
  'amount',
  'description',
  'redirectUrl',
  'webhookUrl',
  'metadata',
  'lines',
  'method',
  'locale',
  'billingEmail',
])

/** The decimals that Mollie's documentation lists for each currency, as far as tests need them. */
const DECIMALS: Readonly<Record<string, number>> = { EUR: 2, GBP: 2, HUF: 2, JPY: 0, ISK: 0 }

/** The payment, or why it is refused. */
export function newPayment(fields: Record<string, unknown>): MolliePayment | string {
  const sent = fields as Pick<
    MolliePayment,
    'amount' | 'description' | 'redirectUrl' | 'webhookUrl' | 'metadata' | 'lines' | 'method'
  > & { locale?: string; billingEmail?: string }
  const { amount, description, redirectUrl, webhookUrl, metadata, lines, method } = sent
  const decimals = DECIMALS[amount?.currency]
  if (decimals === undefined) return 'The currency is not supported'
  const written = decimals === 0 ? /^\d+$/ : new RegExp(`^\\d+\\.\\d{${decimals}}$`)
  if (!written.test(amount.value)) return 'The amount contains an invalid value'
  if (minorUnits(amount) < 1) return 'The amount is lower than the minimum'
  if (!description || description.length > 255) return 'The description is invalid'
  if (!redirectUrl || !webhookUrl) return 'The URL is invalid'
  const total = lines.reduce((sum, { totalAmount }) => sum + minorUnits(totalAmount), 0)
  if (total !== minorUnits(amount)) return 'The amount of the payment does not match the total of the lines'
  return {
    ...{ resource: 'payment', id: `tr_${randomUUID().replaceAll('-', '')}`, mode: 'test', status: 'open' },
    ...{ createdAt: new Date().toISOString(), sequenceType: 'oneoff', profileId: 'pfl_stand_in' },
    ...{ amount, description, redirectUrl, webhookUrl, metadata, lines, method },
    ...{ locale: sent.locale ?? null, billingEmail: sent.billingEmail ?? null },
  }
}

export function minorUnits({ currency, value }: Money): number {
  return Math.round(Number(value) * 10 ** (DECIMALS[currency] ?? 2))
}

export function moneyOf(currency: string, amount: number): Money {
  const decimals = DECIMALS[currency] ?? 2
  return { currency, value: (amount / 10 ** decimals).toFixed(decimals) }
}
