const SWEEP_MIN = 1_000

/** A map that holds at most `sizeMax` entries; the one that was written first makes room. */
export class RecentMap<Key, Value> {
  readonly #entries = new Map<Key, Value>()
  readonly #sizeMax: number
  #sweepAt = SWEEP_MIN

  constructor(sizeMax: number) {
    this.#sizeMax = sizeMax
  }

  get size(): number {
    return this.#entries.size
  }

  get(key: Key): Value | undefined {
    return this.#entries.get(key)
  }

  set(key: Key, value: Value): void {
    this.#entries.delete(key)
    this.#entries.set(key, value)
    if (this.#entries.size <= this.#sizeMax) return
    for (const oldest of this.#entries.keys()) {
      this.#entries.delete(oldest)
      return
    }
  }

  /** Forgets what is not worth keeping; looks at everything only when the map has doubled since. */
  sweep(isOver: (value: Value) => boolean): void {
    if (this.#entries.size < this.#sweepAt) return
    for (const [key, value] of this.#entries) {
      if (isOver(value)) this.#entries.delete(key)
    }
    this.#sweepAt = Math.max(SWEEP_MIN, this.#entries.size * 2)
  }
}
