import { listSales, type SaleOfOperator } from '@seatwise/ledger'
import Type from 'typebox'
import { type BoxOfficeServices, readWords } from '../../box-office/index.ts'
import { type App, actorOf, organizationsFor } from '../../http/index.ts'
import type { Room } from '../../rooms/index.ts'

const SalesQuery = Type.Object(
  {
    q: Type.String({ maxLength: 100, default: '', description: 'Part of a name' }),
    offset: Type.Integer({ minimum: 0, maximum: 100_000, default: 0 }),
    limit: Type.Integer({ minimum: 1, maximum: 100, default: 50 }),
  },
  { additionalProperties: false },
)

/** All sales that the caller may operate or watch, with their current figures. */
export function salesListRoutes(app: App, { ledger, rooms }: BoxOfficeServices): void {
  app.get(
    '/api/console/sales',
    {
      config: { access: { act: 'statistics', on: 'some' } },
      schema: {
        tags: ['operate a room'],
        summary: 'The events of your organizations with their live figures; all events for admins',
        querystring: SalesQuery,
      },
    },
    async (request, reply) => {
      const organizationIds = organizationsFor(actorOf(request), 'statistics')
      const { q, offset, limit } = request.query
      const sales = await listSales(ledger.db, { organizationIds, words: readWords(q), limit: limit + 1, offset })
      const openRooms = new Map([...rooms.openRooms()].map((room) => [room.id, room]))
      const items = await Promise.all(sales.slice(0, limit).map((sale) => withLine(sale, openRooms.get(sale.roomId))))
      reply.header('cache-control', 'no-store')
      return { items, nextOffset: sales.length > limit ? offset + limit : null }
    },
  )
}

/** The sale with its line's figures; null for a room that is not open on this server. */
export async function withLine(sale: SaleOfOperator, room: Room | undefined) {
  const { document } = (await room?.now().catch(() => undefined)) ?? { document: null }
  const line = { phase: document?.phase ?? null, waiting: document?.waiting ?? null, active: document?.active ?? null }
  return { ...sale, ...line }
}
