import { randomUUID } from 'node:crypto'
import {
  cancelReservation,
  claimSeats,
  type Ledger,
  readOperation,
  readReservation,
  readSeatChanges,
} from '@seatwise/ledger'
import { forEachLedger } from '@seatwise/testbench'
import { beforeAll, expect, it } from 'vitest'
import {
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
  sell,
} from '../sale-kit.ts'

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
    expect(reply.reservation.id).toBe(claim.reservationId)
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
})

const inJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value))
