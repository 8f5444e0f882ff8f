import type { LogEntry } from '@seatwise/domain'
import type { Kysely } from 'kysely'
import { loadStatement, type ReadRows, runStatement, type Schema } from '../../engine/index.ts'
import { canonical, fromStored, type StoredEntry } from './canonical.ts'

const PAGE = 5_000
const READ_AUDIT = loadStatement(import.meta.url, 'read-audit.sql')

export interface ChainedEntry {
  readonly entry: LogEntry
  /** What is stored, and the text that it is to be the hash of, with the hash before it. */
  readonly hash: string
  readonly hashedText: string
  /** When its copying began, by the ledger's clock; null where that was not kept. */
  readonly copiedAt: number | null
}

interface StoredRow extends StoredEntry {
  readonly hash: string
  readonly index: number
  readonly copied_at: number | null
}

/** The whole log of a room, as the ledger has it, page by page, oldest first. */
export async function* readLog(read: ReadRows, roomId: string): AsyncGenerator<ChainedEntry> {
  let after = { epoch: 0, seq: 0 }
  while (true) {
    const page = await read<StoredRow>(READ_AUDIT, [roomId, after.epoch, after.seq, PAGE])
    for (const { hash, copied_at: copiedAt, index: _, ...stored } of page) {
      const entry = fromStored(stored)
      yield { entry, hash, hashedText: canonical(entry), copiedAt }
    }
    const last = page.at(-1)
    if (last === undefined) return
    after = { epoch: last.epoch, seq: last.seq }
  }
}

/** At most `max` entries of a room's log after one of them, oldest first. */
export async function readEntries(
  db: Kysely<Schema>,
  roomId: string,
  after: { readonly epoch: number; readonly seq: number },
  max: number,
): Promise<LogEntry[]> {
  const rows = await runStatement<StoredRow>(db, READ_AUDIT, [roomId, after.epoch, after.seq, max])
  return rows.map(fromStored)
}
