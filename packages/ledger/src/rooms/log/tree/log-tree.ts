import {
  consistencyPath,
  foldPeaks,
  type Hash,
  inclusionPath,
  type LeafRange,
  peaksOf,
  type TreeNode,
} from '@seatwise/domain'
import type { Kysely } from 'kysely'
import { loadStatement, runStatement, type Schema } from '../../../engine/index.ts'
import { canonical, fromStored, type StoredEntry } from '../canonical.ts'
import { BLOCK_LEAVES, HASH_BYTES, hashLeaf, hashNode, STORED_LEVEL_MIN, unpackHashes } from './grow-tree.ts'

/** What a server remembers of one room's tree: a crowd's receipts read each block of entries once. Full nodes never change. */
const BLOCKS_MAX = 1_024
const NODES_MAX = 16_384

/**
 * Reads one room's Merkle tree: roots and proofs for any size up to the one that the ledger has. A proof reads the stored
 * nodes on its way and the entries of two blocks at most, however long the log is. Rule N2.
 */
export class LogTree {
  readonly #db: Kysely<Schema>
  readonly #room: string
  /** The leaf hashes of full blocks, by the index of the block. */
  readonly #blocks = new Map<number, Hash>()
  readonly #nodes = new Map<string, Hash>()

  constructor(db: Kysely<Schema>, room: string) {
    this.#db = db
    this.#room = room
  }

  async rootAt(size: number): Promise<Hash> {
    const [root] = await this.#hashesOf([{ from: 0, to: size }])
    return root ?? EMPTY_ROOT
  }

  async inclusionProof(index: number, size: number): Promise<Hash[]> {
    return await this.#hashesOf(inclusionPath(index, size))
  }

  async consistencyProof(from: number, to: number): Promise<Hash[]> {
    return await this.#hashesOf(consistencyPath(from, to))
  }

  /** Hashes of subtrees; none of an empty one. */
  async #hashesOf(ranges: readonly LeafRange[]): Promise<Hash[]> {
    const peaks = ranges.map(peaksOf)
    const found = await this.#find(peaks.flat())
    return peaks.flatMap((nodes) => {
      const hash = foldPeaks(
        nodes.map((node) => mustHave(found.get(nameOf(node)), node)),
        hashNode,
      )
      return hash === null ? [] : [hash]
    })
  }

  async #find(nodes: readonly TreeNode[]): Promise<Map<string, Hash>> {
    const large = nodes.filter(({ level }) => level >= STORED_LEVEL_MIN)
    const small = nodes.filter(({ level }) => level < STORED_LEVEL_MIN)
    const [stored, blocks] = await Promise.all([this.#readNodes(large), this.#readBlocks(small)])
    for (const node of small) {
      const { block, from, to } = placeInBlock(node)
      const leaves = unpackHashes(blocks.get(block) ?? NOTHING).slice(from, to)
      if (leaves.length === to - from) stored.set(nameOf(node), hashOfSubtree(leaves))
    }
    return stored
  }

  async #readNodes(nodes: readonly TreeNode[]): Promise<Map<string, Hash>> {
    const found = new Map<string, Hash>()
    const missing: TreeNode[] = []
    for (const node of nodes) {
      const hash = this.#nodes.get(nameOf(node))
      if (hash === undefined) missing.push(node)
      else found.set(nameOf(node), hash)
    }
    if (missing.length === 0) return found
    const rows = await runStatement<TreeNode & { hash: Uint8Array }>(this.#db, READ_NODES, [
      this.#room,
      missing.map(({ level }) => level),
      missing.map(({ position }) => position),
    ])
    for (const row of rows) {
      found.set(nameOf(row), row.hash)
      remember(this.#nodes, nameOf(row), row.hash, NODES_MAX)
    }
    return found
  }

  /** The leaf hashes of the blocks that the nodes lie in, as far as there are entries. */
  async #readBlocks(nodes: readonly TreeNode[]): Promise<Map<number, Uint8Array>> {
    const found = new Map<number, Uint8Array>()
    for (const block of new Set(nodes.map((node) => placeInBlock(node).block))) {
      found.set(block, this.#blocks.get(block) ?? (await this.#readBlock(block)))
    }
    return found
  }

  async #readBlock(block: number): Promise<Uint8Array> {
    const from = block * BLOCK_LEAVES
    const rows = await runStatement<StoredEntry>(this.#db, READ_INDEXED, [this.#room, from, from + BLOCK_LEAVES])
    const leaves = Buffer.concat(rows.map((stored) => hashLeaf(canonical(fromStored(stored)))))
    if (rows.length === BLOCK_LEAVES) remember(this.#blocks, block, leaves, BLOCKS_MAX)
    return leaves
  }
}

const READ_NODES = loadStatement(import.meta.url, 'read-nodes.sql')
const READ_INDEXED = loadStatement(import.meta.url, 'read-indexed.sql')
const NOTHING = new Uint8Array(0)
/** SHA-256 of nothing. */
const EMPTY_ROOT = Buffer.from('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855', 'hex')

function placeInBlock({ level, position }: TreeNode): { block: number; from: number; to: number } {
  const width = 2 ** level
  const first = position * width
  const block = Math.floor(first / BLOCK_LEAVES)
  return { block, from: first - block * BLOCK_LEAVES, to: first - block * BLOCK_LEAVES + width }
}

/** As many leaves as a power of two. */
function hashOfSubtree(leaves: readonly Hash[]): Hash {
  const [only] = leaves
  if (leaves.length === 1 && only !== undefined) return only
  const half = leaves.length / 2
  return hashNode(hashOfSubtree(leaves.slice(0, half)), hashOfSubtree(leaves.slice(half)))
}

function nameOf({ level, position }: TreeNode): string {
  return `${level} ${position}`
}

function mustHave(hash: Hash | undefined, { level, position }: TreeNode): Hash {
  if (hash?.length !== HASH_BYTES) throw new Error(`The tree has no node ${position} of level ${level}`)
  return hash
}

/** Forgets the oldest when there are too many. */
function remember<Key>(map: Map<Key, Hash>, key: Key, hash: Hash, max: number): void {
  if (map.size >= max) map.delete(map.keys().next().value as Key)
  map.set(key, hash)
}
