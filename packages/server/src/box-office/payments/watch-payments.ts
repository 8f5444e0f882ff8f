import { takeUndecidedPayments } from '@seatwise/ledger'
import type { App } from '../../http/index.ts'
import { type Round, Rounds } from '../../kit/index.ts'
import type { BoxOfficeServices } from '../box-office-services.ts'
import { concludeFromProvider } from './conclude-from-provider.ts'
import type { Payments } from './payments.ts'
import { deliverSandboxWebhooks } from './sandbox/deliver-webhooks.ts'
import { createSandboxSignature } from './sandbox/sandbox-signature.ts'
import { webhookPath } from './webhook-routes.ts'

const WATCH_MS = 1_000
const SANDBOX_MS = 250
/** The rest waits for the next round. */
const ROUND_MAX = 20

/** While the server listens, it asks about undecided payments, and the sandbox does its own work. */
export function watchPayments(app: App, services: BoxOfficeServices, payments: Payments): void {
  const watch: Round = {
    name: 'asking about payments',
    everyMs: WATCH_MS,
    work: () => concludeUndecided(payments),
  }
  const rounds = new Rounds(
    services.log,
    payments.provider.name === 'sandbox' ? [watch, sandboxRound(app, services)] : [watch],
  )
  app.addHook('onListen', async () => rounds.start())
  app.addHook('onClose', () => rounds.close())
}

/** Asks about payments that lost their webhook or their server, and about refunds that are on their way. */
export async function concludeUndecided(payments: Payments): Promise<void> {
  const due = await takeUndecidedPayments(payments.ledger.db, ROUND_MAX)
  await Promise.all(
    due.map(async (purchaseId) => {
      try {
        await concludeFromProvider(payments, purchaseId)
      } catch (err) {
        payments.log.warn({ err, purchaseId }, 'a payment could not be decided, retrying later')
      }
    }),
  )
}

/** The sandbox calls us over HTTP like any other provider, but without leaving the process. */
export function sandboxRound(
  app: App,
  { ledger, secrets, now }: Pick<BoxOfficeServices, 'ledger' | 'secrets' | 'now'>,
): Round {
  const signature = createSandboxSignature(secrets, now)
  const url = webhookPath('sandbox')
  const send = async (payload: string, headers: Record<string, string>): Promise<boolean> =>
    (await app.inject({ method: 'POST', url, headers, payload })).statusCode === 200
  return {
    name: 'the sandbox',
    everyMs: SANDBOX_MS,
    work: () => deliverSandboxWebhooks(ledger, signature, send),
  }
}
