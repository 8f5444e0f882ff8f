/** How long PostgreSQL lets a kind of work wait and run, in milliseconds; 0 is no limit. */
export interface Deadlines {
  /** Waiting for one lock. */
  readonly lockMs: number
  /** One statement, its waiting included. */
  readonly statementMs: number
  /** A transaction that sends nothing: its server has died or hangs, and its locks are in the way of others. */
  readonly idleMs: number
}

/**
 * The time-outs of every kind of work. What ends by one of them is a passing failure (isLedgerAway): the caller is told to
 * come back. PGlite has one session and no network: nothing there can wait for another session's lock.
 */
export const DEADLINES = {
  /**
   * A running sale and everything beside it on the same pool. Locks of a sale last milliseconds: a claim that waited 5 s
   * for its seat map meets an outage, and an answer then is worth more than a seat later. The longest statement, making
   * a house of 60,000 seats, takes seconds. Background work (expiry, outbox, clean-up) shares this pool and its limits: it
   * takes bounded batches with `skip locked`, and must never be in the way of a sale for longer than a sale would be.
   */
  sale: { lockMs: 5_000, statementMs: 10_000, idleMs: 10_000 },
  /** Operators' and visitors' reads of the replica: they take no row locks; one that waits meets a schema change. */
  reads: { lockMs: 2_000, statementMs: 10_000, idleMs: 10_000 },
  /**
   * Migrations: a large table takes its time, and a server that starts waits until another one has migrated. Between two
   * statements of a migration there is nothing to wait for.
   */
  migration: { lockMs: 0, statementMs: 0, idleMs: 60_000 },
  /**
   * Tools of operators (verify, reconcile): they read whole sales, and their caller does work of its own between
   * statements. They give up a lock as a sale does, because a sale may be running.
   */
  tool: { lockMs: 5_000, statementMs: 0, idleMs: 600_000 },
  /** A lock that is held while other connections work (withRoomLock): idle on purpose, and never waiting. */
  guard: { lockMs: 1_000, statementMs: 10_000, idleMs: 0 },
} as const satisfies Record<string, Deadlines>

/** Work that gets a connection of its own, because it may take longer than any statement of a running sale. */
export type OwnConnection = 'migration' | 'tool' | 'guard'

/** How long an adoption waits for each lock. The buyer who signs in waits for an answer, and a retry is safe. */
export const ADOPTION_LOCK_MS = 2_000
