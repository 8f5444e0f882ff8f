import { type Ledger, openLedger } from '@seatwise/ledger'
import { postgresDatabase } from '@seatwise/testbench'
import { sql } from 'kysely'
import { afterAll, beforeAll } from 'vitest'

/** A ledger for the tests of a file, which tells how many rows were looked at. */
export function countedLedger(): { readonly current: Ledger; rowsRead(): Promise<number> } {
  let database: Awaited<ReturnType<typeof postgresDatabase>>
  let ledger: Ledger
  beforeAll(async () => {
    database = await postgresDatabase('migrated')
    // One connection, because each keeps its own counts for a while.
    ledger = await openLedger({ kind: 'postgres', url: database.url, poolMax: 1 })
  })
  afterAll(async () => {
    await ledger.close()
    await database.drop()
  })
  return {
    get current() {
      return ledger
    },
    async rowsRead() {
      await sql`select pg_stat_force_next_flush()`.execute(ledger.db)
      const { rows } = await sql<{ rows: number }>`
        select coalesce(sum(seq_tup_read + coalesce(idx_tup_fetch, 0)), 0)::int as rows
          from pg_stat_user_tables`.execute(ledger.db)
      return rows[0]?.rows ?? Number.NaN
    },
  }
}
