import { SeatwiseError } from '@seatwise/domain'
import {
  type Eticket,
  listPapers,
  readEticket,
  readEticketsOf,
  readEticketsOfHolder,
  readEvent,
  readEvents,
  readGivenAway,
  readReservationsOf,
} from '@seatwise/ledger'
import { eticketPage, reservationsPage } from '@seatwise/web'
import type { FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { offerEticket, TransferBody, takeBackEticket } from '../../box-office/index.ts'
import { sendsMail } from '../../config/index.ts'
import { type Actor, type App, actorOf, isOfSale, requireSale } from '../../http/index.ts'
import { MAIL_LIMIT } from '../../identity/index.ts'
import { isUuid } from '../../kit/index.ts'
import { draw, givingOf } from './after-sale.ts'
import { ButtonForm, formOf } from './forms.ts'
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
    const ids = reservations.map(({ id }) => id)
    const [events, etickets, held, papers] = await Promise.all([
      readEvents(ledger.replica, [...new Set(reservations.map(({ eventId }) => eventId))]),
      readEticketsOf(ledger.db, ids),
      readEticketsOfHolder(ledger.db, actor.id, RESERVATIONS_MAX),
      listPapers(ledger.db, ids),
    ])
    const given = await readGivenAway(
      ledger.db,
      actor.id,
      etickets.map(({ id }) => id),
    )
    const own = reservations.map((reservation) => {
      const ofIt = etickets.filter(({ reservationId }) => reservationId === reservation.id)
      const gone = given.filter(({ isAccepted, eticketId }) => isAccepted && ofIt.some(({ id }) => id === eticketId))
      return {
        reservation,
        event: events.find(({ id }) => id === reservation.eventId) ?? null,
        eticketIds: ofIt.filter(({ holderId }) => holderId === actor.id).map(({ id }) => id),
        givenTo: gone.map(({ email }) => email),
        papers: papers.filter(({ reservationId }) => reservationId === reservation.id),
      }
    })
    const received = held.filter(({ buyerId, eventId }) => buyerId !== actor.id && isOfSale(actor, eventId))
    const page = reservationsPage(kit.languageOf(request), own, received.map(nameReceived))
    return kit.send(request, reply, page)
  })
  app.get('/etickets/:id', forOwners, async (request: IdRequest, reply) => {
    const actor = actorOf(request)
    const eticket = await ownEticket(parts, actor, request.params.id)
    // A token that is limited to a sale gives nothing away.
    const [open] = actor.sale === undefined ? await readGivenAway(ledger.db, actor.id, [eticket.id]) : []
    // A transfer travels by mail.
    const mayGive = actor.sale === undefined && sendsMail(parts.config)
    const event = mayGive ? await readEvent(ledger.replica, eticket.eventId) : null
    const email = open?.isAccepted === false ? open.email : null
    const giving = event === null ? null : givingOf(event, email, parts.now())
    const shown = draw(parts, eticket, actor.id)
    return kit.send(request, reply, eticketPage(kit.languageOf(request), shown, giving))
  })
  app.post('/etickets/:id/transfer', givingAway, async (request: GiveRequest, reply) => {
    const wish = { eticketId: request.params.id.toLowerCase(), language: kit.mailLanguageOf(request), ...request.body }
    await offerEticket(parts, actorOf(request), wish)
    return reply.redirect(`/etickets/${wish.eticketId}`, 303)
  })
  app.post('/etickets/:id/withdraw', takingBack, async (request: IdRequest, reply) => {
    const eticketId = request.params.id.toLowerCase()
    await takeBackEticket(parts, actorOf(request), eticketId)
    return reply.redirect(`/etickets/${eticketId}`, 303)
  })
}

const GiveForm = formOf({ email: TransferBody.properties.email })
type IdRequest = FastifyRequest<{ Params: { id: string } }>
type GiveRequest = FastifyRequest<{ Params: { id: string }; Body: Static<typeof GiveForm> }>
const givingAway = {
  config: { access: 'signed-in', rateLimit: MAIL_LIMIT },
  schema: { hide: true, body: GiveForm },
} as const
const takingBack = { config: { access: 'signed-in' }, schema: { hide: true, body: ButtonForm } } as const

async function ownEticket({ ledger }: PageParts, actor: Actor, id: string): Promise<Eticket> {
  const eticket = isUuid(id) ? await readEticket(ledger.db, id) : null
  // Another holder's e-ticket is answered as not found.
  if (eticket === null || eticket.holderId !== actor.id) throw new SeatwiseError('NOT_FOUND')
  requireSale(actor, eticket.eventId)
  return eticket
}

function nameReceived({ id, eventName, startsAt, timeZone }: Eticket) {
  return { id, eventName, startsAt, timeZone }
}
