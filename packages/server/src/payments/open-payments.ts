import type { App } from '../http-server.ts'
import type { Services } from '../services.ts'
import type { Payments } from './payments.ts'
import type { PaymentProvider } from './provider.ts'
import { repeatedly } from './repeatedly.ts'
import { deliverSandboxWebhooks } from './sandbox/deliver-webhooks.ts'
import { hostedPageRoutes } from './sandbox/hosted-page.ts'
import { createSandbox } from './sandbox/sandbox-provider.ts'
import { createSandboxSignature } from './sandbox/sandbox-signature.ts'
import { createStripe } from './stripe/stripe-provider.ts'
import { settleUndecided } from './watch-payments.ts'
import { webhookPath } from './webhook-routes.ts'

const WATCH_MS = 1_000
const SANDBOX_MS = 250

/** The provider of this configuration. */
export async function openProvider({ config, ledger, secrets, now }: Services): Promise<PaymentProvider> {
  const site = config.publicUrl ?? ''
  if (config.payments.provider === 'stripe') return await createStripe({ ...config.payments, site })
  return createSandbox({ ledger, site, signature: createSandboxSignature(secrets, now) })
}

/** While the server listens, undecided payments are asked about, and the sandbox does its own work. */
export function watchPayments(app: App, services: Services, payments: Payments): void {
  const { log } = services
  const watch = repeatedly(WATCH_MS, log, 'watching payments', () => settleUndecided(payments))
  const jobs = [watch]
  if (payments.provider.name === 'sandbox') {
    const { ledger, secrets, now } = services
    hostedPageRoutes(app, ledger)
    const signature = createSandboxSignature(secrets, now)
    const url = webhookPath('sandbox')
    const send = async (payload: string, headers: Record<string, string>) =>
      (await app.inject({ method: 'POST', url, headers, payload })).statusCode === 200
    jobs.push(repeatedly(SANDBOX_MS, log, 'the sandbox', () => deliverSandboxWebhooks(ledger, signature, send)))
  }
  app.addHook('onListen', async () => {
    for (const job of jobs) job.start()
  })
  app.addHook('onClose', async () => {
    await Promise.all(jobs.map((job) => job.stop()))
  })
}
