import { createHash } from 'node:crypto'
import { bls12_381 } from '@noble/curves/bls12-381.js'
import type { HeadJson } from './checkpoint.ts'
import type { LogEntryJson } from './verify-log.ts'

/** drand's quicknet as its operators publish it. Other chains are not judged. */
const QUICKNET = {
  hash: '52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971',
  publicKey:
    '83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a',
}
const at = (round: number): number => (1_692_803_367 + 3 * (round - 1)) * 1_000
/** Servers of one sale may have clocks that differ by so much. */
const CLOCKS_MS = 2_000

interface Draw {
  readonly mode: string
  readonly commitment: string
  readonly chain?: string
  readonly round?: number
  readonly at: number
}

/**
 * Whether a draw was conducted as the contract says: one commitment, announced before the first ticket; all who wait are sealed; the
 * round is the announced one, lies after the seal, and was replaced only because it was there already.
 */
export function drawProblems(texts: readonly string[], heads: readonly HeadJson[] = []): string[] {
  const problems: string[] = []
  const entries = texts.map((text) => JSON.parse(text) as LogEntryJson)
  const find = (kind: string) => entries.flatMap((entry, index) => (entry.kind === kind ? [{ entry, index }] : []))
  const draws = find('draw').map(({ entry, index }) => ({ draw: drawOf(entry), index }))
  const [seal, ...moreSeals] = find('sealed')
  const [reveal] = find('revealed')
  const firstJoin = entries.findIndex(({ kind }) => kind === 'joined')
  const before = draws.filter(({ index }) => seal === undefined || index < seal.index)
  const announced = before.at(-1)?.draw
  if (announced === undefined) return seal === undefined ? [] : ['sealed without a draw']
  if (moreSeals.length > 0) problems.push('sealed twice')
  if (firstJoin >= 0 && firstJoin < (draws[0]?.index ?? 0)) problems.push('announced after the first ticket')
  for (const { draw, index } of draws) {
    const isOther =
      draw.commitment !== announced.commitment || draw.mode !== announced.mode || draw.chain !== announced.chain
    if (index > firstJoin && firstJoin >= 0 && isOther) problems.push('another draw announced later')
  }
  const admitted = entries.findIndex(({ kind }) => kind === 'admitted')
  if (admitted >= 0 && admitted < (reveal?.index ?? Number.POSITIVE_INFINITY)) problems.push('let in before the reveal')
  if (seal === undefined) return problems
  problems.push(...sealProblems(entries, seal.index, reveal?.index ?? entries.length))
  if (seal.entry.at < opensAt(entries, seal.index) - CLOCKS_MS) problems.push('sealed before the opening')
  const redraws = draws.filter(({ index }) => index > seal.index).map(({ draw }) => draw)
  if (announced.chain === QUICKNET.hash)
    problems.push(
      ...roundProblems({ announced, redraws, sealedAt: seal.entry.at, opensAt: opensAt(entries, seal.index) }),
    )
  if (announced.chain === QUICKNET.hash && redraws.length > 0) {
    const early = heads.some(
      (head) => head.size > seal.index && Date.parse(head.at) < at(announced.round ?? 0) - CLOCKS_MS,
    )
    if (early) problems.push('a head covered the seal in time: there was no reason for another round')
  }
  const final = redraws.at(-1) ?? announced
  const signature = reveal?.entry.signature
  if (reveal === undefined) return problems
  if ((announced.mode === 'drand') !== (typeof signature === 'string')) problems.push('signature or none')
  if (final.chain === QUICKNET.hash && !isSigned(final.round ?? 0, String(signature)))
    problems.push('not the round’s signature')
  return problems
}

function drawOf({ at: announcedAt, mode, commitment, chain, round }: LogEntryJson): Draw {
  return {
    ...{ mode: String(mode), commitment: String(commitment), at: announcedAt },
    ...(chain === undefined ? {} : { chain: String(chain) }),
    ...(round === undefined ? {} : { round: Number(round) }),
  }
}

function sealProblems(entries: readonly LogEntryJson[], sealIndex: number, revealIndex: number): string[] {
  const problems: string[] = []
  const waiting = new Map<number, number>()
  let highest = 0
  for (const { kind, number, numbers, members, class: ticketClass } of entries.slice(0, sealIndex)) {
    if (kind === 'joined' || kind === 'restored' || kind === 'classed')
      waiting.set(number as number, ticketClass as number)
    if (kind === 'joined') highest = Math.max(highest, number as number)
    if (kind === 'expired') for (const each of numbers as number[]) waiting.delete(each)
    if (kind === 'grouped') for (const each of members as number[]) if (each !== number) waiting.delete(each)
  }
  const seal = entries[sealIndex]
  if (seal?.count !== undefined && seal.count !== waiting.size)
    problems.push(`${waiting.size} wait, and ${String(seal?.count)} were sealed`)
  if ((seal?.nextNumber as number) <= highest) problems.push('a ticket that joined before counts as a later one')
  for (const { kind, number, place, class: ticketClass } of entries.slice(sealIndex)) {
    // Higher classes are drawn first, and a later ticket stands behind the drawn ones of its own class and of higher ones.
    const before = [...waiting.values()].filter((drawn) => drawn >= (ticketClass as number)).length
    if (kind === 'joined' && (place as number) <= before)
      problems.push(`the late ticket ${String(number)} stands among the drawn`)
  }
  if (revealIndex < sealIndex) problems.push('revealed before the seal')
  return problems
}

function roundProblems(of: { announced: Draw; redraws: readonly Draw[]; sealedAt: number; opensAt: number }): string[] {
  const problems: string[] = []
  const { announced, redraws, sealedAt, opensAt } = of
  const round = announced.round ?? 0
  if (at(round) < opensAt + 10_000 || at(round - 1) >= opensAt + 10_000)
    problems.push('not the round after the opening')
  let last = announced
  for (const redraw of redraws) {
    if (redraw.at < at(last.round ?? 0) - CLOCKS_MS) problems.push('replaced before it was there')
    if (redraw.at > at(redraw.round ?? 0) || (redraw.round ?? 0) <= (last.round ?? 0))
      problems.push('a round that was known')
    last = redraw
  }
  if (sealedAt >= at(last.round ?? 0)) problems.push('sealed when the round was there')
  return problems
}

function opensAt(entries: readonly LogEntryJson[], until: number): number {
  let opens = 0
  for (const { kind, rules, opensAt: moved } of entries.slice(0, until)) {
    if (kind === 'opened') opens = (rules as { opensAt: number }).opensAt
    if (kind === 'changed' && typeof moved === 'number') opens = moved
  }
  return opens
}

function isSigned(round: number, signature: string): boolean {
  const message = Buffer.alloc(8)
  message.writeBigUInt64BE(BigInt(round))
  const digest = Uint8Array.from(createHash('sha256').update(message).digest())
  const { shortSignatures } = bls12_381
  const bytes = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, 'hex'))
  try {
    const point = shortSignatures.hash(digest, 'BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_')
    return shortSignatures.verify(bytes(signature), point, bytes(QUICKNET.publicKey))
  } catch {
    return false
  }
}
