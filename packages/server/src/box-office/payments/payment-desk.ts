import {
  type ConfirmOutcome,
  type ConfirmTogether,
  confirmPayment,
  confirmTogether,
  isAboutTheWork,
  issueEtickets,
  notePaymentRefs,
  type PaidPayment,
  type Payable,
  type PaymentRef,
  type Primary,
  readPayables,
  readRoom,
  type StartOutcome,
  type StartPayment,
  type StoredAnswer,
  startPayment,
  startTogether,
  type WithMap,
} from '@seatwise/ledger'
import { type Batcher, createBatcher } from '@seatwise/line'
import type { SigningKeys } from '../../identity/index.ts'
import { RecentMap } from '../../kit/index.ts'
import { paidAnswer, sentBackAnswer } from './answers.ts'
import { TurnToBegin } from './turn-to-begin.ts'

/** Payments in one transaction: each of them waits for the whole batch. */
const BATCH_MAX = 100
const QUEUED_MAX = 10_000
/** Longer than for a claim: a buyer who pays already has their seats. Shorter than a client's own timeout. */
const START_PATIENCE_MS = 5_000
/** As many as a server has rooms. */
const EVENTS_MAX = 2_000

type Decided<Outcome> = Outcome | WithMap<Outcome>

/**
 * Where payments wait for the lock on the seat map of their event. Payments that arrive together share one transaction,
 * and all payments of an event need two connections at most, however many buyers pay at the same time. Anything but a
 * plain payment is decided alone.
 */
export interface PaymentDesk {
  /** A buyer comes to pay: the patience timer starts here. */
  arrive(): TurnToBegin
  /** Rejects with 503 when the buyer's patience ends before the payment begins: then nothing was begun. */
  start(eventId: string, payment: StartPayment, turn: TurnToBegin): Promise<Decided<StartOutcome>>
  confirm(eventId: string, payment: ConfirmTogether): Promise<Decided<ConfirmOutcome>>
  /** What is known of a reservation before its payment starts; null when there is no such reservation. */
  readPayable(reservationId: string): Promise<Payable | null>
  /** Stores the provider's reference; false when the payment was decided meanwhile and must not be paid. */
  noteRef(ref: PaymentRef): Promise<boolean>
}

interface Parts {
  readonly ledger: Primary
  readonly keys: SigningKeys
  /** A monotonic clock in milliseconds; tests replace it. */
  readonly now?: () => number
  /** Shorter in tests. */
  readonly patienceMs?: number
}

export function createPaymentDesk(parts: Parts): PaymentDesk {
  const { ledger } = parts
  const answerOf = (paid: PaidPayment): StoredAnswer => paidAnswer(parts.keys, paid)
  const clock = parts.now === undefined ? {} : { now: parts.now }
  const { now = () => performance.now(), patienceMs = START_PATIENCE_MS } = parts
  const alone = async (payment: ConfirmTogether, eventId: string) => {
    const room = await readRoom(ledger.db, { eventId })
    return await confirmPayment(ledger, {
      ...payment,
      seatsPerBuyerMax: room?.settings.maxSeatsPerBuyer ?? Number.MAX_SAFE_INTEGER,
      alongside: async (transaction, outcome) => {
        switch (outcome.status) {
          case 'paid':
            return answerOf({ ...outcome, etickets: await issueEtickets(transaction, outcome.reservation) })
          case 'refund':
            return sentBackAnswer(outcome.purchase)
          case 'stuck':
          case 'repeated':
          case 'unknown':
            // A stuck payment has no answer yet: an operator's decision will be its answer.
            return null
        }
      },
    })
  }
  const start = queueFor<StartPayment, Decided<StartOutcome>>(
    {
      together: (eventId, payments) => startTogether(ledger, eventId, payments),
      alone: (payment) => startPayment(ledger, payment),
    },
    { patienceMs, ...clock },
  )
  // Payments that arrive together are read, and recorded, by one statement: a round trip for each of them was a fifth
  // of the server time of a visit.
  const shared = { maxItems: BATCH_MAX, maxQueued: QUEUED_MAX, isAboutItems: isAboutTheWork }
  const payables = createBatcher({ ...shared, run: (ids: readonly string[]) => readPayables(ledger, ids) })
  const refs = createBatcher({ ...shared, run: (noted: readonly PaymentRef[]) => notePaymentRefs(ledger, noted) })
  return {
    readPayable: (reservationId) => payables.send(reservationId),
    noteRef: (ref) => refs.send(ref),
    arrive: () => new TurnToBegin({ patienceMs, now }),
    start: (eventId, payment, turn) => turn.within(start(eventId, { ...payment, mayBegin: () => turn.begin() })),
    // Money has moved: a confirmation is never turned away, however long the queue.
    confirm: queueFor<ConfirmTogether, Decided<ConfirmOutcome>>(
      { together: (eventId, payments) => confirmTogether(ledger, eventId, payments, answerOf), alone },
      clock,
    ),
  }
}

interface Ways<Payment, Outcome> {
  /** Null for payments that must be decided alone. */
  readonly together: (eventId: string, payments: readonly Payment[]) => Promise<readonly (Outcome | null)[]>
  readonly alone: (payment: Payment, eventId: string) => Promise<Outcome>
}

type Reply<Outcome> = { readonly outcome: Outcome } | { readonly error: unknown }

function queueFor<Payment, Outcome>(
  ways: Ways<Payment, Outcome>,
  waiting: { readonly patienceMs?: number; readonly now?: () => number },
) {
  const queues = new RecentMap<string, Batcher<Payment, Reply<Outcome>>>(EVENTS_MAX)
  const open = (eventId: string): Batcher<Payment, Reply<Outcome>> =>
    createBatcher({
      name: 'purchases.decide',
      run: (payments) => decide(eventId, ways, payments),
      maxItems: BATCH_MAX,
      maxQueued: QUEUED_MAX,
      // More would only wait for one another's lock.
      maxInFlight: 1,
      ...waiting,
    })
  return async (eventId: string, payment: Payment): Promise<Outcome> => {
    const queue = queues.get(eventId) ?? open(eventId)
    queues.set(eventId, queue)
    const reply = await queue.send(payment)
    if ('error' in reply) throw reply.error
    return reply.outcome
  }
}

/** A payment that fails alone never fails the others in its batch. */
async function decide<Payment, Outcome>(
  eventId: string,
  { together, alone }: Ways<Payment, Outcome>,
  payments: readonly Payment[],
): Promise<Reply<Outcome>[]> {
  const decided = await together(eventId, payments)
  const replies: Reply<Outcome>[] = []
  for (const [index, payment] of payments.entries()) {
    const outcome = decided[index] ?? null
    replies.push(outcome === null ? await reply(alone(payment, eventId)) : { outcome })
  }
  return replies
}

async function reply<Outcome>(work: Promise<Outcome>): Promise<Reply<Outcome>> {
  try {
    return { outcome: await work }
  } catch (error) {
    return { error }
  }
}
