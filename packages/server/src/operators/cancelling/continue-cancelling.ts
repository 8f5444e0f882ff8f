import { faults } from '@seatwise/domain'
import {
  endLease,
  finishCancellation,
  type LeasedCancellation,
  leaseCancellation,
  noteCancelledOrder,
  noteToldBuyers,
  reconcileEvent,
  takeCancelledOrders,
} from '@seatwise/ledger'
import { type BoxOfficeServices, concludeFromProvider, type Payments, refundPurchase } from '../../box-office/index.ts'
import type { App } from '../../http/index.ts'
import { Rounds } from '../../kit/index.ts'
import { ASKED_BY_COMMAND_MAX, compareProvider } from '../reconcile/compare-provider.ts'
import { tellLine } from './cancel-event.ts'

const ROUND_MS = 1_000
/**
 * Refunds of one round, and so of one second: a refund takes three calls, and Stripe takes 100 a second, 25 in test mode.
 * Payments of other events need some of those.
 */
const ORDERS_PER_ROUND = 20
const REFUNDS_AT_ONCE = 4
/** A server that dies is replaced after it. Two at once, because a round took longer, do no harm: each refund has its key. */
const LEASE_SECONDS = 5

/** While the server listens, it continues events that are being cancelled, one server for each. */
export function watchCancelling(app: App, services: BoxOfficeServices, payments: Payments): void {
  const work = () => continueCancelling(services, payments)
  const rounds = new Rounds(services.log, [{ name: 'cancelling an event', everyMs: ROUND_MS, work }])
  app.addHook('onListen', async () => rounds.start())
  app.addHook('onClose', () => rounds.close())
}

type CancelServices = Pick<BoxOfficeServices, 'ledger' | 'rooms' | 'log'>

/** One round of the event that has waited longest. */
export async function continueCancelling(services: CancelServices, payments: Payments): Promise<void> {
  const { db } = services.ledger
  const event = await leaseCancellation(db, LEASE_SECONDS)
  if (event === null) return
  const { eventId } = event
  if (!event.isLineTold) await tellLine(services, event)
  await refundSome(payments, event)
  const { isRefunded, isTold } = await noteToldBuyers(db, eventId)
  if (isRefunded && isTold) await finish(services, payments, event)
  await endLease(db, eventId)
}

async function refundSome(payments: Payments, { eventId }: LeasedCancellation): Promise<void> {
  const { db } = payments.ledger
  const taken = { eventId, max: ORDERS_PER_ROUND, leaseSeconds: LEASE_SECONDS }
  const orders = (await takeCancelledOrders(db, taken)).values()
  // Few at a time; each of these loops takes the next order from the same list.
  const refundNext = async (): Promise<void> => {
    for (const purchaseId of orders) await refundOrder(payments, purchaseId)
  }
  await Promise.all(Array.from({ length: REFUNDS_AT_ONCE }, refundNext))
}

async function refundOrder(payments: Payments, purchaseId: string): Promise<void> {
  const { ledger, log } = payments
  let problem: string | null = null
  try {
    const reason = 'The event was cancelled'
    const { status } = await refundPurchase(payments, { purchaseId, reason, evenIfUsed: true })
    // Captured money that is on its way is finished by the watch; the next attempt finds it done.
    if (status !== 'refunded') problem = `The refund is ${status}`
  } catch (err) {
    log.warn({ err, purchaseId }, 'an order of a cancelled event could not be refunded, retrying later')
    problem = 'The refund failed'
  }
  if (faults.on) await faults.reach('cancel.after-refund')
  await noteCancelledOrder(ledger.db, purchaseId, problem)
}

/** The books are compared before the work counts as done; what is found is for operators, as with every reconciliation. */
async function finish(services: CancelServices, payments: Payments, { eventId }: LeasedCancellation): Promise<void> {
  const { ledger, log } = services
  const conclude = (purchaseId: string) => concludeFromProvider(payments, purchaseId)
  const asking = { eventId, max: ASKED_BY_COMMAND_MAX, conclude }
  const compared = [
    await compareProvider(payments.provider, ledger.db, asking),
    await reconcileEvent(ledger, { eventId, dryRun: false }),
  ]
  const left = new Map(compared.flatMap((one) => one.left).map((drift) => [`${drift.kind} ${drift.subject}`, drift]))
  for (const drift of left.values()) log.error({ event: eventId, ...drift }, 'the books do not agree')
  if (faults.on) await faults.reach('cancel.before-done')
  await finishCancellation(ledger.db, eventId, left.size)
  log.info({ event: eventId, differences: left.size }, 'a cancelled event is refunded')
}
