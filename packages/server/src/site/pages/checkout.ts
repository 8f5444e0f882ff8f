import { randomUUID } from 'node:crypto'
import { type Reservation, SeatwiseError } from '@seatwise/domain'
import { readEticketsOf, readPurchasesOf, readReservation } from '@seatwise/ledger'
import { type CheckoutFacts, checkoutPage } from '@seatwise/web'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { buy, concludeFromProvider, fingerprintOf, KeyField, PurchaseBody } from '../../box-office/index.ts'
import { type App, requireSale } from '../../http/index.ts'
import { isUuid } from '../../kit/index.ts'
import { ButtonForm, formOf } from './forms.ts'
import { accentOf, inSale, type PageParts, readPageEvent, takingForm } from './page-parts.ts'

type CheckoutRequest = FastifyRequest<{ Params: { reservationId: string } }>

const PayForm = formOf({ key: KeyField, method: PurchaseBody.properties.paymentMethod })
type PayRequest = FastifyRequest<{ Params: { reservationId: string }; Body: Static<typeof PayForm> }>
type Stand = CheckoutFacts['stand']

/** Paying for a reservation, by plain forms. The return from a bank ends here, too. */
export function checkoutPages(app: App, parts: PageParts): void {
  const path = '/checkout/:reservationId'
  app.get(path, inSale('checked'), async (request: CheckoutRequest, reply) => {
    const reservation = await ownReservation(parts, request)
    const stand = await standOf(parts, reservation)
    return await show(parts, request, reply, await ownReservation(parts, request), stand)
  })
  app.post(`${path}/pay`, takingForm(PayForm, 'checked'), async (request: PayRequest, reply) => {
    const reservation = await ownReservation(parts, request)
    const { key, method } = request.body
    const wish = { reservationId: reservation.id, ...(method === undefined ? {} : { paymentMethod: method }) }
    const actorId = reservation.buyerId
    const operation = { actorId, key, fingerprint: fingerprintOf('purchase', wish) }
    const order = { operation, buyerId: actorId, reservationId: reservation.id, paymentMethod: method }
    const answer = await parts.underWay.run(actorId, key, () => buy(parts.payments, order)).catch(endedMeanwhile)
    const { action } = (answer?.body ?? {}) as { action?: { url: string } }
    return reply.redirect(action?.url ?? `/checkout/${reservation.id}`, 303)
  })
  app.post(`${path}/give-back`, takingForm(ButtonForm, 'checked'), async (request: CheckoutRequest, reply) => {
    const reservation = await ownReservation(parts, request)
    await parts.boxOffice.cancel(reservation.id, reservation.buyerId).catch(endedMeanwhile)
    return reply.redirect(`/events/${reservation.eventId}/seats`, 303)
  })
}

/** An outcome that the reloaded page shows anyway is no error. */
function endedMeanwhile(error: unknown): null {
  const known = ['RESERVATION_EXPIRED', 'RESERVATION_ENDED', 'ALREADY_PAID', 'PAYMENT_UNDER_WAY', 'IN_PROGRESS']
  if (error instanceof SeatwiseError && known.includes(error.code)) return null
  throw error
}

async function ownReservation(
  { ledger }: PageParts,
  request: CheckoutRequest,
): Promise<Reservation & { buyerId: string }> {
  if (request.actor === null) throw new SeatwiseError('UNAUTHORIZED')
  const { reservationId } = request.params
  const reservation = isUuid(reservationId) ? await readReservation(ledger.db, reservationId.toLowerCase()) : null
  // Another buyer's reservation is answered as not found.
  if (reservation === null || reservation.buyerId !== request.actor.id) throw new SeatwiseError('NOT_FOUND')
  requireSale(request.actor, reservation.eventId)
  return { ...reservation, buyerId: request.actor.id }
}

/** The state of the payment: a buyer who looks while it is undecided makes the server ask the provider again. */
async function standOf({ payments, ledger, log }: PageParts, { id }: Reservation): Promise<Stand> {
  const purchases = await readPurchasesOf(ledger.db, id)
  const open = purchases.find(({ status }) => status === 'PROCESSING')
  if (open !== undefined) {
    try {
      const { statusCode } = await concludeFromProvider(payments, open.id)
      return statusCode === 202 ? 'under-way' : statusCode === 402 ? 'declined' : 'unpaid'
    } catch (err) {
      log.warn({ err, purchaseId: open.id }, 'the state of a payment could not be read for its buyer')
      return 'under-way'
    }
  }
  if (purchases.some(({ status }) => status === 'REFUNDED' || status === 'REFUNDING')) return 'sent-back'
  return purchases.some(({ status }) => status === 'DECLINED') ? 'declined' : 'unpaid'
}

async function show(
  parts: PageParts,
  request: CheckoutRequest,
  reply: FastifyReply,
  reservation: Reservation,
  stand: Stand,
): Promise<FastifyReply> {
  const event = await readPageEvent(parts, reservation.eventId)
  const etickets = reservation.status === 'PAID' ? await readEticketsOf(parts.ledger.db, [reservation.id]) : []
  const page = checkoutPage(parts.kit.languageOf(request), {
    ...{ event, reservation, stand, key: randomUUID(), provider: parts.payments.provider.name, now: parts.now() },
    accent: await accentOf(parts, event.roomId),
    eticketIds: etickets.map(({ id }) => id),
    isGuest: request.actor?.role === 'guest',
  })
  return parts.kit.send(request, reply, page)
}
