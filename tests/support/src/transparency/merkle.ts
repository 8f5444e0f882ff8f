import { createHash } from 'node:crypto'

/** SHA-256(0x00 ‖ entry), in hex: written from RFC 6962 alone, as everything in this folder. */
export function leafOf(entry: string): string {
  return createHash('sha256').update(Uint8Array.of(0)).update(entry, 'utf8').digest('hex')
}

export function nodeOf(left: string, right: string): string {
  const hash = createHash('sha256').update(Uint8Array.of(1))
  return hash.update(Buffer.from(left, 'hex')).update(Buffer.from(right, 'hex')).digest('hex')
}

/** MTH of RFC 6962, 2.1, over leaf hashes. */
export function rootOf(leaves: readonly string[]): string {
  const [only] = leaves
  if (only === undefined) return createHash('sha256').digest('hex')
  if (leaves.length === 1) return only
  const split = splitOf(leaves.length)
  return nodeOf(rootOf(leaves.slice(0, split)), rootOf(leaves.slice(split)))
}

/** PATH of RFC 6962, 2.1.1. */
export function pathOf(index: number, leaves: readonly string[]): string[] {
  if (leaves.length <= 1) return []
  const split = splitOf(leaves.length)
  const [left, right] = [leaves.slice(0, split), leaves.slice(split)]
  return index < split ? [...pathOf(index, left), rootOf(right)] : [...pathOf(index - split, right), rootOf(left)]
}

/** PROOF of RFC 6962, 2.1.2. */
export function proofOf(from: number, leaves: readonly string[], isComplete = true): string[] {
  if (from === 0) return []
  if (from === leaves.length) return isComplete ? [] : [rootOf(leaves)]
  const split = splitOf(leaves.length)
  const [left, right] = [leaves.slice(0, split), leaves.slice(split)]
  return from <= split
    ? [...proofOf(from, left, isComplete), rootOf(right)]
    : [...proofOf(from - split, right, false), rootOf(left)]
}

function splitOf(size: number): number {
  let split = 1
  while (split * 2 < size) split *= 2
  return split
}

/** RFC 9162, 2.1.3.2. */
export function isIncluded(
  leaf: string,
  index: number,
  size: number,
  hashes: readonly string[],
  root: string,
): boolean {
  if (index >= size) return false
  let [fn, sn, hash] = [index, size - 1, leaf]
  for (const other of hashes) {
    if (sn === 0) return false
    if (fn % 2 === 1 || fn === sn) {
      hash = nodeOf(other, hash)
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [Math.floor(fn / 2), Math.floor(sn / 2)]
    } else hash = nodeOf(hash, other)
    ;[fn, sn] = [Math.floor(fn / 2), Math.floor(sn / 2)]
  }
  return sn === 0 && hash === root
}

/** RFC 9162, 2.1.4.2. */
export function extendsHead(
  from: { size: number; root: string },
  to: { size: number; root: string },
  hashes: readonly string[],
): boolean {
  if (from.size > to.size) return false
  if (from.size === to.size) return from.root === to.root && hashes.length === 0
  if (from.size === 0) return hashes.length === 0
  const path = Number.isInteger(Math.log2(from.size)) ? [from.root, ...hashes] : [...hashes]
  const first = path.shift()
  if (first === undefined) return false
  let [fn, sn, before, after] = [from.size - 1, to.size - 1, first, first]
  while (fn % 2 === 1) [fn, sn] = [Math.floor(fn / 2), Math.floor(sn / 2)]
  for (const other of path) {
    if (sn === 0) return false
    if (fn % 2 === 1 || fn === sn) {
      ;[before, after] = [nodeOf(other, before), nodeOf(other, after)]
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [Math.floor(fn / 2), Math.floor(sn / 2)]
    } else after = nodeOf(after, other)
    ;[fn, sn] = [Math.floor(fn / 2), Math.floor(sn / 2)]
  }
  return sn === 0 && before === from.root && after === to.root
}
