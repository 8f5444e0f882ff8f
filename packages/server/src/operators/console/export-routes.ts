import { EXPORTS, exportRows } from '@seatwise/ledger'
import Type from 'typebox'
import type { BoxOfficeServices } from '../../box-office/box-office-services.ts'
import { requireOwnEvent } from '../../box-office/events/require-own-event.ts'
import { venueZone } from '../../box-office/events/venue-zone.ts'
import { actorOf } from '../../http/access/actor.ts'
import type { App } from '../../http/http-server.ts'
import { sendTable } from '../../kit/csv.ts'
import { readEventId } from '../../kit/uuid.ts'
import { OPERATORS } from './sale-address.ts'

/** Reservations, e-tickets and check-ins of an event as tables for a spreadsheet. */
export function exportRoutes(app: App, { ledger }: BoxOfficeServices): void {
  for (const what of EXPORTS) {
    app.get(
      `/api/events/:id/${what}.csv`,
      {
        config: { access: OPERATORS },
        schema: {
          tags: ['events'],
          summary: `All ${what} of an event as a table`,
          params: Type.Object({ id: Type.String() }),
          produces: ['text/csv'],
        },
      },
      async (request, reply) => {
        const eventId = readEventId(request.params.id)
        await requireOwnEvent(ledger, eventId, actorOf(request))
        const timeZone = await venueZone(ledger, eventId)
        return sendTable(reply, { name: what, timeZone, pages: exportRows(ledger.db, what, eventId) })
      },
    )
  }
}
