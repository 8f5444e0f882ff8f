import type { Kysely } from 'kysely'
import type pg from 'pg'
import type { Deadlines, OwnConnection } from './deadlines.ts'
import { openPglite } from './pglite/open-pglite.ts'
import { openPostgres } from './postgres/open-postgres.ts'
import type { Schema } from './schema/schema.ts'

/** The primary: its pool for what is hot, and Kysely over the same pool for everything else. */
export type Primary = Pick<Ledger, 'db' | 'pool'>

/** The only authority on what is sold: PostgreSQL, as a server or in the process. */
export interface Ledger {
  readonly kind: 'postgres' | 'pglite'
  /** The primary: every write, and every read a write depends on. */
  readonly db: Kysely<Schema>
  /** The connections to the primary under `db`, for transactions and prepared statements of what is hot. */
  readonly pool: pg.Pool
  /** For reads that no write depends on; the same as `db` when there is no replica, or none that can be trusted now. */
  readonly replica: Kysely<Schema>
  /** Why a configured replica is not used at the moment; undefined when it is, or when there is none. */
  readonly replicaProblem: string | undefined
  /** The primary, by a connection with the time-outs of that kind of work; see deadlines.ts. */
  withOwnConnection<Result>(kind: OwnConnection, work: (primary: Primary) => Promise<Result>): Promise<Result>
  /** How busy the connections to the primary are: waiting statements are the first sign of overload. */
  connections(): ConnectionCounts
  /** Rejects when the primary does not answer. */
  ping(): Promise<void>
  /** Rejects when the primary takes no writes, or the disk of an embedded ledger none. Costs a write to the log. */
  proveWritable(): Promise<void>
  /**
   * Copies an embedded ledger to a new folder while it is used; resolves with the time until which the copy holds everything
   * that was acknowledged. PostgreSQL has tools of its own for that.
   */
  copyTo(folder: string): Promise<Date>
  close(): Promise<void>
}

export interface ConnectionCounts {
  readonly open: number
  readonly idle: number
  /** Statements that wait for a connection. */
  readonly waiting: number
}

export type LedgerOptions = PgliteOptions | PostgresOptions

export interface PgliteOptions {
  readonly kind: 'pglite'
  /** The folder it lives in, made when missing and locked while open; `memory://` keeps nothing. */
  readonly dataDir: string
}

export interface PostgresOptions {
  readonly kind: 'postgres'
  readonly url: string
  readonly replicaUrl?: string | undefined
  /** Most connections to the primary, and again as many to the replica. */
  readonly poolMax?: number | undefined
  /** Other time-outs than those of a sale, for tests. */
  readonly deadlines?: Partial<Deadlines> | undefined
  /** Where the tables are, when not where the role's search path says. */
  readonly schema?: string | undefined
}

export async function openLedger(options: LedgerOptions): Promise<Ledger> {
  switch (options.kind) {
    case 'pglite':
      return await openPglite(options)
    case 'postgres':
      return await openPostgres(options)
  }
}
