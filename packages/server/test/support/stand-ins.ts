import { MOLLIE_KEY, MollieStandIn, STRIPE_KEY, STRIPE_WEBHOOK_SECRET, StripeStandIn } from '@seatwise/testbench'
import { createMollie } from '../../src/box-office/payments/mollie/mollie-provider.ts'
import type { PageProvider } from '../../src/box-office/payments/provider.ts'
import { createStripe } from '../../src/box-office/payments/stripe/stripe-provider.ts'

export const SITE = 'https://tickets.example.com'

export interface StripeAtWork {
  readonly standIn: StripeStandIn
  readonly provider: PageProvider
  close(): Promise<void>
}

/** Stripe's own SDK in front of its stand-in. */
export async function openStripe(): Promise<StripeAtWork> {
  const standIn = await StripeStandIn.open()
  const provider = await stripeWith(standIn)
  return { standIn, provider, close: () => standIn.close() }
}

export function stripeWith(standIn: StripeStandIn, key = STRIPE_KEY): Promise<PageProvider> {
  return createStripe({ key, webhookSecret: STRIPE_WEBHOOK_SECRET, url: standIn.url, site: SITE, feePercent: 0 })
}

export interface MollieAtWork {
  readonly standIn: MollieStandIn
  readonly provider: PageProvider
  close(): Promise<void>
}

/** Mollie's own SDK in front of its stand-in, whose certificate this process accepts meanwhile. */
export async function openMollie(): Promise<MollieAtWork> {
  const before = process.env.NODE_TLS_REJECT_UNAUTHORIZED
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
  const standIn = await MollieStandIn.open()
  const provider = await mollieWith(standIn)
  const close = async () => {
    await standIn.close()
    if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
    else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before
  }
  return { standIn, provider, close }
}

export function mollieWith(standIn: MollieStandIn, key = MOLLIE_KEY): Promise<PageProvider> {
  const webhookUrl = `${SITE}/api/payments/webhooks/mollie`
  return createMollie({ key, url: standIn.url, site: SITE, webhookUrl })
}
