import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { countedLedger } from '../../support/counted-ledger.ts'
import { claimAll, claimOf, openStalls, type Sale, seatId } from '../sale-kit.ts'

const CLAIMS = 50
/** Looks into tables for one claim: its seat, its buyer, its ticket, its key, and what refers to them. */
const ROWS_PER_CLAIM_MAX = 20

const ledger = countedLedger()

it('[B45] a claim reads what it asks for, also in an event that the planner has not counted yet', async () => {
  const counted = [await openStalls(ledger.current, 20, 100), await openStalls(ledger.current, 20, 100)]
  for (const sale of counted) await claimSome(sale, 0)
  await sql`analyze`.execute(ledger.current.db)
  const sale = await openStalls(ledger.current, 20, 100)
  // Later ones find reservations of this event, too.
  for (const from of [0, CLAIMS, 2 * CLAIMS]) {
    const before = await ledger.rowsRead()
    await claimSome(sale, from)
    expect((await ledger.rowsRead()) - before).toBeLessThan(CLAIMS * ROWS_PER_CLAIM_MAX)
  }
})

async function claimSome(sale: Sale, from: number): Promise<void> {
  const claims = Array.from({ length: CLAIMS }, (_, index) =>
    claimOf(sale, { seatIds: [seatId(sale, sale.seats.length - 1 - from - index)] }),
  )
  const replies = await claimAll(sale, claims)
  expect(replies.every(({ status }) => status === 'held')).toBe(true)
}
