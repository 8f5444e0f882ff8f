/** A Fenwick tree: counts by index, with prefix sums in logarithmic time. */
export class Fenwick {
  readonly #sums: Int32Array

  constructor(size: number) {
    this.#sums = new Int32Array(size + 1)
  }

  add(index: number, by: number): void {
    for (let at = index + 1; at < this.#sums.length; at += at & -at) this.#sums[at] = (this.#sums[at] ?? 0) + by
  }

  sumBefore(index: number): number {
    let sum = 0
    for (let at = index; at > 0; at -= at & -at) sum += this.#sums[at] ?? 0
    return sum
  }
}
