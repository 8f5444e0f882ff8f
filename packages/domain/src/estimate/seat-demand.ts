/** How many seats a visitor on the floor takes. */
export interface Demand {
  /** Seats that a visitor keeps others from: the seats reserved, or the one promised before that. */
  readonly claimed: number
  /** Seats that a visitor has bought when leaving; 0 for one who leaves without. */
  readonly kept: number
  /** The variance of `kept` between visitors. */
  readonly variance: number
  /** How many leavers this is measured from, with those that are assumed. */
  readonly leavers: number
}

/** Before there is data: each visitor takes the one seat that is promised. The assumption counts as much as this many leavers. */
const ASSUMED = { leavers: 5, claimed: 1, kept: 1, squares: 1.5 } as const
/** So many leavers are remembered: the last visitors of a sale may want less than the first. */
const REMEMBERED = 1_000

export class SeatDemand {
  #leavers = 0
  #claimed = 0
  #kept = 0
  #squares = 0

  /** Visitors left the floor: the seats they claimed and the seats they kept, added up over all of them. */
  left(count: number, claimed: number, kept: number, squares: number): void {
    if (count <= 0) return
    const remembered = Math.min(1, Math.max(0, REMEMBERED - count) / Math.max(1, this.#leavers))
    this.#leavers = this.#leavers * remembered + count
    this.#claimed = this.#claimed * remembered + claimed
    this.#kept = this.#kept * remembered + kept
    this.#squares = this.#squares * remembered + squares
  }

  /**
   * `floor`: visitors on the floor now, and the seats they claim. While few have left, these count as well: the first leavers
   * are those who buy nothing, because paying takes time.
   */
  read(floor: { readonly count: number; readonly claimed: number }): Demand {
    const share = Math.max(0, 1 - this.#leavers / Math.max(1, floor.count * LEAVERS_A_SLOT))
    const assumed = ASSUMED.leavers + floor.count * share
    const leavers = this.#leavers + assumed
    const claimedNow = floor.claimed * share
    const kept = (this.#kept + ASSUMED.leavers * ASSUMED.kept + claimedNow) / leavers
    const claimed = (this.#claimed + ASSUMED.leavers * ASSUMED.claimed + claimedNow) / leavers
    const squares = (this.#squares + assumed * ASSUMED.squares) / leavers
    const variance = Math.max(0, squares - kept ** 2)
    return {
      claimed: Math.max(claimed, kept),
      kept: Math.max(KEPT_MIN, kept),
      variance,
      leavers: leavers - floor.count * share,
    }
  }
}

/** When this many visitors have left for each slot of the floor, what those on it claim tells nothing more. */
const LEAVERS_A_SLOT = 3
/** Some visitor always buys something, or seats would last for ever. */
const KEPT_MIN = 0.05
