import type { ReplayedTicket } from './room-replay.ts'

/** A binary heap: finds the first ticket in line in constant time, without sorting a million of them. */
export class TicketHeap {
  readonly #items: ReplayedTicket[] = []
  readonly #comesBefore: (a: ReplayedTicket, b: ReplayedTicket) => boolean

  constructor(comesBefore: (a: ReplayedTicket, b: ReplayedTicket) => boolean) {
    this.#comesBefore = comesBefore
  }

  peek(): ReplayedTicket | undefined {
    return this.#items[0]
  }

  push(ticket: ReplayedTicket): void {
    this.#items.push(ticket)
    let child = this.#items.length - 1
    while (child > 0) {
      const parent = (child - 1) >> 1
      if (!this.#swapIfBefore(child, parent)) return
      child = parent
    }
  }

  pop(): ReplayedTicket | undefined {
    const [first] = this.#items
    const last = this.#items.pop()
    if (last === undefined || last === first) return first
    this.#items[0] = last
    let parent = 0
    for (;;) {
      const child = this.#firstChild(parent)
      if (child >= this.#items.length || !this.#swapIfBefore(child, parent)) return first
      parent = child
    }
  }

  #firstChild(parent: number): number {
    const [left, right] = [this.#items[2 * parent + 1], this.#items[2 * parent + 2]]
    const rightIsFirst = left !== undefined && right !== undefined && this.#comesBefore(right, left)
    return 2 * parent + (rightIsFirst ? 2 : 1)
  }

  #swapIfBefore(a: number, b: number): boolean {
    const [first, second] = [this.#items[a], this.#items[b]]
    if (first === undefined || second === undefined || !this.#comesBefore(first, second)) return false
    this.#items[a] = second
    this.#items[b] = first
    return true
  }
}
