import type { Kysely } from 'kysely'
import { loadStatement, runStatement, type Schema } from '../../../engine/index.ts'
import { LogTree } from './log-tree.ts'

/** A tree by its size and the hash over all its entries. */
export interface SizedRoot {
  readonly size: number
  /** Hex. */
  readonly root: string
}

/**
 * The tree of a room's log right before an entry: of all entries up to it, over all epochs, without itself. Null while the
 * ledger has not copied all of them.
 */
export async function treeBefore(
  db: Kysely<Schema>,
  room: string,
  { epoch, seq }: { readonly epoch: number; readonly seq: number },
): Promise<SizedRoot | null> {
  const [row] = await runStatement<{ index: number; tree_size: number }>(db, READ_INDEX, [room, epoch, seq])
  if (row === undefined || row.tree_size < row.index) return null
  const root = await new LogTree(db, room).rootAt(row.index)
  return { size: row.index, root: Buffer.from(root).toString('hex') }
}

const READ_INDEX = loadStatement(import.meta.url, 'read-index.sql')
