import { randomUUID } from 'node:crypto'
import { type ErrorCode, type Reservation, type SaleEvent, SeatwiseError, type VariantWish } from '@seatwise/domain'
import {
  type Eticket,
  listPapers,
  type Purchase,
  type RefundOffer,
  readAsked,
  readBuyerAnswers,
  readEticketsOf,
  readGivenAway,
  readNamedAddressee,
  readPurchasesOf,
  readRefundOffer,
  readReservation,
  type StoredAnswer,
} from '@seatwise/ledger'
import { type CheckoutForm, checkoutPage, leavingPage, type PaidTicket, type PayStand } from '@seatwise/web'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type, { type Static } from 'typebox'
import {
  answerQuestions,
  buy,
  concludeFromProvider,
  fingerprintOf,
  NOT_PAID,
  readWish,
  refundAsBuyer,
  stopPaying,
} from '../../box-office/index.ts'
import { sendsMail } from '../../config/index.ts'
import { type App, requireSale } from '../../http/index.ts'
import { isUuid } from '../../kit/index.ts'
import { draw, givingOf } from './after-sale.ts'
import { type Asked, formOfKnown, PayForm, readCheckoutForm } from './checkout-form.ts'
import { CodeForm, readVerdict, verdictOf, withReserved, withVerdict } from './event-code.ts'
import { ButtonForm } from './forms.ts'
import { queryOf } from './page-kit.ts'
import { accentOf, forPeople, inSale, type PageParts, readPageEvent, takingForm } from './page-parts.ts'
import { placeOf, ticketOfVisitor } from './ticket-of-visitor.ts'

type CheckoutRequest = FastifyRequest<{ Params: { reservationId: string } }>

type PayRequest = FastifyRequest<{ Params: { reservationId: string }; Body: Static<typeof PayForm> }>

/** Paying for a reservation, by plain forms. The return from a bank ends here, too. */
export function checkoutPages(app: App, parts: PageParts): void {
  const path = '/checkout/:reservationId'
  app.get(path, inSale('checked'), async (request: CheckoutRequest, reply) => {
    const reservation = await ownReservation(parts, request)
    const stand = await standOf(parts, reservation, queryOf(request, 'stop') === 'refused')
    return await show(parts, request, reply, await ownReservation(parts, request), stand)
  })
  app.post(`${path}/pay`, takingForm(PayForm, 'checked'), async (request: PayRequest, reply) => {
    const reservation = await ownReservation(parts, request)
    const { key, method } = request.body
    const { body: said, form } = readCheckoutForm(request.body, await askedOf(parts, request, reservation))
    if (Object.keys(form.problems).length > 0 && isOpen(parts, reservation)) {
      return await show(parts, request, reply, reservation, { is: 'unpaid' }, form)
    }
    const body = { reservationId: reservation.id, ...(method === undefined ? {} : { paymentMethod: method }) }
    const actorId = reservation.buyerId
    const operation = { actorId, key, fingerprint: fingerprintOf('purchase', body) }
    const language = parts.kit.mailLanguageOf(request)
    const of = { reservationId: reservation.id, buyerId: actorId }
    const wish = { ...of, operation, paymentMethod: method, language, isGuest: request.actor?.role === 'guest' }
    const pay = async () => {
      if (Object.keys(said).length > 0) {
        await answerQuestions(
          parts,
          { ...of, language },
          { ...said, ...(said.email === undefined ? {} : { language }) },
        )
      }
      return await buy(parts.payments, wish)
    }
    const answer = await parts.underWay.run(actorId, key, pay).catch(endedMeanwhile)
    const url = pageOf(answer)
    if (url !== null) return parts.kit.send(request, reply, leavingPage(language, url))
    return reply.redirect(`/checkout/${reservation.id}`, 303)
  })
  app.post(`${path}/stop`, takingForm(ButtonForm, 'checked'), async (request: CheckoutRequest, reply) => {
    const { id } = await ownReservation(parts, request)
    const isOver = await stopPaying(parts.payments, id)
    return reply.redirect(`/checkout/${id}${isOver ? '' : '?stop=refused'}`, 303)
  })
  app.post(`${path}/code`, takingForm(CodeForm, 'checked'), (request: CodeRequest, reply) =>
    reprice(parts, request, reply),
  )
  // Not for devices that took a place over: the money is the owner's.
  const ownersOnly = { ...forPeople, schema: { ...forPeople.schema, body: RefundForm } }
  app.post(`${path}/refund`, ownersOnly, async (request: RefundRequest, reply) => {
    const reservation = await ownReservation(parts, request)
    const purchases = await readPurchasesOf(parts.ledger.db, reservation.id)
    const sold = purchases.find(({ status }) => status === 'PAID' || status === 'PARTLY_REFUNDED')
    if (sold !== undefined) await refundAsBuyer(parts.payments, sold, Number(request.body.amount)).catch(endedMeanwhile)
    return reply.redirect(`/checkout/${reservation.id}`, 303)
  })
  app.post(`${path}/give-back`, takingForm(ButtonForm, 'checked'), async (request: CheckoutRequest, reply) => {
    const reservation = await ownReservation(parts, request)
    await parts.boxOffice.cancel(reservation.id, reservation.buyerId).catch(endedMeanwhile)
    return reply.redirect(`/events/${reservation.eventId}/seats`, 303)
  })
}

/** What the page said that would go back. */
const RefundForm = Type.Object({ amount: Type.String({ pattern: '^[0-9]{1,12}$' }) }, { additionalProperties: false })
type RefundRequest = FastifyRequest<{ Params: { reservationId: string }; Body: Static<typeof RefundForm> }>
type CodeRequest = FastifyRequest<{ Params: { reservationId: string }; Body: Static<typeof CodeForm> }>

/**
 * Reserves the same seats with a code instead, under a new key: the price is another one, and the hold begins anew. While
 * the visitor is on the floor; afterwards the price stays.
 */
async function reprice(parts: PageParts, request: CodeRequest, reply: FastifyReply): Promise<FastifyReply> {
  const reservation = await ownReservation(parts, request)
  const text = request.body.code.trim()
  const here = `/checkout/${reservation.id}`
  if (text === '' || request.actor === null) return reply.redirect(here, 303)
  const room = await parts.rooms.ofEvent(reservation.eventId)
  const ticket = ticketOfVisitor(parts, request, room)
  const place = ticket === null ? null : await placeOf(parts, room, ticket)
  if (place?.status !== 'active') return reply.redirect(withVerdict(here, 'tooLate'), 303)
  try {
    const { id } = await parts.boxOffice.reserve({
      ...{ eventId: reservation.eventId, actor: request.actor, key: randomUUID(), pass: place.activeToken },
      wish: readWish({ seatIds: reservation.items.map(({ seatId }) => seatId) }),
      variants: variantsOf(reservation),
      code: { text, address: parts.config.rateLimits ? request.ip : null },
    })
    return reply.redirect(`/checkout/${id}`, 303)
  } catch (error) {
    const isTooLate = error instanceof SeatwiseError && TOO_LATE.has(error.code)
    const verdict = isTooLate ? 'tooLate' : verdictOf(error)
    if (verdict === null) throw error
    return reply.redirect(withVerdict(here, verdict), 303)
  }
}

const TOO_LATE: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['NOT_ACTIVE', 'NO_TIME_LEFT', 'PAYMENT_UNDER_WAY'])

/** The variants that the seats of a reservation have; undefined where they have none. */
function variantsOf({ items }: Reservation): VariantWish[] | undefined {
  const chosen = Map.groupBy(
    items.flatMap(({ variantId }) => variantId ?? []),
    (variantId) => variantId,
  )
  const wish = [...chosen].map(([variantId, seats]) => ({ variantId, quantity: seats.length }))
  return wish.length === 0 ? undefined : wish
}

/** The last two: the organiser asks for more since a moment ago, and the reloaded page has those fields. */
const SHOWN_ANYWAY: ReadonlySet<string> = new Set([
  ...['RESERVATION_EXPIRED', 'RESERVATION_ENDED', 'ALREADY_PAID', 'PAYMENT_UNDER_WAY', 'IN_PROGRESS'],
  ...['ALREADY_REFUNDED', 'ETICKET_TRANSFERRED', 'REFUND_CHANGED'],
  ...['ANSWERS_NEEDED', 'TERMS_NEEDED'],
])

/** An outcome that the reloaded page shows anyway is no error. */
function endedMeanwhile(error: unknown): null {
  if (error instanceof SeatwiseError && SHOWN_ANYWAY.has(error.code)) return null
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

/** The page of the provider or the bank to which an undecided payment leads; null when there is none. */
function pageOf(answer: StoredAnswer | null): string | null {
  const { action } = (answer?.body ?? {}) as { action?: { url: string } }
  return action?.url ?? null
}

/** The state of the payment: a buyer who looks while it is undecided makes the server ask the provider again. */
async function standOf(parts: PageParts, { id }: Reservation, cannotStop: boolean): Promise<PayStand> {
  const purchases = await readPurchasesOf(parts.ledger.db, id)
  const open = purchases.find(({ status }) => status === 'PROCESSING')
  if (open !== undefined) return await askAgain(parts, open, cannotStop)
  const goesBack = refundIn(purchases)
  if (goesBack !== null) return goesBack
  const [latest] = purchases
  if (latest?.status !== 'DECLINED') return { is: 'unpaid' }
  return { is: latest.reason === NOT_PAID ? 'not-paid' : 'declined' }
}

/** Sent back is only what the provider has booked. A refund of a second payment is not told while the first one counts. */
function refundIn(purchases: readonly Purchase[]): PayStand | null {
  const isThere = (wanted: Purchase['status']) => purchases.some(({ status }) => status === wanted)
  if (isThere('PAID') || isThere('PARTLY_REFUNDED')) return null
  if (isThere('REFUNDING')) return { is: 'refunding' }
  return isThere('REFUNDED') ? { is: 'sent-back' } : null
}

async function askAgain({ payments, log }: PageParts, purchase: Purchase, cannotStop: boolean): Promise<PayStand> {
  const { id, reservationId } = purchase
  try {
    const answer = await concludeFromProvider(payments, id)
    const url = pageOf(answer)
    if (url !== null) return { is: 'away', url, cannotStop }
    const { reason, sentBack } = answer.body as { reason?: string; sentBack?: boolean }
    if (sentBack === true) return refundIn(await readPurchasesOf(payments.ledger.db, reservationId)) ?? { is: 'unpaid' }
    if (answer.statusCode !== 402) return { is: answer.statusCode === 202 ? 'under-way' : 'unpaid' }
    return { is: reason === NOT_PAID ? 'not-paid' : 'declined' }
  } catch (err) {
    log.warn({ err, purchaseId: id }, 'the state of a payment could not be read for its buyer')
    return { is: 'under-way' }
  }
}

async function show(
  parts: PageParts,
  request: CheckoutRequest,
  reply: FastifyReply,
  reservation: Reservation,
  stand: PayStand,
  sent: CheckoutForm | null = null,
): Promise<FastifyReply> {
  const event = await withReserved(parts, await readPageEvent(parts, request, reservation.eventId), reservation.items)
  const etickets = reservation.status === 'PAID' ? await readEticketsOf(parts.ledger.db, [reservation.id]) : []
  const page = checkoutPage(parts.kit.languageOf(request), {
    hasMail: sendsMail(parts.config),
    ...{ event, reservation, stand, key: randomUUID(), now: parts.now() },
    payWith: parts.payments.provider.kind === 'page' ? 'page' : 'cards',
    accent: await accentOf(parts, event.roomId),
    tickets: await ticketsOf(parts, request, { event, reservation, etickets }),
    refund: reservation.status === 'PAID' ? await refundOf(parts, reservation) : null,
    refundedSeats: etickets.filter(({ isVoid }) => isVoid).length,
    isGuest: request.actor?.role === 'guest',
    code: readVerdict(request),
    papers: reservation.status === 'PENDING_PAYMENT' ? [] : await listPapers(parts.ledger.db, [reservation.id]),
    form: sent ?? (await knownForm(parts, request, reservation)),
  })
  return parts.kit.send(request, reply, page, sent === null ? 200 : 400)
}

/** What the buyer still has of an order, each e-ticket with its code. */
async function ticketsOf(
  parts: PageParts,
  { actor }: CheckoutRequest,
  { event, reservation, etickets }: { event: SaleEvent; reservation: Reservation; etickets: readonly Eticket[] },
): Promise<PaidTicket[]> {
  const { ledger, now } = parts
  const { buyerId, items } = reservation
  const own = etickets.filter(({ isVoid, holderId }) => !isVoid && holderId === buyerId)
  // A token that is limited to a sale gives nothing away.
  const mayGive = actor?.sale === undefined
  const ids = own.map(({ id }) => id)
  const given = mayGive ? await readGivenAway(ledger.db, buyerId, ids) : []
  return own.map((eticket) => {
    const item = items.find(({ seatId }) => seatId === eticket.seatId)
    const type = event.seatTypes.find(({ id }) => id === item?.seatTypeId)
    const variant = type?.variants.find(({ id }) => id === item?.variantId) ?? null
    const offered = given.find(({ eticketId, isAccepted }) => eticketId === eticket.id && !isAccepted)
    const giving = mayGive ? givingOf(event, offered?.email ?? null, now()) : null
    return { facts: draw(parts, eticket, buyerId), variant, giving }
  })
}

/** What the buyer may refund now, of the purchase that bought the seats. */
async function refundOf({ ledger }: PageParts, { id }: Reservation): Promise<RefundOffer | null> {
  const purchases = await readPurchasesOf(ledger.db, id)
  const sold = purchases.find(({ status }) => status === 'PAID' || status === 'PARTLY_REFUNDED')
  return sold === undefined ? null : await readRefundOffer(ledger, sold.id)
}

async function knownForm(parts: PageParts, request: CheckoutRequest, { id }: Reservation): Promise<CheckoutForm> {
  const { db } = parts.ledger
  const email = (await readNamedAddressee(db, id))?.email ?? (await ownEmail(parts, request))
  return formOfKnown(await readBuyerAnswers(db, id), email)
}

/** What the form of a reservation has to say. */
async function askedOf({ ledger: { db } }: PageParts, request: CheckoutRequest, { id }: Reservation): Promise<Asked> {
  const asked = await readAsked(db, id)
  if (asked === null) throw new SeatwiseError('NOT_FOUND')
  const isGuest = request.actor?.role === 'guest'
  const isEmailNeeded = isGuest && (await readNamedAddressee(db, id)) === null
  return { ...asked, known: await readBuyerAnswers(db, id), isEmailNeeded }
}

/** A form for a reservation that is over is answered by how it ended. */
const isOpen = ({ now }: PageParts, { status, expiresAt }: Reservation): boolean =>
  status === 'PENDING_PAYMENT' && expiresAt.getTime() > now()

/** Of the buyer's account; a guest has none. */
async function ownEmail({ ledger }: PageParts, { actor }: CheckoutRequest): Promise<string> {
  if (actor === null || actor.role === 'guest') return ''
  const account = ledger.db.selectFrom('users').select('email').where('id', '=', actor.id)
  return (await account.executeTakeFirst())?.email ?? ''
}
