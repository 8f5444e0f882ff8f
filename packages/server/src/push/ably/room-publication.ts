import type { LogEntry, PrivateNews, PublicNews, PushPosition } from '@seatwise/domain'
import { type Lease, type Room, ticketId } from '../../rooms/index.ts'
import { privateChannel, publicChannel } from '../channel-name.ts'
import { type FeedParts, type FeedSink, RoomFeed } from '../news/room-feed.ts'
import type { AblyClient } from './ably-client.ts'
import type { Publisher } from './publisher.ts'

/** No names: all listeners of a channel would get them. Visitors who are shown enter its presence, for those who ask. */
export interface PublicationParts extends Omit<FeedParts, 'sink' | 'readShown'> {
  readonly client: AblyClient
  readonly publisher: Publisher
  readonly lease: Lease
}

const HOLD_MS = 1_000
const OCCUPANCY_MS = 5_000
/** As many as the line keeps for servers that read more slowly. */
const RECENT_MAX = 2_000
/** These end all waiting tickets at once, and the public channel says so: tickets get no message of their own. */
const TOLD_TO_ALL: ReadonlySet<string | null> = new Set(['sold_out', 'sale_ended'])

/**
 * Publishes one room while this server holds the lease. The next holder resumes where the previous one stopped:
 * messages to single visitors are published again, movement of the line is told by a snapshot.
 */
export class RoomPublication implements FeedSink {
  readonly #parts: PublicationParts
  readonly #address: string
  readonly #stop: () => void
  readonly #timer: NodeJS.Timeout
  #recent: LogEntry[] = []
  #feed: RoomFeed | null = null
  #isHolding = false
  #viewers: number | null = null
  #toldViewers: number | null = null
  #countedAt = Number.NEGATIVE_INFINITY

  constructor(parts: PublicationParts) {
    this.#parts = parts
    const { id, row } = parts.room
    this.#address = row.eventId === null ? `room:${id}` : `event:${row.eventId}`
    this.#stop = parts.room.onEntries((entries) => this.#keep(entries))
    this.#timer = setInterval(() => this.#work(), HOLD_MS)
    this.#timer.unref()
    this.#work()
  }

  get room(): Room {
    return this.#parts.room
  }

  close(): void {
    clearInterval(this.#timer)
    this.#stop()
    this.#feed?.close()
    this.#feed = null
  }

  broadcast(position: PushPosition, news: PublicNews): void {
    // Without viewers, skip what a later snapshot repeats anyway.
    if (this.#viewers === 0 && news.type !== 'MESSAGE' && news.type !== 'SOLD_OUT') return
    this.#parts.publisher.publish(publicChannel(this.#address), position, news)
  }

  hears(): boolean {
    return true
  }

  tell(number: number, position: PushPosition, news: PrivateNews): void {
    if (news.type === 'ENDED' && TOLD_TO_ALL.has(news.reason)) return
    const channel = privateChannel(this.#address, ticketId(this.room.id, number))
    this.#parts.publisher.publish(channel, position, news)
  }

  /** Tokens expire by themselves, and nothing more is published about a ticket that has ended. */
  endAccess(): void {}

  /** A token names one ticket: those who stand with another one learn by polling. */
  stand(): void {}
  seen(): void {}
  moved(): void {}
  renewed(): void {}
  documented(): void {}

  viewers(): number | null {
    if (this.#viewers === this.#toldViewers) return null
    this.#toldViewers = this.#viewers
    return this.#viewers
  }

  wantsSeats(): boolean {
    return this.#viewers !== 0
  }

  #keep(entries: readonly LogEntry[]): void {
    this.#recent.push(...entries)
    if (this.#recent.length > 2 * RECENT_MAX) this.#recent = this.#recent.slice(-RECENT_MAX)
  }

  #work(): void {
    if (this.#isHolding) return
    this.#isHolding = true
    this.#hold()
      .catch((error: unknown) => this.#parts.onError(error))
      .finally(() => {
        this.#isHolding = false
      })
  }

  async #hold(): Promise<void> {
    const { lease, publisher, now, client } = this.#parts
    // While messages are still in flight, the position is not certain to be published.
    const progress = this.#feed !== null && publisher.queued === 0 ? this.#feed.position : null
    const held = await lease.hold(this.room.id, progress)
    if (held === null) {
      this.#feed?.close()
      this.#feed = null
      return
    }
    if (this.#feed === null) await this.#begin(held.progress)
    if (now() - this.#countedAt < OCCUPANCY_MS) return
    this.#countedAt = now()
    this.#viewers = await client.occupancy(publicChannel(this.#address))
  }

  async #begin(published: PushPosition | null): Promise<void> {
    const feed = new RoomFeed({ ...this.#parts, sink: this })
    await feed.open()
    this.#feed = feed
    if (published === null || published.epoch !== feed.position.epoch) return
    feed.repeat(this.#recent.filter(({ epoch, seq }) => epoch === published.epoch && seq > published.seq))
  }
}
