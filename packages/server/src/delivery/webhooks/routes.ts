import { SeatwiseError } from '@seatwise/domain'
import { deleteWebhook, listWebhooks, type Webhook } from '@seatwise/ledger'
import Type from 'typebox'
import { type App, actorOf, type Base, organizationsFor } from '../../http/index.ts'
import { deliveryRoutes } from './delivery-routes.ts'
import { makeWebhook } from './make-webhook.ts'
import { WEBHOOK_TYPES } from './webhook-types.ts'

const tags = ['webhooks']
const ofSome = { access: { act: 'webhooks', on: 'some' } } as const
const LISTED_MAX = 1_000

const webhookProperties = {
  id: Type.String({ format: 'uuid' }),
  organizationId: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'Null: it hears the news of all organizations',
  }),
  url: Type.String(),
  types: Type.Array(Type.String()),
  failures: Type.Integer({ description: 'Deliveries in a row that failed' }),
  createdAt: Type.String({ format: 'date-time' }),
}
const WebhookAnswer = Type.Object(webhookProperties)
const NewWebhookAnswer = Type.Object({
  ...webhookProperties,
  secret: Type.String({ description: 'Checks the signature of each call (Standard Webhooks); shown only this once' }),
})
const NewWebhookBody = Type.Object(
  {
    organizationId: Type.Optional(
      Type.String({ format: 'uuid', description: 'Whose news it is to hear; by default your first organization’s' }),
    ),
    url: Type.String({ minLength: 1, maxLength: 2_000 }),
    types: Type.Optional(
      Type.Array(Type.Union(WEBHOOK_TYPES.map((type) => Type.Literal(type))), {
        maxItems: WEBHOOK_TYPES.length,
        uniqueItems: true,
        description: 'What to hear of; without it everything but `ticket.*`, which has to be named',
      }),
    ),
  },
  { additionalProperties: false },
)

/** Webhooks: an organization gets the news of its events, admins of all events; signed calls, at least once. */
export function webhookRoutes(app: App, services: Base): void {
  app.post(
    '/api/webhooks',
    {
      config: { ...ofSome, fresh: true },
      schema: {
        tags,
        summary: 'Be called when something happens in your sales',
        body: NewWebhookBody,
        response: { 201: NewWebhookAnswer },
      },
    },
    async (request, reply) => {
      const { webhook, secret } = await makeWebhook(services, actorOf(request), request.body)
      reply.code(201).header('cache-control', 'no-store')
      return { ...describe(webhook), secret }
    },
  )
  keepingRoutes(app, services)
  deliveryRoutes(app, services)
}

function keepingRoutes(app: App, { ledger }: Base): void {
  app.get(
    '/api/webhooks',
    {
      config: ofSome,
      schema: {
        tags,
        summary: 'The webhooks of your organizations; an admin sees all',
        response: { 200: Type.Object({ items: Type.Array(WebhookAnswer) }) },
      },
    },
    async (request, reply) => {
      const organizationIds = organizationsFor(actorOf(request), 'webhooks')
      reply.header('cache-control', 'no-store')
      return { items: (await listWebhooks(ledger.db, organizationIds, LISTED_MAX)).map(describe) }
    },
  )
  app.delete(
    '/api/webhooks/:id',
    {
      config: { access: { act: 'webhooks', on: 'webhook' }, fresh: true },
      schema: {
        ...{ tags, summary: 'Stop being called', params: Type.Object({ id: Type.String() }) },
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const { id } = request.params
      const isGone = await deleteWebhook(ledger.db, id)
      if (!isGone) throw new SeatwiseError('NOT_FOUND', { message: 'There is no such webhook' })
      return reply.code(204).send(null)
    },
  )
}

function describe({ id, organizationId, url, types, failures, createdAt }: Webhook) {
  return { id, organizationId, url, types: [...types], failures, createdAt: createdAt.toISOString() }
}
