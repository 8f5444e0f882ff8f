/** One admission, in the smallest part of a token: at one a minute, each millisecond brings one part. All is whole. */
const TOKEN = 60_000

/** The bucket that a room's admissions are taken from, by the room's clock. */
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

  /** What came in before the change came at the old rate. False when nothing changes. */
  change({ ratePerMinute, burst }: { ratePerMinute: number; burst: number }, atMs: number): boolean {
    if (ratePerMinute === this.#ratePerMinute && burst === this.#burst) return false
    this.#refill(atMs)
    this.#ratePerMinute = ratePerMinute
    this.#burst = burst
    this.#level = Math.min(this.#level, burst * TOKEN)
    return true
  }

  /** Takes a token and returns what is left, in tokens. Below zero it was not there; then nothing is left. */
  take(atMs: number): number {
    this.#refill(atMs)
    const left = this.#level - TOKEN
    this.#level = Math.max(0, left)
    return left / TOKEN
  }

  /** When a token is there at the earliest. */
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
