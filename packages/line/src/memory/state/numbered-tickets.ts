import type { Ticket } from './ticket.ts'

/** Tickets of one chunk; a power of two. */
const CHUNK_TICKETS = 1_024

/**
 * Live tickets by number, in chunks. Numbers are drawn one after the other, so drawing the next one touches the same memory
 * as the one before, however many tickets wait; in a Map of a million it would not. Empty chunks are dropped.
 */
export class NumberedTickets {
  readonly #chunks = new Map<number, { readonly tickets: (Ticket | undefined)[]; count: number }>()
  #size = 0

  get size(): number {
    return this.#size
  }

  get(number: number): Ticket | undefined {
    return this.#chunks.get(Math.floor(number / CHUNK_TICKETS))?.tickets[number % CHUNK_TICKETS]
  }

  has(number: number): boolean {
    return this.get(number) !== undefined
  }

  set(number: number, ticket: Ticket): void {
    const index = Math.floor(number / CHUNK_TICKETS)
    const chunk = this.#chunks.get(index) ?? this.#addChunk(index)
    if (chunk.tickets[number % CHUNK_TICKETS] === undefined) {
      chunk.count++
      this.#size++
    }
    chunk.tickets[number % CHUNK_TICKETS] = ticket
  }

  delete(number: number): void {
    const index = Math.floor(number / CHUNK_TICKETS)
    const chunk = this.#chunks.get(index)
    if (chunk?.tickets[number % CHUNK_TICKETS] === undefined) return
    chunk.tickets[number % CHUNK_TICKETS] = undefined
    chunk.count--
    this.#size--
    if (chunk.count === 0) this.#chunks.delete(index)
  }

  #addChunk(index: number): { readonly tickets: (Ticket | undefined)[]; count: number } {
    const chunk = { tickets: new Array<Ticket | undefined>(CHUNK_TICKETS).fill(undefined), count: 0 }
    this.#chunks.set(index, chunk)
    return chunk
  }
}
