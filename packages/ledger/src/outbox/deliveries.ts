import type { Kysely } from 'kysely'
import { loadStatement, runStatement, type Schema } from '../engine/index.ts'

const LEASE_DELIVERIES = loadStatement(import.meta.url, 'lease-deliveries.sql')
const FINISH_DELIVERY = loadStatement(import.meta.url, 'finish-delivery.sql')
const FAIL_DELIVERY = loadStatement(import.meta.url, 'fail-delivery.sql')

/** Length of the error that operators see: a receiver may answer with a whole page. */
const PROBLEM_LENGTH_MAX = 500

export type DeliveryKind = 'mail' | 'webhook'

/** A news on its way to one receiver. */
export interface Delivery {
  readonly id: string
  /** Null for mail. */
  readonly webhookId: string | null
  /** How often it was tried, this time included. */
  readonly attempts: number
  /** The same for every receiver and every attempt, so that a receiver can recognise a repeated delivery. */
  readonly newsId: string
  readonly position: number
  readonly type: string
  readonly payload: Record<string, unknown>
  readonly reservationId: string
  readonly createdAt: Date
}

/** Leases deliveries that are due; when a courier dies, others take its deliveries after the lease expires. */
export async function leaseDeliveries(
  db: Kysely<Schema>,
  { kind, max, leaseSeconds }: { readonly kind: DeliveryKind; readonly max: number; readonly leaseSeconds: number },
): Promise<Delivery[]> {
  return await runStatement<Delivery>(db, LEASE_DELIVERIES, [kind, max, leaseSeconds])
}

export async function finishDelivery(db: Kysely<Schema>, { id }: Delivery): Promise<void> {
  await runStatement(db, FINISH_DELIVERY, [id])
}

export interface Failure {
  readonly problem: string
  /** Null sets it aside. */
  readonly retrySeconds: number | null
  /** The longest pause between two calls of a failing webhook. */
  readonly restSecondsMax: number
}

export async function failDelivery(
  db: Kysely<Schema>,
  { id, attempts }: Delivery,
  { problem, retrySeconds, restSecondsMax }: Failure,
): Promise<void> {
  const shortened = problem.slice(0, PROBLEM_LENGTH_MAX)
  await runStatement(db, FAIL_DELIVERY, [id, attempts, shortened, retrySeconds, restSecondsMax])
}
