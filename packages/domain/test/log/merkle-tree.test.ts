import { deepEqual, equal, throws } from 'node:assert/strict'
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, it } from 'vitest'
import {
  appendLeaves,
  consistencyPath,
  foldPeaks,
  type Hash,
  inclusionPath,
  type LeafRange,
  peaksOf,
  type TreeEdge,
} from '../../src/index.ts'

const sha256 = (...parts: Uint8Array[]): Hash => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return new Uint8Array(hash.digest())
}
const hashLeaf = (entry: Uint8Array) => sha256(new Uint8Array([0]), entry)
const hashNode = (left: Hash, right: Hash) => sha256(new Uint8Array([1]), left, right)
const hex = (hash: Hash | null) => Buffer.from(hash ?? sha256()).toString('hex')

/** The inputs of the reference tests of Certificate Transparency. */
const INPUTS = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f'].map(
  (text) => new Uint8Array(Buffer.from(text, 'hex')),
)

const ROOTS = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
]

/** The definition in the RFC, word for word and without any care for cost. */
function naiveRoot(leaves: readonly Hash[]): Hash {
  if (leaves.length === 0) return sha256()
  const [only] = leaves
  if (leaves.length === 1 && only !== undefined) return only
  const split = splitOf(leaves.length)
  return hashNode(naiveRoot(leaves.slice(0, split)), naiveRoot(leaves.slice(split)))
}

function naivePath(index: number, leaves: readonly Hash[]): Hash[] {
  if (leaves.length === 1) return []
  const split = splitOf(leaves.length)
  return index < split
    ? [...naivePath(index, leaves.slice(0, split)), naiveRoot(leaves.slice(split))]
    : [...naivePath(index - split, leaves.slice(split)), naiveRoot(leaves.slice(0, split))]
}

function naiveProof(from: number, leaves: readonly Hash[], isComplete = true): Hash[] {
  if (from === leaves.length) return isComplete ? [] : [naiveRoot(leaves)]
  const split = splitOf(leaves.length)
  return from <= split
    ? [...naiveProof(from, leaves.slice(0, split), isComplete), naiveRoot(leaves.slice(split))]
    : [...naiveProof(from - split, leaves.slice(split), false), naiveRoot(leaves.slice(0, split))]
}

function splitOf(size: number): number {
  let split = 1
  while (split * 2 < size) split *= 2
  return split
}

/** Grows a tree in batches and answers from the nodes that were stored, as the ledger does. */
class StoredTree {
  edge: TreeEdge = { size: 0, peaks: [] }
  readonly #nodes = new Map<string, Hash>()
  hashed = 0

  append(leaves: readonly Hash[]): void {
    const before = this.edge.size
    const { edge, full } = appendLeaves(this.edge, leaves, (left, right) => {
      this.hashed += 1
      return hashNode(left, right)
    })
    leaves.forEach((leaf, index) => {
      this.#nodes.set(`0 ${before + index}`, leaf)
    })
    for (const { level, position, hash } of full) this.#nodes.set(`${level} ${position}`, hash)
    this.edge = edge
  }

  hashOf(range: LeafRange): Hash | null {
    const peaks = peaksOf(range).map(({ level, position }) => {
      const node = this.#nodes.get(`${level} ${position}`)
      if (node === undefined) throw new Error(`Node ${level} ${position} is not full`)
      return node
    })
    return foldPeaks(peaks, hashNode)
  }
}

describe('the Merkle tree', () => {
  it('[N1] has the roots of the reference vectors of RFC 6962, for every size', () => {
    const tree = new StoredTree()
    equal(hex(foldPeaks(tree.edge.peaks, hashNode)), ROOTS[0])
    INPUTS.forEach((input, index) => {
      tree.append([hashLeaf(input)])
      equal(hex(foldPeaks(tree.edge.peaks, hashNode)), ROOTS[index + 1])
      equal(hex(tree.hashOf({ from: 0, to: index + 1 })), ROOTS[index + 1])
    })
  })

  it('[N1] has the audit paths and consistency proofs of the reference vectors', () => {
    const tree = new StoredTree()
    tree.append(INPUTS.map(hashLeaf))
    const path = (index: number, size: number) => inclusionPath(index, size).map((range) => hex(tree.hashOf(range)))
    deepEqual(path(0, 8), [
      '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4',
    ])
    deepEqual(path(5, 8), [
      'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
      'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    ])
    deepEqual(path(2, 3), ['fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125'])
    const proof = (from: number, to: number) => consistencyPath(from, to).map((range) => hex(tree.hashOf(range)))
    deepEqual(proof(1, 1), [])
    deepEqual(proof(1, 8), path(0, 8))
    deepEqual(proof(6, 8), [
      '0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a',
      'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    ])
    deepEqual(proof(2, 5), [
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
    ])
  })

  it('[N1] is the naive tree of the RFC, grown in any batches', () => {
    const sizes = fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(sizes, fc.nat(), fc.nat(), (batches, a, b) => {
        const tree = new StoredTree()
        const leaves: Hash[] = []
        for (const size of batches) {
          const batch = Array.from({ length: size }, (_, at) => hashLeaf(Buffer.from(`${leaves.length + at}`)))
          leaves.push(...batch)
          tree.append(batch)
          equal(hex(foldPeaks(tree.edge.peaks, hashNode)), hex(naiveRoot(leaves)))
        }
        if (leaves.length === 0) return
        const size = (a % leaves.length) + 1
        const part = leaves.slice(0, size)
        const index = b % size
        deepEqual(
          inclusionPath(index, size).map((range) => hex(tree.hashOf(range))),
          naivePath(index, part).map(hex),
        )
        deepEqual(
          consistencyPath(index + 1, size).map((range) => hex(tree.hashOf(range))),
          naiveProof(index + 1, part).map(hex),
        )
      }),
    )
  })

  it('[N1] costs what is appended, not what is there', () => {
    const tree = new StoredTree()
    const batch = (length: number) => Array.from({ length }, (_, at) => hashLeaf(Buffer.from(`${at}`)))
    tree.append(batch(10_000))
    tree.hashed = 0
    tree.append(batch(100))
    // One for each leaf, and one more at most for each level.
    equal(tree.hashed <= 100 + 14, true)
    equal(inclusionPath(5_000, 10_100).length <= 14, true)
    throws(() => inclusionPath(8, 8), /no leaf 8/)
    throws(() => consistencyPath(9, 8), /does not extend/)
    throws(() => peaksOf({ from: 3, to: 8 }), /No subtree/)
  })
})
