import type { Admission, Line, RoomNow } from '@seatwise/line'
import type { Room } from './room.ts'
import type { RoomLink } from './room-link.ts'

/** Tickets one step may touch: about a millisecond of the store's time. */
const BATCH_MAX = 200

/** How many visitors an operator let in, or would let in, and what kept it from being more; null when nothing did. */
export interface AdmittedNow {
  readonly admitted: number
  readonly limitedBy: NonNullable<Admission['heldBy']> | 'capacity' | 'stock' | 'line' | null
}

interface AdmitNowParts {
  readonly line: Line
  readonly link: RoomLink
  readonly onAdmission: (admission: Admission) => void
}

/** The part of a room's handle by which an operator lets visitors in. */
export function createAdmitNow(
  parts: AdmitNowParts,
  capacity: () => number,
): Pick<Room, 'admitNow' | 'previewAdmission'> {
  const { line, link } = parts
  return {
    admitNow: (count, operation) => admitNow(parts, capacity, count, operation),
    previewAdmission: async (count) => previewAdmission(await link.run((at) => line.now(at)), count),
  }
}

/**
 * Lets up to `count` visitors in now, past the rate (M29), in steps that the store can take. Each step has an id of its
 * own, made from `operation`: a call that is repeated after a lost answer repeats the answers of its steps.
 */
async function admitNow(
  parts: AdmitNowParts,
  capacity: () => number,
  count: number,
  operation: string,
): Promise<AdmittedNow> {
  let admitted = 0
  for (let part = 0; ; part += 1) {
    const limit = { batch: BATCH_MAX, operation: `${operation} ${part}`, operatorCount: count - admitted }
    const admission = await parts.link.run(async (at) => {
      const reply = await parts.line.admit(at, limit)
      parts.link.saw(at.epoch, reply.seq)
      return reply
    })
    parts.onAdmission(admission)
    admitted += admission.admitted.length
    if (admitted === count) return { admitted, limitedBy: null }
    if (!admission.more) return { admitted, limitedBy: limitOf(admission, capacity()) }
  }
}

function limitOf({ heldBy, waiting, floor }: Admission, capacity: number): AdmittedNow['limitedBy'] {
  if (heldBy !== null) return heldBy
  if (waiting === 0) return 'line'
  return floor >= capacity ? 'capacity' : 'stock'
}

/**
 * How many of `count` visitors could go in now. Some of those in line may turn out to be absent, so that it is an upper
 * bound where the line is shorter than the room.
 */
function previewAdmission(now: RoomNow, count: number): AdmittedNow {
  const heldBy = holdOf(now)
  if (heldBy !== null) return { admitted: 0, limitedBy: heldBy }
  const slots = Math.max(0, now.settings.capacity - now.floor)
  const seats =
    now.stock === null || !now.settings.stockAware
      ? Number.POSITIVE_INFINITY
      : Math.max(0, now.stock - now.taken - now.promised)
  const admitted = Math.min(count, now.waiting, slots, seats)
  if (admitted === count) return { admitted, limitedBy: null }
  if (admitted === now.waiting) return { admitted, limitedBy: 'line' }
  return { admitted, limitedBy: admitted === slots ? 'capacity' : 'stock' }
}

function holdOf(now: RoomNow): AdmittedNow['limitedBy'] {
  if (now.paused) return 'paused'
  if (now.held !== null) return 'held'
  if (now.now < now.opensAt) return 'not_open'
  if (now.now > now.closesAt) return 'closed'
  return now.soldOut ? 'sold_out' : null
}
