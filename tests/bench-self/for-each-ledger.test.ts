import { openLedger } from '@seatwise/seats'
import { forEachLedger } from '@seatwise/testbench'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'

const seen: string[] = []

forEachLedger('ledgers', (open, place) => {
  test('[T9] a suite gets a fresh, migrated ledger on each engine', async () => {
    const ledger = await open()
    seen.push(ledger.kind)
    const { rows } = await sql<{ found: string | null }>`select to_regclass('events')::text as found`.execute(ledger.db)
    expect(rows).toEqual([{ found: 'events' }])
  })

  test('[T9] a suite can have a place of its own, and open it again', async () => {
    const where = await place()
    const first = await openLedger(where)
    await sql`create table kept (id int)`.execute(first.db)
    await first.close()
    const again = await openLedger(where)
    const { rows } = await sql<{ found: string | null }>`select to_regclass('kept')::text as found`.execute(again.db)
    expect(rows).toEqual([{ found: 'kept' }])
    await again.close()
  })
})

describe('afterwards', () => {
  test('[T9] both engines had their turn', () => {
    expect(seen).toEqual(['pglite', 'postgres'])
  })
})
