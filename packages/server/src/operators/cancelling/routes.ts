import { requireText, SeatwiseError } from '@seatwise/domain'
import { type Cancellation, readCancellation } from '@seatwise/ledger'
import Type from 'typebox'
import { type BoxOfficeServices, type EventReads, type Payments, readEventId } from '../../box-office/index.ts'
import { type App, actorOf } from '../../http/index.ts'
import { cancelEvent } from './cancel-event.ts'
import { watchCancelling } from './continue-cancelling.ts'

const tags = ['events']
const config = { access: { act: 'cancel', on: 'event' } } as const
const MESSAGE_LENGTH_MAX = 2_000

const EventPath = Type.Object({ id: Type.String() })
const CancelBody = Type.Object(
  {
    message: Type.String({
      minLength: 1,
      maxLength: MESSAGE_LENGTH_MAX,
      description: 'Every buyer gets it by mail, and the line sees it',
    }),
  },
  { additionalProperties: false },
)
const Count = Type.Integer({ minimum: 0 })
const CancelAnswer = Type.Object({
  operationId: Type.String({ format: 'uuid' }),
  status: Type.Union([Type.Literal('running'), Type.Literal('done')]),
  message: Type.String(),
  orders: Count,
  refunded: Count,
  failed: Type.Integer({ description: 'Could not be refunded so far; they are retried' }),
  told: Type.Integer({ description: 'Have their mail' }),
  differences: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    description: 'What the reconciliation at the end left for operators; null before',
  }),
  cancelledAt: Type.String({ format: 'date-time' }),
})

/** Cancelling a whole event: no more selling, every order refunded, every buyer told. */
export function cancelRoutes(app: App, services: BoxOfficeServices, reads: EventReads, payments: Payments): void {
  const { ledger } = services
  app.post(
    '/api/events/:id/cancel',
    {
      config: { ...config, fresh: true },
      schema: {
        tags,
        summary: 'Cancel an event: nothing more is sold, everything is refunded, buyers are told',
        description: 'Final. Again: the same operation, and refunds that were given up are tried anew.',
        params: EventPath,
        body: CancelBody,
        response: { 202: Type.Object({ operationId: Type.String({ format: 'uuid' }) }) },
      },
    },
    async (request, reply) => {
      const eventId = readEventId(request.params.id)
      const { id: by } = actorOf(request)
      const message = requireText('message', request.body.message, { lines: true })
      const operationId = await cancelEvent({ ...services, reads }, { eventId, message, by })
      reply.code(202).header('cache-control', 'no-store')
      return { operationId }
    },
  )
  app.get(
    '/api/events/:id/cancel',
    {
      config,
      schema: {
        tags,
        summary: 'How far the cancelling of an event is',
        params: EventPath,
        response: { 200: CancelAnswer },
      },
    },
    async (request, reply) => {
      const eventId = readEventId(request.params.id)
      const found = await readCancellation(ledger.db, eventId)
      if (found === null) throw new SeatwiseError('NOT_FOUND', { message: 'This event was not cancelled' })
      reply.header('cache-control', 'no-store')
      return describe(found)
    },
  )
  watchCancelling(app, services, payments)
}

function describe({ operation: operationId, createdAt, ...found }: Cancellation) {
  const { status, message, orders, refunded, failed, told, differences } = found
  return {
    ...{ operationId, status, message, orders, refunded, failed, told, differences },
    cancelledAt: createdAt.toISOString(),
  }
}
