import type { Memory } from '../device/memory.ts'

/** While nothing of the room's own policy is known. */
const FAR_MS = 15_000
const BACK_OFF_MS = 1_000
const BACK_OFF_MS_MAX = 30_000
const NOW_MS_MIN = 5_000
const NOW_MS_MAX = 15_000
/** The end of a time on the floor is asked for when it has surely passed. */
const AFTER_END_MS = 500

/**
 * Milliseconds until the next poll. What the server asked for is the minimum. `isListening`: the socket is open and
 * the private channel subscribed, so that the room sees us and we hear of our turn.
 */
export function nextPollMs(memory: Memory, isHidden: boolean, isListening: boolean, random: number): number {
  const { position, room, rank } = memory
  const { pollAfterMs } = position
  const farMs = Math.max(pollAfterMs, room?.poll.farMs ?? FAR_MS)
  // The socket tells it anyway; this poll only finds what was lost.
  if (isListening) return jitter(isHidden ? farMs : Math.min(farMs, pollAfterMs * 3), random)
  if (!isHidden) return pollAfterMs
  // A turn has a deadline: a visitor near it who cannot be told by push polls more often than presence alone would need.
  const isNear = rank === null || position.rank === null || rank.rank < (room?.poll.nearRank ?? 0)
  return jitter(isNear ? Math.max(pollAfterMs, farMs / 3) : farMs, random)
}

/** The same, when a deadline comes first. `untilEndMs` is NaN where there is none. */
export function beforeDeadline(ms: number, untilEndMs: number, random: number): number {
  const untilOver = untilEndMs + AFTER_END_MS * (1 + random)
  return untilOver > 0 ? Math.min(ms, untilOver) : ms
}

/** Milliseconds until the public document is read again, which costs the server nothing. */
export function nextNowMs({ position }: Memory, random: number): number {
  return jitter(Math.min(NOW_MS_MAX, Math.max(NOW_MS_MIN, position.pollAfterMs / 3)), random)
}

/** After `failures` in a row. What the server asked for is the minimum; jitter comes on top. */
export function backOffMs(failures: number, retryAfterMs: number, random: number): number {
  const most = Math.min(BACK_OFF_MS_MAX, BACK_OFF_MS * 2 ** Math.min(failures, 10))
  return retryAfterMs + most * (retryAfterMs > 0 ? random / 2 : (1 + random) / 2)
}

const jitter = (ms: number, random: number) => ms * (0.8 + 0.4 * random)
