/** Each bucket is 2 % wider than the one before: percentiles are off by at most one per cent. */
const GROWTH = Math.log(1.02)
const BUCKETS = 1_024
const SMALLEST_MS = 0.01

/** Counts times without keeping them. The largest bucket holds whatever is longer than 100 minutes. */
export class Histogram {
  readonly #counts = new Uint32Array(BUCKETS)
  count = 0
  max = 0
  #sum = 0

  add(milliseconds: number): void {
    const bucket = Math.floor(Math.log(Math.max(milliseconds, SMALLEST_MS) / SMALLEST_MS) / GROWTH)
    const index = Math.min(BUCKETS - 1, bucket)
    this.#counts[index] = (this.#counts[index] ?? 0) + 1
    this.count += 1
    this.#sum += milliseconds
    this.max = Math.max(this.max, milliseconds)
  }

  /** Null when nothing was counted. */
  percentile(share: number): number | null {
    if (this.count === 0) return null
    const wanted = Math.max(1, Math.ceil(share * this.count))
    let seen = 0
    for (let index = 0; index < BUCKETS; index += 1) {
      seen += this.#counts[index] ?? 0
      if (seen >= wanted) return Math.min(this.max, SMALLEST_MS * Math.exp(GROWTH * (index + 0.5)))
    }
    return this.max
  }

  mean(): number | null {
    return this.count === 0 ? null : this.#sum / this.count
  }
}
