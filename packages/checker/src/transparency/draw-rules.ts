import type { PublicEntry } from './order-rules.ts'

/** A public beacon with its published key. A log may name another one: then its signatures and times are not judged. */
export interface BeaconTimes {
  readonly genesisMs: number
  readonly periodMs: number
}

/** drand's quicknet, by the hash of its chain. */
export const QUICKNET = {
  hash: '52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971',
  publicKey:
    '83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a',
  genesisMs: 1_692_803_367_000,
  periodMs: 3_000,
} as const

const CHAINS: ReadonlyMap<string, BeaconTimes> = new Map([[QUICKNET.hash, QUICKNET]])

/** The seal must be published this long before the round that decides. */
const SEALED_BEFORE_MS = 10_000
/** Clocks of one deployment may differ by as much. */
const CLOCKS_MS = 2_000

/** What a draw says of its beacon, for those who can verify signatures. */
export interface RevealedRound {
  readonly index: number
  readonly chain: string
  readonly round: number
  readonly signature: string
}

/** Facts of the draw, as the log tells them: the server's own summary must say the same. */
export interface DrawFacts {
  commitment: string
  chain: string | null
  round: number | null
  redraws: number
  sealed: { readonly count: number; readonly size: number; readonly root: string; readonly at: number } | null
  secret: string | null
  signature: string | null
  seed: string | null
}

/** Follows what a log announces of its draw, and judges it: one commitment, one seal of all who wait, and no round that was known. */
export class DrawRules {
  readonly #say: (problem: string) => void
  /** When rounds were announced that a later one replaced after the seal; their redraw needs a reason. */
  readonly replaced: { readonly round: number; readonly times: BeaconTimes; readonly by: number }[] = []
  readonly rounds: RevealedRound[] = []
  facts: DrawFacts | null = null
  #mode = ''
  #opensAt = 0
  #hasTickets = false
  /** Places by the draw; tickets that joined later stand behind those of their class. */
  #placeOf = new Map<number, number>()
  #lastPlaces = new Map<number, number>()
  /** Those who joined between seal and reveal. */
  #late: { readonly number: number; readonly class: number; readonly place: number }[] = []
  /** Drawn tickets that a code moved later. */
  readonly #moved = new Set<number>()

  constructor(say: (problem: string) => void) {
    this.#say = say
  }

  /** Drawn up to now: the place of a ticket, for its holder. */
  placeOf(number: number): number | null {
    return this.#placeOf.get(number) ?? null
  }

  get drawn(): number {
    return this.#placeOf.size
  }

  /** Everything but joins, admissions, seals and reveals. */
  see(entry: PublicEntry, index: number): void {
    if (entry.kind === 'opened') this.#opensAt = timeIn(entry.rules, 'opensAt') ?? this.#opensAt
    if (entry.kind === 'changed') {
      this.#opensAt = typeof entry.opensAt === 'number' ? entry.opensAt : this.#opensAt
      if (!this.#hasTickets && drawIn(entry.settings) === 'none') this.facts = null
    }
    if (entry.kind === 'draw') this.#announce(entry, index)
  }

  #announce(entry: PublicEntry, index: number): void {
    const { facts } = this
    const chain = typeof entry.chain === 'string' ? entry.chain : null
    const round = typeof entry.round === 'number' ? entry.round : null
    const commitment = String(entry.commitment)
    if (this.#hasTickets) {
      if (facts === null) this.#say('a draw was announced after the first ticket')
      else if (facts.commitment !== commitment || facts.chain !== chain || this.#mode !== String(entry.mode))
        this.#say('another draw was announced after the first ticket')
    }
    if (facts?.secret != null) this.#say('a draw was announced after the reveal')
    const isRedraw = facts?.sealed != null
    if (isRedraw && facts.round !== null && round !== null && chain !== null)
      this.#redraw(facts.round, round, entry.at, index)
    this.#mode = String(entry.mode)
    this.facts = {
      ...{ commitment, chain, round, redraws: (facts?.redraws ?? 0) + Number(isRedraw) },
      ...{ sealed: facts?.sealed ?? null, secret: facts?.secret ?? null, signature: null, seed: null },
    }
  }

  /** Only because the round before was there already when the seal was published; and the new one is not there yet. */
  #redraw(before: number, round: number, at: number, index: number): void {
    const times = CHAINS.get(this.facts?.chain ?? '')
    if (round <= before) this.#say(`round ${round} replaced round ${before}, which is no later one`)
    if (times === undefined) return
    if (at < timeOf(times, before) - CLOCKS_MS) this.#say(`round ${before} was replaced before it was there`)
    if (at > timeOf(times, round)) this.#say(`round ${round} was there already when it was announced`)
    this.replaced.push({ round: before, times, by: index })
  }

  joined(number: number, ticketClass: number, place: number): void {
    this.#hasTickets = true
    if (this.facts?.sealed != null && this.facts.secret === null) this.#late.push({ number, class: ticketClass, place })
    this.#judgeLate(number, ticketClass, place)
  }

  #judgeLate(number: number, ticketClass: number, place: number): void {
    const last = this.#lastPlaces.get(ticketClass)
    if (last !== undefined && place <= last)
      this.#say(`ticket ${number} joined after the seal, and has a place among the drawn`)
  }

  classed(number: number): void {
    this.#moved.add(number)
  }

  restored(number: number, place: number): void {
    const drawn = this.#placeOf.get(number)
    if (drawn !== undefined && drawn !== place && !this.#moved.has(number))
      this.#say(`ticket ${number} drew place ${drawn} and was restored at ${place}`)
  }

  admitted(number: number): void {
    if (this.facts !== null && this.facts.secret === null)
      this.#say(`ticket ${number} went in before the draw was revealed`)
  }

  sealed(entry: PublicEntry, size: number, root: string, numbers: readonly number[]): void {
    const { facts } = this
    if (facts === null) return void this.#say('a line was sealed without a draw')
    if (facts.sealed !== null) this.#say('the line was sealed twice')
    if (entry.count !== undefined && Number(entry.count) !== numbers.length)
      this.#say(`${numbers.length} tickets wait, and ${String(entry.count)} were sealed`)
    if (numbers.some((number) => number >= Number(entry.nextNumber))) this.#say('a ticket was left out of the seal')
    if (entry.at < this.#opensAt - CLOCKS_MS) this.#say('the line was sealed before the sale opened')
    facts.sealed = { count: numbers.length, size, root, at: entry.at }
    const times = CHAINS.get(facts.chain ?? '')
    if (times !== undefined && facts.redraws === 0 && facts.round !== roundAfter(times, this.#opensAt))
      this.#say(`round ${facts.round} is not the first ten seconds after the opening`)
  }

  revealed(
    entry: PublicEntry,
    index: number,
    seed: string,
    drawn: readonly number[],
    classOf: (number: number) => number,
  ): void {
    const { facts } = this
    if (facts === null || facts.sealed === null) return
    const signature = typeof entry.signature === 'string' ? entry.signature : null
    Object.assign(facts, { secret: String(entry.secret), signature, seed })
    if ((this.#mode === 'drand') !== (signature !== null))
      this.#say('the beacon’s signature is missing, or not for this draw')
    const times = CHAINS.get(facts.chain ?? '')
    if (signature !== null && facts.chain !== null && facts.round !== null) {
      this.rounds.push({ index, chain: facts.chain, round: facts.round, signature })
      if (times !== undefined && facts.sealed.at >= timeOf(times, facts.round))
        this.#say(`round ${facts.round} was there before the line was sealed`)
      if (times !== undefined && entry.at < timeOf(times, facts.round) - CLOCKS_MS)
        this.#say(`the draw was revealed before round ${facts.round} was there`)
    }
    this.#placeOf = new Map(drawn.map((number, rank) => [number, rank + 1]))
    for (const [rank, number] of drawn.entries()) this.#lastPlaces.set(classOf(number), rank + 1)
    for (const late of this.#late) this.#judgeLate(late.number, late.class, late.place)
  }
}

function timeOf({ genesisMs, periodMs }: BeaconTimes, round: number): number {
  return genesisMs + (round - 1) * periodMs
}

function roundAfter({ genesisMs, periodMs }: BeaconTimes, opensAt: number): number {
  return Math.max(1, Math.ceil((opensAt + SEALED_BEFORE_MS - genesisMs) / periodMs) + 1)
}

function timeIn(rules: unknown, name: string): number | null {
  const time = typeof rules === 'object' && rules !== null ? (rules as Record<string, unknown>)[name] : undefined
  return typeof time === 'number' ? time : null
}

function drawIn(settings: unknown): unknown {
  return typeof settings === 'object' && settings !== null ? (settings as Record<string, unknown>).draw : undefined
}

/** A head that covers the seal and was signed before the round that was replaced: then there was no reason to replace it. */
export function isNeedless(
  { round, times }: DrawRules['replaced'][number],
  sealedSize: number,
  head: { readonly size: number; readonly at: string },
): boolean {
  return head.size > sealedSize && Date.parse(head.at) < timeOf(times, round) - CLOCKS_MS
}
