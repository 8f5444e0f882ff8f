import { readFileSync } from 'node:fs'
import type { RedisConnection } from '@seatwise/line'
import type { Logger } from 'pino'

/** How many visitors watch rooms, on all servers together. */
export interface Occupancy {
  /** This many watch the room on this server. */
  report(room: string, viewers: number): void
  /** On all servers, as far as is known; null before the first count. */
  total(room: string): number | null
  readonly rooms: number
  close(): Promise<void>
}

const COUNT_VIEWERS = readFileSync(new URL('count-viewers.lua', import.meta.url), 'utf8')
const EXCHANGE_MS = 1_000
/** A server that reports nothing for this long is not counted any more: it may have died. */
const SILENT_MS = 5_000

/** With a single server, its own count is the total. */
export function countLocally(): Occupancy {
  const rooms = new Map<string, number>()
  return {
    report(room, viewers) {
      if (viewers === 0) rooms.delete(room)
      else rooms.set(room, viewers)
    },
    total: (room) => rooms.get(room) ?? null,
    get rooms() {
      return rooms.size
    },
    async close() {},
  }
}

/** Every server reports its own count once a second, and reads the sum. At most as many rooms as a server has open. */
export function countTogether(redis: RedisConnection, serverId: string, log: Logger): Occupancy {
  const own = new Map<string, number>()
  const totals = new Map<string, number>()
  let isFailing = false
  let running: Promise<void> | null = null

  async function exchange(): Promise<void> {
    try {
      await Promise.all([...own].map(([room, viewers]) => exchangeRoom(room, viewers)))
      isFailing = false
    } catch (err) {
      if (!isFailing) log.warn({ err }, 'viewers cannot be counted across all servers, retrying')
      isFailing = true
    }
  }

  async function exchangeRoom(room: string, viewers: number): Promise<void> {
    const key = `seatwise:{${room}}:viewers`
    const args = ['EVAL', COUNT_VIEWERS, '1', key, serverId, String(viewers), String(SILENT_MS)]
    const total = Number(await redis.send(key, args))
    if (viewers > 0 || own.get(room) !== 0) totals.set(room, total)
    else {
      own.delete(room)
      totals.delete(room)
    }
  }

  const timer = setInterval(() => {
    running ??= exchange().finally(() => {
      running = null
    })
  }, EXCHANGE_MS)
  timer.unref()
  return {
    report: (room, viewers) => void own.set(room, viewers),
    total: (room) => totals.get(room) ?? null,
    get rooms() {
      return own.size
    },
    async close() {
      clearInterval(timer)
      for (const room of own.keys()) own.set(room, 0)
      await running
      await exchange()
    },
  }
}
