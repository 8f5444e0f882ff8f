import type { LogEntry } from '../../log-entry.ts'
import type { CommitQueue } from '../commit-queue.ts'
import { entriesAfter, type Room } from '../state/room.ts'

/** Committed entries after a seq; waits for the first one. Empty when none came in time. */
export async function readLog(
  room: Room,
  commits: CommitQueue,
  afterSeq: number,
  { limit, waitMs }: { limit: number; waitMs: number },
): Promise<LogEntry[]> {
  const deadline = performance.now() + waitMs
  for (;;) {
    const left = deadline - performance.now()
    if (commits.committedSeq > afterSeq || commits.isOver || left <= 0) break
    if (!(await nextCommit(commits, left))) break
  }
  return entriesAfter(room, afterSeq, limit).filter(({ seq }) => seq <= commits.committedSeq)
}

/** True when something was committed, or the room is gone; false when the time is over. */
function nextCommit(commits: CommitQueue, ms: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => resolve(false), ms)
  const stop = commits.onNext(() => resolve(true))
  return promise.finally(() => {
    clearTimeout(timer)
    stop()
  })
}
