import { randomUUID } from 'node:crypto'
import { type Ledger, migrate, openLedger, sellAtDoor } from '@seatwise/ledger'
import { postgresDatabase, seededRandom, testSeed } from '@seatwise/testbench'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Seller } from '../../support/door.ts'
import { Buyer, OPEN_FLOOR, seatsOf, typeIdsOf } from '../../support/reservation.ts'
import { openRoomServer, RoomBench } from '../../support/room.ts'

const VISITORS = 200
const SEATS = 260
const DOOR_SALES = 80

/** Two servers, each with its own pool of connections, and sellers at the doors of both. */
describe('the door and the line, two servers', () => {
  let benches: RoomBench[]
  let sellers: Seller[]
  let ledgers: Ledger[]
  const undo: (() => Promise<void>)[] = []

  beforeAll(async () => {
    const database = await postgresDatabase()
    undo.push(() => database.drop())
    ledgers = await Promise.all([1, 2].map(() => openLedger({ kind: 'postgres', url: database.url, poolMax: 5 })))
    const [one, other] = ledgers as [Ledger, Ledger]
    await migrate(one)
    undo.push(...ledgers.map((ledger) => () => ledger.close()))
    const first = await openRoomServer(one)
    const second = await openRoomServer(other, { secrets: first.secrets })
    undo.push(
      () => first.close(),
      () => second.close(),
    )
    const bench = await RoomBench.open(first)
    benches = [bench, new RoomBench(second, bench.organizer, bench.admin)]
    const staff = await Seller.hired(bench)
    sellers = benches.map((at) => new Seller(at, staff))
  })
  afterAll(async () => {
    for (const step of undo.reverse()) await step()
  })

  /** A sale with as many visitors on the floor, each at one of the servers. */
  async function crowded(): Promise<{ sale: string; seatTypeId: string; visitors: Buyer[] }> {
    const [bench, other] = benches as [RoomBench, RoomBench]
    const sale = await bench.sale({ ...OPEN_FLOOR, capacity: VISITORS }, { totalSeats: SEATS })
    const [seatTypeId = ''] = await typeIdsOf(bench, sale)
    const visitors = await Promise.all(
      Array.from({ length: VISITORS }, (_, index) => Buyer.admitted(index % 2 === 0 ? bench : other, sale)),
    )
    return { sale, seatTypeId, visitors }
  }

  /** Everything at once, in an order of the seed's. */
  async function race(visitors: readonly Buyer[], seatTypeId: string, sell: (index: number) => Promise<number>) {
    const random = seededRandom(testSeed())
    const claims = visitors.map((visitor) => async () => {
      const answer = await visitor.reserve({ seatTypeId, quantity: 1 })
      return { who: 'visitor', status: answer.statusCode, seats: 1 }
    })
    const sales = Array.from({ length: DOOR_SALES }, (_, index) => async () => ({
      ...{ who: 'door', status: await sell(index), seats: 2 },
    }))
    const mixed = [...claims, ...sales].map((run) => ({ run, at: random() })).sort((a, b) => a.at - b.at)
    return await Promise.all(mixed.map(({ run }) => run()))
  }

  it('[B166] 200 claims and 80 sales at the door: no seat twice, and every visitor on the floor has a seat', async () => {
    const { sale, seatTypeId, visitors } = await crowded()
    const outcomes = await race(visitors, seatTypeId, async (index) => {
      const answer = await (sellers[index % 2] as Seller).sell(sale, { seatTypeId, quantity: 2, method: 'cash' })
      return answer.statusCode
    })
    expect(outcomes.filter(({ who, status }) => who === 'visitor' && status !== 201)).toEqual([])
    const sold = outcomes.filter(({ who, status }) => who === 'door' && status === 201).length
    // Some found nothing that was not promised: the race was one.
    expect(sold).toBeGreaterThan(0)
    expect(sold).toBeLessThanOrEqual((SEATS - VISITORS) / 2)
    const seats = await seatsOf(benches[0] as RoomBench, sale)
    expect(seats.filter(({ status }) => status === 'held')).toHaveLength(VISITORS)
    expect(seats.filter(({ status }) => status === 'sold')).toHaveLength(2 * sold)
    const items = await (ledgers[0] as Ledger).db
      .selectFrom('reservation_items')
      .innerJoin('reservations', 'reservations.id', 'reservation_items.reservation_id')
      .select('seat_id')
      .where('event_id', '=', sale.split('/').at(-1) ?? '')
      .execute()
    expect(new Set(items.map(({ seat_id }) => seat_id)).size).toBe(items.length)
  })

  it('[B166 control] sales that pass the gate by take seats that visitors on the floor were promised', async () => {
    const { sale, seatTypeId, visitors } = await crowded()
    const eventId = sale.split('/').at(-1) ?? ''
    const outcomes = await race(visitors, seatTypeId, async (index) => {
      const operation = { actorId: randomUUID(), key: randomUUID(), fingerprint: 'unguarded' }
      const outcome = await sellAtDoor(ledgers[index % 2] as Ledger, eventId, {
        ...{ operation, reservationId: randomUUID(), purchaseId: randomUUID(), buyerId: randomUUID() },
        ...{ wish: { seatTypeId, quantity: 2 }, method: 'cash', email: null },
        answerOf: ({ purchase }) => ({ statusCode: 201, body: { id: purchase.id } }),
      })
      return outcome?.status === 'sold' ? 201 : 409
    })
    expect(outcomes.filter(({ who, status }) => who === 'visitor' && status !== 201).length).toBeGreaterThan(0)
  })
})
