import type { LogHead } from '../types.ts'

/* The Merkle trees of RFC 6962, as far as a visitor needs them: judging proofs as RFC 9162 does. */

/** Whether an audit path leads from an entry to the head's root (2.1.3.2). */
export async function isIncluded(
  entry: string,
  index: number,
  head: LogHead,
  path: readonly string[],
): Promise<boolean> {
  if (!(index >= 0 && index < head.size)) return false
  let [position, last, hash] = [index, head.size - 1, await hashOf(0, new TextEncoder().encode(entry))]
  for (const text of path) {
    if (last === 0) return false
    if (position % 2 === 1 || position === last) {
      hash = await hashNode(text, hash)
      while (position % 2 === 0 && position !== 0) [position, last] = [half(position), half(last)]
    } else hash = await hashNode(hash, text)
    ;[position, last] = [half(position), half(last)]
  }
  return last === 0 && hash === head.root
}

/** Whether a proof shows that a head extends an earlier one (2.1.4.2). */
export async function isExtension(from: LogHead, to: LogHead, proof: readonly string[]): Promise<boolean> {
  if (from.size === to.size) return from.root === to.root
  if (from.size === 0) return true
  const [first, ...rest] = Number.isInteger(Math.log2(from.size)) ? [from.root, ...proof] : proof
  if (first === undefined) return false
  let [position, last, before, after] = [from.size - 1, to.size - 1, first, first]
  while (position % 2 === 1) [position, last] = [half(position), half(last)]
  for (const other of rest) {
    if (last === 0) return false
    if (position % 2 === 1 || position === last) {
      ;[before, after] = [await hashNode(other, before), await hashNode(other, after)]
      while (position % 2 === 0 && position !== 0) [position, last] = [half(position), half(last)]
    } else after = await hashNode(after, other)
    ;[position, last] = [half(position), half(last)]
  }
  return last === 0 && before === from.root && after === to.root
}

function half(value: number): number {
  return Math.floor(value / 2)
}

function hashNode(left: string, right: string): Promise<string> {
  return hashOf(
    1,
    Uint8Array.from((left + right).match(/../g) ?? [], (byte) => Number.parseInt(byte, 16)),
  )
}

async function hashOf(kind: 0 | 1, bytes: Uint8Array): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', Uint8Array.of(kind, ...bytes))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
