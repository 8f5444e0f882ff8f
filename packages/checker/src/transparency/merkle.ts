import { fromHex, sha256, toHex, utf8 } from './sha256.ts'

/** A tree by its size and root, as a head states it; the root in hex. */
export interface SizedRoot {
  readonly size: number
  readonly root: string
}

/** SHA-256(0x00 ‖ entry). */
function hashLeaf(entry: string): Uint8Array {
  return prefixed(0, utf8(entry))
}

function hashNode(left: Uint8Array, right: Uint8Array): Uint8Array {
  return prefixed(1, left, right)
}

function prefixed(kind: number, ...parts: Uint8Array[]): Uint8Array {
  const message = new Uint8Array(1 + parts.reduce((sum, { length }) => sum + length, 0))
  message[0] = kind
  let offset = 1
  for (const part of parts) {
    message.set(part, offset)
    offset += part.length
  }
  return sha256(message)
}

/** The tree of RFC 6962, grown leaf by leaf: it keeps one hash for each level, and knows the root of every size on its way. */
export class GrowingTree {
  #size = 0
  readonly #peaks: { readonly leaves: number; readonly hash: Uint8Array }[] = []

  get size(): number {
    return this.#size
  }

  append(entry: string): void {
    let peak = { leaves: 1, hash: hashLeaf(entry) }
    this.#size += 1
    while (true) {
      const before = this.#peaks.at(-1)
      if (before === undefined || before.leaves !== peak.leaves) break
      this.#peaks.pop()
      peak = { leaves: peak.leaves * 2, hash: hashNode(before.hash, peak.hash) }
    }
    this.#peaks.push(peak)
  }

  get root(): string {
    let root: Uint8Array | null = null
    for (const { hash } of this.#peaks.toReversed()) root = root === null ? hash : hashNode(hash, root)
    return toHex(root ?? sha256(new Uint8Array(0)))
  }
}

/** Whether an audit path leads from an entry to the root (RFC 9162, 2.1.3.2). */
export function isIncluded(entry: string, index: number, head: SizedRoot, path: readonly string[]): boolean {
  if (!(index >= 0 && index < head.size)) return false
  let [position, last, hash] = [index, head.size - 1, hashLeaf(entry)]
  for (const text of path) {
    if (last === 0) return false
    const other = fromHex(text)
    if (position % 2 === 1 || position === last) {
      hash = hashNode(other, hash)
      while (position % 2 === 0 && position !== 0) [position, last] = [half(position), half(last)]
    } else hash = hashNode(hash, other)
    ;[position, last] = [half(position), half(last)]
  }
  return last === 0 && toHex(hash) === head.root
}

/** Whether a proof shows that a head extends an earlier one (RFC 9162, 2.1.4.2). */
export function isExtension(from: SizedRoot, to: SizedRoot, proof: readonly string[]): boolean {
  if (from.size > to.size) return false
  if (from.size === to.size) return from.root === to.root && proof.length === 0
  if (from.size === 0) return proof.length === 0
  const [first, ...rest] = Number.isInteger(Math.log2(from.size)) ? [from.root, ...proof] : proof
  if (first === undefined) return false
  let [position, last] = [from.size - 1, to.size - 1]
  while (position % 2 === 1) [position, last] = [half(position), half(last)]
  let before = fromHex(first)
  let after = before
  for (const text of rest) {
    if (last === 0) return false
    const other = fromHex(text)
    if (position % 2 === 1 || position === last) {
      ;[before, after] = [hashNode(other, before), hashNode(other, after)]
      while (position % 2 === 0 && position !== 0) [position, last] = [half(position), half(last)]
    } else after = hashNode(after, other)
    ;[position, last] = [half(position), half(last)]
  }
  return last === 0 && toHex(before) === from.root && toHex(after) === to.root
}

function half(value: number): number {
  return Math.floor(value / 2)
}
