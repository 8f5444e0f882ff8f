import type { Services } from '../services.ts'
import type { Payments } from './payments.ts'
import type { PaymentProvider } from './provider.ts'
import { createSandbox } from './sandbox/sandbox-provider.ts'
import { createSandboxSignature } from './sandbox/sandbox-signature.ts'
import { createStripe } from './stripe/stripe-provider.ts'

/** Paying as this configuration says. */
export async function openPayments(services: Services): Promise<Payments> {
  const { ledger, log, identity, boxOffice } = services
  return {
    ...{ ledger, log, keys: identity.keys },
    provider: await openProvider(services),
    follow: (decision) => boxOffice.paymentDecided(decision),
  }
}

async function openProvider({ config, ledger, log, secrets, now }: Services): Promise<PaymentProvider> {
  const site = config.publicUrl ?? ''
  if (config.payments.provider === 'stripe') return await createStripe({ ...config.payments, site })
  if (config.mode === 'distributed') log.warn('payments go to the sandbox: whoever pays gets seats for no money')
  return createSandbox({ ledger, site, signature: createSandboxSignature(secrets, now) })
}
