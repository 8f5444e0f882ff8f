import { EXPORTS, exportRows } from '@seatwise/ledger'
import Type from 'typebox'
import { actorOf } from '../access/actor.ts'
import { readEventId } from '../events/event-id.ts'
import { requireOwnEvent } from '../events/require-own-event.ts'
import { venueZone } from '../events/venue-zone.ts'
import type { App } from '../http-server.ts'
import type { Services } from '../services.ts'
import { sendTable } from './csv.ts'
import { OPERATORS } from './sale-address.ts'

/** Reservations, e-tickets and check-ins of an event as tables for a spreadsheet. */
export function exportRoutes(app: App, { ledger }: Services): void {
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
