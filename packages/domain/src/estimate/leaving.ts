/** How visitors leave a line before their turn. */
export interface Leaving {
  /** The chance of a waiting visitor to leave within one second, as measured lately. */
  readonly hazard: number
  /** How long the line has been observed. */
  readonly seconds: number
}

/** A hazard measured over a shorter time is assumed to last at least this long. */
const SECONDS_MIN = 30

/**
 * The share of the visitors waiting now that still wait after some seconds. The impatient leave first, so the hazard falls
 * with the time that visitors have waited: after twice the observed time it is half as large. A constant hazard, taken from
 * the first minute of a rush, predicts that half a line leaves of which a tenth does.
 */
export function shareWaiting({ hazard, seconds }: Leaving, after: number): number {
  const observed = Math.max(SECONDS_MIN, seconds)
  return (1 + after / observed) ** (-hazard * observed)
}

/** Seconds until `ahead` visitors are gone, of whom `rate` are admitted each second; from `after` seconds on. */
export function timeFor(ahead: number, rate: number, { hazard, seconds }: Leaving, after = 0): number {
  const observed = Math.max(SECONDS_MIN, seconds)
  // With n(t) visitors ahead: dn/dt = -rate - n · power / (observed + t), solved for n = 0.
  const power = hazard * observed + 1
  const from = observed + after
  return from * ((1 + (ahead * power) / (rate * from)) ** (1 / power) - 1)
}
