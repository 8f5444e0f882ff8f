/** Tickets with a higher number are not counted one by one: it bounds the memory of one study. */
const NUMBERS_MAX = 4_000_000

/** One value for each ticket number; 0 where none was set. */
export class NumberColumn {
  #values = new Float64Array(1_024)

  get(number: number): number {
    return this.#values[number] ?? 0
  }

  set(number: number, value: number): void {
    if (number >= NUMBERS_MAX) return
    if (number >= this.#values.length) {
      const values = new Float64Array(Math.min(NUMBERS_MAX, Math.max(number + 1, this.#values.length * 2)))
      values.set(this.#values)
      this.#values = values
    }
    this.#values[number] = value
  }
}
