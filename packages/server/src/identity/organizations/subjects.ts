import { findSubject, type Ledger } from '@seatwise/ledger'
import type { Callers } from '../../http/index.ts'
import { isUuid } from '../../kit/index.ts'

/** Looks up to which organization something in a path belongs. */
export function createSubjects(ledger: Ledger): Callers['subjects'] {
  return { find: async (kind, id) => (isUuid(id) ? await findSubject(ledger.db, kind, id) : null) }
}
