import type { LogEntry } from '@seatwise/domain'
import { chainHashes, fromStored, type StoredEntry } from '../rooms/copy-log.ts'
import { loadStatement } from '../statement.ts'
import type { ReadRows } from './read-sale-facts.ts'

const PAGE = 5_000
const READ_AUDIT = loadStatement(new URL('../rooms/', import.meta.url).href, 'read-audit.sql')

export interface ChainedEntry {
  readonly entry: LogEntry
  /** What is stored, and what the entry and the hash before it give. */
  readonly hash: string
  readonly computedHash: string
}

/** The whole log of a room, as the ledger has it, page by page, oldest first. */
export async function* readLog(read: ReadRows, roomId: string): AsyncGenerator<ChainedEntry> {
  let after = { epoch: 0, seq: 0 }
  let chain = ''
  while (true) {
    const page = await read<StoredEntry & { hash: string }>(READ_AUDIT, [roomId, after.epoch, after.seq, PAGE])
    for (const { hash, ...stored } of page) {
      const entry = fromStored(stored)
      const [computedHash = ''] = chainHashes([entry], chain)
      yield { entry, hash, computedHash }
      // From what is stored: one broken link is told once, not again with every entry after it.
      chain = hash
    }
    const last = page.at(-1)
    if (last === undefined) return
    after = { epoch: last.epoch, seq: last.seq }
  }
}
