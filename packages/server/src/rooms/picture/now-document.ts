import { buildRankMap, pollPolicy } from '@seatwise/domain'
import type { RoomNow } from '@seatwise/line'
import { type Document, makeDocument } from '../../kit/index.ts'
import type { NowDocument } from '../room.ts'
import type { Head } from '../transparency/room-heads.ts'

export interface BuiltNow {
  /** The store's answer, with this server's clock at that moment, to derive the room's time in between. */
  readonly now: RoomNow
  readonly builtAt: number
  readonly document: NowDocument
  readonly answer: Document
}

/** Positions below this are read from the store; so are all that the pace may reach within the next two seconds. */
const NEAR_RANK_MIN = 100

/** Builds the public document, once for all readers of the next second. */
export function buildNow(
  now: RoomNow,
  { avgServiceMs, hidesSeats, head }: { avgServiceMs: number | null; hidesSeats: boolean; head: Head | null },
  builtAt: number,
): BuiltNow {
  const { settings } = now
  const phase = phaseOf(now)
  const document: NowDocument = {
    seq: now.seq,
    epoch: now.epoch,
    phase,
    opensAt: now.opensAt === 0 ? null : new Date(now.opensAt).toISOString(),
    waiting: now.waiting,
    active: now.floor,
    capacity: settings.capacity,
    ratePerMinute: settings.ratePerMinute,
    avgServiceMs: avgServiceMs === null ? null : Math.round(avgServiceMs),
    // The line counts all seats alike; a figure with hidden ones in it would contradict the event's. Rule E27.
    remainingSeats: hidesSeats ? null : now.stock,
    rankMap: phase === 'pre' ? [] : buildRankMap(now.samples),
    poll: pollPolicy(settings.heartbeatTimeoutSeconds, nearRank(now), settings.ratePerMinute),
    message: now.message,
    at: new Date(now.now).toISOString(),
    head,
  }
  return { now, builtAt, document, answer: makeDocument(JSON.stringify(document)) }
}

function phaseOf(now: RoomNow): NowDocument['phase'] {
  if (now.now > now.closesAt) return 'ended'
  const isUndrawn = now.draw !== null && now.draw !== 'revealed'
  if (now.now < Math.min(now.opensAt, now.joinsFrom ?? now.opensAt)) return 'before'
  if (now.now < now.opensAt || (isUndrawn && !now.soldOut)) return 'pre'
  if (now.soldOut) return 'sold_out'
  return now.paused || now.held !== null ? 'paused' : 'open'
}

function nearRank({ settings, floor }: RoomNow): number {
  const inTwoSeconds = settings.ratePerMinute / 30 + settings.burst
  return NEAR_RANK_MIN + Math.ceil(Math.min(inTwoSeconds, Math.max(0, settings.capacity - floor) + inTwoSeconds / 2))
}
