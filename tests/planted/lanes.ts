import { TreeCopy } from './tree-copy.ts'

/** A few copies of the tree. A run that needs one waits until it is free. */
export class Lanes {
  readonly #copies: readonly TreeCopy[]
  readonly #free: TreeCopy[]
  readonly #waiting: ((copy: TreeCopy) => void)[] = []

  static async open(count: number): Promise<Lanes> {
    return new Lanes(await Promise.all(Array.from({ length: count }, () => TreeCopy.make())))
  }

  constructor(copies: readonly TreeCopy[]) {
    this.#copies = copies
    this.#free = [...copies]
  }

  async use<Result>(work: (copy: TreeCopy) => Promise<Result>): Promise<Result> {
    const copy = this.#free.pop() ?? (await this.#nextFree())
    try {
      return await work(copy)
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#free.push(copy)
      else next(copy)
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#copies.map((copy) => copy.remove()))
  }

  #nextFree(): Promise<TreeCopy> {
    return new Promise((resolve) => this.#waiting.push(resolve))
  }
}
