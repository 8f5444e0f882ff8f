/*
 * The life of a purchase.
 *
 *   PROCESSING ──captured, seats there──▶ PAID ──all refunded──▶ REFUNDING ──sent back──▶ REFUNDED
 *     │  │  │                               └──some sent back──▶ PARTLY_REFUNDED ──▲ the rest likewise
 *     │  │  └────captured, seats gone──────────────────────────────▲
 *     │  └──────declined─────────────▶ DECLINED   (money may still come: then as PROCESSING)
 *     └─────────cannot be decided────▶ STUCK      (an operator decides: then as PROCESSING)
 */
import type { Kysely } from 'kysely'
import {
  type Call,
  loadStatement,
  type PurchaseStatus,
  prepareStatement,
  runStatement,
  type Schema,
  type Transaction,
} from '../engine/index.ts'
import type { StoredAnswer } from '../operations/index.ts'
import type { News } from '../outbox/index.ts'
import type { ReservationRow } from '../reservations/index.ts'

const READ_PURCHASES = prepareStatement(import.meta.url, 'read-purchases.sql')
const CHANGE_PURCHASE = loadStatement(import.meta.url, 'change-purchase.sql')

/** The payment of a reservation. */
export interface Purchase {
  readonly id: string
  readonly reservationId: string
  readonly eventId: string
  readonly buyerId: string
  readonly provider: string
  readonly providerRef: string | null
  readonly status: PurchaseStatus
  readonly amount: number
  readonly currency: string
  readonly captured: number
  readonly refunded: number
  /** Fees of refunded seats that stayed. */
  readonly kept: number
  /** Null until a batch gives the number, within seconds after the sale. */
  readonly receiptNumber: number | null
  /** Why it was declined, is stuck, or goes back. */
  readonly reason: string | null
  /** The account or guest that asked for it, and its key. */
  readonly actorId: string | null
  readonly operationKey: string | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

/**
 * What else belongs into the transaction that decides a payment, such as making e-tickets. The answer it returns is
 * stored under the purchase's key; null leaves the operation undecided.
 */
export type Alongside<Outcome> = (transaction: Transaction, outcome: Outcome) => Promise<StoredAnswer | null>

export async function readPurchase(db: Kysely<Schema>, id: string): Promise<Purchase | null> {
  const [row] = await runStatement<Purchase>(db, READ_PURCHASES, [[id], null])
  return row ?? null
}

/** Calls read-purchases.sql for purchases by id. */
export function purchasesToRead(ids: readonly string[]): Call {
  return { statement: READ_PURCHASES, parameters: [ids, null] }
}

/** The ones that exist, in no particular order. */
export async function readPurchases(db: Kysely<Schema>, ids: readonly string[]): Promise<Purchase[]> {
  return await runStatement<Purchase>(db, READ_PURCHASES, [ids, null])
}

/** Every payment that was tried for a reservation, the newest first. */
export async function readPurchasesOf(db: Kysely<Schema>, reservationId: string): Promise<Purchase[]> {
  return await runStatement<Purchase>(db, READ_PURCHASES, [[], reservationId])
}

export interface PurchaseChange {
  readonly status: PurchaseStatus
  readonly captured?: number
  readonly refunded?: number
  readonly kept?: number
  readonly reason?: string | null
  readonly providerRef?: string | null
}

/** Writes a purchase's new state; what is not given stays. Runs under the lock of the seat map. */
export async function changePurchase(
  transaction: Transaction,
  { purchase, change, at }: { purchase: Purchase; change: PurchaseChange; at: Date },
): Promise<Purchase> {
  const { status, captured, refunded, reason, providerRef, kept } = change
  const given = [purchase.id, status, captured, refunded, reason, providerRef, at, kept]
  const parameters = given.map((value) => value ?? null)
  await transaction.run(CHANGE_PURCHASE, parameters)
  const changed = await readPurchase(transaction.db, purchase.id)
  if (changed === null) throw new Error(`The purchase ${purchase.id} is gone`)
  return changed
}

/** The answer to an operation that was waiting for this purchase. */
export async function answerOperation(
  transaction: Transaction,
  purchase: Purchase,
  answer: StoredAnswer | null,
): Promise<void> {
  if (answer === null || purchase.actorId === null || purchase.operationKey === null) return
  await transaction.db
    .updateTable('operations')
    .set({ status_code: answer.statusCode, answer: answer.body })
    .where('actor_id', '=', purchase.actorId)
    .where('key', '=', purchase.operationKey)
    .execute()
}

/** As if the purchase's key had never been used: whatever comes with it next is judged anew. */
export async function freeKey(transaction: Transaction, purchase: Purchase): Promise<Purchase> {
  const { id, actorId, operationKey } = purchase
  if (actorId === null || operationKey === null) return purchase
  await transaction.db
    .updateTable('purchases')
    .set({ actor_id: null, operation_key: null })
    .where('id', '=', id)
    .execute()
  await transaction.db
    .deleteFrom('operations')
    .where('actor_id', '=', actorId)
    .where('key', '=', operationKey)
    .execute()
  return { ...purchase, actorId: null, operationKey: null }
}

export function newsOfPurchase(purchase: Purchase, reservation: ReservationRow, type: News['type']): News {
  return { about: 'purchase', reservationId: purchase.reservationId, type, payload: { ...purchase, reservation } }
}
