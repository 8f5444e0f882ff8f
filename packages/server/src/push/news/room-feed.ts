import type { LogEntry, PublicNews, PushPosition } from '@seatwise/domain'
import type { NowDocument, Room } from '../../rooms/index.ts'
import { MoveCollector, type Movement, STEPS_MAX } from './move-collector.ts'
import { PresenceNews, type ReadShown } from './presence-news.ts'
import type { SeatNews } from './seat-news.ts'
import type { FindReservation, TicketSink } from './ticket-news.ts'
import { TicketNews } from './ticket-news.ts'

/** The destination of one room's news: connections of this server, or a provider. */
export interface FeedSink extends TicketSink {
  broadcast(position: PushPosition, news: PublicNews): void
  /** An entry of the log was read. */
  seen(entry: LogEntry): void
  /** The line moved, or only entries passed; called just before the broadcast. */
  moved(position: PushPosition, movement: Movement): void
  /** A new epoch: everything known of tickets has to be read again. */
  renewed(): void
  /** A new *now* document, true as of a position that was just reached. */
  documented(document: NowDocument): void
  /** Visitors who watch the room, on all servers; null when the number has not changed. */
  viewers(): number | null
  wantsSeats(): boolean
}

export interface FeedParts {
  readonly room: Room
  readonly sink: FeedSink
  readonly findReservation: FindReservation | null
  readonly seats: SeatNews | null
  /** What visitors said about being shown; without it no name is sent. */
  readonly readShown?: ReadShown
  readonly now: () => number
  readonly onError: (error: unknown) => void
}

/** A few times a second, however much moves. */
const TICK_MS = 250
const SNAPSHOT_MS = 3_000
const DOCUMENT_MS = 1_000
const OCCUPANCY_MS = 1_000

/**
 * Turns the log of one room, as this server follows it anyway, into news. Urgent messages and those to one visitor go
 * out at once; frequent broadcasts are collected for a moment.
 */
export class RoomFeed {
  readonly #parts: FeedParts
  readonly #tickets: TicketNews
  readonly #presence: PresenceNews
  #stop: () => void = () => undefined
  #timer: NodeJS.Timeout | null = null
  #position: PushPosition = { epoch: 0, seq: 0 }
  #moves = new MoveCollector(0, 0)
  #document: NowDocument | null = null
  /** A document newer than the followed log: sent when the log gets there. */
  #ahead: NowDocument | null = null
  #isAsking = false
  #isNaming = false
  #askedAt = Number.NEGATIVE_INFINITY
  #flushedAt = Number.NEGATIVE_INFINITY
  #snapshotAt = Number.NEGATIVE_INFINITY
  /** Moves were sent up to here. */
  #toldSeq = 0
  #occupancyAt = Number.NEGATIVE_INFINITY

  constructor(parts: FeedParts) {
    this.#parts = parts
    this.#tickets = new TicketNews(parts.room, parts.sink, parts.findReservation, parts.now)
    this.#presence = new PresenceNews(parts.room, parts.readShown ?? null)
  }

  /** Must have resolved before any other method is called. */
  async open(): Promise<void> {
    const early: LogEntry[] = []
    this.#stop = this.#parts.room.onEntries((entries) => early.push(...entries))
    try {
      this.#begin((await this.#parts.room.freshNow()).document)
    } finally {
      this.#stop()
    }
    this.#stop = this.#parts.room.onEntries((entries) => this.#follow(entries))
    this.#follow(early)
    this.#timer = setInterval(() => this.#tick(), TICK_MS)
    this.#timer.unref()
  }

  /** Repeats messages to single visitors and from the operator, for a server that takes over a room. */
  repeat(entries: readonly LogEntry[]): void {
    for (const entry of entries) {
      if (entry.seq > this.#position.seq) continue
      this.#tickets.follow(entry)
      this.#tellChange(entry)
    }
  }

  close(): void {
    this.#stop()
    if (this.#timer !== null) clearInterval(this.#timer)
  }

  /** The last followed entry of the log. */
  get position(): PushPosition {
    return this.#position
  }

  /** The last document sent: a new listener gets it, and the messages after it. */
  get document(): NowDocument {
    if (this.#document === null) throw new Error('The feed is not open')
    return this.#document
  }

  get tickets(): TicketNews {
    return this.#tickets
  }

  get presence(): PresenceNews {
    return this.#presence
  }

  #begin(document: NowDocument): void {
    this.#position = { epoch: document.epoch, seq: document.seq }
    this.#moves = new MoveCollector(document.seq, document.waiting)
    this.#toldSeq = document.seq
    this.#document = document
    this.#ahead = null
    this.#snapshotAt = this.#parts.now()
    this.#askedAt = this.#parts.now()
    this.#presence.begin()
  }

  #follow(entries: readonly LogEntry[]): void {
    for (const entry of entries) {
      // A new epoch begins with a document of its own, which the tick asks for.
      if (entry.epoch !== this.#position.epoch || entry.seq <= this.#position.seq) continue
      if (entry.seq !== this.#position.seq + 1) this.#moves.lose()
      this.#position = { epoch: entry.epoch, seq: entry.seq }
      this.#moves.add(entry)
      this.#presence.follow(entry)
      this.#parts.sink.seen(entry)
      this.#tickets.follow(entry)
      this.#tellChange(entry)
      if (entry.seq === this.#ahead?.seq || this.#moves.size >= STEPS_MAX) this.#flush()
    }
    // The first after a quiet time goes out at once, the others with the next tick.
    if (entries.length > 0 && this.#parts.now() - this.#flushedAt >= TICK_MS) this.#flush()
  }

  #tellChange({ change, epoch, seq }: LogEntry): void {
    if (change.kind !== 'changed') return
    if (change.message !== undefined || change.soldOut === true) this.#flush()
    if (change.message !== undefined) this.#broadcast({ epoch, seq }, { type: 'MESSAGE', text: change.message })
    if (change.soldOut === true) this.#broadcast({ epoch, seq }, { type: 'SOLD_OUT' })
    // All other changes are in the document.
    this.#snapshotAt = Number.NEGATIVE_INFINITY
  }

  #tick(): void {
    const { room, sink, seats } = this.#parts
    if (room.epoch !== this.#position.epoch) return void this.#renew()
    this.#flush()
    const now = this.#parts.now()
    if (now - this.#askedAt >= DOCUMENT_MS || this.#snapshotAt === Number.NEGATIVE_INFINITY) void this.#ask()
    if (seats !== null && sink.wantsSeats()) for (const news of seats.take()) this.#broadcast(this.#position, news)
    if (this.#presence.hasNews) void this.#tellNames()
    if (now - this.#occupancyAt < OCCUPANCY_MS) return
    const viewers = sink.viewers()
    if (viewers === null) return
    this.#occupancyAt = now
    this.#broadcast(this.#position, { type: 'OCCUPANCY', viewers })
  }

  /** One after the other, so that coming and going keep their order. */
  async #tellNames(): Promise<void> {
    if (this.#isNaming) return
    this.#isNaming = true
    const names = await this.#presence.take()
    this.#isNaming = false
    this.#broadcast(this.#position, names)
  }

  async #renew(): Promise<void> {
    const document = await this.#askOnce()
    if (document === null || document.epoch === this.#position.epoch) return
    this.#begin(document)
    this.#broadcast(this.#position, snapshotOf(document))
    this.#parts.sink.renewed()
  }

  async #ask(): Promise<void> {
    const document = await this.#askOnce()
    if (document === null || document.epoch !== this.#position.epoch) return
    this.#ahead = document
    if (document.seq <= this.#position.seq) this.#flush()
  }

  /** At most one query at a time; null when there is no answer now. */
  async #askOnce(): Promise<NowDocument | null> {
    if (this.#isAsking) return null
    this.#isAsking = true
    this.#askedAt = this.#parts.now()
    try {
      return (await this.#parts.room.freshNow()).document
    } catch (error) {
      this.#parts.onError(error)
      return null
    } finally {
      this.#isAsking = false
    }
  }

  /** Sends the movement of the line; in between, at its own entry, the pending document. */
  #flush(): void {
    const ahead = this.#ahead
    if (ahead !== null && ahead.seq <= this.#position.seq) {
      this.#ahead = null
      // A document older than what was sent already is dropped: the next comes in a second.
      if (ahead.seq >= this.#toldSeq) {
        this.#tellMoves(ahead.seq)
        this.#takeDocument(ahead)
      }
    }
    this.#tellMoves(this.#position.seq)
    this.#flushedAt = this.#parts.now()
  }

  #tellMoves(seq: number): void {
    const movement = this.#moves.take(seq)
    const position = { epoch: this.#position.epoch, seq }
    this.#toldSeq = seq
    this.#parts.sink.moved(position, movement)
    if (movement.news !== null) this.#broadcast(position, movement.news)
  }

  #takeDocument(document: NowDocument): void {
    this.#document = document
    this.#moves.recount(document.waiting)
    this.#parts.sink.documented(document)
    if (this.#parts.now() - this.#snapshotAt < SNAPSHOT_MS) return
    this.#snapshotAt = this.#parts.now()
    this.#broadcast(document, snapshotOf(document))
  }

  #broadcast({ epoch, seq }: PushPosition, news: PublicNews): void {
    this.#parts.sink.broadcast({ epoch, seq }, news)
  }
}

export function snapshotOf(document: NowDocument): PublicNews {
  return { type: 'SNAPSHOT', headCount: document.waiting, ...document }
}
