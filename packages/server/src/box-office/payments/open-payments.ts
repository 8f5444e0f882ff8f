import { Counter } from 'prom-client'
import type { BoxOfficeServices } from '../box-office-services.ts'
import { createPaymentDesk } from './payment-desk.ts'
import type { Payments } from './payments.ts'
import type { PaymentProvider } from './provider.ts'
import { createSandbox } from './sandbox/sandbox-provider.ts'
import { createSandboxSignature } from './sandbox/sandbox-signature.ts'
import { createStripe } from './stripe/stripe-provider.ts'

/** Opens payments as configured. */
export async function openPayments(services: BoxOfficeServices): Promise<Payments> {
  const { ledger, log, identity, boxOffice } = services
  const ended = new Counter({
    name: 'seatwise_payments_total',
    help: 'Payments by outcome; a stuck payment waits for an operator',
    labelNames: ['outcome'],
    registers: [services.metrics],
  })
  const parts = { ledger, log, keys: identity.keys }
  return {
    ...parts,
    desk: createPaymentDesk(parts),
    provider: await openProvider(services),
    count: (outcome) => ended.inc({ outcome }),
    follow: (decision) => boxOffice.paymentDecided(decision),
  }
}

async function openProvider({ config, ledger, log, secrets, now }: BoxOfficeServices): Promise<PaymentProvider> {
  const site = config.publicUrl ?? ''
  if (config.payments.provider === 'stripe') return await createStripe({ ...config.payments, site })
  if (config.mode === 'distributed') log.warn('payments go to the sandbox: buyers get seats without paying')
  return createSandbox({ ledger, site, signature: createSandboxSignature(secrets, now) })
}
