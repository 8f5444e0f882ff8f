import type { Kysely } from 'kysely'
import { loadStatement, runStatement, type Schema } from '../engine/index.ts'

const READ_ENDED = loadStatement(import.meta.url, 'read-ended.sql')

export interface EndedIdentity {
  readonly kind: 'session' | 'account' | 'guest'
  readonly subject: string
  /** Of an account: sessions of lower versions ended, but for one. */
  readonly belowVersion: number
  readonly exceptSession: string | null
  readonly forgetAt: Date
}

export interface EndedSince {
  readonly ended: readonly EndedIdentity[]
  /** Where the next read begins. */
  readonly seenTo: string
}

/** Before everything. */
export const ENDED_FROM_THE_START = '0'

/**
 * What ended since an earlier read. A transaction that began earlier and commits later is never missed: the read begins
 * at the oldest transaction that was still open then, so that a row may come twice.
 */
export async function readEnded(db: Kysely<Schema>, seenTo: string): Promise<EndedSince> {
  const rows = await runStatement<EndedRow>(db, READ_ENDED, [seenTo])
  const [first] = rows
  if (first === undefined) throw new Error('read-ended.sql returned no row')
  return { ended: rows.flatMap(toEnded), seenTo: first.seen_to }
}

interface EndedRow {
  readonly seen_to: string
  readonly kind: EndedIdentity['kind'] | null
  readonly subject: string | null
  readonly below_version: number | null
  readonly except_session: string | null
  readonly forget_at: Date | null
}

function toEnded({ kind, subject, below_version, except_session, forget_at }: EndedRow): EndedIdentity[] {
  if (kind === null || subject === null || forget_at === null) return []
  return [{ kind, subject, belowVersion: below_version ?? 0, exceptSession: except_session, forgetAt: forget_at }]
}
