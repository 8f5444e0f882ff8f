import type { Config } from '../../config/index.ts'
import { createMollie } from './mollie/mollie-provider.ts'
import type { PageProvider } from './provider.ts'
import { createStripe } from './stripe/stripe-provider.ts'
import { webhookPath } from './webhook-path.ts'

/** The provider that moves real money as configured; null for the sandbox. */
export async function openProvider({ payments, publicUrl }: Config): Promise<PageProvider | null> {
  const site = publicUrl ?? ''
  switch (payments.provider) {
    case 'sandbox':
      return null
    case 'stripe':
      return await createStripe({ ...payments, site })
    case 'mollie':
      return await createMollie({ ...payments, site, webhookUrl: `${site}${webhookPath('mollie')}` })
  }
}
