import { type DrawFacts, type DrawRules, isNeedless, QUICKNET } from './draw-rules.ts'
import type { Head } from './heads.ts'
import { sha256, toHex } from './sha256.ts'

/** Of a `bls-unchained-g1-rfc9380` beacon: the signature is on G1, over this digest. All in hex. */
export interface SignedRound {
  readonly digest: string
  readonly signature: string
  readonly publicKey: string
}

/** The draw as it was computed again. */
export interface DrawVerdict {
  readonly drawn: number
  readonly placeOf: (number: number) => number | null
  /** False where the beacon is another one than quicknet, or its signature could not be verified here. */
  readonly isBeaconChecked: boolean
}

interface Parts {
  readonly ask: (path: string) => Promise<unknown>
  readonly room: string
  readonly kept: readonly Head[]
  readonly problems: string[]
  readonly isRoundSigned?: (signed: SignedRound) => Promise<boolean>
}

/** What the log alone cannot tell of a draw: the beacon's signature, heads that were kept, and what the server says of it. */
export async function checkDraw(
  { ask, room, kept, problems, isRoundSigned }: Parts,
  rules: DrawRules,
): Promise<DrawVerdict | null> {
  const { facts } = rules
  const sealed = facts?.sealed ?? null
  if (facts === null || sealed === null) return null
  for (const replaced of rules.replaced) {
    if (kept.some((head) => isNeedless(replaced, sealed.size, head)))
      problems.push(`Entry ${replaced.by}: a head covered the seal before round ${replaced.round}, which was replaced`)
  }
  let isBeaconChecked = true
  for (const { index, chain, round, signature } of rules.rounds) {
    if (chain !== QUICKNET.hash || isRoundSigned === undefined) isBeaconChecked = false
    else if (!(await isRoundSigned({ digest: digestOf(round), signature, publicKey: QUICKNET.publicKey })))
      problems.push(`Entry ${index}: the signature is not that of round ${round}`)
  }
  if (facts.secret === null) return null
  const difference = differenceOf(facts, (await ask(`${room}/queue/draw`)) as Summary)
  if (difference !== null) problems.push(`The server says of its draw another ${difference} than the log`)
  return { drawn: rules.drawn, placeOf: (number) => rules.placeOf(number), isBeaconChecked }
}

interface Summary {
  readonly commitment?: string
  readonly secret?: string | null
  readonly seed?: string | null
  readonly redraws?: number
  readonly sealed?: { readonly count: number; readonly size: number; readonly root: string } | null
  readonly beacon?: { readonly chain: string; readonly round: number; readonly signature: string | null } | null
}

function differenceOf(facts: DrawFacts, { commitment, secret, seed, redraws, sealed, beacon }: Summary): string | null {
  const pairs: readonly (readonly [string, unknown, unknown])[] = [
    ['commitment', facts.commitment, commitment],
    ['secret', facts.secret, secret],
    ['seed', facts.seed, seed],
    ['number of redraws', facts.redraws, redraws ?? 0],
    ['count', facts.sealed?.count, sealed?.count],
    ['size', facts.sealed?.size, sealed?.size],
    ['root', facts.sealed?.root, sealed?.root],
    ['chain', facts.chain, beacon?.chain ?? null],
    ['round', facts.round, beacon?.round ?? null],
    ['signature', facts.signature, beacon?.signature ?? null],
  ]
  return pairs.find(([, one, other]) => one !== other)?.[0] ?? null
}

/** SHA-256 of the round as eight bytes, big endian: what an unchained beacon signs. */
function digestOf(round: number): string {
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setBigUint64(0, BigInt(round))
  return toHex(sha256(bytes))
}
