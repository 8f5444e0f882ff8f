import { type Ledger, openLedger } from '@seatwise/ledger'
import { forEachLedger } from '@seatwise/testbench'
import { describe, expect, test } from 'vitest'

const seen: string[] = []

forEachLedger('ledgers', (open, place) => {
  test('[T9] a suite gets a fresh, migrated ledger on each engine', async () => {
    const ledger = await open()
    seen.push(ledger.kind)
    expect(await tablesOf(ledger)).toContain('events')
  })

  test('[T9] a suite can have a place of its own, and open it again', async () => {
    const where = await place()
    const first = await openLedger(where)
    expect(await tablesOf(first)).toEqual([])
    await first.db.schema.createTable('kept').addColumn('id', 'integer').execute()
    await first.close()
    const again = await openLedger(where)
    expect(await tablesOf(again)).toEqual(['kept'])
    await again.close()
  })
})

describe('afterwards', () => {
  test('[T9] the suite ran on both engines', () => {
    expect(seen).toEqual(['pglite', 'postgres'])
  })
})

async function tablesOf(ledger: Ledger): Promise<string[]> {
  const tables = await ledger.db.introspection.getTables()
  return tables.map(({ name }) => name)
}
