import type { LogEntry } from '@seatwise/domain'
import type { Line } from '@seatwise/line'
import type { Logger } from 'pino'
import { waitMs } from '../../kit/index.ts'
import type { RoomLink } from '../room-link.ts'

const BATCH_MAX = 2_000
/** How long one blocking read waits for news; also how often the picture is confirmed when nothing happens. */
const WAIT_MS = 500
const RETRY_MS = 100
/** The pause between reads while visitors only join: otherwise a rush would be read in many tiny pieces. */
const RUSH_APART_MS = 20

export interface TailParts {
  readonly line: Line
  readonly link: Pick<RoomLink, 'epoch' | 'runPatiently' | 'saw'>
  readonly log: Logger
  readonly followedSeq: () => number
  /** Entries up to this `seq` were trimmed before this server read them: its picture may be incomplete. */
  readonly onGap: (seq: number) => void
  /** An empty list means no news. */
  readonly onEntries: (entries: readonly LogEntry[]) => void
}

/** Reads the room's log for this server, entry by entry, while `isOpen`. */
export async function tailLog(parts: TailParts, isOpen: () => boolean): Promise<void> {
  let failing = false
  while (isOpen()) {
    try {
      const entries = await parts.link.runPatiently(async (at) => {
        const news = await parts.line.readLog(at, parts.followedSeq(), { limit: BATCH_MAX, waitMs: WAIT_MS })
        // A recovery in between has started a new epoch; stop reading the old one.
        return at.epoch === parts.link.epoch ? news : null
      })
      failing = false
      if (entries === null) continue
      const last = entries.at(-1)
      if (last !== undefined) parts.link.saw(last.epoch, last.seq)
      const first = entries[0]
      if (first !== undefined && first.seq > parts.followedSeq() + 1) parts.onGap(first.seq - 1)
      parts.onEntries(entries)
      if (entries.length < BATCH_MAX && isRush(entries)) await waitMs(RUSH_APART_MS)
    } catch (err) {
      if (!isOpen()) return
      if (!failing) parts.log.warn({ err }, 'the log cannot be read, trying again')
      failing = true
      await waitMs(RETRY_MS)
    }
  }
}

/** Many joins and nothing else: neither push nor admission has to react at once. */
function isRush(entries: readonly LogEntry[]): boolean {
  return entries.length > 1 && entries.every(({ change }) => change.kind === 'joined')
}
