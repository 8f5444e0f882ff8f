import type { SeatCounts, SettledClaim, Settlement } from '../../src/index.ts'

/** The ledger as far as the gate must know it: counts, who has how many seats, and a version for every change. */
export class TestLedger {
  readonly #seatsOf = new Map<number, number>()
  #version: number
  available: number
  #until: number

  constructor(counts: SeatCounts, until: number) {
    this.available = counts.stock
    this.#version = counts.version
    this.#until = until
  }

  seatsOf(number: number): number {
    return this.#seatsOf.get(number) ?? 0
  }

  /** Replaces what a ticket has. Null when there are not so many seats: then the gate has let through too much. */
  claim(number: number, quantity: number, operation: string): Settlement | null {
    const more = quantity - this.seatsOf(number)
    if (more > this.available) return null
    this.available -= more
    this.#seatsOf.set(number, quantity)
    return this.#settlement({ operation, number, reserved: { until: this.#until, quantity } })
  }

  /** Sells seats to a buyer without a ticket, at once. Null as above. */
  sellOutside(number: number, quantity: number, operation: string): Settlement | null {
    if (quantity > this.available) return null
    this.available -= quantity
    return this.#settlement({ operation, number })
  }

  /** A reservation ends, and its seats return. */
  release(number: number, operation: string): Settlement {
    this.available += this.seatsOf(number)
    this.#seatsOf.delete(number)
    return this.#settlement({ operation, number, reserved: null })
  }

  /** A reservation is paid: its seats are gone for good. */
  sell(number: number, operation: string): Settlement {
    this.#seatsOf.delete(number)
    return this.#settlement({ operation, number, reserved: null })
  }

  /** The counts alone, as a server that follows the ledger reads them. */
  news(): Settlement {
    const heldSeats = [...this.#seatsOf.values()].reduce((sum, seats) => sum + seats, 0)
    return { version: this.#version, stock: this.available, heldSeats, results: [] }
  }

  #settlement(result: SettledClaim): Settlement {
    this.#version++
    return { ...this.news(), results: [result] }
  }
}
