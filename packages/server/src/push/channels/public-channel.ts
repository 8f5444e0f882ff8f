import type { PublicNews, PushPosition } from '@seatwise/domain'
import type { NowDocument } from '../../rooms/index.ts'
import { snapshotOf } from '../news/room-feed.ts'
import type { Listener } from '../transport/broadcaster.ts'
import type { Connection, Subscription } from '../transport/connection.ts'
import { Outgoing } from '../transport/outgoing.ts'
import { RecentMessages } from './recent-messages.ts'

/** A listener's options for the channel. */
export interface ListenerWishes {
  readonly since: PushPosition | null
  readonly without: ReadonlySet<string>
  readonly presence: boolean
}

/** What a listener who reconnects must not miss. Everything else is repeated anyway. */
const REPEATED: ReadonlySet<string> = new Set<PublicNews['type']>(['QUEUE_MOVE', 'MESSAGE', 'SOLD_OUT'])
const PING_MS = 20_000

/** The public channel of a room under one of its addresses. */
export class PublicChannel {
  readonly name: string
  readonly listeners = new Set<PublicListener>()
  readonly #recent: RecentMessages
  #snapshot: { readonly document: NowDocument; readonly outgoing: Outgoing } | null = null

  constructor(name: string, since: PushPosition) {
    this.name = name
    this.#recent = new RecentMessages(since)
  }

  get recent(): number {
    return this.#recent.size
  }

  /** A message of this channel; kept for a while if its type is not repeated. */
  write(position: PushPosition, news: PublicNews): Outgoing {
    const outgoing = new Outgoing({ ...news, channel: this.name, epoch: position.epoch, seq: position.seq })
    if (REPEATED.has(news.type)) this.#recent.add(outgoing)
    return outgoing
  }

  /** Starts to listen: with the missed messages, or with the current state of the room. */
  join(connection: Connection, wishes: ListenerWishes, document: NowDocument): PublicListener {
    const missed = wishes.since === null ? null : this.#recent.after(wishes.since)
    const start = wishes.since !== null && missed !== null ? wishes.since : document
    const listener = new PublicListener(this, connection, wishes, { epoch: start.epoch, seq: start.seq })
    if (missed === null) connection.send(this.#snapshotOf(document))
    for (const outgoing of missed ?? this.#recent.after(document) ?? []) {
      if (listener.wants(outgoing)) connection.send(outgoing)
    }
    this.listeners.add(listener)
    return listener
  }

  /** The same for every listener who comes before the next document. */
  #snapshotOf(document: NowDocument): Outgoing {
    if (this.#snapshot?.document !== document) {
      this.#snapshot = { document, outgoing: this.write(document, snapshotOf(document)) }
    }
    return this.#snapshot.outgoing
  }
}

export class PublicListener implements Listener, Subscription {
  readonly connection: Connection
  readonly pingMs = PING_MS
  readonly #channel: PublicChannel
  readonly #wishes: ListenerWishes
  /** The listener's position when it joined. */
  readonly #start: PushPosition

  constructor(channel: PublicChannel, connection: Connection, wishes: ListenerWishes, start: PushPosition) {
    this.#channel = channel
    this.connection = connection
    this.#wishes = wishes
    this.#start = start
  }

  get channel(): string {
    return this.#channel.name
  }

  get wantsSeats(): boolean {
    return !this.#wishes.without.has('SEATS')
  }

  wants({ type, position }: Outgoing): boolean {
    if (this.#wishes.without.has(type)) return false
    if (type === 'PRESENCE') return this.#wishes.presence
    if (position === null || position.epoch !== this.#start.epoch) return true
    return REPEATED.has(type) ? position.seq > this.#start.seq : position.seq >= this.#start.seq
  }

  /** A listener of the public channel has no ticket to keep alive. */
  alive(): void {}

  end(): void {
    this.#channel.listeners.delete(this)
  }
}
