import { randomUUID } from 'node:crypto'
import { expireReservations } from '@seatwise/ledger'
import { Registry } from 'prom-client'
import { openPayments } from '../../src/box-office/payments/open-payments.ts'
import type { Payments } from '../../src/box-office/payments/payments.ts'
import type { MethodProvider } from '../../src/box-office/payments/provider.ts'
import { concludeUndecided, sandboxRound } from '../../src/box-office/payments/watch-payments.ts'
import { lossesOf } from '../../src/box-office/reservations/tell-line.ts'
import type { Answer } from './events.ts'
import { endHolds, letTimePass } from './payment-time.ts'
import { Buyer, HOUSE, OPEN_FLOOR, seatIdsOf, type WireReservation } from './reservation.ts'
import type { RoomBench } from './room.ts'

export interface WirePurchase {
  id: string
  status: string
  operationId?: string
  action?: { kind: string; url: string }
  reservation: WireReservation
  etickets: { id: string; code: string; seatId: string }[]
}

/** A buyer with a reservation, ready to pay. */
export interface Ready {
  readonly buyer: Buyer
  readonly reservation: WireReservation
  readonly seatIds: string[]
}

/** Helpers for what happens to payments. Nothing happens by itself: a test lets the watch and the sandbox work. */
export class Cashier {
  readonly bench: RoomBench
  readonly payments: Payments

  static async open(bench: RoomBench): Promise<Cashier> {
    // Counted apart: the server itself counts in its own registry.
    return new Cashier(bench, await openPayments({ ...bench.server.services, metrics: new Registry() }))
  }

  constructor(bench: RoomBench, payments: Payments) {
    this.bench = bench
    this.payments = payments
  }

  /** The provider, where it is the sandbox. */
  get sandbox(): MethodProvider {
    const { provider } = this.payments
    if (provider.kind !== 'methods') throw new Error(`${provider.name} has a page of its own`)
    return provider
  }

  async ready(sale?: string, seats = [0]): Promise<Ready> {
    const where = sale ?? (await this.bench.sale(OPEN_FLOOR, HOUSE))
    const row = await seatIdsOf(this.bench, where)
    const buyer = await Buyer.admitted(this.bench, where)
    const seatIds = seats.map((index) => row[index] ?? '')
    return { buyer, seatIds, reservation: await buyer.reserved({ seatIds }) }
  }

  pay(by: Buyer, reservationId: string, paymentMethod?: string, key: string | null = randomUUID()): Promise<Answer> {
    return this.bench.call('POST', '/api/purchases', {
      as: by.authorization,
      body: { reservationId, ...(paymentMethod === undefined ? {} : { paymentMethod }) },
      headers: key === null ? {} : { 'idempotency-key': key },
    })
  }

  async paid(by: Buyer, reservationId: string): Promise<WirePurchase> {
    const answer = await this.pay(by, reservationId, 'sandbox_ok')
    if (answer.statusCode !== 201) throw new Error(`Not paid: ${answer.body}`)
    return answer.json<WirePurchase>()
  }

  /** Lets the sandbox decide what is due and deliver its webhooks. */
  deliver(): Promise<void> {
    const { app, services } = this.bench.server
    return sandboxRound(app, services).work()
  }

  /** Lets the watch ask about all payments that are due. */
  watch(): Promise<void> {
    return concludeUndecided(this.payments)
  }

  wait(seconds: number): Promise<void> {
    return letTimePass(this.bench.server.ledger.db, seconds)
  }

  endHold({ id, eventId }: WireReservation): Promise<void> {
    return endHolds(this.bench.server.ledger.db, eventId, id)
  }

  /** The hold has expired, and all servers have heard of it. */
  async expire(reservation: WireReservation): Promise<void> {
    const { eventId } = reservation
    await this.endHold(reservation)
    const { ledger, services } = this.bench.server
    const outcome = await expireReservations(ledger, eventId)
    if (outcome === null) throw new Error(`There is no event ${eventId}`)
    await services.boxOffice.tell(eventId, outcome, lossesOf(outcome.expired))
  }

  async purchase(id: string) {
    const { db } = this.bench.server.ledger
    return await db.selectFrom('purchases').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  }

  /** What the sandbox's own books say about a purchase. */
  async books(purchaseId: string) {
    const { db } = this.bench.server.ledger
    const books = db.selectFrom('sandbox_payments').selectAll().where('purchase_id', '=', purchaseId)
    return await books.executeTakeFirst()
  }

  operation(by: Buyer, key: string): Promise<Answer> {
    return by.read(`/api/operations/${key}`)
  }
}
