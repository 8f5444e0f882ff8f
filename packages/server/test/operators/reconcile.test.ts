import { firingAlerts } from '@seatwise/testbench'
import { Counter, Registry } from 'prom-client'
import { beforeAll, expect, it } from 'vitest'
import { compareGate } from '../../src/operators/reconcile/compare-gate.ts'
import { countDrift, reconcileServed } from '../../src/operators/reconcile/watch-drift.ts'
import { Cashier } from '../support/payment.ts'
import { letDecidedAge, query } from '../support/payment-time.ts'
import { Buyer, forEachMode, HOUSE, OPEN_FLOOR, seatIdsOf } from '../support/reservation.ts'
import type { RoomBench } from '../support/room.ts'

forEachMode('reconciling what a server serves', (open) => {
  let bench: RoomBench
  let cashier: Cashier

  beforeAll(async () => {
    bench = await open()
    cashier = await Cashier.open(bench)
  })

  const idOf = (sale: string): string => sale.split('/').at(-1) ?? ''
  const roomOf = (sale: string) => bench.server.services.rooms.ofEvent(idOf(sale))
  const seatsOnFloor = async (sale: string) =>
    (await (await roomOf(sale)).floor(10)).map(({ reservedSeats }) => reservedSeats).sort()

  /** What one round finds, by kind and outcome. */
  async function reconcile(rest = async (_ms: number): Promise<void> => undefined): Promise<Record<string, number>> {
    const found = new Counter({
      name: 'found',
      help: '-',
      labelNames: ['kind', 'outcome'],
      registers: [new Registry()],
    })
    await reconcileServed(bench.server.services, cashier.payments, found, rest)
    const { values } = await found.get()
    return Object.fromEntries(values.map(({ labels, value }) => [`${labels.kind} ${labels.outcome}`, value]))
  }

  /** A line that believes that the ticket of a holder has nothing. */
  async function misledLine() {
    const sale = await bench.sale(OPEN_FLOOR, HOUSE)
    const seatIds = await seatIdsOf(bench, sale)
    const [holder, ...others] = await Promise.all(Array.from({ length: 3 }, () => Buyer.admitted(bench, sale)))
    await holder?.reserved({ seatIds: seatIds.slice(0, 2) })
    const { number } = (await (await roomOf(sale)).floor(10)).find(({ reservedSeats }) => reservedSeats === 2) ?? {}
    const { version, available, held } = await bench.server.ledger.db
      .selectFrom('seat_maps')
      .selectAll()
      .where('event_id', '=', idOf(sale))
      .executeTakeFirstOrThrow()
    const lie = { operation: 'lie', number: number ?? 0, reserved: null }
    await (await roomOf(sale)).settle({ version: version + 1, stock: available, heldSeats: held, results: [lie] })
    // The ledger changes again, so that its version is newer than the false one.
    for (const [index, other] of others.entries()) await other.reserved({ seatIds: [seatIds[index + 4]] })
    expect(await seatsOnFloor(sale)).toEqual([0, 1, 1])
    return { sale, number }
  }

  it('[B38] tells the line what a ticket really has, and counts it', async () => {
    const { sale } = await misledLine()
    expect(await reconcile()).toEqual({ 'gate repaired': 1 })
    expect(await seatsOnFloor(sale)).toEqual([1, 1, 2])
    expect(await reconcile()).toEqual({})
  })

  it('[Y133] the first difference that is not repaired fires SeatwiseDrift, one that is repaired does not', async () => {
    const metrics = new Registry()
    const found = countDrift(metrics)
    const scrape = async (atSeconds: number) => ({ atSeconds, text: await metrics.metrics() })
    const round = () => reconcileServed(bench.server.services, cashier.payments, found, async () => undefined)
    const scrapes = [await scrape(0)]
    await misledLine()
    await round()
    scrapes.push(await scrape(60))
    expect(scrapes[1]?.text).toContain('seatwise_drift_total{kind="gate",outcome="repaired"} 1')
    expect(firingAlerts(scrapes)).toEqual([])
    const { buyer, reservation } = await cashier.ready()
    const { id } = await cashier.paid(buyer, reservation.id)
    const { db } = bench.server.ledger
    await query(db, `update sandbox_payments set status = 'failed', captured = 0 where purchase_id = $1`, [id])
    await letDecidedAge(db, reservation.id, 61)
    await round()
    scrapes.push(await scrape(120))
    expect(firingAlerts(scrapes)).toEqual(['SeatwiseDrift'])
    await query(db, `update sandbox_payments set status = 'succeeded', captured = amount where purchase_id = $1`, [id])
  })

  it('[B38] rests between two events, in proportion to what the first took', async () => {
    for (let sales = 0; sales < 2; sales += 1) await Buyer.admitted(bench, await bench.sale(OPEN_FLOOR, HOUSE))
    const rests: number[] = []
    const startMs = performance.now()
    await reconcile(async (ms) => {
      rests.push(ms)
    })
    const tookMs = performance.now() - startMs
    expect(rests).toHaveLength([...bench.server.services.rooms.openRooms()].length - 1)
    expect(Math.min(...rests)).toBeGreaterThan(0)
    expect(rests.reduce((sum, ms) => sum + ms, 0)).toBeLessThan(49 * tookMs)
  })

  it('[B38] a dry run only reports', async () => {
    const { sale, number } = await misledLine()
    const options = { eventId: idOf(sale), dryRun: true, settledMs: 0 }
    expect(await compareGate(await roomOf(sale), bench.server.ledger.db, options)).toEqual({
      repaired: [],
      left: [{ kind: 'gate', subject: String(number), details: { line: 0, ledger: 2 } }],
    })
    expect(await seatsOnFloor(sale)).toEqual([0, 1, 1])
    await reconcile()
  })

  it('[B38] settles money that came for a declined payment', async () => {
    const { buyer, reservation } = await cashier.ready()
    await cashier.pay(buyer, reservation.id, 'sandbox_declined')
    const { id } = await bench.server.ledger.db
      .selectFrom('purchases')
      .select('id')
      .where('reservation_id', '=', reservation.id)
      .executeTakeFirstOrThrow()
    await query(
      bench.server.ledger.db,
      `update sandbox_payments set status = 'succeeded', captured = amount where purchase_id = $1`,
      [id],
    )
    expect(await reconcile()).toEqual({})
    await letDecidedAge(bench.server.ledger.db, reservation.id, 61)
    expect(await reconcile()).toMatchObject({ 'provider repaired': 1 })
    expect(await cashier.purchase(id)).toMatchObject({ status: 'PAID', captured: 9_000 })
    expect(await reconcile()).toEqual({})
  })

  it('[B38] counts what it cannot repair each time, until an operator has looked at it', async () => {
    const { buyer, reservation } = await cashier.ready()
    const { id } = await cashier.paid(buyer, reservation.id)
    const { db } = bench.server.ledger
    await query(db, `update sandbox_payments set status = 'failed', captured = 0 where purchase_id = $1`, [id])
    await query(db, `update seat_maps set available = available + 1 where event_id = $1`, [reservation.eventId])
    await letDecidedAge(bench.server.ledger.db, reservation.id, 61)
    const found = await reconcile()
    expect(found).toEqual({ 'counts repaired': 1, 'provider left': 1 })
    expect(await reconcile()).toEqual({ 'provider left': 1 })
    expect((await cashier.purchase(id)).status).toBe('PAID')
    await query(db, `update sandbox_payments set status = 'succeeded', captured = amount where purchase_id = $1`, [id])
    expect(await reconcile()).toEqual({})
  })
})
