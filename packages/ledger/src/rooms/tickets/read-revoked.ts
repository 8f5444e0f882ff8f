import type { Kysely } from 'kysely'
import { loadStatement, runStatement, type Schema } from '../../engine/index.ts'

/** An entry of a room's log. */
export interface LogPosition {
  readonly epoch: number
  readonly seq: number
}

/** A pass that ended before its time, or was replaced by a newer one. */
export interface RevokedPass extends LogPosition {
  readonly number: number
  /** Passes of this ticket with a fence up to this one no longer count. */
  readonly fence: number
  /** When they would have ended in any case. */
  readonly until: Date
}

export interface RevokedPage {
  readonly passes: RevokedPass[]
  /** Nothing up to here was left out. */
  readonly upTo: LogPosition
}

/** Passes that stopped counting after an entry of the log, oldest first. */
export async function readRevoked(
  db: Kysely<Schema>,
  room: string,
  { after, max, keptSeconds }: { after: LogPosition; max: number; keptSeconds: number },
): Promise<RevokedPage> {
  // First how far the log was followed, then the log itself: what is found in between is told twice rather than never.
  const followed = await db.selectFrom('rooms').select(['epoch', 'seq']).where('id', '=', room).executeTakeFirst()
  const parameters = [room, after.epoch, after.seq, max, keptSeconds]
  const passes = await runStatement<RevokedPass>(db, READ_REVOKED, parameters)
  const last = passes.at(-1) ?? after
  // The next call starts here, and does not scan again the entries about tickets without a pass.
  const isWhole = passes.length < max && followed !== undefined && isLater(followed, last)
  return { passes, upTo: isWhole ? { epoch: followed.epoch, seq: followed.seq } : last }
}

function isLater(left: LogPosition, right: LogPosition): boolean {
  return left.epoch === right.epoch ? left.seq > right.seq : left.epoch > right.epoch
}

const READ_REVOKED = loadStatement(import.meta.url, 'read-revoked.sql')
