import { numberReceipts, takePendingRefunds, takeUndecidedPayments } from '@seatwise/ledger'
import type { App } from '../../http/index.ts'
import { type Round, Rounds } from '../../kit/index.ts'
import type { BoxOfficeServices } from '../box-office-services.ts'
import { askCharges } from './ask-charges.ts'
import { concludeFromProvider } from './conclude-from-provider.ts'
import type { Payments } from './payments.ts'
import { resumeRefund } from './refund-purchase.ts'
import { deliverSandboxWebhooks } from './sandbox/deliver-webhooks.ts'
import { createSandboxSignature } from './sandbox/sandbox-signature.ts'
import { webhookPath } from './webhook-path.ts'

const WATCH_MS = 1_000
const SANDBOX_MS = 250
/** Receipts have their number within five seconds of the sale. */
const RECEIPTS_MS = 1_000
/** Settlements are read days later. */
const CHARGES_MS = 10_000
/** The rest waits for the next round. */
const ROUND_MAX = 20

/** While the server listens, it asks about undecided payments and numbers receipts; the sandbox does its own work. */
export function watchPayments(app: App, services: BoxOfficeServices, payments: Payments): void {
  const watch: Round = {
    name: 'asking about payments',
    everyMs: WATCH_MS,
    work: () => concludeUndecided(payments),
  }
  const receipts: Round = {
    name: 'numbering receipts',
    everyMs: RECEIPTS_MS,
    work: () => numberAll(payments),
  }
  const charges: Round = { name: 'asking for charges', everyMs: CHARGES_MS, work: () => askCharges(payments) }
  const sandbox = payments.provider.name === 'sandbox' ? [sandboxRound(app, services)] : []
  const rounds = new Rounds(services.log, [watch, receipts, charges, ...sandbox])
  app.addHook('onListen', async () => rounds.start())
  app.addHook('onClose', () => rounds.close())
}

/** Asks about payments that lost their webhook or their server, and finishes refunds that are on their way. */
export async function concludeUndecided(payments: Payments): Promise<void> {
  const { ledger, log } = payments
  const undecided = await takeUndecidedPayments(ledger.db, ROUND_MAX)
  const refunds = await takePendingRefunds(ledger.db, ROUND_MAX)
  await Promise.all([
    ...undecided.map((purchaseId) =>
      concludeFromProvider(payments, purchaseId).catch((err: unknown) =>
        log.warn({ err, purchaseId }, 'a payment could not be decided, retrying later'),
      ),
    ),
    ...refunds.map((refundId) =>
      resumeRefund(payments, refundId).catch((err: unknown) =>
        log.warn({ err, refundId }, 'a refund could not be finished, retrying later'),
      ),
    ),
  ])
}

/** Until nothing waits for a number, within a bound: the rest is for the next round. */
async function numberAll({ ledger }: Payments): Promise<void> {
  for (let batch = 0; batch < ROUND_MAX; batch += 1) {
    if ((await numberReceipts(ledger)) === 0) return
  }
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
