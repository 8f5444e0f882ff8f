import { EXPORTS, exportRows } from '@seatwise/ledger'
import Type from 'typebox'
import { type BoxOfficeServices, readEventId, venueZone } from '../../box-office/index.ts'
import type { App } from '../../http/index.ts'
import { sendTable } from '../../kit/index.ts'

/** Reservations, e-tickets and check-ins of an event as tables for a spreadsheet. */
export function exportRoutes(app: App, { ledger }: BoxOfficeServices): void {
  for (const what of EXPORTS) {
    app.get(
      `/api/events/:id/${what}.csv`,
      {
        config: { access: { act: 'export', on: 'event' }, fresh: true },
        schema: {
          tags: ['events'],
          summary: `All ${what} of an event as a table`,
          params: Type.Object({ id: Type.String() }),
          produces: ['text/csv'],
        },
      },
      async (request, reply) => {
        const eventId = readEventId(request.params.id)
        const timeZone = await venueZone(ledger, eventId)
        const pages = exportRows(ledger.db, what, eventId)
        return sendTable(reply, { name: what, timeZone, pages, money: ['amount', 'price', 'paid'] })
      },
    )
  }
}
