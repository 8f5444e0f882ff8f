import type { PlaceState, Reach } from '../types.ts'

/*
 *            ┌────────── waiting ──────────┐ (only after a rebuild that lost the admission)
 *            ▼                             │
 *   waiting ── admitted ──▶ admitted ── active ──▶ active
 *      │                       │                     │
 *      └───────────┬───────────┴──────────┬──────────┘
 *                  ▼                      ▼
 *        completed · expired        moved · lost          (final: nothing leads out)
 *
 * The server's word stands: whatever it tells about a live place is its new state. What is older than its last word is
 * dropped before it gets here.
 */

export type Status = PlaceState['status']

/** What the server tells: a state of the ticket, that it is on another device, or that it knows no such ticket. */
export type Told = Status

/** For every live state the same: the server decides. */
const TOLD = {
  waiting: 'waiting',
  admitted: 'admitted',
  active: 'active',
  completed: 'completed',
  expired: 'expired',
  moved: 'moved',
  lost: 'lost',
} as const satisfies Record<Told, Status>

/** A place that is over stays over, and says always the same about it. Joining again is another place. */
const stays = (status: Status) =>
  Object.fromEntries(Object.keys(TOLD).map((told) => [told, status])) as Record<Told, Status>

/** Every state answers whatever is told. A missing cell does not compile. */
export const NEXT: Record<Status, Record<Told, Status>> = {
  waiting: TOLD,
  admitted: TOLD,
  active: TOLD,
  completed: stays('completed'),
  expired: stays('expired'),
  moved: stays('moved'),
  lost: stays('lost'),
}

export type LiveStatus = 'waiting' | 'admitted' | 'active'
export const isLive = (status: Status): status is LiveStatus => NEXT[status] === TOLD

export type ReachEvent = 'answered' | 'failed' | 'wentOffline' | 'cameOnline'

/** How well the server is reached. An answer proves more than what the device believes about its network. */
export const NEXT_REACH: Record<Reach, Record<ReachEvent, Reach>> = {
  ok: { answered: 'ok', failed: 'retrying', wentOffline: 'offline', cameOnline: 'ok' },
  retrying: { answered: 'ok', failed: 'retrying', wentOffline: 'offline', cameOnline: 'retrying' },
  offline: { answered: 'ok', failed: 'offline', wentOffline: 'offline', cameOnline: 'retrying' },
}
