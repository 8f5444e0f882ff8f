import { faults, type PriceLine } from '@seatwise/domain'
import type { Kysely } from 'kysely'
import { inTransaction, loadStatement, type Primary, runStatement, type Schema } from '../../engine/index.ts'

const FIND_SELLERS = loadStatement(import.meta.url, 'find-sellers.sql')
const LOCK_SELLER = loadStatement(import.meta.url, 'lock-seller.sql')
const NUMBER_RECEIPTS = loadStatement(import.meta.url, 'number-receipts.sql')
const READ_RECEIPTS = loadStatement(import.meta.url, 'read-receipts.sql')
const LIST_PAPERS = loadStatement(import.meta.url, 'list-papers.sql')
const EXPORT_RECEIPTS = loadStatement(import.meta.url, 'export-receipts.sql')

/** One round gives numbers for so many organizations, and so many of each: it bounds how long a row is locked. */
const SELLERS_MAX = 100
const RECEIPTS_MAX = 500
const EXPORT_PAGE = 2_000

/**
 * A numbered paper about money: a receipt for a purchase, or a credit note for what went back of it. It never changes:
 * everything in it is as it was when the number was given (B150).
 */
export interface Receipt {
  readonly number: number
  readonly kind: 'receipt' | 'credit_note'
  /** What was paid, or what went back. */
  readonly amount: number
  readonly currency: string
  /** Below 0 on a credit note. */
  readonly lines: readonly ReceiptLine[]
  /** Contained in the amount. */
  readonly tax: number
  readonly seller: Seller
  readonly buyer: ReceiptBuyer
  readonly event: ReceiptEvent
  /** Through which the money moved. */
  readonly provider: string
  readonly issuedAt: Date
}

/** `refund`: a part of an order that went back, which has no line of its own in the order. */
export type ReceiptLine =
  | PriceLine
  | { readonly kind: 'refund'; readonly name: string; readonly amount: number; readonly tax: number }

/** Who the order was for; a guest of the sandbox may have said nothing. */
export interface ReceiptBuyer {
  readonly name: string | null
  readonly email: string | null
  readonly language: string | null
}

export interface ReceiptEvent {
  readonly name: string
  readonly location: string
  /** In ISO 8601. */
  readonly startsAt: string | null
  readonly timeZone: string
}

export interface Seller {
  readonly name: string
  readonly address: string
  readonly taxNumber: string
}

/**
 * Gives numbers to what was sold and refunded since the last time, and returns how many (B100, I37). Purchases do not get
 * their number when they are paid, because all sales of an organization would then wait for one row. Any server may do it,
 * any number of times at once.
 */
export async function numberReceipts(ledger: Primary): Promise<number> {
  const sellers = await runStatement<{ id: string }>(ledger.db, FIND_SELLERS, [SELLERS_MAX])
  let written = 0
  for (const { id } of sellers) written += await numberReceiptsOf(ledger, id)
  return written
}

async function numberReceiptsOf(ledger: Primary, organizationId: string): Promise<number> {
  const written = await inTransaction(ledger, async (transaction) => {
    await transaction.run(LOCK_SELLER, [organizationId])
    // A statement of its own: it sees what was committed while the first one waited for the lock.
    const receipts = await transaction.run(NUMBER_RECEIPTS, [organizationId, RECEIPTS_MAX])
    if (faults.on) await faults.reach('receipts.inside-transaction')
    return receipts.length
  })
  if (faults.on) await faults.reach('receipts.after-commit')
  return written
}

export async function readReceipts(db: Kysely<Schema>, purchaseId: string): Promise<Receipt[]> {
  return await runStatement<Receipt>(db, READ_RECEIPTS, [purchaseId])
}

/** A paper that a buyer can open; without a number while the purchase waits for its receipt. */
export interface Paper {
  readonly reservationId: string
  readonly purchaseId: string
  readonly number: number | null
  readonly kind: Receipt['kind'] | null
}

export async function listPapers(db: Kysely<Schema>, reservationIds: readonly string[]): Promise<Paper[]> {
  return await runStatement<Paper>(db, LIST_PAPERS, [reservationIds])
}

export interface Period {
  /** Null for since ever. */
  readonly from: Date | null
  /** Not in the period; null for no end. */
  readonly until: Date | null
}

/** A line of the bookkeeping export; money that went back is below 0. */
export interface BookedReceipt {
  readonly number: number
  readonly date: Date
  readonly kind: Receipt['kind']
  readonly event: string
  readonly net: number
  readonly tax: number
  readonly gross: number
  readonly currency: string
}

/** All papers of an organization in a period, in pages, by number. */
export async function* exportReceipts(
  db: Kysely<Schema>,
  organizationId: string,
  { from, until }: Period,
): AsyncGenerator<BookedReceipt[]> {
  let after: number | null = null
  while (true) {
    const parameters = [organizationId, from, until, after, EXPORT_PAGE]
    const page: BookedReceipt[] = await runStatement<BookedReceipt>(db, EXPORT_RECEIPTS, parameters)
    const last = page.at(-1)
    if (last === undefined) return
    yield page
    if (page.length < EXPORT_PAGE) return
    after = last.number
  }
}
