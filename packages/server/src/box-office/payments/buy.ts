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
import { traced } from '../../kit/index.ts'
import { requireAnswers } from '../reservations/require-answers.ts'
import { concludeFromProvider } from './conclude-from-provider.ts'
import { concludePayment } from './conclude-payment.ts'
import { openPage } from './open-page.ts'
import { changeOf, PAY_SECONDS, type Payments } from './payments.ts'
import type { MethodProvider, PaymentState } from './provider.ts'
import { type TurnToBegin, tooLate } from './turn-to-begin.ts'
import { withdraw } from './withdraw-payment.ts'

export interface BuyWish {
  readonly operation: OperationKey
  readonly buyerId: string
  readonly reservationId: string
  /** Undefined where the price is zero, and where the provider asks for it on its own page. */
  readonly paymentMethod: string | undefined
  /** Of the buyer's page, for the provider's; null when it is not known. */
  readonly language?: string | null
  /** A buyer without an account, who has to say first where the e-tickets go. */
  readonly isGuest?: boolean
}

/**
 * Pays for a reservation: records that payment has started, asks the provider, records the result. Between these steps
 * nothing is locked and no connection is held, and any server that finds the payment unfinished can finish it.
 */
export const buy: typeof payFor = traced('purchases.create', payFor)

async function payFor(payments: Payments, wish: BuyWish): Promise<StoredAnswer> {
  const turn = payments.desk.arrive()
  const payable = await turn.within(payments.desk.readPayable(wish.reservationId))
  if (payable === null) throw noReservation()
  if (!(await isOwn(payments.ledger.db, wish.buyerId, payable.buyerId))) throw notYours()
  requireAddressee(wish, payable)
  requireMethod(payments, payable, wish.paymentMethod)
  if (payable.isAskedForMore) await requireAnswers(payments.ledger, wish.reservationId)
  const started = await start(payments, wish, payable, turn)
  switch (started.status) {
    case 'started':
      return await carryOut(payments, started, wish)
    case 'repeated':
      return started.answer ?? (await repeat(payments, started.purchase, wish))
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

/** An account that has just adopted the guest has an address. An address is never taken away, so this needs no lock. */
function requireAddressee({ isGuest, buyerId }: BuyWish, payable: Payable): void {
  if (isGuest === true && payable.lacksAddressee && payable.buyerId === buyerId) throw new SeatwiseError('EMAIL_NEEDED')
}

const noReservation = () => new SeatwiseError('NOT_FOUND', { message: 'There is no such reservation' })
const notYours = () => new SeatwiseError('FORBIDDEN', { message: 'This reservation is not yours' })

async function carryOut(
  payments: Payments,
  started: { purchase: Purchase; reservation: ReservationRow },
  wish: BuyWish,
): Promise<StoredAnswer> {
  const { purchase, reservation } = started
  // The line need not know before the provider does.
  const told = payments.follow({ kind: 'started', reservation, change: changeOf(started) })
  if (faults.on) await faults.reach('pay.after-start')
  const state = await pay(payments, purchase, wish)
  if (faults.on) await faults.reach('pay.after-provider')
  await told
  return state === null ? await withdraw(payments, purchase) : await concludePayment(payments, purchase, state)
}

function requireMethod({ provider }: Payments, { amount }: Payable, method: string | undefined): void {
  if (amount === 0) return
  const isRight = provider.kind === 'page' ? method === undefined : method !== undefined && provider.accepts(method)
  if (isRight) return
  const must =
    provider.kind === 'page'
      ? `must be left out: ${provider.name} asks for it on its own page`
      : `must be a payment method of ${provider.name}`
  throw new SeatwiseError('BAD_REQUEST', {
    message: `body/paymentMethod ${must}`,
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

/**
 * The first call under this key has no result yet: ask the provider once more, then answer what is known. Where the
 * order may not have arrived, it is sent again.
 */
async function repeat(payments: Payments, purchase: Purchase | null, wish: BuyWish): Promise<StoredAnswer> {
  if (purchase === null) throw new SeatwiseError('IN_PROGRESS', { retryAfterSeconds: 1 })
  const { provider } = payments
  const isUnsent = purchase.status === 'PROCESSING' && purchase.providerRef === null && purchase.amount > 0
  if (!isUnsent || provider.kind !== 'page' || purchase.provider !== provider.name) {
    return await concludeFromProvider(payments, purchase.id)
  }
  const state = await openPage(payments, provider, purchase, wish.language ?? null)
  // The first call may still run on another server, which then ends the payment.
  return await concludePayment(payments, purchase, state ?? { status: 'pending' })
}

/** Null when the provider has not accepted the payment, so that no money can move. */
async function pay(payments: Payments, purchase: Purchase, wish: BuyWish): Promise<PaymentState | null> {
  const { provider } = payments
  if (purchase.amount === 0) return { status: 'captured', amount: 0 }
  if (provider.kind === 'page') return await openPage(payments, provider, purchase, wish.language ?? null)
  return await payWith(payments, provider, purchase, wish.paymentMethod ?? '')
}

/**
 * The reference is recorded before the money moves: a payment without a reference was never paid, and null says that
 * there is none. If the provider does not answer later, the result is unknown and the watch asks again.
 */
async function payWith(
  { desk, log }: Payments,
  provider: MethodProvider,
  purchase: Purchase,
  method: string,
): Promise<PaymentState | null> {
  const { id: purchaseId, reservationId, amount, currency } = purchase
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
