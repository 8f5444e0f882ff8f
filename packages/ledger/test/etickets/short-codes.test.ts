import { readShortCode } from '@seatwise/domain'
import { findShortCode, type Ledger, openLedger, readEticketsOf } from '@seatwise/ledger'
import { forEachLedger } from '@seatwise/testbench'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { applyMigrations, readMigrations } from '../../src/engine/migrate.ts'
import { begin, capture, hold, openStanding } from '../reservations/sale-kit.ts'
import { buySeats } from './paid-kit.ts'

const FOLDER = new URL('../../migrations/', import.meta.url)
const SHORT_CODES = 13

forEachLedger('short codes', (_open, place) => {
  let ledger: Ledger
  beforeAll(async () => {
    ledger = await openLedger(await place())
  })
  afterAll(() => ledger.close())

  it('[B173] e-tickets of an older version get a short code by the migration, each another one', async () => {
    // Later migrations do not need this one, and the program needs them.
    const migrations = await readMigrations(FOLDER)
    const isThis = ({ version }: { version: number }) => version === SHORT_CODES
    await applyMigrations(
      ledger,
      migrations.filter((migration) => !isThis(migration)),
    )
    const sale = await openStanding(ledger, 6)
    const reservationId = await hold(sale, 6)
    await capture(sale, await begin(sale, reservationId))
    await sql`insert into etickets (reservation_id, seat_id, event_id)
              select reservation_id, seat_id, ${sale.event.id} from reservation_items
               where reservation_id = ${reservationId}`.execute(ledger.db)
    await sql.raw(migrations.find(isThis)?.sql ?? '').execute(ledger.db)
    const codes = (await readEticketsOf(ledger.db, [reservationId])).map(({ shortCode }) => shortCode)
    expect(new Set(codes).size).toBe(6)
    for (const code of codes) expect(readShortCode(code)).toBe(code)
  })

  it('[B173] new ones have one too, and no two of an event the same: the database refuses', async () => {
    const { etickets, sale } = await buySeats(ledger, 2)
    const [one, other] = etickets.map(({ shortCode }) => shortCode)
    expect(one).not.toBe(other)
    const same = ledger.db
      .updateTable('etickets')
      .set({ short_code: one ?? '' })
      .where('event_id', '=', sale.event.id)
    await expect(same.execute()).rejects.toThrow(/etickets_short_code/)
    const odd = ledger.db.updateTable('etickets').set({ short_code: 'OIL' }).where('event_id', '=', sale.event.id)
    await expect(odd.execute()).rejects.toThrow(/etickets_short_code_form/)
  })

  it('[B174] a code that two events have is found with the event only', async () => {
    const [first, second] = [await buySeats(ledger, 1), await buySeats(ledger, 1)]
    const shortCode = first.etickets[0]?.shortCode ?? ''
    const [eventId, otherId] = [first.sale.event.id, second.sale.event.id]
    const all = { shortCode, eventId: null, organizationIds: null }
    expect(await findShortCode(ledger.db, all)).toEqual({ status: 'found', id: first.etickets[0]?.id, eventId })
    await ledger.db.updateTable('etickets').set({ short_code: shortCode }).where('event_id', '=', otherId).execute()
    expect(await findShortCode(ledger.db, all)).toEqual({ status: 'ambiguous' })
    expect(await findShortCode(ledger.db, { ...all, eventId: otherId })).toMatchObject({ eventId: otherId })
    expect(await findShortCode(ledger.db, { ...all, shortCode: '00000000' })).toEqual({ status: 'unknown' })
  })
})
