import type { Kysely } from 'kysely'
import { loadStatement, runStatement, type Schema, type UserRole } from '../engine/index.ts'
import type { ActionKind } from './record-action.ts'

/** One action of an operator in the trail. */
export interface TrailEntry {
  readonly id: number
  readonly at: Date
  readonly actorId: string
  /** Null when the account is gone. */
  readonly actorName: string | null
  readonly actorRole: UserRole | null
  readonly eventId: string | null
  readonly roomId: string | null
  readonly kind: ActionKind
  readonly subject: string | null
  readonly before: Record<string, unknown>
  readonly after: Record<string, unknown>
  readonly undoes: number | null
  readonly undoneBy: number | null
}

export interface TrailOf {
  readonly eventId: string | null
  readonly roomId: string | null
}

/** What operators did, newest first: with an event or a room, or everywhere. */
export async function readTrail(
  db: Kysely<Schema>,
  { eventId, roomId }: TrailOf,
  { before, limit }: { readonly before: number | null; readonly limit: number },
): Promise<TrailEntry[]> {
  return await runStatement<TrailEntry>(db, READ_TRAIL, [eventId, roomId, before, limit])
}

const READ_TRAIL = loadStatement(import.meta.url, 'read-trail.sql')
