import { randomUUID } from 'node:crypto'
import { faults, SeatwiseError } from '@seatwise/domain'
import {
  isOwn,
  type OperationKey,
  type Payable,
  type Purchase,
  type ReservationRow,
  type StartOutcome,
  type StoredAnswer,
} from '@seatwise/ledger'
import { concludeFromProvider } from './conclude-from-provider.ts'
import { concludePayment } from './conclude-payment.ts'
import { changeOf, PAY_SECONDS, type Payments } from './payments.ts'
import type { PaymentState } from './provider.ts'
import { type TurnToBegin, tooLate } from './turn-to-begin.ts'
import { withdraw } from './withdraw-payment.ts'

export interface BuyWish {
  readonly operation: OperationKey
  readonly buyerId: string
  readonly reservationId: string
  /** Undefined is allowed when the price is zero. */
  readonly paymentMethod: string | undefined
}

/**
 * Pays for a reservation: records that payment has started, asks the provider, records the result. Between these steps
 * nothing is locked and no connection is held, and any server that finds the payment unfinished can finish it.
 */
export async function buy(payments: Payments, wish: BuyWish): Promise<StoredAnswer> {
  const turn = payments.desk.arrive()
  const payable = await turn.within(payments.desk.readPayable(wish.reservationId))
  if (payable === null) throw noReservation()
  if (!(await isOwn(payments.ledger.db, wish.buyerId, payable.buyerId))) throw notYours()
  requireMethod(payments, payable, wish.paymentMethod)
  const started = await start(payments, wish, payable, turn)
  switch (started.status) {
    case 'started':
      return await carryOut(payments, started, wish.paymentMethod)
    case 'repeated':
      return started.answer ?? (await repeat(payments, started.purchase))
    case 'key_reused':
      throw new SeatwiseError('KEY_REUSED')
    case 'given_up':
      throw tooLate()
    case 'unknown':
      throw noReservation()
    case 'not_yours':
      throw notYours()
    case 'expired':
      throw new SeatwiseError('RESERVATION_EXPIRED')
    case 'ended':
      throw new SeatwiseError('RESERVATION_ENDED', { details: { status: started.reservation.status } })
    case 'paying':
      throw new SeatwiseError('PAYMENT_UNDER_WAY', { details: { purchaseId: started.purchase.id } })
    case 'paid':
      throw new SeatwiseError('ALREADY_PAID', { details: { purchaseId: started.purchase.id } })
  }
}

const noReservation = () => new SeatwiseError('NOT_FOUND', { message: 'There is no such reservation' })
const notYours = () => new SeatwiseError('FORBIDDEN', { message: 'This reservation is not yours' })

async function carryOut(
  payments: Payments,
  started: { purchase: Purchase; reservation: ReservationRow },
  method: string | undefined,
): Promise<StoredAnswer> {
  const { purchase, reservation } = started
  // The line need not know before the provider does.
  const told = payments.follow({ kind: 'started', reservation, change: changeOf(started) })
  if (faults.on) await faults.reach('pay.after-start')
  const state = await pay(payments, purchase, method)
  if (faults.on) await faults.reach('pay.after-provider')
  await told
  return state === null ? await withdraw(payments, purchase) : await concludePayment(payments, purchase, state)
}

function requireMethod({ provider }: Payments, { amount }: Payable, method: string | undefined): void {
  if (amount === 0 || (method !== undefined && provider.accepts(method))) return
  throw new SeatwiseError('BAD_REQUEST', {
    message: `body/paymentMethod must be a payment method of ${provider.name}`,
    details: { field: 'body/paymentMethod' },
  })
}

async function start(
  { provider, desk }: Payments,
  wish: BuyWish,
  { eventId, reservationSeconds }: Payable,
  turn: TurnToBegin,
): Promise<StartOutcome> {
  const { operation, buyerId, reservationId } = wish
  const holdSecondsMax = (reservationSeconds ?? 0) + PAY_SECONDS
  const purchaseId = randomUUID()
  const hold = { paySeconds: PAY_SECONDS, holdSecondsMax }
  return await desk.start(
    eventId,
    {
      ...{ purchaseId, reservationId, buyerId, operation, provider: provider.name },
      ...hold,
    },
    turn,
  )
}

/** The first call under this key has no result yet: ask the provider once more, then answer what is known. */
async function repeat(payments: Payments, purchase: Purchase | null): Promise<StoredAnswer> {
  if (purchase === null) throw new SeatwiseError('IN_PROGRESS', { retryAfterSeconds: 1 })
  return await concludeFromProvider(payments, purchase.id)
}

/**
 * The reference is recorded before the money moves: a payment without a reference was never paid, and null says that
 * there is none. If the provider does not answer later, the result is unknown and the watch asks again.
 */
async function pay({ desk, provider, log }: Payments, purchase: Purchase, method = ''): Promise<PaymentState | null> {
  const { id: purchaseId, reservationId, amount, currency } = purchase
  if (amount === 0) return { status: 'captured', amount: 0 }
  let providerRef: string
  try {
    const description = `Reservation ${reservationId}`
    providerRef = await provider.prepare({ purchaseId, reservationId, amount, currency, description })
  } catch (err) {
    log.warn({ err, purchaseId }, 'the payment provider did not accept a payment')
    return null
  }
  if (faults.on) await faults.reach('pay.after-prepare')
  if (!(await desk.noteRef({ purchaseId, providerRef }))) return { status: 'pending' }
  try {
    return await provider.pay(providerRef, method)
  } catch (err) {
    log.warn({ err, purchaseId }, 'the payment provider did not answer, retrying later')
    return { status: 'pending' }
  }
}
