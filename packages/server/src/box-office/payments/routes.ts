import { SeatwiseError } from '@seatwise/domain'
import { readEticketsOf, readPurchase, readRefundsOf, readReservation, type StoredAnswer } from '@seatwise/ledger'
import type { FastifyReply } from 'fastify'
import { type Actor, type App, actorOf, isAdmin, requireSale } from '../../http/index.ts'
import { isUuid } from '../../kit/index.ts'
import type { BoxOfficeServices } from '../box-office-services.ts'
import { fingerprintOf, requireKey } from '../operations/idempotency-key.ts'
import { requireSaleOf } from '../reservations/require-sale-of.ts'
import { describePurchase } from './answers.ts'
import { buy } from './buy.ts'
import { operatorRoutes } from './operator-routes.ts'
import type { Payments } from './payments.ts'
import { receiptRoutes } from './receipt-routes.ts'
import { refundRoutes } from './refund-routes.ts'
import { ProcessingAnswer, PurchaseAnswer, PurchaseBody, PurchasePath } from './schemas.ts'
import { watchPayments } from './watch-payments.ts'
import { webhookRoutes } from './webhook-routes.ts'

const tags = ['buying']

/** Paying for a reservation, reading a purchase, refunding it, and the providers' webhooks. */
export function paymentRoutes(app: App, services: BoxOfficeServices, payments: Payments): void {
  app.post(
    '/api/purchases',
    {
      config: { access: 'signed-in', sale: 'checked' },
      schema: {
        tags,
        summary: 'Pay for a reservation',
        description:
          'Needs an Idempotency-Key. 402 leaves the hold until its deadline, so that another card can be tried.',
        body: PurchaseBody,
        response: { 201: PurchaseAnswer, 202: ProcessingAnswer },
      },
    },
    async (request, reply) => {
      const { id: actorId, role } = actorOf(request)
      const { reservationId, paymentMethod } = request.body
      await requireSaleOf(services, actorOf(request), reservationId.toLowerCase())
      const key = requireKey(request)
      const operation = { actorId, key, fingerprint: fingerprintOf('purchase', request.body) }
      const what = { reservationId: reservationId.toLowerCase(), paymentMethod }
      const wish = { operation, buyerId: actorId, ...what, isGuest: role === 'guest' }
      return sendAnswer(reply, await services.underWay.run(actorId, key, () => buy(payments, wish)))
    },
  )
  app.get(
    '/api/purchases/:id',
    {
      config: { access: 'signed-in', sale: 'checked' },
      schema: { tags, summary: 'A purchase of yours', params: PurchasePath, response: { 200: PurchaseAnswer } },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store')
      return await showPurchase(payments, request.params.id, actorOf(request))
    },
  )
  receiptRoutes(app, payments)
  refundRoutes(app, services, payments)
  operatorRoutes(app, services, payments)
  webhookRoutes(app, payments)
  watchPayments(app, services, payments)
}

async function showPurchase({ ledger, keys }: Payments, id: string, actor: Actor) {
  const purchase = isUuid(id) ? await readPurchase(ledger.db, id) : null
  const reservation = purchase === null ? null : await readReservation(ledger.db, purchase.reservationId)
  // Another buyer's purchase is answered as not found.
  const isTheirs = purchase?.buyerId === actor.id || isAdmin(actor)
  if (purchase === null || reservation === null || !isTheirs) {
    throw new SeatwiseError('NOT_FOUND', { message: 'There is no such purchase' })
  }
  requireSale(actor, reservation.eventId)
  const etickets = await readEticketsOf(ledger.db, [purchase.reservationId])
  const refunds = await readRefundsOf(ledger.db, purchase.id)
  return describePurchase(keys, { purchase, reservation, etickets, refunds })
}

function sendAnswer(reply: FastifyReply, { statusCode, body }: StoredAnswer): FastifyReply {
  return reply.code(statusCode).header('cache-control', 'no-store').send(body)
}
