import { SeatwiseError } from '@seatwise/domain'
import { isOwn, type Purchase, type RefundWish, readRefundsOf, type StoredAnswer } from '@seatwise/ledger'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { type Actor, type App, actorOf } from '../../http/index.ts'
import type { BoxOfficeServices } from '../box-office-services.ts'
import { answerOnce } from '../operations/answer-once.ts'
import { describeRefund } from './answers.ts'
import { findOwnPurchase, findPurchase, noPurchase } from './find-own-purchase.ts'
import type { Payments } from './payments.ts'
import { refundPurchase } from './refund-purchase.ts'
import { PurchasePath, RefundAnswer, RefundBody } from './schemas.ts'

const BUYER_ASKED = 'The buyer asked for it'
const NOT_OFFERED = 'Only the organiser refunds purchases of this event'

/** Giving money back: for a whole purchase, or for some of its seats. */
export function refundRoutes(app: App, services: BoxOfficeServices, payments: Payments): void {
  app.post(
    '/api/purchases/:id/refund',
    {
      config: { access: 'signed-in' },
      schema: {
        tags: ['payments'],
        summary: 'Give the money back; the seats return and their e-tickets end',
        description:
          'For the organiser; for the buyer only while the event offers it. Without `seatIds` all seats that are left. ' +
          '202 while the provider has not sent it back yet. An Idempotency-Key is taken.',
        params: PurchasePath,
        body: RefundBody,
        response: { 200: RefundAnswer, 202: RefundAnswer },
      },
    },
    async (request, reply) => {
      const actor = actorOf(request)
      const asked = readAsked(bodyOf(request))
      const { id: purchaseId, isBuyers } = await findRefundable(services, payments, request.params.id, actor)
      if (isBuyers) requirePlain(asked)
      const about = { id: purchaseId, ...asked }
      const answer = await answerOnce(services, request, { operation: 'refund', about }, async (operation) => {
        const reason = isBuyers ? BUYER_ASKED : 'An operator asked for it'
        const wish = { purchaseId, reason, ...asked, ...(operation && { operation }), by: actor.id }
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

/** Organisers refund what their events sold; buyers their own, while the event offers it. */
async function findRefundable(services: BoxOfficeServices, payments: Payments, id: string, actor: Actor) {
  if (actor.role === 'organizer' || actor.role === 'admin') {
    return { ...(await findOwnPurchase(payments, id, actor)), isBuyers: false }
  }
  const purchase = await findPurchase(payments, id)
  if (!(await isOwn(services.ledger.db, actor.id, purchase.buyerId))) throw noPurchase()
  if (!(await offersRefunds(services, purchase))) {
    throw new SeatwiseError('FORBIDDEN', { message: NOT_OFFERED })
  }
  return { ...purchase, isBuyers: true }
}

/** Everything that is left of a purchase, for its buyer, while the event offers it. */
export async function refundAsBuyer(
  services: Pick<BoxOfficeServices, 'ledger' | 'now'>,
  payments: Payments,
  purchase: Purchase,
): Promise<void> {
  if (!(await offersRefunds(services, purchase))) throw new SeatwiseError('FORBIDDEN', { message: NOT_OFFERED })
  const { id: purchaseId, buyerId: by } = purchase
  await refundOrThrow(payments, { purchaseId, reason: BUYER_ASKED, by })
}

async function offersRefunds(
  { ledger, now }: Pick<BoxOfficeServices, 'ledger' | 'now'>,
  { eventId }: Purchase,
): Promise<boolean> {
  const event = await ledger.db
    .selectFrom('events')
    .select('refunds_until')
    .where('id', '=', eventId)
    .executeTakeFirst()
  return event?.refunds_until != null && event.refunds_until.getTime() > now()
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
