import type { Ledger } from '@seatwise/ledger'
import { sql } from 'kysely'
import type { Migration } from '../../src/engine/migrate.ts'

/** What migrating would be without its lock: every server sees that the migration is missing, and applies it. */
export async function migrateUnguarded(ledgers: readonly Ledger[], migration: Migration): Promise<Promise<void>[]> {
  const allLooked = Promise.withResolvers<void>()
  let looked = 0
  return ledgers.map((ledger) =>
    ledger.db.transaction().execute(async (transaction) => {
      const { rows } = await sql<{ found: string | null }>`select to_regclass('fruits') as found`.execute(transaction)
      looked += 1
      if (looked === ledgers.length) allLooked.resolve()
      await allLooked.promise
      if (rows[0]?.found === null) await sql.raw(migration.sql).execute(transaction)
    }),
  )
}
