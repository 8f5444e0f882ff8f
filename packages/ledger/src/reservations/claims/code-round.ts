import type { Claim, ClaimRefusal } from './claim.ts'
import type { CodeFact, CodeFacts } from './code-facts.ts'

/** Counts the uses of codes while the claims of one batch are decided, the earlier first. Rules B112 to B114. */
export class CodeRound {
  readonly #facts: CodeFacts
  /** By id of the code, and by buyer and code: what earlier claims of this batch have changed. */
  readonly #used = new Map<string, number>()
  readonly #usedBy = new Map<string, number>()
  /** By reservation of this batch: its code, if it has one. */
  readonly #placed = new Map<string, string | null>()

  constructor(facts: CodeFacts) {
    this.#facts = facts
  }

  /**
   * The code that a claim is made with, null without one, or why it cannot be used. A reservation that is replaced
   * gives its use back first.
   */
  judge(claim: Claim, place: number, previousId: string | null): CodeFact | null | ClaimRefusal {
    if (claim.code === undefined) return null
    const code = this.#facts.codes.get(claim.code)
    if (code === undefined || !code.isValid) return { status: 'unknown_code' }
    const returned = this.#codeOf(previousId, place) === code.id ? 1 : 0
    const used = this.#used.get(code.id) ?? 0
    const usedBy = (this.#facts.claims[place]?.uses ?? 0) + (this.#usedBy.get(`${claim.buyerId} ${code.id}`) ?? 0)
    const isUsedUp = code.usesLeft !== null && used - returned >= code.usesLeft
    const isUsedUpByBuyer = code.perBuyerMax !== null && usedBy - returned >= code.perBuyerMax
    return isUsedUp || isUsedUpByBuyer ? { status: 'code_used_up' } : code
  }

  /** A claim was granted: its use counts from now on, and that of the reservation it replaced no longer does. */
  count(claim: Claim, place: number, code: CodeFact | null, previousId: string | null): void {
    const returned = this.#codeOf(previousId, place)
    if (returned !== null) this.#add(claim.buyerId, returned, -1)
    if (code !== null) this.#add(claim.buyerId, code.id, 1)
    this.#placed.set(claim.reservationId, code?.id ?? null)
  }

  #codeOf(reservationId: string | null, place: number): string | null {
    if (reservationId === null) return null
    const placed = this.#placed.get(reservationId)
    return placed === undefined ? (this.#facts.claims[place]?.pendingCodeId ?? null) : placed
  }

  #add(buyerId: string, codeId: string, uses: number): void {
    const own = `${buyerId} ${codeId}`
    this.#used.set(codeId, (this.#used.get(codeId) ?? 0) + uses)
    this.#usedBy.set(own, (this.#usedBy.get(own) ?? 0) + uses)
  }
}
