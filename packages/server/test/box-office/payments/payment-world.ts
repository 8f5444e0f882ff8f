import { randomBytes, randomUUID } from 'node:crypto'
import { readEventDraft, SeatwiseError } from '@seatwise/domain'
import { cancelReservation, claimSeats, createEvent, expireReservations, type Ledger } from '@seatwise/ledger'
import { pino } from 'pino'
import { buy } from '../../../src/box-office/payments/buy.ts'
import { concludeFromProvider } from '../../../src/box-office/payments/conclude-from-provider.ts'
import { createPaymentDesk } from '../../../src/box-office/payments/payment-desk.ts'
import type { Payments } from '../../../src/box-office/payments/payments.ts'
import type { MethodProvider, PaymentProvider } from '../../../src/box-office/payments/provider.ts'
import { refundPurchase } from '../../../src/box-office/payments/refund-purchase.ts'
import { createSandbox } from '../../../src/box-office/payments/sandbox/sandbox-provider.ts'
import { createSandboxSignature } from '../../../src/box-office/payments/sandbox/sandbox-signature.ts'
import { concludeUndecided } from '../../../src/box-office/payments/watch-payments.ts'
import { createPasswordHasher } from '../../../src/identity/accounts/password-hash.ts'
import { openIdentity } from '../../../src/identity/identity.ts'
import { CHEAP } from '../../support/accounts.ts'
import { endHolds, letTimePass, query } from '../../support/payment-time.ts'
import { type Book, type Counter, sandboxCounter } from './counters.ts'

const PRICE = 9_000
/** The same for all worlds of a ledger, which share its keys. */
const SECRETS = [randomBytes(32)]
const PASSWORDS = createPasswordHasher(CHEAP)

/** How a call to the provider goes wrong: it does not arrive, or its answer is lost. */
export type Trouble = 'none' | 'before' | 'after'

/** A buyer in the test world, with what they have. */
interface Person {
  readonly id: string
  readonly ticketNumber: number
  reservationId: string | null
}

let lastTicket = 0

/** Paying with nothing around it: a ledger, a provider and a few people. Nothing happens by itself. */
export class PaymentWorld {
  readonly ledger: Ledger
  readonly payments: Payments
  readonly #counter: Counter
  readonly people: Person[]
  readonly eventId: string
  readonly #roomId: string
  readonly #seatIds: string[]
  /** What happens to the next calls to the provider, in this order; then all goes well. */
  trouble: Trouble[] = []

  static async open(
    ledger: Ledger,
    seats: number,
    people: number,
    { openDesk = createPaymentDesk, counter }: { openDesk?: typeof createPaymentDesk; counter?: Counter } = {},
  ): Promise<PaymentWorld> {
    const { keys } = await openIdentity({ ledger, secrets: SECRETS, now: Date.now, passwords: PASSWORDS })
    const signature = createSandboxSignature(SECRETS, Date.now)
    const sandbox = createSandbox({ ledger, site: '', signature })
    const draft = readEventDraft({
      name: 'A small house',
      salesStartAt: '2020-01-01T00:00:00Z',
      salesEndAt: '2099-01-01T00:00:00Z',
      seatTypes: [{ name: 'Stalls', price: PRICE, currency: 'EUR', rows: [{ label: 'A', seats }] }],
    })
    const event = await createEvent(ledger.db, { draft, organizerId: null, newId: randomUUID })
    const rows = await ledger.db.selectFrom('seats').select('id').where('event_id', '=', event.id).execute()
    const desk = openDesk({ ledger, keys })
    const base = { ledger, keys, desk, log: pino({ level: 'silent' }), count: () => {}, follow: async () => {} }
    return new PaymentWorld(base, counter ?? sandboxCounter(sandbox, ledger), {
      event,
      seatIds: rows.map(({ id }) => id),
      people,
    })
  }

  constructor(
    base: Omit<Payments, 'provider'>,
    counter: Counter,
    house: { event: { id: string; roomId: string }; seatIds: string[]; people: number },
  ) {
    this.ledger = base.ledger
    this.#counter = counter
    this.payments = { ...base, provider: this.#troubled(counter.provider) }
    this.eventId = house.event.id
    this.#roomId = house.event.roomId
    this.#seatIds = house.seatIds
    this.people = Array.from({ length: house.people }, () => {
      lastTicket += 1
      return { id: randomUUID(), ticketNumber: lastTicket, reservationId: null }
    })
  }

  get sandbox(): MethodProvider {
    const { provider } = this.#counter
    if (provider.kind !== 'methods') throw new Error(`${provider.name} is not the sandbox`)
    return provider
  }

  person(index: number): Person {
    const person = this.people[index % this.people.length]
    if (person === undefined) throw new RangeError('The world is empty')
    return person
  }

  async reserve(who: number, seats: readonly number[]): Promise<void> {
    const { id, ticketNumber } = this.person(who)
    const reservationId = randomUUID()
    const seatIds = [...new Set(seats.map((index) => this.#seatIds[index % this.#seatIds.length] ?? ''))]
    const outcome = await claimSeats(this.ledger, this.eventId, [
      {
        operation: { actorId: id, key: randomUUID(), fingerprint: 'reserve' },
        ...{ reservationId, buyerId: id, roomId: this.#roomId, ticketNumber, fence: 1 },
        ...{ wish: { seatIds }, holdSeconds: 300, seatsPerBuyerMax: 100 },
      },
    ])
    if (outcome?.replies[0]?.status === 'held') this.person(who).reservationId = reservationId
  }

  /** Where the provider has a page of its own, `method` says what the buyer does there. A refusal is allowed. */
  async pay(who: number, method: string, key: string = randomUUID()): Promise<number> {
    const { id, reservationId } = this.person(who)
    if (reservationId === null) return 0
    const operation = { actorId: id, key, fingerprint: method }
    const paymentMethod = this.payments.provider.kind === 'page' ? undefined : method
    try {
      const answer = await buy(this.payments, { operation, buyerId: id, reservationId, paymentMethod })
      const body = answer.body as { id: string; action?: object }
      if (body.action !== undefined) this.#counter.visit(body.id, method)
      return answer.statusCode
    } catch (error) {
      if (error instanceof SeatwiseError) return error.status
      throw error
    }
  }

  async expireHolds(who?: number): Promise<void> {
    const reservationId = who === undefined ? null : this.person(who).reservationId
    await endHolds(this.ledger.db, this.eventId, reservationId)
    await expireReservations(this.ledger, this.eventId)
  }

  async cancel(who: number): Promise<void> {
    const { id: buyerId, reservationId } = this.person(who)
    if (reservationId !== null) await cancelReservation(this.ledger, { reservationId, buyerId })
  }

  /** Buyers at their bank say yes or no. */
  decide(isApproved: boolean): Promise<void> {
    return this.#counter.decide(isApproved)
  }

  /** A webhook about every payment, true or not: all of them make us ask. */
  async hear(): Promise<void> {
    for (const { id } of await this.purchases()) await this.#patiently(() => concludeFromProvider(this.payments, id))
  }

  async refund(who: number): Promise<void> {
    for (const { id, buyerId } of await this.purchases()) {
      if (buyerId === this.person(who).id) await refundPurchase(this.payments, { purchaseId: id, reason: 'a test' })
    }
  }

  async wait(seconds: number): Promise<void> {
    this.#counter.conclude()
    await letTimePass(this.ledger.db, seconds)
  }

  watch(): Promise<void> {
    return concludeUndecided(this.payments)
  }

  /** From now on all goes well; long enough for everything to be decided. */
  async calmDown(): Promise<void> {
    this.trouble = []
    await this.expireHolds()
    for (let round = 0; round < 4; round += 1) {
      if (round === 2) this.#counter.closePages()
      await this.wait(100)
      await this.watch()
    }
  }

  async purchases() {
    return await this.ledger.db
      .selectFrom('purchases')
      .innerJoin('reservations', 'reservations.id', 'purchases.reservation_id')
      .select(['purchases.id', 'purchases.status', 'purchases.amount', 'purchases.captured', 'purchases.refunded'])
      .select(['reservations.buyer_id as buyerId', 'reservations.status as reservationStatus', 'reservation_id'])
      .where('reservations.event_id', '=', this.eventId)
      .execute()
  }

  /** Every purchase of the world beside the sandbox's independent records. */
  async account(): Promise<string[]> {
    const books = new Map<string, Book>((await this.#counter.books()).map((book) => [book.purchaseId, book]))
    const wrong: string[] = []
    for (const purchase of await this.purchases()) {
      const { captured = 0, refunded = 0 } = books.get(purchase.id) ?? {}
      const kept = captured - refunded
      const told = `${purchase.status} ${purchase.captured}/${purchase.refunded}, books ${captured}/${refunded}`
      const isRight =
        purchase.status === 'PAID'
          ? kept === purchase.amount && purchase.reservationStatus === 'PAID'
          : kept === 0 && (purchase.status === 'DECLINED' || purchase.status === 'REFUNDED')
      if (!isRight || purchase.captured !== captured || purchase.refunded !== refunded) wrong.push(told)
    }
    return [...wrong, ...(await this.#wrongSeats())]
  }

  /** What is sold must be what was paid for, seat by seat. */
  async #wrongSeats(): Promise<string[]> {
    const { db } = this.ledger
    const seats = await query<{ id: string }>(
      db,
      `select seats.id from seats
         full join (select seat_id from reservation_items
                      join reservations on reservations.id = reservation_id
                     where event_id = $1 and status = 'PAID') as paid on paid.seat_id = seats.id
        where coalesce(event_id, $1) = $1 and (seats.status is distinct from 'sold') <> (paid.seat_id is null)`,
      [this.eventId],
    )
    const unpaid = await query<{ id: string }>(
      db,
      `select id from reservations where event_id = $1 and status = 'PAID'
          and (select count(*) from purchases where reservation_id = reservations.id and status = 'PAID') <> 1`,
      [this.eventId],
    )
    return [...seats.map(({ id }) => `seat ${id}`), ...unpaid.map(({ id }) => `reservation ${id}`)]
  }

  /** The sender retries a webhook that fails here. */
  async #patiently(work: () => Promise<unknown>): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (!(error instanceof Error && error.message === TROUBLE)) throw error
    }
  }

  #troubled(provider: PaymentProvider): PaymentProvider {
    const troubled =
      <Arguments extends unknown[], Result>(call: (...args: Arguments) => Promise<Result>) =>
      async (...args: Arguments): Promise<Result> => {
        const trouble = this.trouble.shift() ?? 'none'
        if (trouble === 'before') throw new Error(TROUBLE)
        const result = await call(...args)
        if (trouble === 'after') throw new Error(TROUBLE)
        return result
      }
    const { status, cancel, refund } = provider
    const shared = { status: troubled(status), cancel: troubled(cancel), refund: troubled(refund) }
    if (provider.kind === 'page') return { ...provider, ...shared, prepare: troubled(provider.prepare) }
    return { ...provider, ...shared, prepare: troubled(provider.prepare), pay: troubled(provider.pay) }
  }
}

const TROUBLE = 'the provider does not answer'
