import type { Kysely } from 'kysely'
import {
  loadStatement,
  type Primary,
  prepareStatement,
  runPrepared,
  runStatement,
  type Schema,
} from '../../engine/index.ts'
import { type Purchase, readPurchase, readPurchases } from '../purchase.ts'

const TAKE_UNDECIDED = loadStatement(import.meta.url, 'take-undecided.sql')
const LIST_DECIDED = loadStatement(import.meta.url, 'list-decided.sql')
const NOTE_PAYMENT_REFS = prepareStatement(import.meta.url, 'note-payment-refs.sql')
const LIST_STUCK = loadStatement(import.meta.url, 'list-stuck.sql')

/** Payments that the caller should ask the provider about now. Any number of servers may take some at once. */
export async function takeUndecidedPayments(db: Kysely<Schema>, max: number): Promise<string[]> {
  const rows = await runStatement<{ id: string }>(db, TAKE_UNDECIDED, [max])
  return rows.map(({ id }) => id)
}

/** What an operator has to look at, the longest waiting first. */
export async function listStuckPayments(
  db: Kysely<Schema>,
  { eventId, organizationIds, patienceSeconds, max }: StuckSearch,
): Promise<Purchase[]> {
  const rows = await runStatement<{ id: string }>(db, LIST_STUCK, [eventId, organizationIds, patienceSeconds, max])
  const ids = rows.map(({ id }) => id)
  const purchases = new Map((await readPurchases(db, ids)).map((purchase) => [purchase.id, purchase]))
  return ids.flatMap((id) => purchases.get(id) ?? [])
}

/** What the provider can be asked about again: the payments that were paid or declined, the latest first. */
export async function listDecidedPayments(
  db: Kysely<Schema>,
  { eventId, provider, max }: { eventId: string; provider: string; max: number },
): Promise<Purchase[]> {
  const rows = await runStatement<{ id: string }>(db, LIST_DECIDED, [eventId, provider, max])
  return await readPurchases(
    db,
    rows.map(({ id }) => id),
  )
}

interface StuckSearch {
  /** Null for all events. */
  readonly eventId: string | null
  /** Null for the events of all organizations. */
  readonly organizationIds: readonly string[] | null
  readonly patienceSeconds: number
  readonly max: number
}

export interface PaymentRef {
  readonly purchaseId: string
  readonly providerRef: string
}

/**
 * Stores under which name the provider knows each payment, before any money can move. False for a payment that was
 * decided meanwhile: then the caller must not pay.
 */
export async function notePaymentRefs(ledger: Primary, refs: readonly PaymentRef[]): Promise<readonly boolean[]> {
  const rows = await runPrepared<{ id: string }>(ledger, NOTE_PAYMENT_REFS, [
    refs.map(({ purchaseId }) => purchaseId),
    refs.map(({ providerRef }) => providerRef),
  ])
  const stored = new Set(rows.map(({ id }) => id))
  return refs.map(({ purchaseId }) => stored.has(purchaseId))
}

/** The purchase that a provider speaks of; null when it is none of ours. */
export async function findPurchaseByRef(
  db: Kysely<Schema>,
  { provider, providerRef }: { provider: string; providerRef: string },
): Promise<Purchase | null> {
  const row = await db
    .selectFrom('purchases')
    .select('id')
    .where('provider', '=', provider)
    .where('provider_ref', '=', providerRef)
    .executeTakeFirst()
  return row === undefined ? null : await readPurchase(db, row.id)
}

/** How long a payment has been under way, and whether the hold it pays for is over; by the ledger's clock. */
export async function readPatience(
  db: Kysely<Schema>,
  purchaseId: string,
): Promise<{ ageSeconds: number; isOver: boolean }> {
  const [row] = await runStatement<{ ageSeconds: number; isOver: boolean }>(db, READ_PATIENCE, [purchaseId])
  if (row === undefined) throw new Error(`There is no purchase ${purchaseId}`)
  return row
}

const READ_PATIENCE = loadStatement(import.meta.url, 'read-patience.sql')
