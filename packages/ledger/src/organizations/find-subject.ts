import type { Kysely } from 'kysely'
import { loadStatement, runStatement, type Schema } from '../engine/index.ts'

const FIND_SUBJECT = loadStatement(import.meta.url, 'find-subject.sql')

export type SubjectKind = 'event' | 'room' | 'organization' | 'webhook' | 'purchase'

/** What an act is done on, as far as it decides who may do it. */
export interface Subject {
  /** Null for what only admins own. */
  readonly organizationId: string | null
  /** Whether it is no secret that this exists. */
  readonly isPublic: boolean
}

export async function findSubject(db: Kysely<Schema>, kind: SubjectKind, id: string): Promise<Subject | null> {
  const [subject] = await runStatement<Subject>(db, FIND_SUBJECT, [kind, id])
  return subject ?? null
}
