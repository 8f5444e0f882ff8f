import type { Countdown } from '../types.ts'

/** Good news is caught up with in this time, so that the seconds run visibly faster instead of jumping. */
const CATCH_UP_MS = 8_000

/** What the countdown shows at a time: it only ever falls, and never below zero. */
export function remainingMs({ at, ms, rate, until }: Countdown, now: number): number {
  // A clock that was set back must not turn the countdown back.
  const elapsed = Math.max(0, now - at)
  const stretched = Math.min(elapsed, until - at)
  return Math.max(0, ms - stretched * rate - (elapsed - stretched))
}

/**
 * Smooths the countdown towards a new estimate. A worse estimate slows it down, so that it still ends with the wait and never
 * jumps up; a better one speeds it up for a few seconds. Without an estimate it stands still.
 */
export function bendCountdown(shown: Countdown | null, estimateMs: number | null, now: number): Countdown | null {
  if (shown === null) return estimateMs === null ? null : { at: now, ms: estimateMs, rate: 1, until: now }
  const ms = remainingMs(shown, now)
  if (estimateMs === null) return { at: now, ms, rate: 0, until: Number.MAX_SAFE_INTEGER }
  if (estimateMs >= ms) return { at: now, ms, rate: estimateMs === 0 ? 1 : ms / estimateMs, until: now + estimateMs }
  const catchUpMs = Math.min(CATCH_UP_MS, estimateMs)
  // With nothing left to wait there is nothing to run down either.
  if (catchUpMs === 0) return { at: now, ms: 0, rate: 1, until: now }
  return { at: now, ms, rate: (ms - estimateMs + catchUpMs) / catchUpMs, until: now + catchUpMs }
}
