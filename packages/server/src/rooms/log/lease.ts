import { readFileSync } from 'node:fs'
import type { PushPosition } from '@seatwise/domain'
import type { RedisConnection } from '@seatwise/line'
import { formatLogPosition, parseLogPosition } from './log-position.ts'

const HOLD_LEASE = readFileSync(new URL('hold-lease.lua', import.meta.url), 'utf8')
const RELEASE_LEASE = readFileSync(new URL('release-lease.lua', import.meta.url), 'utf8')

/**
 * Decides which server does one kind of work for a room. Two servers may briefly both do it: the work must tolerate
 * that.
 */
export interface Lease {
  /** Takes or renews the lease and returns the stored progress; null when another server holds it. */
  hold(room: string, progress?: PushPosition | null): Promise<{ readonly progress: PushPosition | null } | null>
  /** Gives the lease up, if this server holds it. */
  release(room: string): Promise<void>
}

export interface LeaseOptions {
  /** The kind of work. Servers compete only for leases of the same name. */
  readonly name: 'follower' | 'publisher' | 'draw'
  readonly serverId: string
  /** The lease expires after this time unless the server renews it. */
  readonly leaseMs: number
}

/** For a single server. Progress does not survive a restart. */
export function alwaysHeld(): Lease {
  return { hold: async (_room, progress = null) => ({ progress }), release: async () => {} }
}

/** Runs hold-lease.lua and release-lease.lua. */
export function sharedLease(redis: RedisConnection, { name, serverId, leaseMs }: LeaseOptions): Lease {
  const keysOf = (room: string) => [`seatwise:{${room}}:${name}`, `seatwise:{${room}}:${name}-progress`] as const
  return {
    async hold(room, progress = null) {
      const keys = keysOf(room)
      const stored = progress === null ? '' : formatLogPosition(progress)
      const reply = await redis.send(keys[0], ['EVAL', HOLD_LEASE, '2', ...keys, serverId, String(leaseMs), stored])
      const [isHeld, found] = Array.isArray(reply) ? reply : []
      return Number(isHeld) === 1 ? { progress: parseLogPosition(String(found)) } : null
    },
    async release(room) {
      const [lease] = keysOf(room)
      await redis.send(lease, ['EVAL', RELEASE_LEASE, '1', lease, serverId])
    },
  }
}
