import { ENDED_FROM_THE_START, type EndedIdentity, type Ledger, readEnded } from '@seatwise/ledger'
import type { Actor } from '../../http/index.ts'
import { createRefresher } from '../../kit/index.ts'

/** The maximum age of the list for privileged requests. */
const LIST_AGE_MS_MAX = 2_000
const FORGET_MS = 60_000

/**
 * Sessions that ended before their tokens expire, cached in memory by every server: single sessions, older sessions of
 * accounts, and guests that an account adopted. The list is as long as what ended within the life of a token; opening a
 * session costs a password hash (A5), or a hand-over and taking the place back, which the rate limits bound.
 */
export interface EndedSessions {
  /** Whether tokens of this actor are refused. Reads memory only: never waits. */
  has(actor: Actor): boolean
  /** Resolves when the list is recent enough for privileged requests; rejects when the ledger cannot be read. */
  recent(): Promise<void>
  /**
   * Reads what ended until now. A request that ends a session waits for it, so that it counts at once on this server.
   */
  refresh(): Promise<void>
  readonly size: number
}

export async function openEndedSessions(ledger: Ledger, now: () => number): Promise<EndedSessions> {
  const ended = new Map<string, EndedIdentity>()
  let seenTo = ENDED_FROM_THE_START
  let forgotAtMs = Number.NEGATIVE_INFINITY
  let readAtMs = Number.NEGATIVE_INFINITY

  async function read(): Promise<void> {
    const startedAtMs = now()
    const since = await readEnded(ledger.db, seenTo)
    for (const identity of since.ended) ended.set(identity.subject, identity)
    seenTo = since.seenTo
    readAtMs = startedAtMs
    forget(startedAtMs)
  }

  /** Guests of a far event stay for months and sessions for a day, in no order: all entries are visited, once a minute. */
  function forget(nowMs: number): void {
    if (nowMs - forgotAtMs < FORGET_MS) return
    forgotAtMs = nowMs
    for (const [subject, { forgetAt }] of ended) if (forgetAt.getTime() <= nowMs) ended.delete(subject)
  }

  const refresh = createRefresher(read)

  await refresh()
  return {
    has({ id, session }) {
      if (ended.size === 0) return false
      const ofIdentity = ended.get(id)
      if (ofIdentity?.kind === 'guest') return true
      if (ofIdentity !== undefined && (session?.version ?? 0) < ofIdentity.belowVersion) {
        if (session === undefined || session.id !== ofIdentity.exceptSession) return true
      }
      return session !== undefined && ended.has(session.id)
    },
    async recent() {
      if (now() - readAtMs > LIST_AGE_MS_MAX) await refresh()
    },
    refresh,
    get size() {
      return ended.size
    },
  }
}
