import { readFileSync } from 'node:fs'
import type { Change } from '@seatwise/domain'
import { beginEpoch, copyLog, type Ledger } from '@seatwise/ledger'
import { expectFields, forEachLedger, shape } from '@seatwise/testbench'
import { CompiledQuery, sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { claimAll, claimOf, openStanding, type Sale } from '../../reservations/sale-kit.ts'
import { joined, log } from '../../rooms/log-kit.ts'

const FIND_DRIFT = readFileSync(new URL('../../../src/operators/reconcile/find-drift.sql', import.meta.url), 'utf8')
const { number, optional, anything, listOf } = shape
const PLAN = shape.fields({ Plan: anything })
const STEP = {
  ...{ 'Actual Rows': number, 'Actual Loops': number, Plans: optional(listOf(anything)) },
  ...{ 'Rows Removed by Filter': optional(number), 'Rows Removed by Join Filter': optional(number) },
}
const SMALL = 100
const TIMES_LARGER = 6

forEachLedger('comparing the books of a sale', (open) => {
  let ledger: Ledger
  beforeAll(async () => {
    ledger = await open()
  }, 60_000)

  it('[B38] reads rows in proportion to the sale, also before the planner has statistics of it', async () => {
    const small = await rowsRead(await openBusySale(SMALL))
    const large = await rowsRead(await openBusySale(SMALL * TIMES_LARGER))
    expect(small).toBeGreaterThan(SMALL)
    expect(large / small).toBeLessThan(1.5 * TIMES_LARGER)
  })

  /** Each seat is held, was paid and refunded once before, as many tickets wait, and as many have ended. */
  async function openBusySale(size: number): Promise<Sale> {
    const sale = await openStanding(ledger, size)
    await claimAll(
      sale,
      sale.seats.map(({ id }) => claimOf(sale, { seatIds: [id] })),
    )
    await sql`
      with paid as (
        insert into purchases (id, reservation_id, provider, status, amount, currency, captured, refunded)
        select gen_random_uuid(), id, 'sandbox', 'REFUNDED', amount, currency, amount, amount
          from reservations
         where event_id = ${sale.event.id}
        returning id, amount
      )
      insert into refunds (id, purchase_id, number, seat_ids, amount, state, reason, done_at)
      select gen_random_uuid(), id, 1, array[gen_random_uuid()], amount, 'DONE', 'asked', now() from paid`.execute(
      ledger.db,
    )
    const numbers = Array.from({ length: 2 * size }, (_, index) => index + 1)
    const ended = (number: number): Change => ({ kind: 'completed', number })
    await beginEpoch(ledger.db, { room: sale.event.roomId, lostEpoch: 0, reason: 'first', unseenMax: 0 })
    const entries = log(1, [...numbers.map(joined), ...numbers.slice(0, size).map(ended)])
    expect((await copyLog(ledger, sale.event.roomId, entries)).status).toBe('copied')
    return sale
  }

  async function rowsRead(sale: Sale): Promise<number> {
    const explain = CompiledQuery.raw(`explain (analyze, format json) ${FIND_DRIFT}`, [sale.event.id])
    const { rows } = await ledger.db.executeQuery(explain)
    const { 'QUERY PLAN': plans } = expectFields(rows[0], { 'QUERY PLAN': shape.listOf(PLAN) })
    return plans.reduce((sum, { Plan }) => sum + rowsOf(Plan), 0)
  }
})

/** What a step of the plan and those below it went through, whether it passed them on or not. */
function rowsOf(step: unknown): number {
  const { 'Actual Loops': loops, Plans: inner = [], ...counts } = expectFields(step, STEP)
  const each =
    counts['Actual Rows'] + (counts['Rows Removed by Filter'] ?? 0) + (counts['Rows Removed by Join Filter'] ?? 0)
  return inner.reduce<number>((sum, below) => sum + rowsOf(below), each * loops)
}
