/** How often a visitor should poll. Published in the *now* document, and applied to every answer by the server. */
export interface PollPolicy {
  /** Positions below are near the head: told exactly, and polled often. */
  nearRank: number
  nearMs: number
  farMs: number
  /** Positions below open a push connection; further back it is not worth one yet. */
  pushRank: number
  /** Each interval varies by ±this share, so that visitors who arrived together do not poll together. */
  jitter: number
}

const NEAR_MS = 2_000
const FAR_MS_MAX = 45_000
/** A room with fewer visitors than this pushes to all of them. */
const PUSH_RANK_MIN = 1_000
/** About 70 MB of connections and a fifth of a second to write to all of them, on one core. */
const PUSH_RANK_MAX = 10_000

/** Far from the head, the interval leaves room for two lost polls before a visitor counts as absent. */
export function pollPolicy(heartbeatTimeoutSeconds: number, nearRank: number, ratePerMinute: number): PollPolicy {
  const farMs = Math.min(FAR_MS_MAX, Math.max(500, Math.floor((heartbeatTimeoutSeconds * 1000) / 3)))
  // Visitors who may be admitted within a minute or two.
  const pushRank = Math.min(PUSH_RANK_MAX, Math.max(PUSH_RANK_MIN, nearRank, 2 * ratePerMinute))
  return { nearRank, nearMs: Math.min(NEAR_MS, farMs), farMs, pushRank, jitter: 0.2 }
}

/** Whether a visitor should open a push connection: near the head or, without a rank, on the floor. */
export function shouldListen({ pushRank }: PollPolicy, rank: number | null): boolean {
  return rank === null || rank < pushRank
}

/** Milliseconds until the next poll: a twentieth of the wait, between near and far. `random` is in [0, 1). */
export function pollAfterMs(
  policy: PollPolicy,
  rank: number | null,
  waitSeconds: number | null,
  random: number,
): number {
  const near = rank === null || rank < policy.nearRank
  const wanted = near ? policy.nearMs : waitSeconds === null ? policy.farMs : waitSeconds * 50
  const base = Math.min(policy.farMs, Math.max(policy.nearMs, wanted))
  return Math.round(base * (1 - policy.jitter + 2 * policy.jitter * random))
}
