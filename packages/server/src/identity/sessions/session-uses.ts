import { type Ledger, noteUsedSessions } from '@seatwise/ledger'
import { RecentMap } from '../../kit/index.ts'

/** How coarse the time of last use is: each session costs one write in this time. */
const NOTE_MS = 15 * 60_000
/** About 10 MB. A session that is evicted is written earlier than needed. */
const SESSIONS_MAX = 100_000
/** One statement writes at most so many; the rest waits for the next round. */
const BATCH_MAX = 500

/** Collects which sessions are used, and writes it in batches. */
export interface SessionUses {
  /** Notes a use. Reads and writes memory only. */
  note(sessionId: string): void
  /** Writes what was noted. */
  write(): Promise<void>
  readonly size: number
}

export function createSessionUses(ledger: Pick<Ledger, 'db'>, now: () => number): SessionUses {
  const notedAt = new RecentMap<string, number>(SESSIONS_MAX)
  const due = new Set<string>()
  return {
    note(sessionId) {
      const nowMs = now()
      const before = notedAt.get(sessionId)
      if (before !== undefined && nowMs - before < NOTE_MS) return
      notedAt.set(sessionId, nowMs)
      // A session that is seen for the first time was usually begun a moment ago, which its row tells.
      if (before !== undefined && due.size < SESSIONS_MAX) due.add(sessionId)
    },
    async write() {
      const batch = [...due.values().take(BATCH_MAX)]
      for (const id of batch) due.delete(id)
      await noteUsedSessions(ledger.db, batch)
    },
    get size() {
      return notedAt.size + due.size
    },
  }
}
