import type { PlaceState, Reach } from './types.ts'

/*
 *            ┌──────── toldWaiting ────────┐ (only after a rebuild lost the admission)
 *            ▼                             │
 *   waiting ──toldAdmitted──▶ admitted ──toldActive──▶ active
 *      │                         │                        │
 *      └────────────┬────────────┴────────────┬───────────┘
 *                   ▼                         ▼
 *       completed · expired           moved · lost          (final: nothing leads out)
 *
 * The server's word stands: whatever it tells about a live place is its new state. What is older than the last word is
 * dropped before it gets here.
 */

export type Status = PlaceState['status']
export type PlaceEvent =
  | 'toldWaiting'
  | 'toldAdmitted'
  | 'toldActive'
  | 'toldCompleted'
  | 'toldExpired'
  | 'ticketMoved'
  | 'ticketUnknown'

/** For every live state the same: the server decides. */
const TOLD = {
  toldWaiting: 'waiting',
  toldAdmitted: 'admitted',
  toldActive: 'active',
  toldCompleted: 'completed',
  toldExpired: 'expired',
  ticketMoved: 'moved',
  ticketUnknown: 'lost',
} as const satisfies Record<PlaceEvent, Status>

/** A place that is over stays over, and says always the same about it. Joining again is another place. */
const stays = <Final extends Status>(status: Final): Record<PlaceEvent, Final> => ({
  toldWaiting: status,
  toldAdmitted: status,
  toldActive: status,
  toldCompleted: status,
  toldExpired: status,
  ticketMoved: status,
  ticketUnknown: status,
})

/** Every state answers every event. A missing cell does not compile. */
export const NEXT: Record<Status, Record<PlaceEvent, Status>> = {
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
