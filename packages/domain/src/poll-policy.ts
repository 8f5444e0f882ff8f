/** How often a visitor should ask. Published in the *now* document, and applied to every answer by the server. */
export interface PollPolicy {
  /** Where "near" begins: positions below are told exactly, and asked for often. */
  nearRank: number
  nearMs: number
  farMs: number
  /** Each interval is drawn from ±this share, so that a crowd that arrived together does not ask together. */
  jitter: number
}

const NEAR_MS = 2_000
const FAR_MS_MAX = 45_000

/** Far from the head, the interval leaves room for two lost polls before a visitor counts as absent. */
export function pollPolicy(heartbeatTimeoutSeconds: number, nearRank: number): PollPolicy {
  const farMs = Math.min(FAR_MS_MAX, Math.max(500, Math.floor((heartbeatTimeoutSeconds * 1000) / 3)))
  return { nearRank, nearMs: Math.min(NEAR_MS, farMs), farMs, jitter: 0.2 }
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
