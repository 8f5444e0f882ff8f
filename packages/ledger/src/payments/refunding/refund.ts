import type { Kysely } from 'kysely'
import { loadStatement, type RefundProgress, runStatement, type Schema, type Transaction } from '../../engine/index.ts'
import { type Purchase, readPurchasesOf } from '../purchase.ts'

const READ_REFUNDS = loadStatement(import.meta.url, 'read-refunds.sql')
const READ_REFUND_ITEMS = loadStatement(import.meta.url, 'read-refund-items.sql')
const WRITE_REFUND = loadStatement(import.meta.url, 'write-refund.sql')
const TAKE_PENDING = loadStatement(import.meta.url, 'take-pending.sql')

/** Money that goes back, or went. Its id is the key that the provider gets; id and amount never change. */
export interface Refund {
  readonly id: string
  readonly purchaseId: string
  /** From 1, for each purchase. */
  readonly number: number
  /** Empty for money that came without a sale. */
  readonly seatIds: readonly string[]
  readonly amount: number
  /** What stays of these seats: their fees, or the fee for refunding them. */
  readonly kept: number
  readonly state: RefundProgress
  readonly reason: string
  /** Why the provider does not send it. */
  readonly refused: string | null
  readonly createdAt: Date
  readonly doneAt: Date | null
}

export async function readRefund(db: Kysely<Schema>, id: string): Promise<Refund | null> {
  const [refund] = await runStatement<Refund>(db, READ_REFUNDS, [[id], null, null, null])
  return refund ?? null
}

/** The refunds of a purchase, the oldest first. */
export async function readRefundsOf(db: Kysely<Schema>, purchaseId: string): Promise<Refund[]> {
  return await runStatement<Refund>(db, READ_REFUNDS, [[], purchaseId, null, null])
}

/** The refund that an earlier call with this key began. */
export async function readRefundByKey(
  db: Kysely<Schema>,
  { actorId, key }: { actorId: string; key: string },
): Promise<Refund | null> {
  const [refund] = await runStatement<Refund>(db, READ_REFUNDS, [[], null, actorId, key])
  return refund ?? null
}

export interface RefundItem {
  readonly seatId: string
  readonly paid: number
  readonly fees: number
  /** Null while the seat is the buyer's. */
  readonly refundId: string | null
  /** The money is back, and so is the seat. */
  readonly returned: boolean
  readonly isUsed: boolean
  /** Its e-ticket has another holder than the buyer. */
  readonly isTransferred: boolean
}

export async function readRefundItems(transaction: Transaction, reservationId: string): Promise<RefundItem[]> {
  return await transaction.run<RefundItem>(READ_REFUND_ITEMS, [reservationId])
}

interface NewRefund {
  readonly id: string
  readonly seatIds: readonly string[]
  readonly amount: number
  readonly kept: number
  readonly reason: string
  /** The key of the call that asks for it. */
  readonly operation?: { readonly actorId: string; readonly key: string } | undefined
  readonly at: Date
}

/** Stores a refund of a purchase, under the lock of the seat map. */
export async function writeRefund(
  transaction: Transaction,
  { id, reservationId }: Pick<Purchase, 'id' | 'reservationId'>,
  refund: NewRefund,
): Promise<Refund> {
  const { seatIds, amount, kept, reason, operation, at } = refund
  const by = [operation?.actorId ?? null, operation?.key ?? null]
  await transaction.run(WRITE_REFUND, [refund.id, id, reservationId, seatIds, amount, kept, reason, ...by, at])
  const stored = await readRefund(transaction.db, refund.id)
  if (stored === null) throw new Error(`The refund ${refund.id} is gone inside the transaction that made it`)
  return stored
}

/** Refunds that the caller should ask the provider about now. Any number of servers may take some at once. */
export async function takePendingRefunds(db: Kysely<Schema>, max: number): Promise<string[]> {
  const rows = await runStatement<{ id: string }>(db, TAKE_PENDING, [max])
  return rows.map(({ id }) => id)
}

/** The provider refuses to send it: shown to operators, and asked again later. */
export async function noteRefusal(db: Kysely<Schema>, refundId: string, refused: string): Promise<void> {
  await db.updateTable('refunds').set({ refused }).where('id', '=', refundId).where('state', '=', 'PENDING').execute()
}

/** Money that came twice or late goes back without touching what another purchase has paid for. */
export async function isPaidBy(
  transaction: Transaction,
  purchase: Purchase,
  reservation: { readonly id: string; readonly status: string },
): Promise<boolean> {
  if (reservation.status !== 'PAID') return false
  const purchases = await readPurchasesOf(transaction.db, reservation.id)
  return !purchases.some(({ id, status }) => id !== purchase.id && (status === 'PAID' || status === 'PARTLY_REFUNDED'))
}
