import { type Ledger, readSeatChanges, readSeatPlan, type SeatMapChange } from '@seatwise/ledger'
import type { Logger } from 'pino'
import { FollowedSeatMap } from './followed-seat-map.ts'
import type { SeatMapCopy } from './seat-map-copy.ts'

/** The most seats one server keeps: about 150 bytes a seat, and up to 150 more for each free stretch of a row. */
const SEATS_MAX = 2_000_000
const EVENTS_MAX = 1_000
/** A map that was not asked for during this time is not followed any longer. */
const IDLE_MS = 30_000
const FOLLOW_MS = 200

export interface SeatMapsOptions {
  readonly ledger: Ledger
  readonly log: Logger
  readonly now: () => number
}

/** The seat maps that this server follows, because visitors buy from them or look at them here. */
export interface SeatMaps {
  /** The copy, if it is here and at most a second behind; otherwise null, and loading starts. */
  peek(eventId: string): SeatMapCopy | null
  /** The copy, at most a second behind; null when there is no such event. */
  read(eventId: string): Promise<SeatMapCopy | null>
  /** The copy however old it is; null when there is none here. No claim is judged by it. */
  last(eventId: string): { readonly copy: SeatMapCopy; readonly ageMs: number } | null
  /** Queries the ledger once more, because the copy was found to be behind. */
  refresh(eventId: string): Promise<SeatMapCopy | null>
  /** This server changed seats itself. */
  learn(eventId: string, change: SeatMapChange): void
  /** Seats in all copies together. */
  readonly seats: number
  close(): Promise<void>
}

export function openSeatMaps({ ledger, log, now }: SeatMapsOptions): SeatMaps {
  const maps = new Map<string, FollowedSeatMap>()
  /** Runs while there is a map to follow. */
  let timer: NodeJS.Timeout | null = null
  let isClosed = false

  function followAll(): void {
    for (const [eventId, map] of maps) {
      if (now() - map.usedAt > IDLE_MS) maps.delete(eventId)
      else map.refreshQuietly()
    }
    dropBeyondBounds()
    if (maps.size > 0 || timer === null) return
    clearInterval(timer)
    timer = null
  }

  /** A map moves to the end when it is used, so the first is the one to evict. */
  function dropBeyondBounds(): void {
    let seats = countSeats()
    for (const [eventId, map] of maps) {
      if (seats <= SEATS_MAX && maps.size <= EVENTS_MAX) return
      seats -= map.size
      maps.delete(eventId)
    }
  }

  function countSeats(): number {
    let seats = 0
    for (const map of maps.values()) seats += map.size
    return seats
  }

  function use(eventId: string): FollowedSeatMap {
    const known = maps.get(eventId)
    const at = now()
    if (known !== undefined) {
      // Once a second is enough to keep the order.
      if (at - known.usedAt > 1_000) {
        maps.delete(eventId)
        maps.set(eventId, known)
      }
      known.usedAt = at
      return known
    }
    const map = new FollowedSeatMap({
      readPlan: () => readSeatPlan(ledger.db, eventId),
      readChanges: (since) => readSeatChanges(ledger, eventId, since),
      onError: (err) => {
        if (!isClosed) log.warn({ err, event: eventId }, 'a seat map cannot be followed, retrying')
      },
      now,
    })
    maps.set(eventId, map)
    timer ??= setInterval(followAll, FOLLOW_MS).unref()
    return map
  }

  return {
    peek: (eventId) => use(eventId).peek(),
    read: (eventId) => use(eventId).read(),
    last: (eventId) => use(eventId).last(),
    refresh: (eventId) => use(eventId).refresh(),
    learn(eventId, change) {
      maps.get(eventId)?.learn(change)
    },
    get seats() {
      return countSeats()
    },
    async close() {
      isClosed = true
      if (timer !== null) clearInterval(timer)
      await Promise.all([...maps.values()].map((map) => map.whenIdle()))
      maps.clear()
    },
  }
}
