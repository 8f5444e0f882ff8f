import { SeatwiseError } from '@seatwise/domain'
import {
  isOwn,
  type Purchase,
  type RefundWish,
  readRefundOffer,
  readRefundsOf,
  type StoredAnswer,
} from '@seatwise/ledger'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { type Actor, type App, actorOf } from '../../http/index.ts'
import type { BoxOfficeServices } from '../box-office-services.ts'
import { mayDoOnEvent } from '../events/may-do-on-event.ts'
import { answerOnce } from '../operations/answer-once.ts'
import { describeRefund } from './answers.ts'
import { findPurchase, noPurchase } from './find-purchase.ts'
import type { Payments } from './payments.ts'
import { refundPurchase } from './refund-purchase.ts'
import { requireFreshRefund } from './require-fresh-refund.ts'
import { PurchasePath, RefundAnswer, RefundBody, RefundOfferAnswer } from './schemas.ts'

const BUYER_ASKED = 'The buyer asked for it'
const NOT_OFFERED = 'Only the organiser refunds purchases of this event'

/** Giving money back: for a whole purchase, or for some of its seats. */
export function refundRoutes(app: App, services: BoxOfficeServices, payments: Payments): void {
  buyersRoute(app, services, payments)
  app.post(
    '/api/purchases/:id/refund',
    {
      config: { access: { act: 'refund', on: 'purchase', orOwner: true } },
      schema: {
        tags: ['payments'],
        summary: 'Give the money back; the seats return and their e-tickets end',
        description:
          'For the organiser; for the buyer only while the event offers it. Without `seatIds` all seats that are left. ' +
          '202 while the provider has not sent it back yet. An Idempotency-Key is taken. ' +
          'Above SEATWISE_FRESH_REFUND_OVER organisers need a fresh sign-in.',
        params: PurchasePath,
        body: RefundBody,
        response: { 200: RefundAnswer, 202: RefundAnswer },
      },
    },
    async (request, reply) => {
      const actor = actorOf(request)
      const asked = readAsked(bodyOf(request))
      const found = await findRefundable(services, payments, request.params.id, actor)
      const { id: purchaseId, isBuyers } = found
      if (isBuyers) requirePlain(asked)
      else await requireFreshRefund(services, actor, found)
      const about = { id: purchaseId, ...asked }
      const answer = await answerOnce(services, request, { operation: 'refund', about }, async (operation) => {
        const reason = isBuyers ? BUYER_ASKED : 'An operator asked for it'
        const wish = { purchaseId, reason, ...asked, ...(operation && { operation }), by: actor.id, asBuyer: isBuyers }
        const { purchase, isBack } = await refundOrThrow(payments, wish)
        return { statusCode: isBack ? 200 : 202, body: await describe(payments, purchase, isBack), isFinal: isBack }
      })
      return sendAnswer(reply, answer)
    },
  )
}

/** No body means everything; a body that is announced and says nothing is a mistake, and must not refund all seats. */
function bodyOf({ body, headers }: FastifyRequest<{ Body: Static<typeof RefundBody> }>) {
  if (body != null) return body
  if (headers['content-type'] === undefined) return {}
  throw new SeatwiseError('BAD_REQUEST', { message: 'body must be object', details: { field: 'body' } })
}

type Asked = Omit<NonNullable<Static<typeof RefundBody>>, 'seatIds'> & { readonly seatIds?: readonly string[] }

/** The same wish has the same fingerprint, in whatever order it names the seats. */
function readAsked({ seatIds, ...more }: NonNullable<Static<typeof RefundBody>>): Asked {
  return seatIds === undefined ? more : { ...more, seatIds: seatIds.map((id) => id.toLowerCase()).sort() }
}

/** What only an organiser decides. */
function requirePlain({ keepFees, evenIfUsed }: Asked): void {
  if (keepFees !== undefined || evenIfUsed !== undefined) {
    throw new SeatwiseError('FORBIDDEN', { message: 'Only the organiser decides about fees and used e-tickets' })
  }
}

/** Managers refund what their organization sold; buyers their own, while the event offers it: the ledger decides about that. */
async function findRefundable(services: BoxOfficeServices, payments: Payments, id: string, actor: Actor) {
  const purchase = await findPurchase(payments, id)
  if (await mayDoOnEvent(services.ledger, purchase.eventId, actor, 'refund')) return { ...purchase, isBuyers: false }
  return { ...(await findBought(services, payments, id, actor)), isBuyers: true }
}

async function findBought({ ledger }: BoxOfficeServices, payments: Payments, id: string, actor: Actor) {
  const purchase = await findPurchase(payments, id)
  if (!(await isOwn(ledger.db, actor.id, purchase.buyerId))) throw noPurchase()
  return purchase
}

/** What the buyer may refund of a purchase, for its buyer. `amount`: what the buyer was told that would go back. */
export async function refundAsBuyer(payments: Payments, purchase: Purchase, amount: number | undefined): Promise<void> {
  const { id: purchaseId, buyerId: by } = purchase
  const offer = await readRefundOffer(payments.ledger, purchaseId)
  const seats = offer === null ? {} : { seatIds: offer.seatIds }
  await refundOrThrow(payments, { purchaseId, reason: BUYER_ASKED, by, asBuyer: true, amount, ...seats })
}

function buyersRoute(app: App, services: BoxOfficeServices, payments: Payments): void {
  app.get(
    '/api/purchases/:id/refund',
    {
      config: { access: 'signed-in' },
      schema: {
        tags: ['payments'],
        summary: 'What the buyer may refund without the organiser, and what would stay',
        params: PurchasePath,
        response: { 200: RefundOfferAnswer },
      },
    },
    async (request, reply) => {
      const { id } = await findBought(services, payments, request.params.id, actorOf(request))
      const offer = await readRefundOffer(payments.ledger, id)
      reply.header('cache-control', 'no-store')
      if (offer === null) return { until: null, amount: 0, keptFees: 0, seatIds: [], transferredSeatIds: [] }
      const { until, amount, kept: keptFees, seatIds, transferredSeatIds } = offer
      return {
        until: until.toISOString(),
        amount,
        keptFees,
        seatIds: [...seatIds],
        transferredSeatIds: [...transferredSeatIds],
      }
    },
  )
}

/** `isBack`: the provider has sent everything that was asked for. */
export async function refundOrThrow(
  payments: Payments,
  wish: RefundWish,
): Promise<{ purchase: Purchase; isBack: boolean }> {
  const outcome = await refundPurchase(payments, wish)
  switch (outcome.status) {
    case 'refunding':
      return { purchase: outcome.purchase, isBack: false }
    case 'refunded':
      return { purchase: outcome.purchase, isBack: true }
    case 'not_captured':
      throw new SeatwiseError('NOT_PAID')
    case 'used': {
      const message = 'A visitor was let in with these e-tickets: send evenIfUsed to refund them nevertheless'
      throw new SeatwiseError('ALREADY_USED', { message, details: { seatIds: outcome.seatIds } })
    }
    case 'already':
      throw new SeatwiseError('ALREADY_REFUNDED', { details: { seatIds: outcome.seatIds } })
    case 'not_offered':
      throw new SeatwiseError('FORBIDDEN', { message: NOT_OFFERED })
    case 'transferred':
      throw new SeatwiseError('ETICKET_TRANSFERRED', { details: { seatIds: outcome.seatIds } })
    case 'changed':
      throw new SeatwiseError('REFUND_CHANGED', { details: { amount: outcome.amount } })
    case 'unknown_seats': {
      const message = 'These seats are not of this purchase'
      throw new SeatwiseError('NOT_FOUND', { message, details: { seatIds: outcome.seatIds } })
    }
    case 'unknown':
      throw noPurchase()
  }
}

async function describe({ ledger }: Payments, { id, status, refunded }: Purchase, isBack: boolean) {
  const refunds = await readRefundsOf(ledger.db, id)
  // What was asked for is on its way, also when other seats stay sold.
  return {
    ...{ id, status: isBack ? status : 'REFUNDING', refundedAmount: refunded },
    refunds: refunds.map(describeRefund),
  }
}

function sendAnswer(reply: FastifyReply, { statusCode, body }: StoredAnswer): FastifyReply {
  return reply.code(statusCode).header('cache-control', 'no-store').send(body)
}
