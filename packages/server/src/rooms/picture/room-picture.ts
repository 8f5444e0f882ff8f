import {
  type Changed,
  type LogEntry,
  numbersIn,
  type PaceChange,
  type PacePreview,
  pollAfterMs,
  type RoomSettings,
  rankAt,
  type ShownEstimate,
  shouldListen,
} from '@seatwise/domain'
import type { DrawProgress, PresentPage, RoomNow, TicketView } from '@seatwise/line'
import type { FarView, NowDocument, TicketClaims } from '../room.ts'
import type { Head } from '../transparency/room-heads.ts'
import { Estimates } from './estimates.ts'
import { KnownTickets } from './known-tickets.ts'
import { type BuiltNow, buildNow } from './now-document.ts'
import { PassedOver } from './passed-over.ts'

/** The maximum age of the *now* document before it is rebuilt. */
const NOW_MS_MAX = 1_000
/** An older rank map may be wrong by more than is promised, so no visitor is answered from it. */
const RANK_MAP_MS_MAX = 2_000
/** Visitors ask for their drawn place this long after the line opens at the soonest, and at most so many in a millisecond. */
const OPENED_MS = 1_000
const OPENED_PER_MS = 10
/** A picture that the log has not confirmed for longer than this is not used for answers. */
const UNCONFIRMED_MS_MAX = 1_000

/** What the public document says that the line does not know. */
export interface ToldBeside {
  readonly hidesSeats: () => boolean
  /** The latest signed head of the log. */
  readonly head: () => Head | null
}

/**
 * What one server knows of a room without asking the store: its log as far as it was read, and the *now* document of
 * the last second. It answers most polls.
 */
export class RoomPicture {
  readonly #askNow: () => Promise<RoomNow>
  readonly #clock: () => number
  readonly #told: ToldBeside
  readonly #known = new KnownTickets()
  readonly #passedOver = new PassedOver()
  #estimates: Estimates | null = null
  #built: BuiltNow | null = null
  #building: Promise<BuiltNow> | null = null
  /** The settings of the last *now*, with the changes that the log brought since: without a reader *now* may be old. */
  #settings: { readonly seq: number; readonly value: RoomSettings } | null = null
  /** How far the draw is, by the last *now* and the log that was read since. */
  #draw: { readonly seq: number; readonly progress: DrawProgress | null } = { seq: 0, progress: null }
  #seq = 0
  #confirmedAt = 0

  constructor(askNow: () => Promise<RoomNow>, clock: () => number, told: ToldBeside) {
    this.#askNow = askNow
    this.#clock = clock
    this.#told = told
  }

  /** The `seq` up to which this server has read the log. */
  get seq(): number {
    return this.#seq
  }

  /** How far the draw of the room is; null without one. */
  get draw(): DrawProgress | null {
    return this.#draw.progress
  }

  get avgServiceMs(): number | null {
    return this.#estimates?.avgServiceMs ?? null
  }

  get admissionsPerSecond(): number {
    return this.#estimates?.admissionsPerSecond(this.roomTime()) ?? 0
  }

  /** A new epoch: everything cached from the one before is invalid. */
  begin(now: RoomNow): void {
    this.#known.clear(0)
    this.#passedOver.clear()
    this.#estimates = new Estimates(now)
    this.#seq = now.seq
    this.#building = null
    this.#settings = null
    this.#draw = { seq: 0, progress: null }
    this.#keep(now)
    this.confirm()
  }

  /** The log was read and had nothing new. */
  confirm(): void {
    this.#confirmedAt = this.#clock()
  }

  /** Part of the log up to `seq` was missed: every ticket must be read from the store again. */
  doubt(seq: number): void {
    this.#known.clear(seq)
    this.#estimates?.missed()
    // A change of settings may have been missed. If the settings cannot be read, nothing else can be either.
    this.#refresh().catch(() => undefined)
  }

  follow(entries: readonly LogEntry[]): void {
    for (const entry of entries) {
      const { seq, change } = entry
      this.#passedOver.follow(entry, this.#clock())
      if (change.kind === 'changed') this.#followChange(seq, change)
      this.#followTickets(entry)
      // The draw gave these tickets other places.
      if (change.kind === 'revealed') this.#known.forgetAbove(seq)
      const progress = progressAfter(change)
      if (progress !== null) this.#learnDraw(seq, progress)
      this.#seq = seq
    }
    this.#estimates?.follow(entries)
    this.confirm()
  }

  /** The store answered about a ticket. */
  learn({ number, state, away, generation, place, class: ticketClass, seq, group }: TicketView): void {
    // How many stand together is only in the store.
    if (group !== undefined) return
    if (this.draw === 'revealed') this.#known.learnPlace(number, place)
    if (state === 'waiting' && !away && ticketClass > 0) this.#known.learnAbove(number, generation, place, seq)
    else if (state === 'waiting' && !away) this.#known.learn(number, generation, seq)
    // The log may say so later: an entry from before must not bring the ticket back here.
    else this.#known.forget(number, seq)
  }

  /** The store listed tickets that wait and are present. */
  learnPage({ runs, seq }: PresentPage): void {
    for (const { first, generations, places } of runs) {
      for (let index = 0; index < generations.length; index++) {
        const generation = generations[index] ?? 0
        if (generation === 0) continue
        this.#known.learn(first + index, generation, seq)
        if (places !== null) this.#known.learnPlace(first + index, places[index] ?? 0)
      }
    }
  }

  /** Counts of seats change all the time and may be a second old; what an operator changes is told at once. */
  #followChange(seq: number, { by, settings = {} }: Changed): void {
    this.learnSettings(seq, settings)
    if (by !== 'seats') this.#refresh().catch(() => undefined)
  }

  #followTickets({ seq, change }: LogEntry): void {
    switch (change.kind) {
      case 'joined':
        if (change.class > 0) this.#known.learnAbove(change.number, 1, change.place, seq)
        else this.#known.learn(change.number, 1, seq)
        return
      case 'restored':
        // Of a class above 0 only the store knows whether a code changed the place.
        if (change.class === 0) this.#known.learn(change.number, change.generation, seq)
        return
      case 'classed':
        this.#known.raise(change.number, change.place, seq)
        return
      case 'away':
        for (const number of numbersIn(change)) this.#known.leave(number, seq)
        return
      case 'back':
        for (const number of numbersIn(change)) this.#known.comeBack(number, seq)
        return
      default:
        for (const number of numbersIn(change)) this.#known.forget(number, seq)
    }
  }

  /** An operator changed settings in the entry `seq`. */
  learnSettings(seq: number, change: Partial<RoomSettings>): void {
    if (this.#settings === null || seq <= this.#settings.seq) return
    this.#settings = { seq, value: { ...this.#settings.value, ...change } }
  }

  /** The place of a ticket, as far as this server knows; null before the line opens. */
  placeOf({ number, place }: TicketClaims): number | null {
    if (this.#built === null || this.#built.document.phase === 'pre') return null
    return this.#placeOf(this.#built.now.drawnBelow, number, place) ?? null
  }

  /** Whether a waiting visitor was passed over, and came back only now. */
  isJustBack(number: number): boolean {
    return this.#passedOver.isJustBack(number, this.#clock())
  }

  /** The position of a ticket far from the head, or null when only the store knows it. */
  farView(ticket: TicketClaims): FarView | null {
    const built = this.#built
    if (built === null || !this.#isConfirmed() || !this.#known.isWaiting(ticket.number, ticket.generation)) return null
    const ageMs = this.#clock() - built.builtAt
    // If it cannot be built, it becomes too old, and the store is asked, which reports the reason.
    if (ageMs > NOW_MS_MAX) this.#refresh().catch(() => undefined)
    if (ageMs > RANK_MAP_MS_MAX) return null
    const found = this.#placeFrom(built, ticket)
    if (found === null) return null
    return {
      number: ticket.number,
      state: 'waiting',
      reason: null,
      away: false,
      back: false,
      ...found,
      class: ticket.class,
      generation: ticket.generation,
      joinedAt: ticket.joinedAt,
      deadline: null,
      fence: null,
      extended: false,
      waiting: built.document.waiting,
      // The rank is that of the map.
      seq: built.now.seq,
      epoch: built.now.epoch,
      now: this.roomTime(),
    }
  }

  /** Place and rank by the rank map. Before the line opens there is neither, and no answer shows them. */
  #placeFrom(
    { now, document }: BuiltNow,
    { number, place: before }: TicketClaims,
  ): { place: number; rank: number } | null {
    const { rankMap, poll, phase } = document
    if (phase === 'pre') return { place: before, rank: poll.nearRank }
    const place = this.#placeOf(now.drawnBelow, number, before)
    // A visitor who joined after the map was made is beyond its end: only the store knows the position.
    if (place === undefined || place > (rankMap.at(-1)?.[0] ?? Number.NEGATIVE_INFINITY)) return null
    const rank = rankAt(rankMap, place)
    return rank < poll.nearRank ? null : { place, rank }
  }

  /** The place in the token of a drawn ticket is from before the draw, and that of a ticket above class 0 may be from before a code. */
  #placeOf(drawnBelow: number, number: number, before: number): number | undefined {
    const above = this.#known.placeAbove(number)
    if (above !== undefined) return above
    return number < drawnBelow ? this.#known.placeOf(number) : before
  }

  #learnDraw(seq: number, progress: DrawProgress | null): void {
    if (seq >= this.#draw.seq) this.#draw = { seq, progress }
  }

  /** At most a second old; readers that ask together share one read. */
  async now(): Promise<BuiltNow> {
    if (this.#built !== null && this.#clock() - this.#built.builtAt <= NOW_MS_MAX) return this.#built
    return await this.#refresh()
  }

  /** For the few callers that must not see anything older than their call. */
  async freshNow(): Promise<BuiltNow> {
    await this.#building?.catch(() => undefined)
    return await this.#refresh()
  }

  estimate(number: number, rank: number): ShownEstimate {
    if (this.#built === null || this.#estimates === null) throw new Error('The room is not open')
    return this.#estimates.show(number, rank, this.#built.now, this.roomTime())
  }

  /** How a change of pace would affect the last visitor in the line. */
  preview(change: PaceChange): PacePreview {
    if (this.#built === null || this.#estimates === null) throw new Error('The room is not open')
    return this.#estimates.preview(this.#built.now, this.roomTime(), change)
  }

  /** When to poll again; soon while nothing is known. */
  pollAfterMs(rank: number | null, waitSeconds: number | null): number {
    const built = this.#built
    if (built === null) return 1_000
    const { poll, phase } = built.document
    if (phase !== 'pre') return pollAfterMs(poll, rank, waitSeconds ?? this.#soonest(rank), Math.random())
    return Math.min(pollAfterMs(poll, poll.nearRank, null, Math.random()), this.#untilOpenMs(built))
  }

  /** Those who wait for the line to open ask again soon after that, spread over the time in which they can be answered. */
  #untilOpenMs({ now }: BuiltNow): number {
    const spreadMs = OPENED_MS + now.waiting / OPENED_PER_MS
    return Math.round(Math.max(0, now.opensAt - this.roomTime()) + OPENED_MS + Math.random() * spreadMs)
  }

  /** Without an estimate, the turn may come as soon as the rate allows; null where it cannot come at all. */
  #soonest(rank: number | null): number | null {
    const now = this.#built?.now
    if (now === undefined || rank === null || now.paused || now.held !== null) return null
    const { stockAware, ratePerMinute } = now.settings
    const seats = now.stock === null || !stockAware ? Number.POSITIVE_INFINITY : now.stock - now.taken - now.promised
    return rank < seats ? (rank * 60) / ratePerMinute : null
  }

  shouldListen(rank: number | null): boolean {
    if (this.#built === null) return false
    const { poll, phase, waiting } = this.#built.document
    // Before the line opens, ranks say nothing: all listen, or none.
    return shouldListen(poll, phase === 'pre' ? waiting : rank)
  }

  sizes(): { knownTickets: number; recentChanges: number; passedOver: number; shownEstimates: number } {
    const passedOver = this.#passedOver.size
    return { ...this.#known.sizes(), passedOver, shownEstimates: this.#estimates?.remembered ?? 0 }
  }

  get built(): BuiltNow | null {
    return this.#built
  }

  get document(): NowDocument {
    if (this.#built === null) throw new Error('The room is not open')
    return this.#built.document
  }

  get settings(): RoomSettings {
    if (this.#settings === null) throw new Error('The room is not open')
    return this.#settings.value
  }

  /** The room's clock: the last time it was read, advanced by this server's clock. */
  roomTime(): number {
    return this.#built === null ? 0 : this.#built.now.now + Math.max(0, this.#clock() - this.#built.builtAt)
  }

  #isConfirmed(): boolean {
    return this.#clock() - this.#confirmedAt <= UNCONFIRMED_MS_MAX
  }

  #refresh(): Promise<BuiltNow> {
    const building = this.#building ?? this.#ask()
    this.#building = building
    return building
  }

  async #ask(): Promise<BuiltNow> {
    try {
      return this.#keep(await this.#askNow())
    } finally {
      this.#building = null
    }
  }

  #keep(now: RoomNow): BuiltNow {
    this.#estimates?.counted(now)
    if (this.#settings === null || now.seq >= this.#settings.seq) this.#settings = { seq: now.seq, value: now.settings }
    this.#learnDraw(now.seq, now.draw)
    const { hidesSeats, head } = this.#told
    const beside = { avgServiceMs: this.avgServiceMs, hidesSeats: hidesSeats(), head: head() }
    this.#built = buildNow(now, beside, this.#clock())
    return this.#built
  }
}

/** How far the draw is after a change; null when the change says nothing about it. */
function progressAfter({ kind }: LogEntry['change']): DrawProgress | null {
  if (kind === 'draw') return 'announced'
  return kind === 'sealed' || kind === 'revealed' ? kind : null
}
