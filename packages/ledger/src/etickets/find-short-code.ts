import type { Kysely } from 'kysely'
import { loadStatement, runStatement, type Schema } from '../engine/index.ts'

const FIND_SHORT_CODE = loadStatement(import.meta.url, 'find-short-code.sql')

export type FoundShortCode =
  | { readonly status: 'found'; readonly id: string; readonly eventId: string }
  | { readonly status: 'unknown' }
  /** Two events have it: the caller has to say which one is meant. */
  | { readonly status: 'ambiguous' }

/** The e-ticket with a short code, of one event or of any; null stands for all events and all organizations. */
export async function findShortCode(
  db: Kysely<Schema>,
  of: {
    readonly shortCode: string
    readonly eventId: string | null
    readonly organizationIds: readonly string[] | null
  },
): Promise<FoundShortCode> {
  const parameters = [of.shortCode, of.eventId, of.organizationIds]
  const [found, other] = await runStatement<{ id: string; eventId: string }>(db, FIND_SHORT_CODE, parameters)
  if (found === undefined) return { status: 'unknown' }
  return other === undefined ? { status: 'found', ...found } : { status: 'ambiguous' }
}
