const FIRST_SECONDS = 5
const GROWTH = 3
const SECONDS_MAX = 6 * 60 * 60

/** Twelve attempts in about a day: a receiver may be down for a night without losing a delivery. */
const ATTEMPTS_MAX = 12

/**
 * How long to wait after the n-th failed attempt; null to give up. `luck`, from 0 to 1, spreads retries that failed
 * together.
 */
export function retrySeconds(attempts: number, luck: number): number | null {
  if (attempts >= ATTEMPTS_MAX) return null
  return Math.min(SECONDS_MAX, FIRST_SECONDS * GROWTH ** (attempts - 1)) * (0.8 + 0.4 * luck)
}
