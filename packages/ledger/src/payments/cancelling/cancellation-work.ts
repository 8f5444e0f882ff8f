import { type Kysely, sql } from 'kysely'
import { loadStatement, runStatement, type Schema } from '../../engine/index.ts'

const LEASE_CANCELLATION = loadStatement(import.meta.url, 'lease-cancellation.sql')
const TAKE_ORDERS = loadStatement(import.meta.url, 'take-orders.sql')
const NOTE_ORDER = loadStatement(import.meta.url, 'note-order.sql')
const NOTE_TOLD = loadStatement(import.meta.url, 'note-told.sql')

/** With the pauses between them about four days. */
const ATTEMPTS_MAX = 600

/** An event that one server cancels until its lease is over. */
export interface LeasedCancellation {
  readonly eventId: string
  readonly message: string
  readonly by: string
  readonly isLineTold: boolean
}

/** Null when no event waits for a server. */
export async function leaseCancellation(db: Kysely<Schema>, leaseSeconds: number): Promise<LeasedCancellation | null> {
  const [row] = await runStatement<LeasedCancellation>(db, LEASE_CANCELLATION, [leaseSeconds])
  return row ?? null
}

/** The next round may be any server's. */
export async function endLease(db: Kysely<Schema>, eventId: string): Promise<void> {
  await db
    .updateTable('cancellations')
    .set({ leased_until: sql<Date>`clock_timestamp()` })
    .where('event_id', '=', eventId)
    .execute()
}

export async function noteLineTold(db: Kysely<Schema>, eventId: string): Promise<void> {
  await db
    .updateTable('cancellations')
    .set({ line_told_at: sql<Date>`clock_timestamp()` })
    .where('event_id', '=', eventId)
    .execute()
}

/** Purchases to refund now. */
export async function takeCancelledOrders(
  db: Kysely<Schema>,
  { eventId, max, leaseSeconds }: { eventId: string; max: number; leaseSeconds: number },
): Promise<string[]> {
  const rows = await runStatement<{ purchaseId: string }>(db, TAKE_ORDERS, [eventId, max, leaseSeconds])
  return rows.map(({ purchaseId }) => purchaseId)
}

/** How the refund of an order went; a problem is tried again later. */
export async function noteCancelledOrder(
  db: Kysely<Schema>,
  purchaseId: string,
  problem: string | null,
): Promise<void> {
  await runStatement(db, NOTE_ORDER, [purchaseId, problem, ATTEMPTS_MAX])
}

/** Notes who was told, and says whether anything is left to do. */
export async function noteToldBuyers(
  db: Kysely<Schema>,
  eventId: string,
): Promise<{ isRefunded: boolean; isTold: boolean }> {
  const [row] = await runStatement<{ isRefunded: boolean; isTold: boolean }>(db, NOTE_TOLD, [eventId])
  if (row === undefined) throw new Error('A select without a table always has a row')
  return row
}

export async function finishCancellation(db: Kysely<Schema>, eventId: string, differences: number): Promise<void> {
  await db
    .updateTable('cancellations')
    .set({ state: 'DONE', done_at: sql<Date>`clock_timestamp()`, differences })
    .where('event_id', '=', eventId)
    .where('state', '=', 'RUNNING')
    .execute()
}
