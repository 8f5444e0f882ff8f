import { SeatwiseError } from '@seatwise/domain'
import { findPurchaseByRef } from '@seatwise/ledger'
import Type from 'typebox'
import type { App } from '../../http/index.ts'
import { concludeFromProvider } from './conclude-from-provider.ts'
import type { Payments } from './payments.ts'
import { ProviderPath } from './schemas.ts'
import { webhookPath } from './webhook-path.ts'

/** Providers send larger bodies about a payment than any other caller sends. */
const WEBHOOK_BYTES_MAX = 262_144

/**
 * Webhooks of providers. A webhook only makes us ask for the payment's state, so it may come twice, late, in any order
 * or not at all. It is answered after the work is done, so that the provider retries a failed one.
 */
export function webhookRoutes(app: App, payments: Payments): void {
  app.register(async (scope: App) => {
    // The signature covers the raw bytes.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    scope.post(
      webhookPath(':provider'),
      {
        config: { access: 'public' },
        bodyLimit: WEBHOOK_BYTES_MAX,
        schema: {
          tags: ['payments'],
          summary: 'News from a payment provider',
          params: ProviderPath,
          response: { 200: Type.Object({ received: Type.Literal(true) }) },
        },
      },
      async (request) => {
        const { provider } = payments
        if (request.params.provider !== provider.name) throw new SeatwiseError('NOT_FOUND')
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
        await hear(payments, body, request.headers)
        return { received: true as const }
      },
    )
  })
}

async function hear(
  payments: Payments,
  body: Buffer,
  headers: Record<string, string | string[] | undefined>,
): Promise<void> {
  const { provider, ledger, log } = payments
  const news = provider.readWebhook(body, headers)
  if (news === null) throw new SeatwiseError('BAD_SIGNATURE')
  if (news === 'none') return
  const purchase = await findPurchaseByRef(ledger.db, { provider: provider.name, providerRef: news.ref })
  // The account at the provider may be shared with other shops.
  if (purchase === null) return log.info({ provider: provider.name }, 'a webhook refers to a payment that is not ours')
  // Most webhooks repeat what the answer to the payment itself said, and change nothing.
  if (purchase.status === 'PAID' || purchase.status === 'REFUNDED') return
  await concludeFromProvider(payments, purchase.id)
}
