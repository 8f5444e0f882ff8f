import { randomUUID } from 'node:crypto'
import {
  type ConfirmOutcome,
  type ConfirmTogether,
  cancelReservation,
  confirmPayment,
  confirmTogether,
  declinePayment,
  issueEtickets,
  type Ledger,
  markPaymentStuck,
  type PaidPayment,
  type Purchase,
  type StartOutcome,
  type StartPayment,
  type StoredAnswer,
  startPayment,
  startTogether,
} from '@seatwise/ledger'
import { forEachLedger } from '@seatwise/testbench'
import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { adopt, makeAccount } from '../reservations/adoption/adoption-kit.ts'
import { countsInOrder, hold, openStalls, type Sale, seatId, seatRows } from '../reservations/sale-kit.ts'
import { Names } from '../support/names.ts'

const RUNS = 40
const PATIENTLY = { timeout: 240_000 }
const RESERVATIONS = 4
/** Wishes name this one as well, which does not exist. */
const UNKNOWN = RESERVATIONS
const PRICE = 9_000

interface Start {
  readonly reservation: number
  readonly isStranger: boolean
  readonly key: number
  readonly wish: 'pay' | 'something else'
  readonly mayBegin: boolean
}

interface Money {
  readonly purchase: number
  readonly tooMuch: number
  readonly hasRef: boolean
}

const start = fc.record<Start>({
  reservation: fc.integer({ min: 0, max: UNKNOWN }),
  isStranger: fc.boolean(),
  key: fc.integer({ min: 0, max: 4 }),
  wish: fc.constantFrom('pay', 'pay', 'pay', 'something else'),
  mayBegin: fc.constantFrom(true, true, true, false),
})
const money = fc.record<Money>({
  purchase: fc.nat({ max: 5 }),
  tooMuch: fc.constantFrom(0, 0, 0, 1),
  hasRef: fc.boolean(),
})
const step = fc.oneof(
  fc.record({ starts: fc.array(start, { minLength: 1, maxLength: 3 }) }),
  fc.record({ captures: fc.array(money, { minLength: 1, maxLength: 3 }) }),
  fc.record({ event: fc.constantFrom('declined', 'stuck', 'canceled', 'adopted'), of: fc.nat({ max: 3 }) }),
)
/** How long each reservation is held: some are over at once. */
const holds = fc.array(fc.constantFrom(300, 300, 0), { minLength: RESERVATIONS, maxLength: RESERVATIONS })

forEachLedger('payments together or alone', (open) => {
  let ledger: Ledger
  beforeAll(async () => {
    ledger = await open()
  })

  it('[B3] [B28] payments that share a transaction end as they would one after the other', PATIENTLY, async () => {
    await fc.assert(
      fc.asyncProperty(holds, fc.array(step, { minLength: 1, maxLength: 6 }), async (times, steps) => {
        const [one, other] = [await World.open(ledger, times), await World.open(ledger, times)]
        for (const what of steps) {
          if ('starts' in what) {
            const { outcomes, order } = await one.startTogether(what.starts)
            expect(outcomes).toEqual(await other.startAlone(what.starts, order))
          } else if ('captures' in what) {
            const { outcomes, order } = await one.confirmTogether(what.captures)
            expect(outcomes).toEqual(await other.confirmAlone(what.captures, order))
          } else expect(await one.meet(what.event, what.of)).toEqual(await other.meet(what.event, what.of))
        }
        expect(await one.end()).toEqual(await other.end())
      }),
      { numRuns: RUNS },
    )
  })
})

class World {
  readonly #sale: Sale
  readonly #names = new Names()
  readonly #buyers: readonly string[]
  readonly #reservations: string[] = []
  readonly #asked: string[] = []
  readonly #purchases: Purchase[] = []

  private constructor(sale: Sale) {
    this.#sale = sale
    this.#buyers = Array.from({ length: RESERVATIONS + 1 }, () => randomUUID())
    const { event, seats } = sale
    this.#names
      .add('buyer', this.#buyers)
      .add('event', [event.id])
      .add('room', [event.roomId])
      .add(
        'seat',
        seats.map(({ id }) => id),
      )
      .add(
        'type',
        event.seatTypes.map(({ id }) => id),
      )
  }

  static async open(ledger: Ledger, times: readonly number[]): Promise<World> {
    const sale = await openStalls(ledger, 1, RESERVATIONS + 1)
    const world = new World(sale)
    for (const [index, holdSeconds] of times.entries()) {
      const ticket = { buyerId: world.#buyers[index] ?? '', ticketNumber: 960_000 + index, holdSeconds }
      world.#reservations.push(await hold(sale, { seatIds: [seatId(sale, index)] }, ticket))
    }
    world.#reservations.push(randomUUID())
    world.#names.add('reservation', world.#reservations)
    return world
  }

  /** As the payment desk does it; the order in which they were decided. */
  async startTogether(starts: readonly Start[]): Promise<{ outcomes: unknown[]; order: number[] }> {
    const payments = starts.map((one) => this.#paymentOf(one))
    const decided = await startTogether(this.#sale.ledger, this.#sale.event.id, payments)
    const order = inOrder(decided)
    const outcomes: StartOutcome[] = []
    for (const index of order) outcomes[index] = decided[index] ?? (await this.#start(payments, index))
    return { outcomes: this.#keep(outcomes), order }
  }

  async startAlone(starts: readonly Start[], order: readonly number[]): Promise<unknown[]> {
    const payments = starts.map((one) => this.#paymentOf(one))
    const outcomes: StartOutcome[] = []
    for (const index of order) outcomes[index] = await this.#start(payments, index)
    return this.#keep(outcomes)
  }

  async confirmTogether(captures: readonly Money[]): Promise<{ outcomes: unknown[]; order: number[] }> {
    const payments = this.#moneyOf(captures)
    const decided = await confirmTogether(this.#sale.ledger, this.#sale.event.id, payments, answerOf)
    const order = inOrder(decided)
    const outcomes: ConfirmOutcome[] = []
    for (const index of order) outcomes[index] = decided[index] ?? (await this.#confirm(payments, index))
    return { outcomes: this.#shown(outcomes), order }
  }

  async confirmAlone(captures: readonly Money[], order: readonly number[]): Promise<unknown[]> {
    const payments = this.#moneyOf(captures)
    const outcomes: ConfirmOutcome[] = []
    for (const index of order) outcomes[index] = await this.#confirm(payments, index)
    return this.#shown(outcomes)
  }

  /** Something else happens to a payment or a reservation. */
  async meet(event: 'declined' | 'stuck' | 'canceled' | 'adopted', of: number): Promise<unknown> {
    const { ledger } = this.#sale
    const purchaseId = this.#purchases[of]?.id ?? randomUUID()
    const reservationId = this.#reservations[of] ?? ''
    const buyerId = this.#buyers[of] ?? ''
    switch (event) {
      case 'declined':
        return (await declinePayment(ledger, { purchaseId, reason: 'no money' })).status
      case 'stuck':
        return (await markPaymentStuck(ledger, { purchaseId, reason: 'no answer' })).status
      case 'canceled':
        return (await cancelReservation(ledger, { reservationId, buyerId })).status
      case 'adopted': {
        const account = await makeAccount(ledger)
        this.#names.add(`account of ${of}`, [account.id])
        return (await adopt(ledger, buyerId, account)).status
      }
    }
  }

  /** Everything that is left of it in the ledger. */
  async end(): Promise<unknown> {
    const { db } = this.#sale.ledger
    const actors = [...this.#names.idsOf('buyer'), ...this.#names.idsOf('account')]
    const columns = ['id', 'reservation_id', 'status', 'captured', 'refunded', 'reason', 'provider_ref'] as const
    const purchases = await db
      .selectFrom('purchases')
      .select(columns)
      .where('reservation_id', 'in', this.#reservations)
      .execute()
    const operations = await db
      .selectFrom('operations')
      .select(['actor_id', 'key', 'fingerprint', 'status_code', 'answer'])
      .where('actor_id', 'in', actors)
      .where('key', 'like', 'key %')
      .execute()
    const news = await db
      .selectFrom('outbox')
      .select(['type', 'payload'])
      .where('aggregateid', 'in', this.#reservations)
      .where('type', 'like', 'purchase.%')
      .execute()
    const etickets = await db
      .selectFrom('etickets')
      .select(['reservation_id', 'seat_id', 'reservation_status'])
      .where('reservation_id', 'in', this.#reservations)
      .execute()
    const rows = await seatRows(this.#sale)
    return {
      counts: await countsInOrder(this.#sale),
      seats: rows.map(({ id, status, reservation_id }) => this.#names.of([id, status, reservation_id])),
      rows: [purchases, operations, news, etickets].map((table) =>
        table.map((row) => JSON.stringify(this.#names.of(row))).sort(),
      ),
    }
  }

  #paymentOf({ reservation, isStranger, key, wish, mayBegin }: Start): StartPayment {
    const buyerId = this.#buyers[isStranger ? UNKNOWN : reservation] ?? ''
    const purchaseId = randomUUID()
    this.#asked.push(purchaseId)
    this.#names.add('purchase', this.#asked)
    return {
      ...{ purchaseId, reservationId: this.#reservations[reservation] ?? '', buyerId, provider: 'sandbox' },
      operation: { actorId: buyerId, key: `key ${key}`, fingerprint: wish },
      // So long that every extension ends at the cap, which the clock has no part in.
      ...{ paySeconds: 1_000_000, holdSecondsMax: 900, mayBegin: () => mayBegin },
    }
  }

  async #start(payments: readonly StartPayment[], index: number): Promise<StartOutcome> {
    return await startPayment(this.#sale.ledger, itemAt(payments, index))
  }

  #keep(outcomes: readonly StartOutcome[]): unknown[] {
    for (const outcome of outcomes) if (outcome.status === 'started') this.#purchases.push(outcome.purchase)
    return this.#shown(outcomes)
  }

  #moneyOf(captures: readonly Money[]): ConfirmTogether[] {
    return captures.map(({ purchase, tooMuch, hasRef }) => {
      const { id = randomUUID(), reservationId = randomUUID() } = this.#purchases[purchase] ?? {}
      return { purchaseId: id, reservationId, captured: PRICE + tooMuch, providerRef: hasRef ? `ref ${id}` : null }
    })
  }

  async #confirm(payments: readonly ConfirmTogether[], index: number): Promise<ConfirmOutcome> {
    return await confirmPayment(this.#sale.ledger, {
      ...{ ...itemAt(payments, index), seatsPerBuyerMax: 6 },
      alongside: async (transaction, outcome) =>
        outcome.status === 'paid'
          ? answerOf({ ...outcome, etickets: await issueEtickets(transaction, outcome.reservation) })
          : null,
    })
  }

  /** Without what a transaction did to the map as a whole. */
  #shown(outcomes: readonly (StartOutcome | ConfirmOutcome)[]): unknown[] {
    return outcomes.map((outcome) => {
      const {
        version: _version,
        counts: _counts,
        changes: _changes,
        ...rest
      } = { version: 0, counts: 0, changes: 0, ...outcome }
      return this.#names.of(rest)
    })
  }
}

/** Those that were decided together first, then the others. */
function inOrder(decided: readonly unknown[]): number[] {
  const indexes = [...decided.keys()]
  return [...indexes.filter((index) => decided[index] !== null), ...indexes.filter((index) => decided[index] === null)]
}

function itemAt<Item>(items: readonly Item[], index: number): Item {
  const item = items[index]
  if (item === undefined) throw new RangeError(`There is no item ${index}`)
  return item
}

const answerOf = ({ purchase, etickets }: PaidPayment): StoredAnswer => ({
  statusCode: 201,
  body: { paid: purchase.id, seats: etickets.map((eticket) => eticket.seatId) },
})
