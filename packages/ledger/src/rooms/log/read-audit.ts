import { type PublicEntry, publicEntry } from '@seatwise/domain'
import type { Kysely } from 'kysely'
import { loadStatement, runStatement, type Schema } from '../../engine/index.ts'
import { canonical, fromStored, type StoredEntry } from './canonical.ts'

export interface AuditEntry extends PublicEntry {
  /** In the whole log of the room, from 0, over all epochs: the number of its leaf in the tree. */
  index: number
  /** The entry as it was hashed, to the letter: SHA-256 of the hash before it, in hex, and of this text. */
  canonical: string
  hash: string
}

/** The public log of a room after an entry, oldest first, with the hashes that chain it. */
export async function readAudit(
  db: Kysely<Schema>,
  room: string,
  after: { epoch: number; seq: number },
  max: number,
): Promise<AuditEntry[]> {
  const rows = await runStatement<StoredEntry & { hash: string; index: number }>(db, READ_AUDIT, [
    room,
    after.epoch,
    after.seq,
    max,
  ])
  return rows.map((row) => {
    const entry = fromStored(row)
    return { index: row.index, ...publicEntry(entry), canonical: canonical(entry), hash: row.hash }
  })
}

const READ_AUDIT = loadStatement(import.meta.url, 'read-audit.sql')
