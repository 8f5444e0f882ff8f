import { createHash, createHmac } from 'node:crypto'
import { type HeadJson, leafOf, rootOf } from '@seatwise/testbench'

/** Round 657413 of quicknet and the signature of round 123: real ones, so that every verifier can judge them. */
export const ROUND = 657_413
const SIGNATURE = 'b713718a38ae728dfd477991af2822e08d2f305e47718cef9f7848ce4050e7be41076862b98fad56e91a6b85b89cd97b'
export const OTHER_SIGNATURE =
  'b75c69d0b72a5d906e854e808ba7e2accb1542ac355ae486d591aa9d43765482e26cd02df835d3546d23c4b13e0dfc92'
const CHAIN = '52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971'
const GENESIS_MS = 1_692_803_367_000
const PERIOD_MS = 3_000

export const timeOfRound = (round: number): number => GENESIS_MS + (round - 1) * PERIOD_MS

/** What an operator does who conducts a draw, honestly or not. */
export interface Conduct {
  readonly mode: 'commit' | 'drand'
  /** The round that is announced first, and those that replace it after the seal, with the times of doing so. */
  readonly round?: number
  readonly redraws?: readonly { readonly round: number; readonly at: number; readonly commitment?: string }[]
  readonly signature?: string
  readonly opensAt?: number
  readonly sealedAt?: number
  readonly revealedAt?: number
  /** Instead of the one that was committed to. */
  readonly revealed?: Buffer
  /** How many wait for the draw. */
  readonly joiners?: number
  /** A ticket that the operator leaves out of the seal, and lets in last. */
  readonly leavesOut?: number
  /** The place of the visitor who joins after the seal; by default behind all. */
  readonly latePlace?: number
  /** The seal counts that ticket all the same. */
  readonly countsAll?: boolean
  /** The late visitor comes after the reveal, instead of before it. */
  readonly lateAfterReveal?: boolean
  /** Tickets that are drawn before the announcement. */
  readonly announcesAfter?: number
  /** A second seal, so that another root gives another order. */
  readonly sealsAgain?: boolean
  /** A ticket that gets a higher class by a code while it waits. */
  readonly promotes?: number
  /** These two of the drawn order change places. */
  readonly swaps?: readonly [number, number]
  /** Lets in this many before the reveal. */
  readonly early?: number
}

export const HONEST_ROUND: Conduct = { mode: 'drand', round: ROUND, signature: SIGNATURE }
const SECRET = Buffer.alloc(32, 7)
const USUAL_JOINERS = 9
const SETTINGS = {
  ...{ capacity: 4, ratePerMinute: 60_000, burst: 100, claimSeconds: 60, sessionSeconds: 300, reservationSeconds: 300 },
  ...{ heartbeatTimeoutSeconds: 90, graceSeconds: 120, awaySeconds: 3_600, maxWaiting: 1_000, maxSeatsPerBuyer: 6 },
  ...{ priorityMode: 'skip', stockAware: false, keepLineWhenSoldOut: false, draw: 'drand' },
}

/** The texts of a log with a draw, as the wire contract says they are written. */
export function drawnLog(roomId: string, conduct: Conduct): { texts: string[]; sealedSize: number } {
  const opensAt = conduct.opensAt ?? timeOfRound(ROUND) - 10_000
  const joiners = conduct.joiners ?? USUAL_JOINERS
  const lateJoiner = joiners + 1
  const texts: string[] = []
  let at = opensAt - 60_000 - joiners * 10
  const log = (kind: string, what: object) =>
    texts.push(JSON.stringify({ epoch: 1, seq: texts.length + 1, at, kind, ...what }))
  const rules = {
    settings: SETTINGS,
    paused: false,
    soldOut: false,
    opensAt,
    closesAt: opensAt + 3_600_000,
    stock: null,
  }
  const commitment = sha256(SECRET).toString('hex')
  const note = (round: number | undefined) => (conduct.mode === 'commit' ? {} : { chain: CHAIN, round })

  log('opened', { reason: 'opened', nextNumber: 1, waiting: 0, floor: 0, rules })
  const announce = () => log('draw', { mode: conduct.mode, commitment, ...note(conduct.round) })
  const joins = (number: number, place: number) => {
    at += 10
    log('joined', { number, class: 0, place, rank: number - 1 })
  }
  if (conduct.announcesAfter === undefined) announce()
  for (let number = 1; number <= joiners; number += 1) {
    joins(number, number)
    if (number === conduct.announcesAfter) announce()
  }
  if (conduct.promotes !== undefined) promote(log, conduct.promotes)
  at = conduct.sealedAt ?? opensAt
  const drawn = Array.from({ length: joiners }, (_, index) => index + 1).filter(
    (number) => number !== conduct.leavesOut,
  )
  const seal = () =>
    log('sealed', { count: conduct.countsAll === true ? joiners : drawn.length, nextNumber: lateJoiner })
  if (conduct.sealsAgain === true) seal()
  const sealedSize = texts.length
  const root = Buffer.from(rootOf(texts.map(leafOf)), 'hex')
  seal()
  const joinsLate = () => joins(lateJoiner, conduct.latePlace ?? lateJoiner)
  if (conduct.lateAfterReveal !== true) joinsLate()
  for (const redraw of conduct.redraws ?? []) {
    at = redraw.at
    log('draw', { mode: conduct.mode, commitment: redraw.commitment ?? commitment, ...note(redraw.round) })
  }
  const goesIn = (number: number) => {
    at += 10
    const fence = 2 ** 36 + texts.length + 1
    log('admitted', { number, class: 0, fence, deadline: at + 60_000 })
    log('entered', { number, deadline: at + 300_000 })
    at += 10
    log('completed', { number })
  }
  for (let number = 1; number <= (conduct.early ?? 0); number += 1) goesIn(number)
  at =
    conduct.revealedAt ??
    (conduct.mode === 'commit' ? at + 10 : timeOfRound(conduct.redraws?.at(-1)?.round ?? conduct.round ?? 1) + 500)
  const { signature } = conduct
  const secret = conduct.revealed ?? SECRET
  log('revealed', { secret: secret.toString('hex'), ...(signature === undefined ? {} : { signature }) })
  const beacon = signature === undefined ? Buffer.alloc(0) : sha256(Buffer.from(signature, 'hex'))
  if (conduct.lateAfterReveal === true) joinsLate()
  const seed = sha256(secret, root, beacon)
  const lot = (number: number) => createHmac('sha256', seed).update(`${roomId}:${number}`).digest('hex')
  const order = drawn
    .toSorted((a, b) => Number(b === conduct.promotes) - Number(a === conduct.promotes) || (lot(a) < lot(b) ? -1 : 1))
    .filter((number) => number > (conduct.early ?? 0))
  const [one, other] = conduct.swaps ?? [0, 0]
  const swapped = order.with(one, order[other] ?? 0).with(other, order[one] ?? 0)
  const late = conduct.latePlace === undefined ? [] : [lateJoiner]
  const last = [conduct.leavesOut ?? [], conduct.latePlace === undefined ? lateJoiner : []].flat()
  for (const number of [...late, ...swapped, ...last]) goesIn(number)
  return { texts, sealedSize }
}

function promote(log: (kind: string, what: object) => void, number: number): void {
  const code = sha256(Buffer.from('a code')).toString('hex')
  log('codes', { class: 2, hashes: [code] })
  log('classed', { number, class: 2, code, place: number, rank: number - 1, fromRank: number - 1 })
}

/** What `…/queue/draw` says about such a log. */
export function drawSummary(texts: readonly string[]): object {
  type Entry = { kind: string } & Record<string, unknown>
  const entries = texts.map((text) => JSON.parse(text) as Entry)
  const sealedSize = entries.findLastIndex(({ kind }) => kind === 'sealed')
  const announced = entries.filter(({ kind }) => kind === 'draw')
  const { mode, commitment, chain, round } = announced.at(-1) ?? ({ kind: 'none' } as Entry)
  const revealed = entries.find(({ kind }) => kind === 'revealed')
  const signature = (revealed?.signature ?? null) as string | null
  const root = rootOf(texts.slice(0, sealedSize).map(leafOf))
  const secret = String(revealed?.secret)
  const randomness = signature === null ? Buffer.alloc(0) : sha256(Buffer.from(signature, 'hex'))
  return {
    ...{ mode, state: 'revealed', commitment, redraws: announced.length - 1, secret },
    sealed: { count: entries[sealedSize]?.count, size: sealedSize, root },
    beacon: chain === undefined ? null : { chain, round, signature, randomness: randomness.toString('hex') },
    seed: sha256(Buffer.from(secret, 'hex'), Buffer.from(root, 'hex'), randomness).toString('hex'),
  }
}

/** A head with the time at which a witness got it. */
export const keptAt = (head: HeadJson, at: number): HeadJson => ({ ...head, at: new Date(at).toISOString() })

function sha256(...parts: readonly Uint8Array[]): Buffer {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}
