/*
 * The Merkle tree of RFC 6962 over the entries of a room's log. A node is named by its level (0 is a leaf's) and its position from
 * the left; it is full when all 2^level leaves below it exist, and never changes then. Only full nodes are stored. Every other
 * hash (a root, the right edge of a proof) is folded from them.
 *
 *   size 7      root = fold of the peaks a, b, c          a = (2, 0)  b = (1, 2)  c = (0, 6)
 */

export type Hash = Uint8Array

/** Computes SHA-256(0x01 ‖ left ‖ right). The caller brings it, because this package imports nothing. */
export type HashNode = (left: Hash, right: Hash) => Hash

export interface TreeNode {
  readonly level: number
  readonly position: number
}

export interface HashedNode extends TreeNode {
  readonly hash: Hash
}

/** Leaves from `from` up to, but without, `to`. */
export interface LeafRange {
  readonly from: number
  readonly to: number
}

/** All that is needed to append to a tree of this size: the hashes of its peaks, left to right. */
export interface TreeEdge {
  readonly size: number
  readonly peaks: readonly Hash[]
}

/** Appends leaf hashes. Returns the new edge, and the nodes above the leaves that became full; costs what was appended. */
export function appendLeaves(
  edge: TreeEdge,
  leaves: readonly Hash[],
  hashNode: HashNode,
): { readonly edge: TreeEdge; readonly full: readonly HashedNode[] } {
  const peaks = [...edge.peaks]
  const full: HashedNode[] = []
  let size = edge.size
  for (const leaf of leaves) {
    let hash = leaf
    let position = size
    for (let level = 1; position % 2 === 1; level += 1) {
      const left = peaks.pop()
      if (left === undefined) throw new RangeError(`A tree of ${edge.size} leaves has other peaks`)
      hash = hashNode(left, hash)
      position = (position - 1) / 2
      full.push({ level, position, hash })
    }
    peaks.push(hash)
    size += 1
  }
  return { edge: { size, peaks }, full }
}

/** The full nodes that together cover the leaves, left to right. The range must begin where a subtree of its size does. */
export function peaksOf({ from, to }: LeafRange): TreeNode[] {
  const peaks: TreeNode[] = []
  let begin = from
  while (begin < to) {
    const level = Math.floor(Math.log2(to - begin))
    const width = 2 ** level
    if (begin % width !== 0) throw new RangeError(`No subtree covers the leaves from ${from} to ${to}`)
    peaks.push({ level, position: begin / width })
    begin += width
  }
  return peaks
}

/** The hash of a subtree from those of its peaks; null for none. */
export function foldPeaks(peaks: readonly Hash[], hashNode: HashNode): Hash | null {
  return peaks.reduceRight<Hash | null>((right, left) => (right === null ? left : hashNode(left, right)), null)
}

/** The subtrees whose hashes are the audit path of a leaf (RFC 6962, 2.1.1), beginning at the leaf. */
export function inclusionPath(index: number, size: number): LeafRange[] {
  if (!(index >= 0 && index < size)) throw new RangeError(`A tree of ${size} leaves has no leaf ${index}`)
  const path: LeafRange[] = []
  let tree: LeafRange = { from: 0, to: size }
  while (tree.to - tree.from > 1) {
    const { left, right } = halves(tree)
    path.push(index < left.to ? right : left)
    tree = index < left.to ? left : right
  }
  return path.reverse()
}

/** The subtrees whose hashes prove that a tree extends a smaller one (RFC 6962, 2.1.2). Empty for none, or the same. */
export function consistencyPath(from: number, to: number): LeafRange[] {
  if (!(from >= 0 && from <= to)) throw new RangeError(`A tree of ${to} leaves does not extend one of ${from}`)
  if (from === 0 || from === to) return []
  const path: LeafRange[] = []
  let tree: LeafRange = { from: 0, to }
  while (tree.to !== from) {
    const { left, right } = halves(tree)
    path.push(from <= left.to ? right : left)
    tree = from <= left.to ? left : right
  }
  // The smaller tree itself is known to the one who asks, unless only a part of it is left here.
  return tree.from === 0 ? path.reverse() : [tree, ...path.reverse()]
}

/** A tree splits at the largest power of two below its size. */
function halves({ from, to }: LeafRange): { left: LeafRange; right: LeafRange } {
  const width = 2 ** Math.ceil(Math.log2(to - from) - 1)
  return { left: { from, to: from + width }, right: { from: from + width, to } }
}
