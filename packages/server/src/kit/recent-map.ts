/**
 * A map that holds the most recently used entries, at least half of `sizeMax` and never more than `sizeMax`.
 *
 * It has two generations: when the young one is full it becomes the old one, and the previous old one is dropped.
 * Reading an entry of the old generation moves it to the young one. Here that is as good as strict LRU order, for one
 * look-up.
 */
export class RecentMap<Key, Value> {
  readonly #generationMax: number
  #young = new Map<Key, Value>()
  #old = new Map<Key, Value>()

  constructor(sizeMax: number) {
    if (sizeMax < 2) throw new RangeError(`sizeMax must be at least 2, not ${sizeMax}`)
    this.#generationMax = Math.floor(sizeMax / 2)
  }

  get size(): number {
    return this.#young.size + this.#old.size
  }

  *values(): IterableIterator<Value> {
    yield* this.#young.values()
    yield* this.#old.values()
  }

  get(key: Key): Value | undefined {
    const young = this.#young.get(key)
    if (young !== undefined) return young
    const old = this.#old.get(key)
    if (old !== undefined) this.set(key, old)
    return old
  }

  set(key: Key, value: Value): void {
    this.#old.delete(key)
    if (this.#young.size >= this.#generationMax && !this.#young.has(key)) {
      this.#old = this.#young
      this.#young = new Map()
    }
    this.#young.set(key, value)
  }

  delete(key: Key): void {
    this.#young.delete(key)
    this.#old.delete(key)
  }

  clear(): void {
    this.#young.clear()
    this.#old.clear()
  }
}
