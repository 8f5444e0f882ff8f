import { faults } from '@seatwise/domain'
import { copyLog, type Ledger, readRoom } from '@seatwise/ledger'
import type { Line, RoomAt } from '@seatwise/line'
import type { Logger } from 'pino'
import { waitMs } from '../kit/index.ts'
import type { RoomLink } from './room-link.ts'

/** One transaction's worth: large enough to be cheap, small enough to be quick. */
const BATCH_MAX = 5_000
/** Entries that stay in the line's log for other servers, which read it a little later than the ledger does. */
export const KEPT_ENTRIES = 2_000
const IDLE_WAIT_MS = 500
/**
 * Copies begin at least so far apart, unless one was full. Each costs both sides a millisecond beside what its entries
 * cost, so that a crowd is copied for two thirds of the work; and nobody waits for it.
 */
const APART_MS = 50
const RETRY_MS_MAX = 1_000

export interface FollowerParts {
  readonly ledger: Ledger
  readonly line: Line
  readonly link: RoomLink
  readonly room: string
  readonly log: Logger
  /** How many entries the ledger lacks, for the metric. */
  readonly onBehind: (entries: number) => void
}

/**
 * Copies the room's log into the ledger for as long as `isOpen`. Every server runs one for every room it works with;
 * whoever comes first writes, the others find it done.
 */
export async function followLog(parts: FollowerParts, isOpen: () => boolean): Promise<void> {
  let followed: { epoch: number; seq: number } | null = null
  let delay = 0
  while (isOpen()) {
    const startedAt = performance.now()
    try {
      const before = followed?.seq ?? 0
      followed = await parts.link.runPatiently((at) => followOnce(parts, at, followed))
      delay = 0
      const isFull = followed.seq - before >= BATCH_MAX - 1
      const restMs = startedAt + APART_MS - performance.now()
      if (!isFull && restMs > 0) await waitMs(restMs)
    } catch (err) {
      if (!isOpen()) return
      if (delay === 0) parts.log.warn({ err, room: parts.room }, 'the ledger does not follow the log, trying again')
      delay = Math.min(Math.max(50, delay * 2), RETRY_MS_MAX)
      followed = null
      await waitMs(delay)
    }
  }
}

async function followOnce(
  parts: FollowerParts,
  at: RoomAt,
  known: { epoch: number; seq: number } | null,
): Promise<{ epoch: number; seq: number }> {
  const from = known?.epoch === at.epoch ? known : await followedSoFar(parts, at)
  // The last entry the ledger has is read again: if it differs, the line lost its memory and went on.
  const entries = await parts.line.readLog(at, Math.max(0, from.seq - 1), { limit: BATCH_MAX, waitMs: 0 })
  const last = entries.at(-1)
  parts.onBehind(Math.max(0, parts.link.seenSeq - from.seq))
  // Whoever just attached compares also when nothing is new: the line may have gone on elsewhere to the very same seq.
  const isNew = last !== undefined && last.seq > from.seq
  if (last === undefined || (!isNew && from === known)) {
    await parts.line.readLog(at, from.seq, { limit: 1, waitMs: IDLE_WAIT_MS })
    return from
  }
  const isFirstKnown = entries[0]?.seq === from.seq
  const reply = await copyLog(parts.ledger, parts.room, entries, { isFirstKnown })
  switch (reply.status) {
    case 'copied':
      if (faults.on) await faults.reach('follow.after-commit')
      parts.link.saw(at.epoch, reply.seq)
      await parts.line.trim(at, reply.seq, KEPT_ENTRIES)
      return { epoch: at.epoch, seq: reply.seq }
    case 'gap':
      // Asked from where the ledger stands, the log begins later: what is between is nowhere any more.
      if (reply.seq === from.seq) parts.link.lost(at.epoch, 'conflict')
      return { epoch: at.epoch, seq: reply.seq }
    case 'conflict':
    case 'other-epoch':
      parts.link.lost(at.epoch, reply.status)
      return { epoch: at.epoch, seq: from.seq }
  }
}

async function followedSoFar(parts: FollowerParts, at: RoomAt): Promise<{ epoch: number; seq: number }> {
  const row = await readRoom(parts.ledger.db, { roomId: parts.room })
  if (row === null) throw new Error(`The ledger has no room ${parts.room}`)
  if (row.epoch !== at.epoch) parts.link.lost(at.epoch, 'other-epoch')
  return { epoch: at.epoch, seq: row.epoch === at.epoch ? row.seq : 0 }
}
