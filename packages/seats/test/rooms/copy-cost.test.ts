import type { Change } from '@seatwise/domain'
import { copyLog, type Ledger, openLedger } from '@seatwise/seats'
import { postgresDatabase } from '@seatwise/testbench'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { joined, log, newRoom } from './log-kit.ts'

const TICKETS = 2_000
const CHANGED = 100
/** Looks into tables for one ticket that changes: itself, and the room now and then. */
const ROWS_PER_TICKET_MAX = 3

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

it('[R31] copying changes reads the tickets they are about, whatever the planner has counted', async () => {
  await changeSome('nothing was counted yet')
  await sql`analyze`.execute(ledger.db)
  await changeSome('other rooms were counted')
})

async function changeSome(when: string): Promise<void> {
  const { room } = await newRoom(ledger)
  let seq = await fill(room)
  const numbers = Array.from({ length: CHANGED }, (_, index) => index * 7 + 1)
  const batches: Change[][] = [
    numbers.map((number) => ({ kind: 'admitted', number, class: 0, fence: number, deadline: 5_000, active: true })),
    numbers.map((number) => ({ kind: 'reserved', number, deadline: 20_000, quantity: 2 })),
  ]
  for (const changes of batches) {
    const before = await rowsRead()
    expect(await copyLog(ledger.db, room, log(seq, changes))).toMatchObject({ status: 'copied' })
    expect((await rowsRead()) - before, `${changes[0]?.kind}, ${when}`).toBeLessThan(CHANGED * ROWS_PER_TICKET_MAX)
    seq += changes.length
  }
}

/** People who wait; returns the place of the next entry. */
async function fill(room: string): Promise<number> {
  const changes = Array.from({ length: TICKETS }, (_, index) => joined(index + 1))
  expect(await copyLog(ledger.db, room, log(1, changes))).toMatchObject({ status: 'copied' })
  return changes.length + 2
}

async function rowsRead(): Promise<number> {
  await sql`select pg_stat_force_next_flush()`.execute(ledger.db)
  const { rows } = await sql<{ rows: number }>`
    select coalesce(sum(seq_tup_read + coalesce(idx_tup_fetch, 0)), 0)::int as rows
      from pg_stat_user_tables`.execute(ledger.db)
  return rows[0]?.rows ?? Number.NaN
}
