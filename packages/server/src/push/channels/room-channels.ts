import {
  type Grouped,
  type LogEntry,
  numbersIn,
  type PrivateNews,
  type PublicNews,
  type PushPosition,
  rankAt,
} from '@seatwise/domain'
import type { ReservationRow } from '@seatwise/ledger'
import {
  endFields,
  type NowDocument,
  ownNumber,
  type Position,
  type Room,
  turnFields,
  type Visit,
} from '../../rooms/index.ts'
import { publicChannel } from '../channel-name.ts'
import type { Movement, Step } from '../news/move-collector.ts'
import type { ReadShown } from '../news/presence-news.ts'
import { type FeedSink, RoomFeed } from '../news/room-feed.ts'
import type { SeatNews } from '../news/seat-news.ts'
import type { Occupancy } from '../occupancy.ts'
import type { Broadcaster } from '../transport/broadcaster.ts'
import { ListeningGroups } from './listening-groups.ts'
import { PrivateChannel, type PrivateSubscription } from './private-channel.ts'
import { PublicChannel } from './public-channel.ts'

export interface RoomChannelsParts {
  readonly room: Room
  readonly broadcaster: Broadcaster
  readonly occupancy: Occupancy
  readonly seats: SeatNews | null
  readonly findReservation: ((number: number) => Promise<ReservationRow | null>) | null
  readonly readShown: ReadShown
  /** What a visitor may know of their position: in some rooms not yet that it is their turn. */
  readonly visit: (position: Position) => Promise<Visit>
  readonly now: () => number
  readonly onMessage: (type: string) => void
  readonly onError: (error: unknown) => void
}

/** Queries to the store about tickets that come near, at once for one room. */
const LOOKS_MAX = 500
/** A second or two of the fastest line; a store answer older than this is asked for again. */
const STEPS_KEPT = 5_000

/** All channels of one room on this server: their listeners and messages. */
export class RoomChannels implements FeedSink {
  readonly feed: RoomFeed
  readonly seats: SeatNews | null
  /** Since when there are no listeners. */
  idleSince: number
  readonly #parts: RoomChannelsParts
  readonly #publics = new Map<string, PublicChannel>()
  readonly #privates = new Map<number, PrivateChannel>()
  readonly #groups = new ListeningGroups()
  readonly #looking = new Set<number>()
  /** Recent movement of the line, after entry `#stepsFrom` up to `#stepsTo`. */
  #steps: Step[] = []
  #stepsFrom = 0
  /** Before the line opens no visitor is told a position. */
  #isPre = false
  #stepsTo = 0
  /** Channels with a new position to send. */
  readonly #moved = new Set<PrivateChannel>()
  #toldViewers = 0

  constructor(parts: RoomChannelsParts) {
    this.#parts = parts
    this.seats = parts.seats
    this.idleSince = parts.now()
    this.feed = new RoomFeed({ ...parts, sink: this })
  }

  async open(): Promise<void> {
    await this.feed.open()
    this.#stepsFrom = this.feed.position.seq
    const { id, row } = this.#parts.room
    // Messages from before the first listener are kept here, so that clients of a server that died find them.
    this.publicOf(row.eventId === null ? `room:${id}` : `event:${row.eventId}`)
  }

  close(): void {
    this.feed.close()
    this.#parts.occupancy.report(this.#parts.room.id, 0)
  }

  get room(): Room {
    return this.#parts.room
  }

  get sizes(): { channels: number; recent: number; pending: number } {
    let recent = 0
    for (const channel of this.#publics.values()) recent += channel.recent
    return {
      channels: this.#publics.size + this.#privates.size,
      recent,
      pending: this.feed.tickets.pending + this.#looking.size + this.#moved.size,
    }
  }

  get isIdle(): boolean {
    return this.#privates.size === 0 && this.#listeners() === 0
  }

  publicOf(address: string): PublicChannel {
    const known = this.#publics.get(address)
    if (known !== undefined) return known
    const channel = new PublicChannel(publicChannel(address), this.feed.position)
    this.#publics.set(address, channel)
    return channel
  }

  /** Starts to buffer the ticket's messages; the first message comes with `tellFirst`. */
  addPrivate(subscription: PrivateSubscription): PrivateChannel {
    const { claims } = subscription
    const channel = this.#privates.get(claims.number) ?? new PrivateChannel(claims)
    if (claims.generation > channel.claims.generation) channel.claims = claims
    channel.subscriptions.add(subscription)
    this.#privates.set(claims.number, channel)
    return channel
  }

  removePrivate(subscription: PrivateSubscription): void {
    const { number } = subscription.claims
    const channel = this.#privates.get(number)
    channel?.subscriptions.delete(subscription)
    if (channel?.subscriptions.size !== 0) return
    this.#privates.delete(number)
    this.#groups.leave(number)
  }

  /** The first message to a visitor who listens, from the stored position of their ticket. */
  async tellFirst(
    channel: PrivateChannel,
    found: Position,
  ): Promise<{ position: PushPosition; news: PrivateNews | null }> {
    const visit = await this.#parts.visit(found)
    const { view, exact } = visit.position
    channel.learn(view, exact)
    if (view.group !== undefined) this.#groups.stand(view.group.number, view.number)
    this.#catchUp(channel, view.epoch)
    this.feed.tickets.learn(view, visit.reservation)
    const position = { epoch: view.epoch, seq: view.seq }
    if ((view.state === 'admitted' || view.state === 'active') && view.deadline !== null) {
      return { position, news: { type: 'ACTIVE', ...turnFields(view.state, view.deadline), claim: true } }
    }
    return { position, news: channel.takePosition(this.feed.document.poll.nearRank) }
  }

  broadcast(position: PushPosition, news: PublicNews): void {
    for (const channel of this.#publics.values()) {
      const outgoing = channel.write(position, news)
      this.#parts.onMessage(news.type)
      if (channel.listeners.size > 0) this.#parts.broadcaster.send(outgoing, channel.listeners)
    }
  }

  seen(entry: LogEntry): void {
    if (this.#privates.size === 0) return
    for (const number of numbersIn(entry.change)) for (const channel of this.#channelsOf(number)) channel.seen(entry)
  }

  moved({ epoch }: PushPosition, { steps, seq }: Movement): void {
    if (steps.length === 0) return
    this.#keepSteps(steps, seq)
    const { nearRank } = this.feed.document.poll
    const areBeingTold = this.#moved.size > 0
    for (const channel of this.#privates.values()) {
      channel.move(steps, seq)
      if (channel.hasPosition(nearRank)) this.#moved.add(channel)
    }
    // Many may be near: their positions are sent one after the other like a broadcast, each with the newest known
    // state.
    if (areBeingTold || this.#moved.size === 0) return
    if (!this.#parts.broadcaster.each(() => this.#tellNextPosition(epoch, nearRank))) this.#moved.clear()
  }

  #keepSteps(steps: readonly Step[], seq: number): void {
    this.#steps.push(...steps)
    this.#stepsTo = seq
    if (this.#steps.length <= 2 * STEPS_KEPT) return
    const forgotten = this.#steps.splice(0, this.#steps.length - STEPS_KEPT).at(-1)
    this.#stepsFrom = forgotten?.seq ?? this.#stepsFrom
  }

  /** While the store was asked the line may have moved, and that may have been broadcast already. */
  #catchUp(channel: PrivateChannel, epoch: number): void {
    if (channel.rank === null) return
    const isCovered = epoch === this.feed.position.epoch && channel.rankSeq >= this.#stepsFrom
    if (isCovered) channel.move(this.#steps, this.#stepsTo)
    else channel.doubt()
  }

  #tellNextPosition(epoch: number, nearRank: number): boolean {
    const [channel] = this.#moved
    if (channel === undefined) return false
    this.#moved.delete(channel)
    const news = channel.takePosition(nearRank)
    if (news !== null && this.room.document.phase !== 'pre')
      this.tell(channel.claims.number, { epoch, seq: channel.rankSeq }, news)
    return true
  }

  /** A visitor who has come near since the last query gets their exact position from now on. */
  documented({ rankMap, poll, phase }: NowDocument): void {
    // The line has just opened: what was known of ranks is from before the draw.
    if (this.#isPre && phase !== 'pre') this.renewed()
    this.#isPre = phase === 'pre'
    for (const channel of this.#privates.values()) {
      if (!channel.isWaiting || channel.rank !== null) continue
      const place = this.room.placeOf(channel.claims)
      if (place !== null && rankAt(rankMap, place) < poll.nearRank) this.#lookAgain(channel)
    }
    this.#parts.occupancy.report(this.room.id, this.#listeners())
  }

  renewed(): void {
    this.#moved.clear()
    this.#steps = []
    this.#stepsFrom = this.feed.position.seq
    for (const channel of this.#privates.values()) {
      channel.doubt()
      this.#lookAgain(channel)
    }
  }

  viewers(): number | null {
    const viewers = this.#parts.occupancy.total(this.room.id) ?? this.#listeners()
    if (viewers === this.#toldViewers) return null
    this.#toldViewers = viewers
    return viewers
  }

  wantsSeats(): boolean {
    for (const { listeners } of this.#publics.values()) {
      for (const listener of listeners) if (listener.wantsSeats) return true
    }
    return false
  }

  hears(number: number): boolean {
    return this.#privates.has(number) || this.#groups.has(number)
  }

  tell(number: number, position: PushPosition, news: PrivateNews): void {
    this.#parts.onMessage(news.type)
    for (const channel of this.#channelsOf(number)) channel.tell(position, news)
  }

  endAccess(number: number, code: 'TICKET_ENDED' | 'TICKET_MOVED', generation: number): void {
    // The end of a group's ticket is that of all who stand with it; a hand-over or a sign-in is one visitor's.
    const channels = code === 'TICKET_ENDED' ? this.#channelsOf(number) : [this.#privates.get(number)]
    for (const subscription of channels.flatMap((channel) => [...(channel?.subscriptions ?? [])])) {
      if (subscription.claims.generation > generation) continue
      subscription.connection.tell({ type: 'UNSUBSCRIBED', channel: subscription.channel, code })
      subscription.connection.subscriptions.delete(subscription.channel)
      subscription.end()
    }
  }

  stand({ number, members, left }: Grouped): void {
    for (const member of members) if (this.#privates.has(member)) this.#groups.stand(member, number)
    if (left !== null) this.#groups.leave(left)
  }

  /** Of a ticket, and of the visitors who stand with it. */
  #channelsOf(number: number): PrivateChannel[] {
    const numbers = [number, ...this.#groups.of(number)]
    return numbers.map((one) => this.#privates.get(one)).filter((channel) => channel !== undefined)
  }

  #listeners(): number {
    let sum = 0
    for (const { listeners } of this.#publics.values()) sum += listeners.size
    return sum
  }

  /** One query for each ticket at a time. A ticket skipped now is asked for when the next document comes. */
  #lookAgain(channel: PrivateChannel): void {
    const { number } = channel.claims
    if (this.#looking.has(number) || this.#looking.size >= LOOKS_MAX) return
    this.#looking.add(number)
    this.#look(channel)
      .catch((error: unknown) => this.#parts.onError(error))
      .finally(() => this.#looking.delete(number))
  }

  async #look(channel: PrivateChannel): Promise<void> {
    const { claims } = channel
    const found = await this.room.look(claims)
    const { view } = found
    if (view.state === null || ownNumber(view) !== claims.number || view.generation > claims.generation) {
      this.endAccess(claims.number, 'TICKET_MOVED', claims.generation)
    } else if (view.state === 'completed' || view.state === 'expired') {
      const position = { epoch: view.epoch, seq: view.seq }
      this.tell(claims.number, position, { type: 'ENDED', ...endFields(view.state, view.reason) })
      this.endAccess(claims.number, 'TICKET_ENDED', Number.POSITIVE_INFINITY)
    } else {
      const { position, news } = await this.tellFirst(channel, found)
      if (news !== null) this.tell(claims.number, position, news)
    }
  }
}
