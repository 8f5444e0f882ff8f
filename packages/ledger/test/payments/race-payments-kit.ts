import { setTimeout as after } from 'node:timers/promises'
import { expireReservations, type Ledger, type Purchase, readPurchase } from '@seatwise/ledger'
import { expect } from 'vitest'
import {
  begin,
  capture,
  claimOf,
  claimOne,
  countsInOrder,
  hold,
  moveDeadline,
  openStanding,
  type Sale,
  statusOf,
} from '../reservations/sale-kit.ts'
import { finishRefundsOf } from '../support/finish-refunds.ts'

export interface Tally {
  /** Sold while the hold was there, sold again after it was gone, and sent back. */
  inTime: number
  late: number
  refunded: number
}

const HALF_MS = 50
/** By how much each payment that came too late, or in time, moves the next deadline. */
const AIM_STEP_MS = 5

/** How long a capture takes here to reach the ledger. It is found out on the way: a busy machine must not decide the race. */
interface Aim {
  lagMs: number
}

/**
 * A payment captured within 50 ms before or after the hold's deadline, while servers sweep and another buyer
 * wants the seat. Whatever happens, the capture ends as one purchase or as one full refund.
 */
async function payAtTheDeadline(ledger: Ledger, random: () => number, tally: Tally, aim: Aim): Promise<void> {
  const sale = await openStanding(ledger, 1)
  const purchase = await begin(sale, await hold(sale, 1))
  await moveDeadline(sale, purchase.reservationId, HALF_MS + aim.lagMs)
  // The moment of the capture is what is drawn here; the timer does not wait for an event.
  const [outcome] = await Promise.all([
    after(random() * 2 * HALF_MS).then(() => capture(sale, purchase)),
    sweepUntilOver(sale, purchase),
    sweepUntilOver(sale, purchase),
    after(random() * 2 * HALF_MS).then(() => claimOne(sale, claimOf(sale, 1))),
  ])
  if (outcome.status === 'refund') await finishRefundsOf(ledger, purchase.id)
  await expectSettled(sale, purchase)
  const wasExpired = await hasExpired(sale, purchase)
  aim.lagMs = Math.max(0, aim.lagMs + (wasExpired ? AIM_STEP_MS : -AIM_STEP_MS))
  if (outcome.status === 'refund') tally.refunded += 1
  else if (wasExpired) tally.late += 1
  else tally.inTime += 1
}

/** As the servers' sweepers do, again and again. */
async function sweepUntilOver(sale: Sale, purchase: Purchase): Promise<void> {
  do {
    await expireReservations(sale.ledger, sale.event.id)
    await after(5)
  } while ((await statusOf(sale, purchase.reservationId)) === 'PENDING_PAYMENT')
}

async function expectSettled(sale: Sale, { id, reservationId }: Purchase): Promise<void> {
  const purchase = await readPurchase(sale.ledger.db, id)
  const reservation = await statusOf(sale, reservationId)
  const isBooked = purchase?.status === 'PAID' && reservation === 'PAID' && purchase.refunded === 0
  const isRefunded = purchase?.status === 'REFUNDED' && reservation === 'EXPIRED' && purchase.refunded === 4_500
  expect({ isBooked, isRefunded, captured: purchase?.captured }).toMatchObject({
    isBooked: !isRefunded,
    isRefunded: !isBooked,
    captured: 4_500,
  })
  expect((await countsInOrder(sale)).sold).toBe(isBooked ? 1 : 0)
}

async function hasExpired(sale: Sale, { reservationId }: Purchase): Promise<boolean> {
  const row = await sale.ledger.db
    .selectFrom('outbox')
    .select('id')
    .where('aggregateid', '=', reservationId)
    .where('type', '=', 'reservation.expired')
    .executeTakeFirst()
  return row !== undefined
}

/** So many payments, so many of them at the same time. */
export async function payManyAtTheDeadline(
  ledger: Ledger,
  { times, lanes, random }: { times: number; lanes: number; random: () => number },
): Promise<Tally> {
  const tally = { inTime: 0, late: 0, refunded: 0 }
  const aim = { lagMs: 0 }
  let left = times
  const lane = async (): Promise<void> => {
    while (left > 0) {
      left -= 1
      await payAtTheDeadline(ledger, random, tally, aim)
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  expect(tally.inTime + tally.late + tally.refunded).toBe(times)
  return tally
}
