import { randomUUID } from 'node:crypto'
import {
  type Claim,
  type ClaimReply,
  cancelReservation,
  claimSeats,
  expireReservations,
  type Ledger,
  readOperation,
  readReservation,
  readSeatChanges,
} from '@seatwise/ledger'
import { forEachLedger } from '@seatwise/testbench'
import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import {
  begin,
  capture,
  claimAll,
  claimOf,
  countsInOrder,
  hold,
  logPasses,
  newsAbout,
  openSale,
  openStalls,
  type Sale,
  seatId,
  seatRows,
  sell,
} from '../sale-kit.ts'

const RUNS = 50
const PATIENTLY = { timeout: 240_000 }
const SEATS = 8
const ROWS = 2
const TICKETS = 5

forEachLedger('plain claims', (open) => {
  let ledger: Ledger
  beforeAll(async () => {
    ledger = await open()
  })

  const seats = (sale: Sale, ...indexes: number[]) => ({ seatIds: indexes.map((index) => seatId(sale, index)) })

  it('[B4] an older fence than any seen of the ticket is refused, by an earlier claim or by the log', async () => {
    const sale = await openStalls(ledger, 1, 4)
    const ticket = { ticketNumber: 920_101, buyerId: randomUUID() }
    const reservationId = await hold(sale, seats(sale, 0), { ...ticket, fence: 20 })
    await cancelReservation(ledger, { reservationId, buyerId: ticket.buyerId })
    const entry = { room_id: sale.event.roomId, number: 920_102, identity: randomUUID(), place: 1, epoch: 1 }
    const row = { ...entry, state: 'active', fence: 30, joined_at: new Date() } as const
    await ledger.db.insertInto('queue_entries').values(row).execute()
    const older = [
      claimOf(sale, seats(sale, 1), { ...ticket, fence: 19 }),
      claimOf(sale, seats(sale, 2), { ticketNumber: 920_102, fence: 29 }),
    ]
    expect(await claimAll(sale, older)).toEqual([{ status: 'stale_pass' }, { status: 'stale_pass' }])
    const same = [
      claimOf(sale, seats(sale, 1), { ...ticket, fence: 20 }),
      claimOf(sale, seats(sale, 2), { ticketNumber: 920_102, fence: 30 }),
    ]
    expect(await claimAll(sale, same)).toMatchObject([{ status: 'held' }, { status: 'held' }])
  })

  it('[B6] [B49] keep the limit of a buyer who has paid, and each claim the time it may hold', async () => {
    const sale = await openStalls(ledger, 1, 6)
    const limit = { seatsPerBuyerMax: 1 }
    const owner = { buyerId: randomUUID(), ...limit }
    await sell(sale, seats(sale, 0), owner)
    const refused = [claimOf(sale, seats(sale, 1), owner), claimOf(sale, seats(sale, 2, 3), limit)]
    for (const claim of refused) {
      expect(await claimAll(sale, [claim])).toMatchObject([{ status: 'limit_reached' }])
    }
    const times = [60, 600]
    const timed = times.map((holdSeconds, index) => claimOf(sale, seats(sale, 4 + index), { holdSeconds }))
    await claimAll(sale, timed)
    const lived = timed.map(async ({ reservationId }) => {
      const { createdAt, expiresAt } = (await readReservation(ledger.db, reservationId)) ?? {}
      return ((expiresAt?.getTime() ?? 0) - (createdAt?.getTime() ?? 0)) / 1_000
    })
    expect(await Promise.all(lived)).toEqual(times)
  })

  it('[B49] are granted apart from those that are not, which are decided as ever', async () => {
    const sale = await openStalls(ledger, 2, 10)
    const [elsewhere, before] = [await openStalls(ledger, 1, 1), claimOf(sale, seats(sale, 0))]
    await claimAll(sale, [before])
    const [pending, paid] = [
      { ticketNumber: 920_001, buyerId: randomUUID(), fence: 7 },
      { ticketNumber: 920_002, buyerId: randomUUID(), fence: 7 },
    ]
    const replaced = await hold(sale, seats(sale, 1), pending)
    await sell(sale, seats(sale, 2), paid)
    const rich = randomUUID()
    await hold(sale, seats(sale, 3), { buyerId: rich })
    const versionBefore = (await readSeatChanges(ledger, sale.event.id, 0))?.version ?? 0

    const first = claimOf(sale, seats(sale, 11, 10))
    const last = claimOf(sale, seats(sale, 19))
    const claims = [
      first,
      { ...before, reservationId: randomUUID() },
      claimOf(sale, seats(sale, 12), pending),
      claimOf(sale, seats(sale, 13), paid),
      claimOf(sale, seats(sale, 14), { buyerId: rich, seatsPerBuyerMax: 1 }),
      claimOf(sale, seats(sale, 3, 15)),
      claimOf(sale, seats(elsewhere, 0)),
      last,
    ]
    const outcome = await claimSeats(ledger, sale.event.id, claims)
    expect(outcome?.replies).toMatchObject([
      { status: 'held', replaced: null, reservation: { id: first.reservationId, amount: 18_000, currency: 'EUR' } },
      { status: 'repeated', reservation: { id: before.reservationId } },
      { status: 'held', replaced },
      { status: 'stale_pass' },
      { status: 'limit_reached', left: 0 },
      { status: 'taken', seatIds: [seatId(sale, 3)] },
      { status: 'unknown_seat', seatIds: [seatId(elsewhere, 0)] },
      { status: 'held', reservation: { id: last.reservationId } },
    ])
    expect(outcome).toMatchObject({ version: versionBefore + 2, counts: await countsInOrder(sale) })
    const told = await readSeatChanges(ledger, sale.event.id, versionBefore)
    expect(told).toMatchObject({ version: versionBefore + 2, counts: outcome?.counts })
    expect(new Set(told?.changes)).toEqual(new Set(outcome?.changes))
  })

  it('[B49] leave behind what every claim leaves: the reservation, its answer under its key, and the news', async () => {
    const sale = await openStalls(ledger, 1, 6)
    const claim = claimOf(sale, seats(sale, 4, 2))
    const [reply] = await claimAll(sale, [claim, claimOf(sale, seats(sale, 0))])
    if (reply?.status !== 'held') throw new Error(`not held: ${reply?.status}`)
    // In the order of the plan.
    expect(reply.reservation.items.map(({ seatId: id }) => id)).toEqual(seats(sale, 2, 4).seatIds)
    expect(reply.reservation.expiresAt.getTime() - reply.reservation.createdAt.getTime()).toBe(300_000)
    expect(reply).toMatchObject({ id: claim.reservationId, quantity: 2, until: reply.reservation.expiresAt })
    expect({ ...JSON.parse(reply.shown ?? ''), buyerId: claim.buyerId }).toEqual(inJson(reply.reservation))
    expect(await readReservation(ledger.db, claim.reservationId)).toMatchObject(reply.reservation)
    const stored = await readOperation(ledger.db, claim.buyerId, claim.operation.key)
    expect(stored).toEqual({
      actorId: claim.buyerId,
      fingerprint: claim.operation.fingerprint,
      answer: { statusCode: 201, body: inJson(reply.reservation) },
    })
    expect(await newsAbout(sale, claim.reservationId)).toEqual(['reservation.created'])
    expect(await claimAll(sale, [{ ...claim, reservationId: randomUUID() }])).toEqual([
      { status: 'repeated', reservation: reply.reservation },
    ])
  })

  it('[B3, B49] one that the ledger cannot store fails alone', async () => {
    const sale = await openStalls(ledger, 1, 4)
    const claims = [
      claimOf(sale, seats(sale, 0)),
      claimOf(sale, seats(sale, 1), { roomId: 'no id at all' }),
      claimOf(sale, seats(sale, 2)),
    ]
    const replies = await claimAll(sale, claims)
    expect(replies.map(({ status }) => status)).toEqual(['held', 'failed', 'held'])
    expect(await countsInOrder(sale)).toMatchObject({ available: 2, held: 2 })
  })

  it('[B4][B49] an older fence than the log’s is refused, also before the ticket reserved anything', async () => {
    const sale = await openStalls(ledger, 1, 4)
    const [moved, known] = [
      { number: 940_001, fence: 5 },
      { number: 940_002, fence: 5 },
    ]
    await logPasses(sale, moved, known)
    const replies = await claimAll(sale, [
      claimOf(sale, seats(sale, 0), { ticketNumber: moved.number, fence: 4 }),
      claimOf(sale, seats(sale, 1), { ticketNumber: known.number, fence: 5 }),
      claimOf(sale, seats(sale, 2)),
    ])
    expect(replies.map(({ status }) => status)).toEqual(['stale_pass', 'held', 'held'])
    expect(await countsInOrder(sale)).toMatchObject({ available: 2, held: 2 })
  })

  it('[E18] free and priced seats together are paid in the event’s currency, granted or decided', async () => {
    const free = { name: 'Free', price: 0, rows: [{ label: 'A', seats: 4 }] }
    const priced = { name: 'Priced', price: 50_000, currency: 'KRW', rows: [{ label: 'B', seats: 4 }] }
    const sale = await openSale(ledger, { seatTypes: [free, priced] })
    expect(sale.event.seatTypes.map(({ currency }) => currency)).toEqual(['KRW', 'KRW'])
    const [plain] = await claimAll(sale, [claimOf(sale, seats(sale, 0, 4))])
    const twice = seats(sale, 1, 5)
    const decided = await claimAll(sale, [claimOf(sale, twice), claimOf(sale, twice)])
    for (const reply of [plain, decided[0]]) {
      expect(reply).toMatchObject({ status: 'held', reservation: { amount: 50_000, currency: 'KRW' } })
    }
    expect(decided[1]).toMatchObject({ status: 'taken' })
  })

  it('[B49] every claim ends as it would have if none had been taken for plain', PATIENTLY, async () => {
    const wish = fc.record({
      ticket: fc.integer({ min: 0, max: TICKETS - 1 }),
      seats: fc.uniqueArray(fc.integer({ min: 0, max: SEATS - 1 }), { minLength: 1, maxLength: 3 }),
      fence: fc.integer({ min: 1, max: 3 }),
      /** Some come again under the key of an earlier one. */
      key: fc.integer({ min: 0, max: 20 }),
      isShort: fc.boolean(),
      max: fc.constantFrom(2, 6),
    })
    const batches = fc.array(
      fc.record({ wishes: fc.array(wish, { minLength: 1, maxLength: 3 }), isPaid: fc.boolean() }),
      { minLength: 1, maxLength: 4 },
    )
    const house = fc.record({
      /** The price of each row; some are free. */
      prices: fc.array(fc.constantFrom(0, 0, 9_000), { minLength: ROWS, maxLength: ROWS }),
      /** Fences of the tickets' passes as the log has them; 0 for those the ledger has not heard of. */
      fences: fc.array(fc.integer({ min: 0, max: 3 }), { minLength: TICKETS, maxLength: TICKETS }),
    })
    await fc.assert(
      fc.asyncProperty(house, batches, async (terms, list) => {
        const [one, other] = [await World.open(ledger, 'plain', terms), await World.open(ledger, 'decided', terms)]
        for (const { wishes, isPaid } of list) {
          expect(await one.claim(wishes)).toEqual(await other.claim(wishes))
          if (isPaid) expect(await one.payFirst()).toEqual(await other.payFirst())
        }
        expect(await one.end()).toEqual(await other.end())
      }),
      { numRuns: RUNS },
    )
  })
})

interface House {
  readonly prices: readonly number[]
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

/** A sale in which everything has a short name, so that it can be compared with another one. */
class World {
  readonly #sale: Sale
  readonly #way: 'plain' | 'decided'
  readonly #buyers = Array.from({ length: TICKETS }, () => randomUUID())
  /** The reservations that were asked for, in their order. */
  readonly #asked: string[] = []
  readonly #held: string[] = []

  private constructor(sale: Sale, way: 'plain' | 'decided') {
    this.#sale = sale
    this.#way = way
  }

  static async open(ledger: Ledger, way: 'plain' | 'decided', { prices, fences }: House): Promise<World> {
    const seatTypes = prices.map((price, index) => ({
      ...{ name: `Row ${index}`, price, rows: [{ label: `R${index}`, seats: SEATS / ROWS }] },
      // The first states none: it has the currency of the others.
      ...(index === 0 ? {} : { currency: 'KRW' }),
    }))
    const sale = await openSale(ledger, { seatTypes })
    const tickets = fences.map((fence, ticket) => ({ number: 930_000 + ticket, fence }))
    await logPasses(sale, ...tickets.filter(({ fence }) => fence > 0))
    return new World(sale, way)
  }

  async claim(wishes: readonly Wish[]): Promise<unknown[]> {
    const claims = wishes.map((wish) => this.#claimOf(wish))
    // A claim with a limit of zero seats: with it in the batch no claim takes the plain path.
    const refused = claimOf(this.#sale, { seatIds: [seatId(this.#sale, 0)] }, { seatsPerBuyerMax: 0 })
    const replies = await claimAll(this.#sale, this.#way === 'plain' ? claims : [...claims, refused])
    return replies.slice(0, claims.length).map((reply) => this.#named(reply))
  }

  /** Sells what was held first and can still be paid for. */
  async payFirst(): Promise<string> {
    const reservationId = this.#held.shift()
    if (reservationId === undefined) return 'nothing'
    try {
      const { status } = await capture(this.#sale, await begin(this.#sale, reservationId))
      return `${this.#name(reservationId)} ${status}`
    } catch (error) {
      return `${this.#name(reservationId)} ${error instanceof Error ? error.message : 'failed'}`
    }
  }

  /** What is left of it all. */
  async end(): Promise<unknown> {
    await expireReservations(this.#sale.ledger, this.#sale.event.id)
    const rows = await seatRows(this.#sale)
    return {
      counts: await countsInOrder(this.#sale),
      seats: rows.map(({ status, reservation_id: id }) => `${status} ${id === null ? '-' : this.#name(id)}`),
      news: await Promise.all(this.#asked.map((id) => newsAbout(this.#sale, id))),
    }
  }

  #claimOf({ ticket, seats, fence, key, isShort, max }: Wish): Claim {
    // Two tickets of one buyer, the others have one each.
    const buyerId = this.#buyers[Math.max(1, ticket)] ?? ''
    const seatIds = seats.map((seat) => seatId(this.#sale, seat))
    const fingerprint = seats.join()
    const claim = claimOf(
      this.#sale,
      { seatIds },
      {
        ...{ buyerId, ticketNumber: 930_000 + ticket, fence, seatsPerBuyerMax: max },
        ...{ holdSeconds: isShort ? 0 : 300, operation: { actorId: buyerId, key: `key ${key}`, fingerprint } },
      },
    )
    this.#asked.push(claim.reservationId)
    return claim
  }

  #named(reply: ClaimReply): unknown {
    switch (reply.status) {
      case 'held': {
        const { id, createdAt, expiresAt } = reply.reservation
        if (createdAt < expiresAt) this.#held.push(id)
        const replaced = reply.replaced === null ? null : this.#name(reply.replaced)
        return { ...this.#shown(reply.reservation), replaced }
      }
      case 'repeated':
        return { repeated: this.#shown(reply.reservation) }
      case 'paying':
        return { paying: this.#name(reply.reservationId) }
      case 'taken':
      case 'unknown_seat':
        return { [reply.status]: reply.seatIds.map((id) => this.#sale.seats.findIndex((seat) => seat.id === id)) }
      default:
        return reply
    }
  }

  #shown({ id, status, amount, currency, items }: Extract<ClaimReply, { status: 'held' }>['reservation']) {
    return { name: this.#name(id), status, amount, currency, seats: items.map(({ row, number }) => `${row} ${number}`) }
  }

  #name(reservationId: string): string {
    return `asked ${this.#asked.indexOf(reservationId)}`
  }
}

const inJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value))
