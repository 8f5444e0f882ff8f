/** Keeps the last few values by key, and drops the oldest. */
export class RecentMap<Value> {
  readonly #values = new Map<string, Value>()
  readonly #max: number

  constructor(max: number) {
    this.#max = max
  }

  get(key: string): Value | undefined {
    return this.#values.get(key)
  }

  set(key: string, value: Value): void {
    this.#values.set(key, value)
    if (this.#values.size <= this.#max) return
    const oldest = this.#values.keys().next()
    if (oldest.done !== true) this.#values.delete(oldest.value)
  }
}
