import type { Kysely } from 'kysely'
import type { Schema } from '../schema.ts'
import { loadStatement, runStatement } from '../statement.ts'

/** A pass that ended before its time, or was replaced by a newer one. */
export interface RevokedPass {
  epoch: number
  seq: number
  number: number
  /** Passes of this ticket with a fence up to this one no longer count. */
  fence: number
}

/** Passes that stopped counting after an entry of the log, oldest first. */
export async function readRevoked(
  db: Kysely<Schema>,
  room: string,
  after: { epoch: number; seq: number },
  max: number,
): Promise<RevokedPass[]> {
  return await runStatement<RevokedPass>(db, READ_REVOKED, [room, after.epoch, after.seq, max])
}

const READ_REVOKED = loadStatement(import.meta.url, 'read-revoked.sql')
