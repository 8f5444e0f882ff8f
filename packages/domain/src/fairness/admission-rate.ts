/** At a rate of one a minute each millisecond adds one unit, so that levels are integers. Rule M2. */
const UNITS_PER_TOKEN = 60_000

export interface RateLimits {
  readonly ratePerMinute: number
  readonly burst: number
}

/** Follows the admissions of a log and tells which of them had no token. Every epoch begins without tokens (L26). */
export class AdmissionRate {
  #limits: RateLimits
  #level = 0
  #atMs: number

  constructor(limits: RateLimits, atMs: number) {
    this.#limits = limits
    this.#atMs = atMs
  }

  change(limits: RateLimits, atMs: number): void {
    this.#refill(atMs)
    this.#limits = limits
    this.#level = Math.min(this.#level, limits.burst * UNITS_PER_TOKEN)
  }

  /** False when there was none: the admission overshot the rate. */
  take(atMs: number): boolean {
    this.#refill(atMs)
    if (this.#level < UNITS_PER_TOKEN) return false
    this.#level -= UNITS_PER_TOKEN
    return true
  }

  #refill(atMs: number): void {
    const { ratePerMinute, burst } = this.#limits
    const passedMs = Math.max(0, atMs - this.#atMs)
    this.#level = Math.min(burst * UNITS_PER_TOKEN, this.#level + passedMs * ratePerMinute)
    this.#atMs = Math.max(this.#atMs, atMs)
  }
}
