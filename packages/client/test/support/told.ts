import type { Position } from '../../src/place/position.ts'
import type { RoomNow } from '../../src/types.ts'

/** What a server could tell; tests say what matters to them. */
export function position(fields: Partial<Position> = {}): Position {
  return {
    status: 'waiting',
    ticketId: 'tkt_1',
    rank: 0,
    place: 10,
    exact: true,
    queueLength: 20,
    eta: { p50: 60, p90: 90, basis: 'measured', reason: null },
    name: null,
    avatar: null,
    joinedAt: '2026-11-15T09:00:00.000Z',
    pollAfterMs: 2_000,
    push: false,
    epoch: 1,
    seq: 10,
    ...fields,
  }
}

export function roomNow(fields: Partial<RoomNow> = {}): RoomNow {
  return {
    seq: 10,
    epoch: 1,
    phase: 'open',
    waiting: 20,
    active: 1,
    capacity: 10,
    ratePerMinute: 60,
    avgServiceMs: null,
    remainingSeats: 100,
    rankMap: [],
    poll: { nearRank: 100, nearMs: 2_000, farMs: 30_000, pushRank: 1_000, jitter: 0.2 },
    message: null,
    at: '2026-11-15T09:00:00.000Z',
    ...fields,
  }
}
