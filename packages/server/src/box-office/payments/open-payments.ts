import { Counter } from 'prom-client'
import { tracedMethods } from '../../kit/index.ts'
import type { BoxOfficeServices } from '../box-office-services.ts'
import { openProvider } from './open-provider.ts'
import { createPaymentDesk } from './payment-desk.ts'
import { OUTCOMES, type Payments } from './payments.ts'
import type { PaymentProvider } from './provider.ts'
import { createSandbox } from './sandbox/sandbox-provider.ts'
import { createSandboxSignature } from './sandbox/sandbox-signature.ts'

/** Opens payments as configured. */
export async function openPayments(services: BoxOfficeServices): Promise<Payments> {
  const { ledger, log, identity, boxOffice } = services
  const ended = new Counter({
    name: 'seatwise_payments_total',
    help: 'Payments by outcome; a stuck payment waits for an operator',
    labelNames: ['outcome'],
    registers: [services.metrics],
  })
  // A series that begins with 1 has not grown: without its zero, the first stuck payment would raise no alert.
  for (const outcome of OUTCOMES) ended.inc({ outcome }, 0)
  const parts = { ledger, log, keys: identity.keys }
  return {
    ...parts,
    desk: createPaymentDesk(parts),
    provider: tracedMethods('provider', (await openProvider(services.config)) ?? openSandbox(services)),
    count: (outcome) => ended.inc({ outcome }),
    follow: (decision) => boxOffice.paymentDecided(decision),
  }
}

function openSandbox({ config, ledger, log, secrets, now }: BoxOfficeServices): PaymentProvider {
  if (config.mode === 'distributed') log.warn('payments go to the sandbox: buyers get seats without paying')
  return createSandbox({ ledger, site: config.publicUrl ?? '', signature: createSandboxSignature(secrets, now) })
}
