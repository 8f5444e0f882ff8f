import { listMail, type MailDelivery } from '@seatwise/ledger'
import Type from 'typebox'
import { type BoxOfficeServices, readEventId } from '../../box-office/index.ts'
import { type App, actorOf } from '../../http/index.ts'
import { stateOf } from '../webhooks/delivery-routes.ts'
import { BuyerMailBody, writeToBuyers } from './write-to-buyers.ts'

const tags = ['events']
const params = Type.Object({ id: Type.String() })
const LISTED_MAX = 100
const nullable = <Schema extends Type.TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])

const LogAnswer = Type.Object({
  items: Type.Array(
    Type.Object({
      id: Type.String(),
      type: Type.String({ description: 'The news that the mail is about' }),
      address: nullable(Type.String({ description: 'Of the order now; null where its owner deleted it' })),
      state: Type.Union([Type.Literal('delivered'), Type.Literal('waiting'), Type.Literal('set_aside')]),
      createdAt: Type.String(),
      attempts: Type.Integer(),
      problem: nullable(Type.String()),
    }),
  ),
  next: nullable(Type.Integer({ description: '`before` of the next page' })),
})

/** Mail to all buyers of an event, and what became of all mail about it. */
export function buyerMailRoutes(app: App, services: BoxOfficeServices): void {
  app.post(
    '/api/events/:id/mails',
    {
      config: { access: { act: 'event', on: 'event' } },
      schema: {
        ...{ tags, params, body: BuyerMailBody },
        summary: 'Write to all buyers with a paid order of an event; five a day',
        response: { 202: Type.Object({ id: Type.String(), recipients: Type.Integer() }) },
      },
    },
    async (request, reply) => {
      const eventId = readEventId(request.params.id)
      const { id, recipients } = await writeToBuyers(services, actorOf(request), eventId, request.body)
      return reply.code(202).header('cache-control', 'no-store').send({ id, recipients })
    },
  )
  app.get(
    '/api/events/:id/mail-log',
    {
      config: { access: { act: 'list', on: 'event' } },
      schema: {
        ...{ tags, params },
        summary: 'Mail about the orders of an event, the latest first: sent, waiting, set aside',
        querystring: Type.Object(
          { before: Type.Optional(Type.Integer({ minimum: 1 })) },
          { additionalProperties: false },
        ),
        response: { 200: LogAnswer },
      },
    },
    async (request, reply) => {
      const eventId = readEventId(request.params.id)
      const before = request.query.before ?? null
      const items = await listMail(services.ledger.db, { eventId, before, max: LISTED_MAX })
      reply.header('cache-control', 'no-store')
      return {
        items: items.map(shown),
        next: items.length === LISTED_MAX ? Number(items.at(-1)?.position) : null,
      }
    },
  )
}

function shown(mail: MailDelivery) {
  const { id, type, address, createdAt, attempts, problem } = mail
  return { id, type, address, state: stateOf(mail), createdAt: createdAt.toISOString(), attempts, problem }
}
