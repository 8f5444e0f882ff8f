/** A set of whole numbers up to a bound, one bit each. */
export class NumberSet {
  readonly #max: number
  #bits = new Uint8Array(128)

  constructor(max: number) {
    this.#max = max
  }

  has(number: number): boolean {
    return (((this.#bits[number >>> 3] ?? 0) >>> (number & 7)) & 1) === 1
  }

  /** Numbers beyond the bound are not added. */
  add(number: number): void {
    if (number > this.#max) return
    const index = number >>> 3
    if (index >= this.#bits.length) this.#grow(index)
    this.#bits[index] = (this.#bits[index] ?? 0) | (1 << (number & 7))
  }

  delete(number: number): void {
    const index = number >>> 3
    if (index < this.#bits.length) this.#bits[index] = (this.#bits[index] ?? 0) & ~(1 << (number & 7))
  }

  #grow(index: number): void {
    const larger = new Uint8Array(Math.max(index + 1, this.#bits.length * 2))
    larger.set(this.#bits)
    this.#bits = larger
  }
}
