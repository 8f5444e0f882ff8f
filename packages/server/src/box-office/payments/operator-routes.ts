import { SeatwiseError } from '@seatwise/domain'
import { listStuckPayments, type Purchase, readPurchase, recordAction } from '@seatwise/ledger'
import Type from 'typebox'
import { type App, actorOf, organizationsFor } from '../../http/index.ts'
import type { BoxOfficeServices } from '../box-office-services.ts'
import { readEventId } from '../events/event-id.ts'
import { concludeFromProvider } from './conclude-from-provider.ts'
import { concludePayment } from './conclude-payment.ts'
import { findPurchase } from './find-purchase.ts'
import type { Payments } from './payments.ts'
import { refundOrThrow } from './refund-routes.ts'
import { requireFreshRefund } from './require-fresh-refund.ts'
import { PurchasePath, ResolveBody, StuckAnswer } from './schemas.ts'

const tags = ['payments']
/** A payment pending for longer than this is shown to the operator, although the watch still asks about it. */
const PATIENCE_SECONDS = 600
const LISTED_MAX = 500

const Status = Type.Object({ id: Type.String(), status: Type.String() })

/** What managers can do about payments for their events. */
export function operatorRoutes(app: App, services: BoxOfficeServices, payments: Payments): void {
  const { ledger } = payments
  stuckRoutes(app, payments)
  app.post(
    '/api/purchases/:id/resolve',
    {
      config: { access: { act: 'refund', on: 'purchase' } },
      schema: {
        tags,
        summary: 'Decide about a payment that does not decide itself',
        params: PurchasePath,
        body: ResolveBody,
        response: { 200: Status },
      },
    },
    async (request) => {
      const purchase = await findPurchase(payments, request.params.id)
      if (request.body.action === 'refund') await requireFreshRefund(services, actorOf(request), purchase)
      await resolve(payments, purchase, request.body.action, actorOf(request).id)
      const { id, status } = (await readPurchase(ledger.db, purchase.id)) ?? purchase
      return { id, status }
    },
  )
}

/** Payments that wait for an operator's decision. */
function stuckRoutes(app: App, payments: Payments): void {
  app.get(
    '/api/events/:id/payments/stuck',
    {
      config: { access: { act: 'refund', on: 'event' } },
      schema: {
        tags,
        summary: 'Payments that do not decide themselves, the longest waiting first',
        params: PurchasePath,
        response: { 200: StuckAnswer },
      },
    },
    async (request, reply) => {
      const eventId = readEventId(request.params.id)
      reply.header('cache-control', 'no-store')
      return await listStuck(payments, { eventId, organizationIds: null })
    },
  )
  app.get(
    '/api/payments/stuck',
    {
      config: { access: { act: 'refund', on: 'some' } },
      schema: {
        tags,
        summary: 'The same of all events of your organizations; of all there are for admins',
        response: { 200: StuckAnswer },
      },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store')
      const organizationIds = organizationsFor(actorOf(request), 'refund')
      return await listStuck(payments, { eventId: null, organizationIds })
    },
  )
}

async function resolve(
  payments: Payments,
  purchase: Purchase,
  action: 'ask' | 'refund' | 'cancel',
  by: string,
): Promise<void> {
  const { id: subject, eventId } = purchase
  await recordAction(payments.ledger.db, {
    actorId: by,
    kind: 'purchase.resolved',
    eventId,
    subject,
    after: { action },
  })
  switch (action) {
    case 'ask':
      await concludeFromProvider(payments, purchase.id)
      return
    case 'refund':
      await refundOrThrow(payments, { purchaseId: purchase.id, reason: 'An operator asked for it', by })
      return
    case 'cancel':
      await cancel(payments, purchase)
      return
  }
}

/** Asks the provider to cancel; if the money was faster, the money counts. */
async function cancel(payments: Payments, purchase: Purchase): Promise<void> {
  const { provider } = payments
  const { status, providerRef } = purchase
  const isOpen = status === 'PROCESSING' || (status === 'STUCK' && purchase.captured === 0)
  if (!isOpen || purchase.provider !== provider.name) {
    throw new SeatwiseError('PAYMENT_DECIDED', { details: { status } })
  }
  const state =
    providerRef === null
      ? ({ status: 'declined', reason: 'An operator canceled it' } as const)
      : await provider.cancel(providerRef)
  await concludePayment(payments, purchase, state)
}

async function listStuck(
  { ledger }: Payments,
  of: { eventId: string | null; organizationIds: readonly string[] | null },
) {
  const purchases = await listStuckPayments(ledger.db, { ...of, patienceSeconds: PATIENCE_SECONDS, max: LISTED_MAX })
  return { items: purchases.map(describeStuck) }
}

function describeStuck({ actorId, operationKey, createdAt, updatedAt, ...purchase }: Purchase) {
  return { ...purchase, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() }
}
