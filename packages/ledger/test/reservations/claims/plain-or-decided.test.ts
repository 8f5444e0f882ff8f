import { randomUUID } from 'node:crypto'
import type { EventBody } from '@seatwise/domain'
import { type Claim, type ClaimReply, expireReservations, type Ledger } from '@seatwise/ledger'
import { forEachLedger } from '@seatwise/testbench'
import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { Names } from '../../support/names.ts'
import { adopt, makeAccount } from '../adoption/adoption-kit.ts'
import {
  begin,
  capture,
  claimAll,
  claimOf,
  countsInOrder,
  logPasses,
  openSale,
  openStalls,
  type Sale,
  seatId,
  seatRows,
} from '../sale-kit.ts'

const RUNS = 50
const PATIENTLY = { timeout: 240_000 }
const ROWS = 2
const SEATS_PER_ROW = 4
/** The last one is blocked. */
const SEATS = ROWS * SEATS_PER_ROW
/** Wishes also name the seats behind these: one of another event, and this, which no event has. */
const UNKNOWN = SEATS + 1
const TICKETS = 5

forEachLedger('plain or decided', (open) => {
  let ledger: Ledger
  let elsewhere: Sale
  beforeAll(async () => {
    ledger = await open()
    elsewhere = await openStalls(ledger, 1, 1)
  })

  it('[B49] every claim ends as it would have if none had been taken for plain', PATIENTLY, async () => {
    const wish = fc.record({
      ticket: fc.integer({ min: 0, max: TICKETS - 1 }),
      seats: fc.uniqueArray(fc.integer({ min: 0, max: UNKNOWN }), { minLength: 1, maxLength: 3 }),
      fence: fc.integer({ min: 1, max: 3 }),
      /** Some come again under the key of an earlier one. */
      key: fc.integer({ min: 0, max: 20 }),
      isShort: fc.boolean(),
      max: fc.constantFrom(2, 6),
    })
    const batch = fc.record({
      wishes: fc.array(wish, { minLength: 1, maxLength: 3 }),
      isPaid: fc.boolean(),
      /** Whose account adopts them after the batch. */
      adopted: fc.option(fc.integer({ min: 0, max: TICKETS - 1 }), { freq: 4 }),
    })
    const house = fc.record({
      /** The price of each row; some are free. */
      prices: fc.array(fc.constantFrom(0, 0, 9_000), { minLength: ROWS, maxLength: ROWS }),
      taxRate: fc.constantFrom(0, 0, 7.125, 19),
      fees: fc.constantFrom<NonNullable<EventBody['fees']>>(
        [],
        [],
        [{ name: 'Booking', perTicket: 150, percent: 2.5 }],
      ),
      hasVariants: fc.boolean(),
      isHidden: fc.boolean(),
      /** Fences of the tickets' passes as the log has them; 0 for those the ledger has not heard of. */
      fences: fc.array(fc.integer({ min: 0, max: 3 }), { minLength: TICKETS, maxLength: TICKETS }),
    })
    await fc.assert(
      fc.asyncProperty(house, fc.array(batch, { minLength: 1, maxLength: 4 }), async (terms, batches) => {
        const one = await World.open(ledger, 'plain', terms, elsewhere)
        const other = await World.open(ledger, 'decided', terms, elsewhere)
        for (const { wishes, isPaid, adopted } of batches) {
          expect(await one.claim(wishes)).toEqual(await other.claim(wishes))
          if (isPaid) expect(await one.payFirst()).toEqual(await other.payFirst())
          if (adopted !== null) expect(await one.adopt(adopted)).toEqual(await other.adopt(adopted))
        }
        expect(await one.end()).toEqual(await other.end())
      }),
      { numRuns: RUNS },
    )
  })
})

interface House {
  readonly prices: readonly number[]
  readonly taxRate: number
  readonly fees: NonNullable<EventBody['fees']>
  /** Of the second row. */
  readonly hasVariants: boolean
  /** Of the first row. */
  readonly isHidden: boolean
  readonly fences: readonly number[]
}

interface Wish {
  readonly ticket: number
  readonly seats: readonly number[]
  readonly fence: number
  readonly key: number
  readonly isShort: boolean
  readonly max: number
}

const VARIANTS = [
  { id: 'adult', name: 'Adult', price: 8_000 },
  { id: 'child', name: 'Child', price: 4_000 },
]

type Way = 'plain' | 'decided'

/** A sale in which every id has a short name, so that all of it can be compared with another one. */
class World {
  readonly #sale: Sale
  readonly #way: Way
  readonly #buyers = Array.from({ length: TICKETS }, () => randomUUID())
  readonly #seats: readonly string[]
  /** The reservations that were asked for, in their order. */
  readonly #asked: string[] = []
  readonly #held: string[] = []
  readonly #names = new Names()

  private constructor(sale: Sale, way: Way, elsewhere: Sale) {
    this.#sale = sale
    this.#way = way
    this.#seats = [...sale.seats.map(({ id }) => id), seatId(elsewhere, 0), randomUUID()]
    const types = sale.event.seatTypes.map(({ id }) => id)
    this.#names.add('seat', this.#seats).add('buyer', this.#buyers).add('type', types)
    this.#names.add('event', [sale.event.id]).add('room', [sale.event.roomId])
  }

  static async open(ledger: Ledger, way: Way, house: House, elsewhere: Sale): Promise<World> {
    const { prices, taxRate, fees, hasVariants, isHidden, fences } = house
    const seatTypes = prices.map((price, index) => {
      const blocked = index === ROWS - 1 ? [SEATS_PER_ROW] : []
      return {
        ...{ name: `Row ${index}`, price, rows: [{ label: `R${index}`, seats: SEATS_PER_ROW, blocked }] },
        // The first states none: it has the currency of the others.
        ...(index === 0 ? {} : { currency: 'KRW' }),
        ...(index === 0 && isHidden ? { hidden: true } : {}),
        ...(index === 1 && hasVariants ? { variants: VARIANTS } : {}),
      }
    })
    const sale = await openSale(ledger, { seatTypes, taxRate, fees })
    const tickets = fences.map((fence, ticket) => ({ number: 930_000 + ticket, fence }))
    await logPasses(sale, ...tickets.filter(({ fence }) => fence > 0))
    return new World(sale, way, elsewhere)
  }

  async claim(wishes: readonly Wish[]): Promise<unknown[]> {
    const claims = wishes.map((wish) => this.#claimOf(wish))
    // A claim with a limit of zero seats: with it in the batch no claim takes the plain path.
    const refused = claimOf(this.#sale, { seatIds: [seatId(this.#sale, 0)] }, { seatsPerBuyerMax: 0 })
    const replies = await claimAll(this.#sale, this.#way === 'plain' ? claims : [...claims, refused])
    return replies.slice(0, claims.length).map((reply) => {
      this.#keep(reply)
      return this.#names.of(reply)
    })
  }

  /** Sells what was held first and can still be paid for. */
  async payFirst(): Promise<unknown> {
    const reservationId = this.#held.shift()
    if (reservationId === undefined) return 'nothing'
    try {
      const { status } = await capture(this.#sale, await begin(this.#sale, reservationId))
      return [this.#names.of(reservationId), status]
    } catch (error) {
      return [this.#names.of(reservationId), error instanceof Error ? this.#names.of(error.message) : 'failed']
    }
  }

  /** A new account takes over the buyer of a ticket, and with them no hold that is over: either may end those first. */
  async adopt(ticket: number): Promise<unknown> {
    await expireReservations(this.#sale.ledger, this.#sale.event.id)
    const account = await makeAccount(this.#sale.ledger)
    this.#names.add(`account of ${ticket}`, [account.id])
    const { status, canceled } = await adopt(this.#sale.ledger, this.#buyerOf(ticket), account)
    return { status, canceled: this.#names.of(canceled) }
  }

  /** Everything that is left of it in the ledger. */
  async end(): Promise<unknown> {
    const { ledger, event } = this.#sale
    await expireReservations(ledger, event.id)
    const rows = await seatRows(this.#sale)
    const actors = [...this.#names.idsOf('buyer'), ...this.#names.idsOf('account')]
    const reservations = await ledger.db
      .selectFrom('reservations')
      .select(['id', 'amount', 'tax', 'lines', 'currency'])
      .where('id', 'in', this.#asked)
      .execute()
    const items = await ledger.db
      .selectFrom('reservation_items')
      .select(['reservation_id', 'seat_id', 'price', 'variant_id', 'discount', 'fees'])
      .where('reservation_id', 'in', this.#asked)
      .execute()
    const operations = await ledger.db
      .selectFrom('operations')
      .select(['actor_id', 'key', 'fingerprint', 'status_code', 'answer'])
      .where('actor_id', 'in', actors)
      .where('key', 'like', 'key %')
      .execute()
    const news = await ledger.db
      .selectFrom('outbox')
      .select(['aggregateid', 'type', 'payload'])
      .where('aggregateid', 'in', this.#asked)
      .where('type', 'like', 'reservation.%')
      .orderBy('position')
      .execute()
    return {
      counts: await countsInOrder(this.#sale),
      seats: rows.map(({ id, status, reservation_id }) => this.#names.of([id, status, reservation_id])),
      reservations: reservations.map((row) => JSON.stringify(this.#names.of(row))).sort(),
      items: items.map((row) => JSON.stringify(this.#names.of(row))).sort(),
      operations: operations.map((row) => JSON.stringify(this.#names.of(row))).sort(),
      news: news.map((row) => JSON.stringify(this.#names.of(row))).sort(),
    }
  }

  /** Two tickets are one buyer's, the others have one each. */
  #buyerOf(ticket: number): string {
    return this.#buyers[Math.max(1, ticket)] ?? ''
  }

  #claimOf({ ticket, seats, fence, key, isShort, max }: Wish): Claim {
    const buyerId = this.#buyerOf(ticket)
    const seatIds = seats.map((seat) => this.#seats[seat] ?? '')
    const claim = claimOf(
      this.#sale,
      { seatIds },
      {
        ...{ buyerId, ticketNumber: 930_000 + ticket, fence, seatsPerBuyerMax: max },
        ...{ holdSeconds: isShort ? 0 : 300 },
        ...{ operation: { actorId: buyerId, key: `key ${key}`, fingerprint: seats.join() } },
      },
    )
    this.#asked.push(claim.reservationId)
    this.#names.add('asked', this.#asked)
    return claim
  }

  #keep(reply: ClaimReply): void {
    if (reply.status !== 'held') return
    const { id, createdAt, expiresAt } = reply.reservation
    if (createdAt < expiresAt) this.#held.push(id)
  }
}
