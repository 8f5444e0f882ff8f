import { countSales, findReservations, NOTHING_ANSWERED, readAnswersOf } from '@seatwise/ledger'
import type { FastifyReply } from 'fastify'
import type { App } from '../../http/index.ts'
import type { BoxOfficeServices } from '../box-office-services.ts'
import { readCursor, writeCursor } from '../events/cursor.ts'
import { readEventId } from '../events/event-id.ts'
import { showAnswers } from '../reservations/answer-questions.ts'
import { describeSales } from './describe-sales.ts'
import { EventPath, FoundReservationsAnswer, ReservationsQuery, SalesAnswer } from './schemas.ts'

const tags = ['events']

/** What organisers see of the sales of their events: the figures, and every reservation. */
export function salesRoutes(app: App, { ledger }: BoxOfficeServices): void {
  app.get(
    '/api/events/:id/sales',
    {
      config: { access: { act: 'statistics', on: 'event' } },
      schema: {
        tags,
        summary: 'How many seats are available, held, sold and blocked, and what was paid for them',
        params: EventPath,
        response: { 200: SalesAnswer },
      },
    },
    async (request, reply) => {
      const eventId = readEventId(request.params.id)
      const types = await countSales(ledger.db, eventId)
      return reply.header('cache-control', 'no-store').send(describeSales(types))
    },
  )
  app.get(
    '/api/events/:id/reservations',
    {
      config: { access: { act: 'list', on: 'event' } },
      schema: {
        tags,
        summary: 'All reservations of an event, the newest first, or those that match',
        params: EventPath,
        querystring: ReservationsQuery,
        response: { 200: FoundReservationsAnswer },
      },
    },
    async (request, reply) => {
      const eventId = readEventId(request.params.id)
      const { q = '', status = null, cursor, limit } = request.query
      const after = cursor === undefined ? null : readCursor(cursor)
      const { items, next } = await findReservations(ledger.db, { eventId, status, words: q, limit, after })
      const nextCursor = next === null ? null : writeCursor(next)
      const answers = await readAnswersOf(
        ledger.db,
        items.map(({ id }) => id),
      )
      const told = items.map((item) => ({ ...item, ...showAnswers(answers.get(item.id) ?? NOTHING_ANSWERED) }))
      return show(reply, { items: told, nextCursor })
    },
  )
}

/** The schema selects the fields that are shown, and serialises times. */
function show(reply: FastifyReply, answer: object): FastifyReply {
  return reply.header('cache-control', 'no-store').send(answer)
}
