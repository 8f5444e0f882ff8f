import { type Ledger, openLedger } from '@seatwise/seats'
import { postgresDatabase } from '@seatwise/testbench'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { claimAll, claimOf, openStalls, type Sale, seatId } from './sale-kit.ts'

const CLAIMS = 50
/** Looks into tables for one claim: its seat, its buyer, its ticket, its key, and what refers to them. */
const ROWS_PER_CLAIM_MAX = 20

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

it('[B45] a claim reads what it asks for, also in an event that the planner has not counted yet', async () => {
  const counted = [await openStalls(ledger, 20, 100), await openStalls(ledger, 20, 100)]
  for (const sale of counted) await claimSome(sale, 0)
  await sql`analyze`.execute(ledger.db)
  const sale = await openStalls(ledger, 20, 100)
  // Later ones find reservations of this event, too.
  for (const from of [0, CLAIMS, 2 * CLAIMS]) {
    const before = await rowsRead()
    await claimSome(sale, from)
    expect((await rowsRead()) - before).toBeLessThan(CLAIMS * ROWS_PER_CLAIM_MAX)
  }
})

async function claimSome(sale: Sale, from: number): Promise<void> {
  const claims = Array.from({ length: CLAIMS }, (_, index) =>
    claimOf(sale, { seatIds: [seatId(sale, sale.seats.length - 1 - from - index)] }),
  )
  const replies = await claimAll(sale, claims)
  expect(replies.every(({ status }) => status === 'held')).toBe(true)
}

async function rowsRead(): Promise<number> {
  await sql`select pg_stat_force_next_flush()`.execute(ledger.db)
  const { rows } = await sql<{ rows: number }>`
    select coalesce(sum(seq_tup_read + coalesce(idx_tup_fetch, 0)), 0)::int as rows
      from pg_stat_user_tables`.execute(ledger.db)
  return rows[0]?.rows ?? Number.NaN
}
