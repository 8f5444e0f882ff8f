/** How long visitors are assumed to stay on a floor before there is data. Times in seconds. */
export interface AssumedStays {
  /** The share of visitors that stay longer than this; never 0. */
  shareAfter(seconds: number): number
  /** When no more than this share is still there; asked for falling shares, with the answer to the one before. */
  secondsUntil(share: number, after: number): number
}

/**
 * Two kinds of visitors. Most act: they notice their turn, choose, pay or leave, and are done in a tenth of the usual maximum.
 * The others let most of their time pass: they do not come, let a reservation expire, or pay at the last moment. Together they
 * stay for a fifth of the usual maximum on average, as measured in rehearsals (November 2026). Nobody leaves at once: the first
 * step takes time.
 */
const ACTING = { share: 0.8, mean: 0.1 } as const
const LINGERING_MEAN = 0.6
/** The mean of a Weibull distribution of shape 2 ÷ its scale. */
const MEAN_OF_SCALE = Math.sqrt(Math.PI) / 2

/** For the last usual maximum that was asked for: the same for most rooms. */
let last: { readonly usualMax: number; readonly stays: AssumedStays } | null = null

/** `usualMax`: by the settings of the room, few visitors stay longer than this. */
export function assumedStays(usualMax: number): AssumedStays {
  if (last?.usualMax !== usualMax) last = { usualMax, stays: tabulate(usualMax) }
  return last.stays
}

/** The shares at equal steps, and straight lines between them; the last ones fall evenly for ever. */
function tabulate(usualMax: number): AssumedStays {
  const step = usualMax / STEPS
  const shares = Float64Array.from({ length: STEPS * MAXIMA }, (_, index) => shareOf(index / STEPS))
  const end = shares.length - 1
  const [nextToLast = 0, lowest = 0] = [shares[end - 1], shares[end]]
  const shareAfter = (seconds: number): number => {
    const at = Math.max(0, seconds) / step
    if (at >= end) return lowest * (lowest / nextToLast) ** Math.min(at - end, STEPS)
    const low = Math.floor(at)
    const [one = 0, other = 0] = [shares[low], shares[low + 1]]
    return one + (other - one) * (at - low)
  }
  return {
    shareAfter,
    secondsUntil(share, after) {
      let low = Math.min(end, Math.floor(after / step))
      while (low < end && (shares[low + 1] ?? 0) > share) low += 1
      const [one = 0, other = 0] = [shares[low], shares[low + 1]]
      return low === end ? Math.max(after, end * step) : Math.max(after, (low + (one - share) / (one - other)) * step)
    },
  }
}

const STEPS = 120
/** How many usual maxima are tabulated; a thousandth of the visitors stays longer than two. */
const MAXIMA = 2

/** The share still there after a part of the usual maximum. */
function shareOf(part: number): number {
  const steps = (2 * part) / ACTING.mean
  const acting = (1 + steps) * Math.exp(-steps)
  const lingering = Math.exp(-(((part * MEAN_OF_SCALE) / LINGERING_MEAN) ** 2))
  return ACTING.share * acting + (1 - ACTING.share) * lingering
}
