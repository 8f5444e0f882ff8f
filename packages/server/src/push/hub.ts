import { randomInt } from 'node:crypto'
import { PUSH_CLOSE, SeatwiseError } from '@seatwise/domain'
import { readShown } from '@seatwise/ledger'
import type { BoxOfficeServices } from '../box-office/index.ts'
import { waitMs } from '../kit/index.ts'
import { type Room, requirePublished } from '../rooms/index.ts'
import type { ChannelName } from './channel-name.ts'
import { RoomChannels } from './channels/room-channels.ts'
import { ConnectionLimits } from './connection-limits.ts'
import { findReservations } from './news/find-reservations.ts'
import { SeatNews } from './news/seat-news.ts'
import type { Occupancy } from './occupancy.ts'
import type { RealtimeMetrics } from './realtime-metrics.ts'
import { Broadcaster } from './transport/broadcaster.ts'
import { Connection } from './transport/connection.ts'
import { Outgoing } from './transport/outgoing.ts'
import type { Wire } from './transport/wire.ts'

export interface HubParts {
  readonly services: BoxOfficeServices
  readonly occupancy: Occupancy
  readonly metrics: RealtimeMetrics
}

const SWEEP_MS = 500
/** How long the client may take to answer a ping. */
const PONG_MS = 10_000
const PING_MS_MAX = 20_000
/** A client without a subscription by then is disconnected. */
const IDLE_MS = 15_000
/** A room without listeners is followed for this long, so that clients that reconnect find what they missed. */
const LINGER_MS = 60_000
/**
 * When a server stops, its clients reconnect spread over this many milliseconds for each of them, within these bounds.
 */
const RECONNECT_MS_EACH = 4
const RECONNECT_MS_MIN = 1_000
const RECONNECT_MS_MAX = 20_000
/** How long clients may take to close. */
const FAREWELL_MS = 2_000
const FAREWELL_LOOK_MS = 10
const GOING_AWAY = 1_001

/** All connections of this server, and the rooms they listen to. */
export class Hub {
  readonly limits: ConnectionLimits
  readonly #parts: HubParts
  readonly #broadcaster = new Broadcaster()
  readonly #connections = new Set<Connection>()
  readonly #rooms = new Map<string, Promise<RoomChannels>>()
  readonly #open = new Map<string, RoomChannels>()
  readonly #timer: NodeJS.Timeout

  constructor(parts: HubParts) {
    this.#parts = parts
    this.limits = new ConnectionLimits(parts.services.config)
    this.#timer = setInterval(() => this.#sweep(), SWEEP_MS)
    this.#timer.unref()
    parts.metrics.measure({
      push_connections: () => this.limits.open,
      push_senders: () => this.limits.senders,
      push_channels: () => this.#sum('channels'),
      push_recent: () => this.#sum('recent'),
      push_pending: () => this.#sum('pending'),
      push_rounds: () => this.#broadcaster.waiting,
      push_rooms: () => this.#rooms.size,
      push_counted: () => parts.occupancy.rooms,
    })
  }

  get services(): BoxOfficeServices {
    return this.#parts.services
  }

  /** Adds a client; the caller has taken its slot from `limits`, and returns it. */
  connect(wire: Wire): Connection {
    const { now } = this.services
    const { metrics } = this.#parts
    const connection = new Connection(wire, now(), (reason) => metrics.cut(reason))
    // Spread, so that thousands who came together are not pinged together.
    connection.pingAt = now() + Math.random() * PING_MS_MAX
    this.#connections.add(connection)
    metrics.opened(wire.transport)
    return connection
  }

  /** The client has disconnected. */
  disconnect(connection: Connection): void {
    if (!this.#connections.delete(connection)) return
    connection.forget()
    this.#parts.metrics.closed(connection.wire.transport)
  }

  async roomOf({ kind, id }: ChannelName): Promise<Room> {
    const { rooms } = this.services
    return requirePublished(kind === 'event' ? await rooms.ofEvent(id) : await rooms.byId(id))
  }

  /** The channels of a room; its log is followed from now on. */
  async channelsOf(room: Room): Promise<RoomChannels> {
    const known = this.#rooms.get(room.id)
    if (known !== undefined) return await known
    const opening = this.#openChannels(room)
    this.#rooms.set(room.id, opening)
    // The next request tries again.
    opening.catch(() => this.#rooms.delete(room.id))
    return await opening
  }

  /** Tells all clients when to reconnect, each at another time, and closes. */
  async goAway(): Promise<void> {
    const connections = [...this.#connections]
    const spreadMs = Math.min(RECONNECT_MS_MAX, Math.max(RECONNECT_MS_MIN, connections.length * RECONNECT_MS_EACH))
    for (const connection of connections) {
      connection.send(new Outgoing({ type: 'GOING_AWAY', reconnectAfterMs: randomInt(spreadMs) }))
      connection.close(GOING_AWAY, 'going away')
    }
    const deadline = performance.now() + FAREWELL_MS
    while (this.#connections.size > 0 && performance.now() < deadline) await waitMs(FAREWELL_LOOK_MS)
    for (const connection of this.#connections) connection.wire.destroy()
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    this.#broadcaster.close()
    for (const channels of this.#open.values()) channels.close()
    await this.#parts.occupancy.close()
  }

  async #openChannels(room: Room): Promise<RoomChannels> {
    const { ledger, boxOffice, now, log } = this.services
    const { eventId } = room.row
    const { metrics } = this.#parts
    const channels = new RoomChannels({
      ...{ room, now, broadcaster: this.#broadcaster, occupancy: this.#parts.occupancy },
      seats: eventId === null ? null : new SeatNews(boxOffice.seatMaps, eventId),
      findReservation: eventId === null ? null : findReservations(ledger, room.id),
      readShown: (numbers) => readShown(ledger.db, room.id, numbers),
      visit: (position) => boxOffice.visitOf(room, position),
      onMessage: (type) => metrics.message(type),
      onError: (err) => {
        // A room that is being rebuilt, or a store that is down, has its own alarm.
        if (!(err instanceof SeatwiseError)) log.warn({ err, room: room.id }, 'push of a room failed, continuing')
      },
    })
    await channels.open()
    this.#open.set(room.id, channels)
    return channels
  }

  #sweep(): void {
    const now = this.services.now()
    for (const connection of this.#connections) this.#lookAfter(connection, now)
    for (const [roomId, channels] of this.#open) {
      if (!channels.isIdle) channels.idleSince = now
      else if (now - channels.idleSince > LINGER_MS) {
        channels.close()
        this.#open.delete(roomId)
        this.#rooms.delete(roomId)
      }
    }
  }

  #lookAfter(connection: Connection, now: number): void {
    if (connection.askedAt !== null && now - connection.askedAt > PONG_MS) {
      this.#parts.metrics.cut('silent')
      connection.wire.destroy()
      return
    }
    if (connection.subscriptions.size === 0 && now - connection.openedAt > IDLE_MS) {
      connection.cut(PUSH_CLOSE.IDLE, 'nothing was subscribed to')
      return
    }
    if (now < connection.pingAt) return
    let pingMs = PING_MS_MAX
    for (const subscription of connection.subscriptions.values()) pingMs = Math.min(pingMs, subscription.pingMs)
    connection.pingAt = now + pingMs
    connection.askedAt ??= now
    connection.wire.ping()
  }

  #sum(size: keyof RoomChannels['sizes']): number {
    return [...this.#open.values()].reduce((sum, channels) => sum + channels.sizes[size], 0)
  }
}
