import { randomUUID } from 'node:crypto'
import { checkRecords, type Report } from '@seatwise/checker'
import { readEventDraft } from '@seatwise/domain'
import {
  cancelReservation,
  claimSeats,
  confirmPayment,
  createEvent,
  expireReservations,
  handOutNews,
  type Ledger,
  leaseDeliveries,
  openLedger,
  runStatement,
  startPayment,
} from '@seatwise/ledger'
import { postgresDatabase, readerOf } from '@seatwise/testbench'
import { recordsOfSale } from 'seatwise'

const PRICE = 9_000
const HOLD_SECONDS = 300

export interface Buyer {
  readonly id: string
  readonly ticketNumber: number
}

/** A counter with two seats and nothing between the buyers and the ledger. */
export class Counter {
  readonly #ledger: Ledger
  readonly #eventId: string
  readonly #roomId: string
  readonly #seatIds: readonly string[]
  #tickets = 0

  /** `unguarded`: statements that take away what the database itself would forbid. */
  static async visit(unguarded: readonly string[], story: (counter: Counter) => Promise<void>): Promise<Report> {
    const database = await postgresDatabase('migrated')
    const ledger = await openLedger({ kind: 'postgres', url: database.url, poolMax: 2 })
    try {
      for (const sql of unguarded) await runStatement(ledger.db, { name: 'unguard', sql }, [])
      const draft = readEventDraft({
        ...{ name: 'Counter', salesStartAt: '2020-01-01T00:00:00Z', salesEndAt: '2099-01-01T00:00:00Z' },
        seatTypes: [{ name: 'Stalls', price: PRICE, currency: 'EUR', rows: [{ label: 'A', seats: 2 }] }],
      })
      const event = await createEvent(ledger.db, { draft, organizerId: null, newId: randomUUID })
      const seats = await ledger.db.selectFrom('seats').select('id').where('event_id', '=', event.id).execute()
      const counter = new Counter(
        ledger,
        event,
        seats.map(({ id }) => id),
      )
      await story(counter)
      const records = await recordsOfSale(readerOf(ledger), event.id)
      if (records === null) throw new Error('The event is gone')
      return await checkRecords(records)
    } finally {
      await ledger.close()
      await database.drop()
    }
  }

  constructor(ledger: Ledger, event: { id: string; roomId: string }, seatIds: readonly string[]) {
    this.#ledger = ledger
    this.#eventId = event.id
    this.#roomId = event.roomId
    this.#seatIds = seatIds
  }

  buyer(): Buyer {
    this.#tickets += 1
    return { id: randomUUID(), ticketNumber: this.#tickets }
  }

  /** Returns the reservation's id; it may not exist if the claim was refused. */
  async reserve({ id, ticketNumber }: Buyer, seat: number, { fence = 1, key = randomUUID() } = {}): Promise<string> {
    const reservationId = randomUUID()
    await claimSeats(this.#ledger, this.#eventId, [
      {
        operation: { actorId: id, key, fingerprint: 'reserve' },
        ...{ reservationId, buyerId: id, roomId: this.#roomId, ticketNumber, fence },
        ...{ wish: { seatIds: [this.#seatIds[seat] ?? ''] }, holdSeconds: HOLD_SECONDS, seatsPerBuyerMax: 10 },
      },
    ])
    return reservationId
  }

  async cancel({ id: buyerId }: Buyer, reservationId: string): Promise<void> {
    await cancelReservation(this.#ledger, { reservationId, buyerId })
  }

  /** Opens a payment; the money comes with `capture`. */
  async startToPay({ id }: Buyer, reservationId: string): Promise<string> {
    const purchaseId = randomUUID()
    await startPayment(this.#ledger, {
      ...{ purchaseId, reservationId, buyerId: id, provider: 'sandbox', paySeconds: 60, holdSecondsMax: 600 },
      operation: { actorId: id, key: randomUUID(), fingerprint: 'pay' },
    })
    return purchaseId
  }

  async capture(purchaseId: string): Promise<void> {
    const options = { purchaseId, captured: PRICE, providerRef: `reference ${purchaseId}`, seatsPerBuyerMax: 10 }
    await confirmPayment(this.#ledger, options)
  }

  async buy(buyer: Buyer, seat: number): Promise<void> {
    await this.capture(await this.startToPay(buyer, await this.reserve(buyer, seat)))
  }

  async sweep(): Promise<void> {
    await expireReservations(this.#ledger, this.#eventId)
  }

  /** So much time passes for every hold. */
  async wait(seconds: number): Promise<void> {
    const back = `make_interval(secs => ${seconds})`
    await this.#run(`update reservations set created_at = created_at - ${back}, updated_at = updated_at - ${back},
                            expires_at = expires_at - ${back}`)
    await this.#run(`update seats set held_until = held_until - ${back}`)
  }

  /** A subscriber wants to hear the news, and the couriers begin. */
  async sendNews(): Promise<void> {
    const ownerId = randomUUID()
    await this.#run(`insert into users (id, email, email_key, name, password_hash, role)
                     values ('${ownerId}', 'a@example.com', 'a@example.com', 'Admin', 'none', 'admin')`)
    await this.#run(`insert into webhooks (id, owner_id, url, sealed_secret, sealed_with)
                     values (gen_random_uuid(), '${ownerId}', 'https://example.com', '', '')`)
    await handOutNews(this.#ledger.db, { newsMax: 100, mailTypes: [] })
    await leaseDeliveries(this.#ledger.db, { kind: 'webhook', max: 100, leaseSeconds: 60 })
  }

  async #run(sql: string): Promise<void> {
    await runStatement(this.#ledger.db, { name: 'a defect test', sql }, [])
  }
}
