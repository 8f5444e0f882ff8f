import { randomUUID } from 'node:crypto'
import { confirmPayment, type Eticket, issueEtickets, type Ledger, startPayment, startRefund } from '@seatwise/ledger'
import { claimOf, claimOne, openStanding, type Sale } from '../reservations/sale-kit.ts'
import { finishRefundsOf } from '../support/finish-refunds.ts'

export interface Paid {
  readonly sale: Sale
  readonly reservationId: string
  readonly purchaseId: string
  readonly buyerId: string
  readonly etickets: readonly Eticket[]
}

/** A reservation that was paid for, with its e-tickets. */
export async function buySeats(ledger: Ledger, quantity: number, buyerId: string = randomUUID()): Promise<Paid> {
  const sale = await openStanding(ledger, quantity)
  const claim = claimOf(sale, quantity, { buyerId })
  const reply = await claimOne(sale, claim)
  if (reply.status !== 'held') throw new Error(`Not held: ${reply.status}`)
  const { reservationId } = claim
  const purchaseId = randomUUID()
  const operation = { actorId: buyerId, key: randomUUID(), fingerprint: '' }
  const payment = { purchaseId, reservationId, buyerId, provider: 'sandbox', operation }
  await startPayment(ledger, { ...payment, paySeconds: 60, holdSecondsMax: 600 })
  let etickets: readonly Eticket[] = []
  await confirmPayment(ledger, {
    ...{ purchaseId, captured: 4500 * quantity, providerRef: purchaseId, seatsPerBuyerMax: 6 },
    alongside: async (transaction, outcome) => {
      if (outcome.status === 'paid') etickets = await issueEtickets(transaction, outcome.reservation)
      return null
    },
  })
  return { sale, reservationId, purchaseId, buyerId, etickets }
}

export async function refundSeats(ledger: Ledger, { purchaseId }: Paid): Promise<void> {
  await startRefund(ledger, { purchaseId, reason: 'asked for' })
  await finishRefundsOf(ledger, purchaseId)
}
