import { isLedgerAway } from './ledger-errors.ts'

/** Deadlocks and lost serializations: rolled back for sure, and gone when the work is done in smaller parts. */
const CONFLICT = /^40/

/**
 * Whether an error says something about the work: values and constraints that the database refused, limits it has, our own
 * mistakes. Not when the ledger is away or overloaded: then nothing can be said about any of the work. What we do not know
 * counts as the work's, because taking it for an outage would let one bad request fail all others of its batch (I33).
 */
export function isAboutTheWork(error: unknown): error is Error {
  if (!(error instanceof Error)) return false
  return !isLedgerAway(error) || ('code' in error && CONFLICT.test(String(error.code)))
}

/** For work that was done together and can be done one by one. */
export function nothingIfAboutTheWork(error: unknown): null {
  if (isAboutTheWork(error)) return null
  throw error
}
