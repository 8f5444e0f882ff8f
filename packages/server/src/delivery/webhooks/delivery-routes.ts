import { SeatwiseError } from '@seatwise/domain'
import { listDeliveries, readWebhook, type Webhook, type WebhookDelivery } from '@seatwise/ledger'
import Type from 'typebox'
import type { App, Base, RateLimit } from '../../http/index.ts'
import { isUuid } from '../../kit/index.ts'
import { testWebhook } from './test-webhook.ts'

const tags = ['webhooks']
const config = { access: { act: 'webhooks', on: 'webhook' } } as const
/** Each test calls another's server. */
export const TEST_LIMIT: RateLimit = { name: 'webhook-test', perSecond: 0.2, burst: 10 }
const LISTED_MAX = 100

const WebhookPath = Type.Object({ id: Type.String() })
const TimeOrNull = Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time' })
const DeliveryAnswer = Type.Object({
  id: Type.String({ format: 'uuid' }),
  newsId: Type.String({ description: 'The `webhook-id` of the call' }),
  type: Type.String(),
  state: Type.Enum(['waiting', 'delivered', 'set_aside']),
  attempts: Type.Integer(),
  problem: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'Why the last attempt failed' }),
  createdAt: Type.String({ format: 'date-time' }),
  deliveredAt: TimeOrNull,
  dueAt: Type.Unsafe<string | null>({
    ...{ type: ['string', 'null'], format: 'date-time' },
    description: 'When it is tried again; null when it is over',
  }),
})

/** What was sent to a webhook, and a call to try it. */
export function deliveryRoutes(app: App, services: Base): void {
  const { ledger } = services
  app.get(
    '/api/webhooks/:id/deliveries',
    {
      config,
      schema: {
        tags,
        operationId: 'listWebhookDeliveries',
        summary: 'The calls of a webhook, the latest first',
        description: 'Kept for 35 days. `POST /api/deliveries/:id/resend` makes a call again.',
        params: WebhookPath,
        querystring: Type.Object(
          {
            cursor: Type.Optional(Type.Integer({ minimum: 0, description: '`nextCursor` of the page before' })),
            limit: Type.Integer({ minimum: 1, maximum: LISTED_MAX, default: 50 }),
          },
          { additionalProperties: false },
        ),
        response: {
          200: Type.Object({
            items: Type.Array(DeliveryAnswer),
            nextCursor: Type.Unsafe<number | null>({ type: ['integer', 'null'] }),
          }),
        },
      },
    },
    async (request, reply) => {
      const { cursor = null, limit } = request.query
      const { id } = await requireWebhook(services, request.params.id)
      const found = await listDeliveries(ledger.db, { webhookId: id, before: cursor, max: limit + 1 })
      const items = found.slice(0, limit)
      reply.header('cache-control', 'no-store')
      const nextCursor = found.length > limit ? (items.at(-1)?.position ?? null) : null
      return { items: items.map(describe), nextCursor }
    },
  )
  app.post(
    '/api/webhooks/:id/test',
    {
      config: { ...config, rateLimit: TEST_LIMIT },
      schema: {
        tags,
        operationId: 'testWebhook',
        summary: 'Call a webhook once, now',
        description: 'A signed call of the type `test`. Answers how it went; it is not retried.',
        params: WebhookPath,
        response: {
          200: Type.Object({
            delivered: Type.Boolean(),
            problem: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
            durationMs: Type.Integer(),
          }),
        },
      },
    },
    async (request) => {
      const { isDelivered, ...call } = await testWebhook(services, await requireWebhook(services, request.params.id))
      return { delivered: isDelivered, ...call }
    },
  )
}

/** One may have been deleted since the caller was judged. */
export async function requireWebhook({ ledger }: Pick<Base, 'ledger'>, id: string): Promise<Webhook> {
  const webhook = isUuid(id) ? await readWebhook(ledger.db, id) : null
  if (webhook === null) throw new SeatwiseError('NOT_FOUND', { message: 'There is no such webhook' })
  return webhook
}

type DeliveryState = 'waiting' | 'delivered' | 'set_aside'

export function stateOf({ deliveredAt, givenUpAt }: Pick<WebhookDelivery, 'deliveredAt' | 'givenUpAt'>): DeliveryState {
  if (deliveredAt !== null) return 'delivered'
  return givenUpAt === null ? 'waiting' : 'set_aside'
}

function describe(delivery: WebhookDelivery) {
  const { id, newsId, type, attempts, problem, createdAt, deliveredAt, dueAt } = delivery
  return {
    ...{ id, newsId, type, attempts, problem, state: stateOf(delivery) },
    createdAt: createdAt.toISOString(),
    deliveredAt: deliveredAt?.toISOString() ?? null,
    dueAt: dueAt?.toISOString() ?? null,
  }
}
