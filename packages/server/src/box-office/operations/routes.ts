import { parseReservation, SeatwiseError } from '@seatwise/domain'
import { readOperation } from '@seatwise/ledger'
import Type from 'typebox'
import { type App, actorOf, foreignSale, isOfSale } from '../../http/index.ts'
import { showReservation } from '../../wire/index.ts'
import type { BoxOfficeServices } from '../box-office-services.ts'

const OperationPath = Type.Object({ key: Type.String({ minLength: 1, maxLength: 200 }) })
const OperationAnswer = Type.Object({
  status: Type.Union([Type.Literal('done'), Type.Literal('pending')]),
  result: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
})

/** Tells a client how a call ended when its answer was lost. Rule B27. */
export function operationRoutes(app: App, { ledger, underWay }: BoxOfficeServices): void {
  app.get(
    '/api/operations/:key',
    {
      config: { access: 'signed-in', sale: 'checked' },
      schema: {
        tags: ['buying'],
        summary: 'What became of an Idempotency-Key of yours',
        description: '404 when nothing took effect under it: trying again is safe.',
        params: OperationPath,
        response: { 200: OperationAnswer },
      },
    },
    async (request, reply) => {
      const actor = actorOf(request)
      const { id } = actor
      const { key } = request.params
      reply.header('cache-control', 'no-store')
      // Read before the ledger: a call that ends in between has then stored its answer.
      const isRunning = underWay.has(id, key)
      const stored = await readOperation(ledger.db, id, key)
      // Before the decision nothing tells which sale the call is about: the holder of a sale token has to wait.
      if (stored?.answer) {
        if (!isOfSale(actor, eventOf(stored.answer.body))) throw foreignSale()
        return { status: 'done' as const, result: shownAnswer(stored.answer.body) }
      }
      if (stored !== null || isRunning) return { status: 'pending' as const }
      throw new SeatwiseError('NOT_FOUND', { message: 'Nothing took effect under this key' })
    },
  )
}

/** The answer as the call gave it: a stored reservation has more than a buyer is shown. */
function shownAnswer(body: Record<string, unknown>): Record<string, unknown> {
  return 'buyerId' in body ? { ...showReservation(parseReservation(JSON.stringify(body))) } : body
}

/** The event an answer is about: a reservation's own, or that of a purchase's reservation. */
function eventOf(body: Record<string, unknown>): string {
  const { eventId, reservation } = body as { eventId?: unknown; reservation?: { eventId?: unknown } }
  return String(eventId ?? reservation?.eventId ?? '')
}
