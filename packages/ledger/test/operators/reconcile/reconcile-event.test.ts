import { type Drift, type Ledger, reconcileEvent, reconcileEvents } from '@seatwise/ledger'
import { forEachLedger } from '@seatwise/testbench'
import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { countsInOrder, hold, openStanding, type Sale, seatRows, sell } from '../../reservations/sale-kit.ts'

forEachLedger('reconciling an event', (open) => {
  let ledger: Ledger
  let sale: Sale
  beforeAll(async () => {
    ledger = await open()
  }, 60_000)
  beforeEach(async () => {
    sale = await openStanding(ledger, 6)
  })

  const reconcile = (dryRun = false) => reconcileEvent(ledger, { eventId: sale.event.id, dryRun })
  const kinds = (drift: readonly Drift[]) => drift.map(({ kind }) => kind)
  const tamper = (statement: ReturnType<typeof sql>) => statement.execute(ledger.db)

  it('[B38] leaves a sale alone when its books agree', async () => {
    await sell(sale, 2)
    await hold(sale, 1)
    const version = await versionOf()
    expect(await reconcile()).toEqual({ repaired: [], left: [] })
    expect(await versionOf()).toBe(version)
  })

  it('[B38] counts anew, and every follower of the map hears of it', async () => {
    await sell(sale, 2)
    await tamper(sql`update seat_maps set available = 6, sold = 0 where event_id = ${sale.event.id}`)
    const version = await versionOf()
    expect(kinds((await reconcile(true)).left)).toEqual(['counts'])
    expect(kinds((await reconcile()).repaired)).toEqual(['counts'])
    expect(await countsInOrder(sale)).toEqual({ available: 4, held: 0, sold: 2, blocked: 0 })
    expect(await versionOf()).toBe(version + 1)
  })

  it('[B38] frees seats that are held for a reservation that is over', async () => {
    const reservation = await hold(sale, 2)
    await tamper(sql`update reservations set status = 'EXPIRED' where id = ${reservation}`)
    const { repaired, left } = await reconcile()
    expect(kinds(repaired)).toEqual(['held-by-nobody', 'held-by-nobody'])
    expect(left).toEqual([])
    expect(await countsInOrder(sale)).toMatchObject({ available: 6, held: 0 })
  })

  it('[B38] takes seats back for those who bought or reserved them', async () => {
    await sell(sale, 1)
    await hold(sale, 1)
    await tamper(sql`update seats set status = 'available', reservation_id = null, held_until = null
                      where event_id = ${sale.event.id}`)
    const { repaired, left } = await reconcile()
    expect(kinds(repaired)).toEqual(['counts', 'seat-let-go', 'seat-let-go'])
    expect(left).toEqual([])
    expect(await countsInOrder(sale)).toEqual({ available: 4, held: 1, sold: 1, blocked: 0 })
  })

  it('[B38] reports, and never touches, a seat of two owners and a purchase without a payment', async () => {
    const purchase = await sell(sale, 1)
    await tamper(sql`update seats set status = 'available', reservation_id = null where status = 'sold'
                        and event_id = ${sale.event.id}`)
    await tamper(sql`update seat_maps set available = 6, sold = 0, free_from = '{}' where event_id = ${sale.event.id}`)
    await hold(sale, 6)
    const before = await seatRows(sale)
    await tamper(sql`update purchases set status = 'DECLINED', captured = 0 where id = ${purchase.id}`)
    const { left } = await reconcile()
    expect(kinds(left)).toEqual(['paid-without-payment', 'seat-elsewhere'])
    expect(await seatRows(sale)).toEqual(before)
  })

  it("[B38] reports money that bought nothing, and a provider's books that differ", async () => {
    const purchase = await sell(sale, 1)
    await tamper(sql`insert into sandbox_payments (ref, purchase_id, amount, currency, return_url)
                     values (${purchase.id}, ${purchase.id}, ${purchase.amount}, 'EUR', '')`)
    expect(await reconcile()).toEqual({ repaired: [], left: [] })
    await tamper(sql`update purchases set updated_at = updated_at - interval '2 minutes' where id = ${purchase.id}`)
    expect(kinds((await reconcile()).left)).toEqual(['provider'])
    await tamper(sql`update reservations set status = 'REFUNDED' where id = ${purchase.reservationId}`)
    expect(kinds((await reconcile()).left)).toEqual(['payment-without-sale', 'provider', 'sold-to-nobody'])
  })

  it('[B38] reports a log with a different end', async () => {
    await tamper(sql`update rooms set seq = 7 where event_id = ${sale.event.id}`)
    expect((await reconcile()).left).toMatchObject([{ kind: 'log', details: { followed: 7, last: 0 } }])
  })

  it('[B38] goes through one event or all of them, and tells only of those with a difference', async () => {
    await tamper(sql`update seat_maps set blocked = 3 where event_id = ${sale.event.id}`)
    expect(await reconcileEvents(ledger, { eventId: sale.event.id, dryRun: true })).toMatchObject({
      compared: 1,
      events: [{ eventId: sale.event.id, left: [{ kind: 'counts' }] }],
    })
    const { compared, events } = await reconcileEvents(ledger, { eventId: null, dryRun: false })
    expect(compared).toBeGreaterThan(1)
    expect(events.find(({ eventId }) => eventId === sale.event.id)).toMatchObject({ repaired: [{ kind: 'counts' }] })
  })

  async function versionOf(): Promise<number> {
    const row = await ledger.db
      .selectFrom('seat_maps')
      .select('version')
      .where('event_id', '=', sale.event.id)
      .executeTakeFirstOrThrow()
    return row.version
  }
})
