import type { Kysely } from 'kysely'
import {
  inTransaction,
  loadStatement,
  type Primary,
  prepareStatement,
  runPrepared,
  runStatement,
  type Schema,
} from '../../engine/index.ts'

const OPEN_PAYMENTS = prepareStatement(import.meta.url, 'open-payments.sql')
const MOVE_PAYMENTS = prepareStatement(import.meta.url, 'move-payments.sql')
const LOCK_PAYMENT = loadStatement(import.meta.url, 'lock-payment.sql')
const REFUND_PAYMENT = loadStatement(import.meta.url, 'refund-payment.sql')
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

export type SandboxOrder = Pick<SandboxPayment, 'ref' | 'purchaseId' | 'amount' | 'currency' | 'returnUrl'>

/** Opens an account for each payment and returns its ref; no money moves. Again for the same purchase: the same one. */
export async function openSandboxPayments(ledger: Primary, payments: readonly SandboxOrder[]): Promise<string[]> {
  const rows = await runPrepared<{ purchaseId: string; ref: string }>(ledger, OPEN_PAYMENTS, [
    payments.map(({ ref }) => ref),
    payments.map(({ purchaseId }) => purchaseId),
    payments.map(({ amount }) => amount),
    payments.map(({ currency }) => currency),
    payments.map(({ returnUrl }) => returnUrl),
  ])
  const refs = new Map(rows.map(({ purchaseId, ref }) => [purchaseId, ref]))
  return payments.map(({ purchaseId }) => {
    const ref = refs.get(purchaseId)
    if (ref === undefined) throw new Error('An insert that updates on conflict always has a row')
    return ref
  })
}

/** The payments as they are now; null for one that was in none of those states, and did not change. */
export async function moveSandboxPayments(
  ledger: Primary,
  moves: readonly SandboxMove[],
): Promise<(SandboxPayment | null)[]> {
  const given = moves.map(({ concludes, ...move }) => ({
    ...move,
    concludeSeconds: concludes?.afterSeconds ?? null,
    concludesAs: concludes?.as ?? null,
  }))
  const rows = await runPrepared<SandboxPayment>(ledger, MOVE_PAYMENTS, [JSON.stringify(given)])
  const byRef = new Map(rows.map((row) => [row.ref, row]))
  return moves.map(({ ref }) => byRef.get(ref) ?? null)
}

/** The payment as it is now: one that is due is decided first. */
export async function readSandboxPayment(db: Kysely<Schema>, ref: string): Promise<SandboxPayment | null> {
  await runStatement(db, CONCLUDE_PAYMENTS, [ref, 1])
  const row = await db.selectFrom('sandbox_payments').selectAll().where('ref', '=', ref).executeTakeFirst()
  if (row === undefined) return null
  const { purchase_id, return_url, amount, currency, method, status, captured, refunded } = row
  return { ref, purchaseId: purchase_id, returnUrl: return_url, amount, currency, method, status, captured, refunded }
}

interface SandboxRefund {
  readonly ref: string
  /** A repeat under the same key sends nothing. */
  readonly key: string
  readonly amount: number
}

/** Sends part of what was captured back, once for each key; never more than was captured. */
export async function refundSandboxPayment(
  ledger: Primary,
  { ref, key, amount }: SandboxRefund,
): Promise<'refunded' | 'refused'> {
  return await inTransaction(ledger, async (transaction) => {
    await transaction.run(LOCK_PAYMENT, [ref])
    const [row] = await transaction.run<{ isBack: boolean }>(REFUND_PAYMENT, [ref, key, amount])
    return row?.isBack === true ? 'refunded' : 'refused'
  })
}

/** What the sandbox has sent back of a payment. */
export async function readSandboxRefunded(db: Kysely<Schema>, ref: string): Promise<number> {
  const row = await db.selectFrom('sandbox_payments').select('refunded').where('ref', '=', ref).executeTakeFirst()
  return row?.refunded ?? 0
}

/** How many were decided; as many as `max` means that there may be more. */
export async function concludeSandboxPayments(db: Kysely<Schema>, max: number): Promise<number> {
  return (await runStatement(db, CONCLUDE_PAYMENTS, [null, max])).length
}
