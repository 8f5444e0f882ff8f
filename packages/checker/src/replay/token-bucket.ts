/** Units of a token. At a rate of one a minute, each millisecond adds one unit, so all levels are integers. */
const TOKEN = 60_000

/** The token bucket of a room's admissions, by the room's clock. */
export class TokenBucket {
  #ratePerMinute: number
  #burst: number
  #level: number
  #atMs: number

  constructor(limits: { ratePerMinute: number; burst: number }, tokens: number, atMs: number) {
    this.#ratePerMinute = limits.ratePerMinute
    this.#burst = limits.burst
    this.#level = Math.min(tokens, limits.burst) * TOKEN
    this.#atMs = atMs
  }

  /** Refills at the old rate before the change. False when nothing changes. */
  change({ ratePerMinute, burst }: { ratePerMinute: number; burst: number }, atMs: number): boolean {
    if (ratePerMinute === this.#ratePerMinute && burst === this.#burst) return false
    this.#refill(atMs)
    this.#ratePerMinute = ratePerMinute
    this.#burst = burst
    this.#level = Math.min(this.#level, burst * TOKEN)
    return true
  }

  /** Takes a token and returns the new level, in tokens. Below zero there was none; the level is then set to zero. */
  take(atMs: number): number {
    this.#refill(atMs)
    const left = this.#level - TOKEN
    this.#level = Math.max(0, left)
    return left / TOKEN
  }

  /** The earliest time at which there is a token. */
  readyAtMs(atMs: number): number {
    this.#refill(atMs)
    return this.#atMs + Math.ceil(Math.max(0, TOKEN - this.#level) / this.#ratePerMinute)
  }

  #refill(atMs: number): void {
    const passedMs = Math.max(0, atMs - this.#atMs)
    this.#level = Math.min(this.#burst * TOKEN, this.#level + passedMs * this.#ratePerMinute)
    this.#atMs = Math.max(this.#atMs, atMs)
  }
}
