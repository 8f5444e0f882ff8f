import { findRuns, type House, type HouseRow, maySit, type RowRuns } from '@seatwise/domain'

/** How a seat map's copy stands with a seat. */
export interface SeatStates {
  isAvailable(index: number): boolean
  /** Picked for a claim on its way to the ledger. */
  isPencilled(index: number): boolean
}

/**
 * The free stretches of every row of a house, found again only for rows in which something changed. Looking at every seat
 * for every visitor who asks for the best ones cost 15 to 40 ms of the event loop in a house of 98,000 seats.
 */
export class FreeRuns {
  readonly #house: House
  readonly #states: SeatStates
  /** By the place of the row; undefined where it has to be found again. For those who want accessible seats, and others. */
  readonly #known: readonly [others: (RowRuns | undefined)[], accessible: (RowRuns | undefined)[]] = [[], []]

  constructor(house: House, states: SeatStates) {
    this.#house = house
    this.#states = states
  }

  /** A seat of this row is another one now. */
  touch(place: number): void {
    for (const known of this.#known) known[place] = undefined
  }

  /** Of seats that are neither taken nor pencilled. */
  at(row: HouseRow, place: number, wantsAccessible: boolean): RowRuns {
    const known = this.#known[wantsAccessible ? 1 : 0]
    const isFree = (index: number) => this.#states.isAvailable(index) && !this.#states.isPencilled(index)
    const runs = known[place] ?? findRuns(row, place, maySit(this.#house, isFree, wantsAccessible))
    known[place] = runs
    return runs
  }
}
