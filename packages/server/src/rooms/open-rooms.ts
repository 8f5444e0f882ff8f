import { SeatwiseError } from '@seatwise/domain'
import { listOpenRooms, type RoomRow, readRoom, readStock } from '@seatwise/ledger'
import { isUuid, waitMs } from '../kit/index.ts'
import { type OpenRoom, openRoom, type RoomParts, type RoomSizes } from './open-room.ts'
import type { Room, Rooms } from './room.ts'
import { soon } from './room-link.ts'

/** The maximum number of rooms that one server has open. */
const ROOMS_MAX = 1_000
/** The first request for a room waits until it is open: that is no outage, and most rooms open in milliseconds. */
const OPENING_MS_MAX = 3_000
/** How soon a server notices a room that another server created. */
const LOOK_FOR_ROOMS_MS = 1_000

/**
 * All rooms of this server. A room opens at the first request for it; rooms with a running sale open without a request,
 * so that their line moves even when no visitor polls.
 */
export function openRooms(options: Omit<RoomParts, 'closing'>): Rooms {
  const closing = new AbortController()
  const parts = { ...options, closing: closing.signal }
  const rooms = new Map<string, Promise<OpenRoom>>()
  const opened = new Map<string, OpenRoom>()
  const openListeners: ((room: Room) => void)[] = []
  const ofEvents = new Map<string, string>()
  let isClosed = false
  let looking: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined

  const sizes = {
    rooms: () => rooms.size,
    queued_requests: sumOf('queuedRequests'),
    heartbeats: sumOf('heartbeats'),
    known_tickets: sumOf('knownTickets'),
    passed_over: sumOf('passedOver'),
    recent_changes: sumOf('recentChanges'),
    shown_estimates: sumOf('shownEstimates'),
    log_listeners: sumOf('listeners'),
    log_pending_entries: sumOf('pendingEntries'),
  }
  options.metrics.measure(sizes, sumOf('unfollowed'))
  options.metrics.measureWaiting(() => sum([...opened.values()].map(countWaiting)))
  function sumOf(size: keyof RoomSizes): () => number {
    return () => sum([...opened.values()].map((room) => room.sizes()[size]))
  }

  async function lookForRooms(): Promise<void> {
    try {
      for (const { id, state } of await listOpenRooms(parts.ledger.db, ROOMS_MAX)) {
        opened.get(id)?.learnState(state)
        // A room that is not open by now keeps retrying on its own; the others need not wait for it.
        if (!rooms.has(id) && !isClosed) await Promise.race([open(id), waitMs(LOOK_FOR_ROOMS_MS)])
      }
    } catch (err) {
      if (!isClosed) parts.log.warn({ err }, 'open rooms cannot be listed, trying again')
    }
  }

  function open(id: string): Promise<OpenRoom> {
    const known = rooms.get(id)
    if (known !== undefined) return known
    if (isClosed || rooms.size >= ROOMS_MAX) throw new SeatwiseError('OVERLOADED', { retryAfterSeconds: 5 })
    const opening = openRoom(parts, id)
    rooms.set(id, opening)
    // The next request retries a room that could not be opened.
    opening.then(
      (room) => {
        opened.set(id, room)
        for (const listener of openListeners) listener(room)
      },
      () => rooms.delete(id),
    )
    return opening
  }

  /** Every request does this, so finding an open room costs nothing, not even a timer. */
  async function enter(id: string): Promise<OpenRoom> {
    return opened.get(id) ?? (await soon(open(id), OPENING_MS_MAX))
  }

  async function find(by: { roomId: string } | { eventId: string }): Promise<RoomRow> {
    const row = await readRoom(parts.ledger.db, by)
    if (row === null) throw new SeatwiseError('NOT_FOUND')
    if (row.archivedAt !== null) throw new SeatwiseError('ROOM_ARCHIVED')
    return row
  }

  return {
    start() {
      looking = lookForRooms()
      timer = setInterval(() => {
        looking = looking.then(lookForRooms)
      }, LOOK_FOR_ROOMS_MS)
      timer.unref()
    },
    async saleChanged(eventId, by) {
      const { id, opensAt, closesAt } = await find({ eventId })
      if (opensAt === null || closesAt === null) throw new Error(`The event ${eventId} has no sale window`)
      const room = await enter(id)
      await room.change({ by, opensAt: opensAt.getTime(), closesAt: closesAt.getTime() })
      await room.settle({ ...(await readStock(parts.ledger.db, eventId)), results: [] })
    },
    async moveStart(eventId, salesStartAt, by) {
      const { id } = await find({ eventId })
      await (await enter(id)).moveStart(salesStartAt, by)
    },
    async byId(roomId) {
      if (rooms.has(roomId)) return await enter(roomId)
      if (!isUuid(roomId)) throw new SeatwiseError('NOT_FOUND')
      return await enter((await find({ roomId })).id)
    },
    openRooms: () => opened.values(),
    openRoomById: (roomId) => opened.get(roomId),
    openRoomOfEvent: (eventId) => opened.get(ofEvents.get(eventId) ?? ''),
    onOpen(listener) {
      openListeners.push(listener)
    },
    async ofEvent(eventId): Promise<Room> {
      const known = ofEvents.get(eventId)
      if (known !== undefined) return await enter(known)
      if (!isUuid(eventId)) throw new SeatwiseError('NOT_FOUND')
      const { id } = await find({ eventId })
      // Bounded by the number of rooms; an event never changes its room.
      if (ofEvents.size < ROOMS_MAX) ofEvents.set(eventId, id)
      return await enter(id)
    },
    async close() {
      isClosed = true
      clearInterval(timer)
      await Promise.all([...opened.values()].map((room) => room.flush()))
      closing.abort()
      await looking
      await Promise.allSettled(rooms.values())
      await Promise.all([...opened.values()].map((room) => room.ended()))
    },
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

/** As of the *now* document, which this brings up to date for the next time: measuring waits for no store. */
function countWaiting(room: OpenRoom): number {
  room.now().catch(() => undefined)
  return room.document.waiting
}
