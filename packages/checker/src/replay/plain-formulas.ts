/**
 * Two plain formulas for a wait, as they are common in waiting rooms, evaluated at the instants at which visitors were told
 * an estimate: so that a report shows what the better estimate is worth.
 */
export class PlainFormulas {
  readonly #admittedAtMs: number[] = []
  readonly #floorSince = new Map<number, number>()
  /** The rolling average of stays after each leaver. */
  readonly #leftAtMs: number[] = []
  readonly #averageMs: number[] = []
  #firstAtMs: number | null = null

  begin(atMs: number): void {
    this.#firstAtMs ??= atMs
  }

  admitted(ticket: number, atMs: number): void {
    this.begin(atMs)
    this.#admittedAtMs.push(atMs)
    this.#floorSince.set(ticket, atMs)
  }

  left(ticket: number, atMs: number): void {
    const since = this.#floorSince.get(ticket)
    if (since === undefined) return
    this.#floorSince.delete(ticket)
    const before = this.#averageMs.at(-1)
    this.#leftAtMs.push(atMs)
    this.#averageMs.push(before === undefined ? atMs - since : before * 0.9 + (atMs - since) * 0.1)
  }

  /** Rank × average time on the floor ÷ size of the floor. Null before the first visitor has left. */
  byService(rank: number, capacity: number, atMs: number): number | null {
    const average = this.#averageMs[countUntil(this.#leftAtMs, atMs) - 1]
    return average === undefined ? null : (rank * average) / Math.max(1, capacity)
  }

  /** Rank ÷ admissions, weighted by how recent they are. Null before the first admission. */
  byThroughput(rank: number, atMs: number): number | null {
    let perMs = 0
    for (const { seconds, weight } of WINDOWS) {
      const spanMs = Math.min(seconds * 1_000, Math.max(1_000, atMs - (this.#firstAtMs ?? atMs)))
      const count = countUntil(this.#admittedAtMs, atMs) - countUntil(this.#admittedAtMs, atMs - spanMs - 1)
      perMs += (weight * count) / spanMs
    }
    return perMs === 0 ? null : rank / perMs
  }
}

const WINDOWS = [
  { seconds: 10, weight: 0.4 },
  { seconds: 60, weight: 0.3 },
  { seconds: 300, weight: 0.2 },
  { seconds: 900, weight: 0.1 },
] as const

/** How many of the rising times are not later. */
function countUntil(times: readonly number[], atMs: number): number {
  let [low, high] = [0, times.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((times[middle] ?? 0) <= atMs) low = middle + 1
    else high = middle
  }
  return low
}
