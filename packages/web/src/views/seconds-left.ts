import { remainingMs, type Waiting } from '@seatwise/client'

/** Smaller differences are rounding, and a number that wobbles is worse than one that is a little off. */
const WORSE_SHARE = 1.1

/**
 * The countdown of the client never rises, so that it runs slower after bad news. By then the server has said why it takes
 * longer, and people plan by the number: they are told the new one. The range keeps the width that the server gave it.
 */
export function secondsLeft(place: Waiting, nowMs: number): { from: number; to: number } | null {
  const { countdown, eta } = place
  if (countdown === null || eta.p50 === null) return null
  const counted = remainingMs(countdown, nowMs) / 1000
  const told = eta.p50 - Math.max(0, nowMs - countdown.at) / 1000
  const from = told > counted * WORSE_SHARE ? told : counted
  return { from, to: from + Math.max(0, (eta.p90 ?? eta.p50) - eta.p50) }
}
