import type { Kysely } from 'kysely'
import { loadStatement, runStatement, type Schema } from '../../engine/index.ts'

const TAKE_WEBHOOKS = loadStatement(import.meta.url, 'take-webhooks.sql')
/** Two minutes in all; a server that missed every attempt has to ask. */
const ATTEMPTS_MAX = 8

/** A webhook of the sandbox about a payment. */
export interface SandboxWebhook {
  readonly id: string
  readonly ref: string
  readonly type: string
}

/** Webhooks that are due now. Each is retried later unless `forgetSandboxWebhooks` confirms its delivery. */
export async function takeSandboxWebhooks(db: Kysely<Schema>, max: number): Promise<SandboxWebhook[]> {
  return await runStatement<SandboxWebhook>(db, TAKE_WEBHOOKS, [max, ATTEMPTS_MAX])
}

export async function forgetSandboxWebhooks(db: Kysely<Schema>, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await db.deleteFrom('sandbox_webhooks').where('id', 'in', ids).execute()
}
