import { readFileSync } from 'node:fs'
import type { PushPosition } from '@seatwise/domain'
import type { RedisConnection } from '@seatwise/line'
import { parseEventId } from '../client-message.ts'

const HOLD_LEASE = readFileSync(new URL('hold-lease.lua', import.meta.url), 'utf8')
/** Longer than a server stands still for, shorter than anybody waits for their turn. */
const LEASE_MS = 5_000

/** Which server publishes a room. */
export interface Lease {
  /** Takes or keeps it, and says how far was published; null when another server has it. */
  hold(room: string, progress: PushPosition | null): Promise<{ readonly published: PushPosition | null } | null>
}

/** Where there is one server, it is the one. What it had published before a restart nobody knows. */
export function alwaysHeld(): Lease {
  return { hold: async (_room, progress) => ({ published: progress }) }
}

/** Runs hold-lease.lua. */
export function sharedLease(redis: RedisConnection, serverId: string): Lease {
  return {
    async hold(room, progress) {
      const keys = [`seatwise:{${room}}:publisher`, `seatwise:{${room}}:published`] as const
      const told = progress === null ? '' : `${progress.epoch}-${progress.seq}`
      const reply = await redis.send(keys[0], ['EVAL', HOLD_LEASE, '2', ...keys, serverId, String(LEASE_MS), told])
      const [isHeld, published] = Array.isArray(reply) ? reply : []
      return Number(isHeld) === 1 ? { published: parseEventId(String(published)) } : null
    },
  }
}
