import { createHash, createHmac } from 'node:crypto'

/*
 * Verifies a draw from its public log, written from the wire contract alone: nothing of the product is imported, so that it
 * does not share the product's mistakes.
 */

/** An entry of the public log. */
export interface PublicItem {
  readonly canonical: string
}

interface Entry {
  readonly kind: string
  readonly number: number
  readonly class: number
  readonly code?: string
  readonly numbers: readonly number[]
  readonly members: readonly number[]
  readonly commitment: string
  readonly secret: string
  readonly hashes: readonly string[]
}

export interface VerifiedDraw {
  readonly problems: readonly string[]
  /** Ticket numbers in the drawn order. */
  readonly order: readonly number[]
  /** Of the tree right before the entry that seals. */
  readonly size: number
  readonly root: string
}

const sha256 = (...parts: readonly Uint8Array[]): Buffer =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest()
const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex')

/** RFC 6962, section 2.1, by its recursive definition. */
function treeRoot(leaves: readonly string[]): Buffer {
  if (leaves.length === 0) return sha256()
  if (leaves.length === 1) return sha256(Buffer.of(0), Buffer.from(leaves[0] ?? ''))
  let left = 1
  while (left * 2 < leaves.length) left *= 2
  return sha256(Buffer.of(1), treeRoot(leaves.slice(0, left)), treeRoot(leaves.slice(left)))
}

export function verifyDraw(roomId: string, items: readonly PublicItem[], randomness = Buffer.alloc(0)): VerifiedDraw {
  const entries = items.map(({ canonical }) => JSON.parse(canonical) as Entry)
  const problems: string[] = []
  const sealAt = entries.findLastIndex(({ kind }) => kind === 'sealed')
  const revealAt = entries.findIndex(({ kind }) => kind === 'revealed')
  const announcedAt = entries.findIndex(({ kind }) => kind === 'draw')
  const announced = entries[announcedAt]
  const revealed = entries[revealAt]
  const empty = { order: [], size: 0, root: '' }
  if (announced === undefined || sealAt < 0 || revealed === undefined) return { problems: ['no whole draw'], ...empty }

  if (entries.slice(0, announcedAt).some(({ kind }) => kind === 'joined'))
    problems.push('a ticket before the announcement')
  if (sha256(bytes(revealed.secret)).toString('hex') !== announced.commitment)
    problems.push('the secret does not match')
  const early = entries.slice(0, revealAt).some(({ kind }) => kind === 'admitted')
  if (early) problems.push('a ticket was admitted before the reveal')

  const classes = new Map<number, number>()
  for (const entry of entries.slice(0, sealAt)) {
    if (entry.kind === 'joined' || entry.kind === 'restored') classes.set(entry.number, entry.class)
    if (entry.kind === 'classed') classes.set(entry.number, entry.class)
    if (entry.kind === 'expired') for (const number of entry.numbers) classes.delete(number)
    // One lot for all who stand together.
    if (entry.kind === 'grouped') for (const each of entry.members) if (each !== entry.number) classes.delete(each)
  }
  const root = treeRoot(items.slice(0, sealAt).map(({ canonical }) => canonical))
  const seed = sha256(bytes(revealed.secret), root, randomness)
  const lots = new Map([...classes.keys()].map((number) => [number, lotOf(seed, roomId, number)]))
  const order = [...classes.keys()].sort(
    (a, b) =>
      (classes.get(b) ?? 0) - (classes.get(a) ?? 0) ||
      Buffer.compare(lots.get(a) ?? seed, lots.get(b) ?? seed) ||
      a - b,
  )
  problems.push(...admittedOutOfOrder(entries, order, revealAt))
  return { problems, order, size: sealAt, root: root.toString('hex') }
}

const lotOf = (seed: Buffer, roomId: string, number: number): Buffer =>
  createHmac('sha256', seed).update(`${roomId}:${number}`).digest()

/** Among the drawn tickets, whoever is admitted has none before them that waits and is present. */
function admittedOutOfOrder(entries: readonly Entry[], order: readonly number[], revealAt: number): string[] {
  const waiting = new Set(order)
  const away = new Set<number>()
  const problems: string[] = []
  for (const [index, entry] of entries.entries()) {
    if (entry.kind === 'away') for (const number of entry.numbers) away.add(number)
    if (entry.kind === 'back') for (const number of entry.numbers) away.delete(number)
    if (entry.kind === 'grouped')
      for (const number of entry.members) if (number !== entry.number) waiting.delete(number)
    if (entry.kind === 'expired' && index > 0) for (const number of entry.numbers) waiting.delete(number)
    if (entry.kind !== 'admitted' || index < revealAt) continue
    const first = order.find((number) => waiting.has(number) && !away.has(number))
    if (waiting.has(entry.number) && first !== entry.number) {
      problems.push(`ticket ${entry.number} was admitted before ticket ${first}`)
    }
    if (!waiting.has(entry.number) && first !== undefined && entry.class === 0) {
      problems.push(`ticket ${entry.number}, which was not drawn, was admitted before ticket ${first}`)
    }
    waiting.delete(entry.number)
  }
  return problems
}
