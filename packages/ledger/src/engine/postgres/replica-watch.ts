import { type Kysely, sql } from 'kysely'
import type { Schema } from '../schema/schema.ts'

const INTERVAL_MS = 250
const CHECK_MS = 1_000

/**
 * Decides whether a replica can be trusted with reads. It asks the primary how far its log is, and next time the
 * replica whether it has got there: so a trusted replica is at most about two intervals behind, and no clock and no
 * idle primary can deceive us. While the primary is away there is nothing to fall behind of, and a replica stays.
 */
export class ReplicaWatch {
  readonly #primary: Kysely<Schema>
  readonly #replica: Kysely<Schema>
  #target: string | undefined
  #timer: NodeJS.Timeout | undefined
  #check: Promise<void> = Promise.resolve()
  #isStopped = false
  /** Why reads go to the primary at the moment. */
  problem: string | undefined = 'it was not checked yet'

  constructor(primary: Kysely<Schema>, replica: Kysely<Schema>) {
    this.#primary = primary
    this.#replica = replica
  }

  async start(): Promise<void> {
    this.#check = this.#checkOnce()
    await this.#check
    if (!this.#isStopped) this.#timer = setTimeout(() => void this.start(), INTERVAL_MS).unref()
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#timer)
    await this.#check
  }

  async #checkOnce(): Promise<void> {
    try {
      this.problem = await withDeadline(this.#judge())
    } catch (error) {
      this.problem = `it does not answer: ${(error as Error).message}`
    }
    try {
      this.#target = await withDeadline(this.#primaryPosition())
    } catch {
      // The primary is away, which readiness tells; the replica is measured by what the primary said last.
    }
  }

  async #judge(): Promise<string | undefined> {
    const { rows } = await sql<{ standby: boolean; arrived: boolean | null }>`
      select pg_is_in_recovery() as standby, pg_last_wal_replay_lsn() >= ${this.#target ?? null}::pg_lsn as arrived
    `.execute(this.#replica)
    if (rows[0]?.standby !== true) return 'it is not a standby of the primary'
    return rows[0].arrived === true ? undefined : 'it is too far behind the primary'
  }

  async #primaryPosition(): Promise<string | undefined> {
    const { rows } = await sql<{ position: string }>`select pg_current_wal_lsn()::text as position`.execute(
      this.#primary,
    )
    return rows[0]?.position
  }
}

async function withDeadline<Value>(work: Promise<Value>): Promise<Value> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error(`no answer within ${CHECK_MS} ms`)), CHECK_MS)
  try {
    return await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
