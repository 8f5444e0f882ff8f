import { RecentMap } from '../recent-map.ts'
import type { RoomClient } from './room-client.ts'

/** How often the room is asked which passes ended early: however many visitors there are, once for the whole guard. */
const EVERY_MS = 2_000
/**
 * The guard judges no visitor by an older answer; a request that comes then waits for a fresh one. The room's answer may be cached
 * for 1 s and its log takes well under 1 s, so a revoked pass is known within 5 s.
 */
const STALE_MS = 3_000
/** A room that has not answered for so long, or never yet, counts as unreachable. */
const UNREACHABLE_MS = 10_000
/** Entries of passes that would have ended anyway are forgotten; this many would be a floor of a million. */
const REVOKED_MAX = 1_000_000
/** Pages read in one go; a guard that starts late has more to read. */
const PAGES_MAX = 1_000
/** The room's pages are this long when there is more. */
const PAGE_LENGTH = 1_000
/** As long as the longest session and its extension, for rooms that do not say until when. */
const LONGEST_MS = 2 * 86_400_000

/** Which passes no longer count although their time is not over. Without timers: requests drive it. */
export interface Revocations {
  /** A promise if the answer is too old to judge a visitor; undefined if it is recent enough. */
  catchUp(): Promise<void> | undefined
  isRevoked(pass: { readonly ticketId: string; readonly fence: number }): boolean
  /** Known here before the room publishes it. */
  add(pass: { readonly ticketId: string; readonly fence: number; readonly expiresAt: number }): void
  isUnreachable(): boolean
  readonly size: number
  /** Resolves when nothing is being asked. */
  settled(): Promise<void>
}

interface Revoked {
  readonly fence: number
  readonly until: number
}

export function createRevocations(
  client: RoomClient,
  now: () => number,
  onProblem: (problem: string) => void,
): Revocations {
  const revoked = new RecentMap<string, Revoked>(REVOKED_MAX)
  let since = '0'
  let heardAt = Number.NEGATIVE_INFINITY
  let askedAt = Number.NEGATIVE_INFINITY
  let asking: Promise<void> | null = null
  let isAway = false

  function add(ticketId: string, fence: number, until: number): void {
    const known = revoked.get(ticketId)
    if (known === undefined || known.fence < fence) revoked.set(ticketId, { fence, until })
  }

  async function ask(): Promise<void> {
    askedAt = now()
    try {
      for (let page = 0; page < PAGES_MAX; page += 1) {
        const answer = await client.revoked(since)
        for (const { ticketId, fence, until } of answer.items) {
          add(ticketId, fence, Date.parse(until) || now() + LONGEST_MS)
        }
        since = answer.since
        if (answer.items.length < PAGE_LENGTH) break
      }
      // As of when we asked: what happened while the answer was on its way is not in it.
      heardAt = askedAt
      if (isAway) onProblem('The waiting room can be reached again.')
      isAway = false
    } catch (error) {
      if (!isAway && now() - heardAt >= UNREACHABLE_MS) {
        isAway = true
        onProblem(`The waiting room cannot be reached: ${String(error)}`)
      }
    } finally {
      asking = null
    }
    const time = now()
    revoked.sweep(({ until }) => until <= time)
  }

  return {
    catchUp() {
      const time = now()
      if (time - heardAt < EVERY_MS) return undefined
      // Also when the last try failed: not more often than once in a while.
      if (asking === null && time - askedAt >= EVERY_MS / 2) asking = ask()
      return time - heardAt < STALE_MS || isAway ? undefined : (asking ?? undefined)
    },
    isRevoked: ({ ticketId, fence }) => fence <= (revoked.get(ticketId)?.fence ?? -1),
    add: ({ ticketId, fence, expiresAt }) => add(ticketId, fence, expiresAt),
    isUnreachable: () => isAway,
    get size() {
      return revoked.size
    },
    settled: async () => {
      await asking
    },
  }
}
