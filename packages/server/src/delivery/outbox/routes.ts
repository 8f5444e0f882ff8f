import { listSetAside, type SetAside } from '@seatwise/ledger'
import Type from 'typebox'
import { type Actor, type App, actorOf, type Base, organizationsFor } from '../../http/index.ts'
import { resendNews } from '../webhooks/resend.ts'

const tags = ['news']
const config = { access: { act: 'webhooks', on: 'some' } } as const
const LISTED_MAX = 500

const textOrNull = (options = {}) => Type.Unsafe<string | null>({ ...options, type: ['string', 'null'] })
const SetAsideAnswer = Type.Object({
  items: Type.Array(
    Type.Object({
      id: Type.String(),
      kind: Type.Union([Type.Literal('mail'), Type.Literal('webhook')]),
      webhookId: textOrNull(),
      url: textOrNull({ description: 'Of the webhook' }),
      newsId: Type.String({ description: 'The `webhook-id` that the receiver would have seen' }),
      type: Type.String(),
      eventId: textOrNull(),
      reservationId: textOrNull(),
      attempts: Type.Integer(),
      problem: textOrNull({ description: 'Why the last attempt failed' }),
      createdAt: Type.String({ format: 'date-time' }),
      givenUpAt: Type.String({ format: 'date-time' }),
    }),
  ),
})

/** News that could not be delivered: the list of abandoned deliveries, and retrying them. */
export function newsRoutes(app: App, { ledger }: Base): void {
  app.get(
    '/api/deliveries/set-aside',
    {
      config,
      schema: {
        tags,
        summary: 'Mail and webhook calls that were given up, of your events; of all for admins',
        response: { 200: SetAsideAnswer },
      },
    },
    async (request, reply) => {
      const found = await listSetAside(ledger.db, { ...ownedBy(actorOf(request)), id: null, max: LISTED_MAX })
      reply.header('cache-control', 'no-store')
      return { items: found.map(describe) }
    },
  )
  app.post(
    '/api/deliveries/:id/resend',
    {
      config,
      schema: {
        tags,
        summary: 'Deliver again what was set aside, or a call that was answered',
        description: 'Receivers know by its id whether they have heard it; what was told later is not told again.',
        params: Type.Object({ id: Type.String() }),
        response: { 202: Type.Object({ id: Type.String() }) },
      },
    },
    async (request, reply) => {
      const { id } = request.params
      await resendNews(ledger, actorOf(request), id)
      return reply.code(202).send({ id })
    },
  )
}

const ownedBy = (actor: Actor) => ({ organizationIds: organizationsFor(actor, 'webhooks') })

function describe({ createdAt, givenUpAt, ...delivery }: SetAside) {
  return { ...delivery, createdAt: createdAt.toISOString(), givenUpAt: givenUpAt.toISOString() }
}
