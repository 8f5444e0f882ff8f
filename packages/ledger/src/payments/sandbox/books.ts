import type { Kysely } from 'kysely'
import {
  loadStatement,
  type Primary,
  prepareStatement,
  runPrepared,
  runStatement,
  type Schema,
} from '../../engine/index.ts'

const OPEN_PAYMENT = prepareStatement(import.meta.url, 'open-payment.sql')
const MOVE_PAYMENT = prepareStatement(import.meta.url, 'move-payment.sql')
const CONCLUDE_PAYMENTS = loadStatement(import.meta.url, 'conclude-payments.sql')

/*
 * The life of a payment at the sandbox.
 *
 *   created ──ok──▶ succeeded ◀──────────┐
 *      │ ├──declined──▶ failed ◀───────┐ │
 *      │ ├──slow──▶ processing ──time──┴─┤
 *      │ └──3ds──▶ requires_action ──────┘
 *      └─────────────────┴──cancel──▶ canceled
 */
export type SandboxStatus = 'created' | 'requires_action' | 'processing' | 'succeeded' | 'failed' | 'canceled'

/** What happens to the webhooks of a payment. */
export type SandboxMischief = 'lost' | 'twice' | 'late' | 'reordered'

export interface SandboxPayment {
  readonly ref: string
  readonly purchaseId: string
  readonly amount: number
  readonly currency: string
  /** Where the buyer goes after the sandbox's own page. */
  readonly returnUrl: string
  readonly method: string | null
  readonly status: SandboxStatus
  readonly captured: number
  readonly refunded: number
}

export interface SandboxMove {
  readonly ref: string
  readonly from: readonly SandboxStatus[]
  readonly to: SandboxStatus
  readonly method?: string
  readonly mischief?: readonly SandboxMischief[]
  /** Into `processing`: when it will be decided, and how. */
  readonly concludes?: { readonly afterSeconds: number; readonly as: 'succeeded' | 'failed' }
}

/** Opens an account of a payment; no money moves. Again for the same purchase: the same one. */
export async function openSandboxPayment(
  ledger: Primary,
  payment: Pick<SandboxPayment, 'ref' | 'purchaseId' | 'amount' | 'currency' | 'returnUrl'>,
): Promise<string> {
  const { ref, purchaseId, amount, currency, returnUrl } = payment
  const parameters = [ref, purchaseId, amount, currency, returnUrl]
  const [row] = await runPrepared<{ ref: string }>(ledger, OPEN_PAYMENT, parameters)
  if (row === undefined) throw new Error('An insert that updates on conflict always has a row')
  return row.ref
}

/** Null when the payment was in none of those states; then nothing has changed. */
export async function moveSandboxPayment(ledger: Primary, move: SandboxMove): Promise<SandboxPayment | null> {
  const { ref, from, to, method = null, mischief = null, concludes } = move
  const parameters = [ref, from, to, method, mischief, concludes?.afterSeconds ?? null, concludes?.as ?? null]
  const [row] = await runPrepared<SandboxPayment>(ledger, MOVE_PAYMENT, parameters)
  return row ?? null
}

/** The payment as it is now: one whose time has come is decided first. */
export async function readSandboxPayment(db: Kysely<Schema>, ref: string): Promise<SandboxPayment | null> {
  await runStatement(db, CONCLUDE_PAYMENTS, [ref, 1])
  const row = await db.selectFrom('sandbox_payments').selectAll().where('ref', '=', ref).executeTakeFirst()
  if (row === undefined) return null
  const { purchase_id, return_url, amount, currency, method, status, captured, refunded } = row
  return { ref, purchaseId: purchase_id, returnUrl: return_url, amount, currency, method, status, captured, refunded }
}

/** Gives back everything that was captured; again changes nothing. */
export async function refundSandboxPayment(db: Kysely<Schema>, ref: string): Promise<'refunded' | 'nothing captured'> {
  const row = await db
    .updateTable('sandbox_payments')
    .set(({ ref: column }) => ({ refunded: column('captured') }))
    .where('ref', '=', ref)
    .where('captured', '>', 0)
    .returning('ref')
    .executeTakeFirst()
  return row === undefined ? 'nothing captured' : 'refunded'
}

/** How many were decided; as many as `max` means that there may be more. */
export async function concludeSandboxPayments(db: Kysely<Schema>, max: number): Promise<number> {
  return (await runStatement(db, CONCLUDE_PAYMENTS, [null, max])).length
}
