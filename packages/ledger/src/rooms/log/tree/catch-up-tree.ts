import { inTransaction, type Primary, prepareStatement } from '../../../engine/index.ts'
import { canonical, fromStored, type StoredEntry } from '../canonical.ts'
import { growTree, hashLeaf, type TreeRow } from './grow-tree.ts'

/** Bounds one transaction, which keeps the copier waiting. */
const BATCH_MAX = 2_000

/**
 * Appends entries that the ledger has and the tree lacks: all of a room that is older than its tree. One bounded step; returns
 * whether the tree is complete.
 */
export async function catchUpTree(ledger: Primary, room: string): Promise<boolean> {
  return await inTransaction(ledger, async (transaction) => {
    const [row] = await transaction.run<TreeRow & { seq: number }>(LOCK_ROOM, [room, 'on'])
    if (row === undefined) throw new Error(`The ledger has no room ${room}`)
    const size = row.first_index + row.seq
    if (row.tree_size === size) return true
    const to = Math.min(size, row.tree_size + BATCH_MAX)
    const entries = await transaction.run<StoredEntry>(READ_INDEXED, [room, row.tree_size, to])
    if (entries.length !== to - row.tree_size) throw new Error(`The log of room ${room} has gaps`)
    const tree = growTree(
      room,
      row,
      entries.map((stored) => hashLeaf(canonical(fromStored(stored)))),
    )
    await transaction.finish([...tree.calls, { statement: MARK_GROWN, parameters: [room, tree.size, tree.peaks] }])
    return tree.size === size
  })
}

const LOCK_ROOM = prepareStatement(import.meta.url, '../lock-room.sql')
const READ_INDEXED = prepareStatement(import.meta.url, 'read-indexed.sql')
const MARK_GROWN = prepareStatement(import.meta.url, 'mark-grown.sql')
