import { SeatwiseError } from '@seatwise/domain'
import { type AskedClaim, findKnownClaims, isAboutTheWork, isLedgerAway, type Ledger } from '@seatwise/ledger'
import { createBatcher } from '@seatwise/line'

/** Two index lookups for each: a larger batch is no cheaper per visitor, and each visitor waits for the whole batch. */
const BATCH_MAX = 500
const QUEUED_MAX = 20_000
/** As for a claim: a visitor who would wait longer is told to retry. */
const PATIENCE_MS = 800

/**
 * Looks up visitors who are about to lose. This server's memory and its copy of the seat map say that they lose; only
 * the ledger's primary can say that no earlier call of theirs succeeded on any server (I32). Visitors who come within
 * the same few milliseconds are looked up by one query.
 */
export interface LoserDesk {
  /** Whether an earlier call may have had an effect. Rejects with 503 when the ledger is down or too many ask. */
  mayHaveSucceeded(claim: AskedClaim): Promise<boolean>
  /** Losers who wait to be looked up. */
  readonly pending: number
}

export function createLoserDesk(ledger: Pick<Ledger, 'pool'>): LoserDesk {
  const batcher = createBatcher<AskedClaim, boolean>({
    ...{ maxItems: BATCH_MAX, maxQueued: QUEUED_MAX, patienceMs: PATIENCE_MS, isAboutItems: isAboutTheWork },
    run: (claims) => findKnownClaims(ledger, claims).catch(unavailable),
  })
  return {
    mayHaveSucceeded: (claim) => batcher.send(claim),
    get pending() {
      return batcher.queued
    },
  }
}

function unavailable(cause: unknown): never {
  throw isLedgerAway(cause) ? new SeatwiseError('UNAVAILABLE', { cause, retryAfterSeconds: 1 }) : cause
}
