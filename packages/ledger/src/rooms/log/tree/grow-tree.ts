import { hash } from 'node:crypto'
import { appendLeaves, type Hash } from '@seatwise/domain'
import { type Call, prepareStatement } from '../../../engine/index.ts'

/** Subtrees of 2^6 leaves and more are stored; what is smaller is computed from the entries, for a thirtieth of the rows. */
export const STORED_LEVEL_MIN = 6
export const BLOCK_LEAVES = 2 ** STORED_LEVEL_MIN
export const HASH_BYTES = 32

/** The columns of a room's row that say how far its tree has grown. */
export interface TreeRow {
  readonly first_index: number
  readonly tree_size: number
  readonly tree_peaks: Uint8Array
}

export interface GrownTree {
  readonly size: number
  readonly peaks: Uint8Array
  /** Statements that store the subtrees which became full. */
  readonly calls: readonly Call[]
}

/** Appends leaves to the tree of a room whose row the caller has locked. Rule N3. */
export function growTree(room: string, { tree_size: size, tree_peaks }: TreeRow, leaves: readonly Hash[]): GrownTree {
  const { edge, full } = appendLeaves({ size, peaks: unpackHashes(tree_peaks) }, leaves, hashNode)
  const kept = full.filter(({ level }) => level >= STORED_LEVEL_MIN)
  const parameters = [
    ...[room, `{${kept.map(({ level }) => level).join()}}`, `{${kept.map(({ position }) => position).join()}}`],
    Buffer.concat(kept.map((node) => node.hash)),
  ]
  const calls = kept.length === 0 ? [] : [{ statement: INSERT_NODES, parameters }]
  return { size: edge.size, peaks: Buffer.concat(edge.peaks), calls }
}

const INSERT_NODES = prepareStatement(import.meta.url, 'insert-nodes.sql')

/** SHA-256(0x00 ‖ entry): the two kinds of hashes begin with different bytes, so that none can be passed off as the other. */
export function hashLeaf(text: string): Buffer {
  return hash('sha256', `\0${text}`, 'buffer')
}

/** SHA-256(0x01 ‖ left ‖ right). */
export function hashNode(left: Hash, right: Hash): Buffer {
  PAIR.set(left, 1)
  PAIR.set(right, 1 + HASH_BYTES)
  return hash('sha256', PAIR, 'buffer')
}

/** Used again for each node; nothing else runs between filling and hashing it. */
const PAIR = new Uint8Array(1 + 2 * HASH_BYTES)
PAIR[0] = 1

/** The peaks of a tree of this size, as they are stored one behind the other. */
export function unpackHashes(packed: Uint8Array): Hash[] {
  return Array.from({ length: packed.length / HASH_BYTES }, (_, index) =>
    packed.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES),
  )
}
