import type { Kysely } from 'kysely'
import { loadStatement, runStatement, type Schema } from '../../engine/index.ts'
import type { DoorMethod } from './door-sale.ts'

const READ_CASH_UP = loadStatement(import.meta.url, 'read-cash-up.sql')

/** What one seller took in and paid out on one day, by one method. */
export interface CashUpRow {
  /** Of the venue: 2026-11-18. */
  readonly day: string
  /** Null for money that no operator asked to pay out. */
  readonly sellerId: string | null
  readonly sellerName: string | null
  readonly method: DoorMethod
  readonly currency: string
  readonly sales: number
  readonly seats: number
  readonly taken: number
  readonly paidOut: number
}

/** Far more than the days, sellers and methods of one event. */
const ROWS_MAX = 10_000

/** The cash-up of an event; of one day if `day` names it. */
export async function readCashUp(
  db: Kysely<Schema>,
  { eventId, timeZone, day = null }: { eventId: string; timeZone: string; day?: string | null },
): Promise<CashUpRow[]> {
  return await runStatement<CashUpRow>(db, READ_CASH_UP, [eventId, timeZone, day, ROWS_MAX])
}
