import { SeatwiseError } from '@seatwise/domain'
import { readEticket, readEticketsOf, readEvents, readReservationsOf } from '@seatwise/ledger'
import { eticketPage, reservationsPage } from '@seatwise/web'
import type { FastifyRequest } from 'fastify'
import { renderSVG } from 'uqr'
import { describeEticket } from '../../box-office/index.ts'
import { type App, actorOf, isOfSale, requireSale } from '../../http/index.ts'
import { isUuid } from '../../kit/index.ts'
import type { PageParts } from './page-parts.ts'

const RESERVATIONS_MAX = 50
const forOwners = { config: { access: 'signed-in', sale: 'checked' }, schema: { hide: true } } as const

/** The buyer's reservations and e-tickets. */
export function ownedPages(app: App, parts: PageParts): void {
  const { kit, ledger } = parts
  app.get('/reservations', forOwners, async (request, reply) => {
    const actor = actorOf(request)
    const all = await readReservationsOf(ledger.db, actor.id, RESERVATIONS_MAX)
    const reservations = all.filter(({ eventId }) => isOfSale(actor, eventId))
    const [events, etickets] = await Promise.all([
      readEvents(ledger.replica, [...new Set(reservations.map(({ eventId }) => eventId))]),
      readEticketsOf(
        ledger.db,
        reservations.map(({ id }) => id),
      ),
    ])
    const own = reservations.map((reservation) => ({
      reservation,
      event: events.find(({ id }) => id === reservation.eventId) ?? null,
      eticketIds: etickets.filter(({ reservationId }) => reservationId === reservation.id).map(({ id }) => id),
    }))
    return kit.send(request, reply, reservationsPage(kit.languageOf(request), own))
  })
  app.get('/etickets/:id', forOwners, async (request: FastifyRequest<{ Params: { id: string } }>, reply) => {
    const { id } = request.params
    const eticket = isUuid(id) ? await readEticket(ledger.db, id) : null
    if (eticket === null || eticket.buyerId !== actorOf(request).id) throw new SeatwiseError('NOT_FOUND')
    requireSale(actorOf(request), eticket.eventId)
    const shown = describeEticket(parts.identity.keys, eticket)
    // Level M keeps a code readable after one fold; scanners need the border.
    const drawing = shown.code === null ? null : renderSVG(shown.code, { ecc: 'M', border: 4, pixelSize: 4 })
    return kit.send(request, reply, eticketPage(kit.languageOf(request), { ...shown, drawing }))
  })
}
