import { discountOf, isFor, opens, parseReservation, type Reservation, type SeatShare } from '@seatwise/domain'
import { type OpenSeatMap, openDesk, type SeatDesk, type SeatState } from '../../seat-map/index.ts'
import type { Claim, ClaimReply } from './claim.ts'
import type { CodeFact, CodeFacts } from './code-facts.ts'
import { CodeRound } from './code-round.ts'
import { type PricedSeats, priceSeats } from './price-seats.ts'
import type { ClaimFact, ClaimFacts, SeatTypeFact } from './read-facts.ts'

/** A claim that succeeded, to be written. */
export interface Placed {
  readonly claim: Claim
  readonly reservation: Reservation
  /** One for each item, in their order. */
  readonly shares: readonly SeatShare[]
  readonly codeId: string | null
  /** Already replaced by a later claim of the same batch: it is written as what it became. */
  isReplaced: boolean
}

export interface Decision {
  readonly replies: readonly ClaimReply[]
  readonly placed: readonly Placed[]
  /** Reservations of the ledger that were replaced. */
  readonly canceled: readonly string[]
  readonly desk: SeatDesk
}

/** Decides claims one after the other, the earlier first, from what was read under the lock. Touches nothing. */
export function decideClaims(
  map: OpenSeatMap,
  claims: readonly Claim[],
  facts: ClaimFacts,
  codes: CodeFacts,
): Decision {
  const round = new Round(map, facts, codes)
  const replies = claims.map((claim, index) => {
    const fact = facts.claims[index]
    if (fact === undefined) throw new Error('The ledger answers about every claim')
    return round.decide(claim, fact, index)
  })
  return { replies, placed: [...round.placed.values()], canceled: round.canceled, desk: round.desk }
}

class Round {
  readonly placed = new Map<string, Placed>()
  readonly canceled: string[] = []
  readonly desk: SeatDesk
  readonly #map: OpenSeatMap
  readonly #seatTypes: ReadonlyMap<string, SeatTypeFact>
  readonly #overdue: ReadonlySet<string>
  readonly #isCancelled: boolean
  /** What earlier claims of this batch changed about later ones: by ticket, buyer and operation. */
  readonly #fences = new Map<string, number>()
  readonly #pending = new Map<string, string>()
  readonly #owned = new Map<string, number>()
  readonly #operations = new Map<string, Placed>()
  readonly #codes: CodeRound
  readonly #isPresale: boolean

  constructor(map: OpenSeatMap, facts: ClaimFacts, codes: CodeFacts) {
    this.#map = map
    this.#seatTypes = new Map(facts.seatTypes.map((type) => [type.id, type]))
    this.#overdue = new Set(facts.overdue)
    this.#codes = new CodeRound(codes)
    this.#isPresale = facts.seatTypes[0]?.isPresale === true
    this.#isCancelled = facts.seatTypes.some(({ isCancelled }) => isCancelled)
    this.desk = openDesk(facts.seats, map.counts)
    for (const id of facts.overdue) this.desk.release(id)
  }

  decide(claim: Claim, fact: ClaimFact, place: number): ClaimReply {
    const repeated = this.#findRepeated(claim, fact)
    if (repeated !== null) return repeated
    if (this.#isCancelled) return { status: 'cancelled' }

    const { fence } = claim
    const ticket = fence === null ? claim.reservationId : `${claim.roomId}:${claim.ticketNumber}`
    const isOutdated = fact.isOutdated || (fence ?? 0) < (this.#fences.get(ticket) ?? 0)
    if (fact.hasPaid || isOutdated) return { status: 'stale_pass' }
    this.#fences.set(ticket, fence ?? 0)

    const previousId = this.#pending.get(ticket) ?? this.#livePending(fact)
    // No payment can have begun for a reservation that this batch placed.
    if (previousId !== null && previousId === fact.pendingId && fact.isPaying) {
      return { status: 'paying', reservationId: previousId }
    }
    if (previousId !== null && this.#isOfAnother(claim, fact, previousId)) return { status: 'group_reserved' }
    const code = this.#codes.judge(claim, place, previousId)
    if (code !== null && 'status' in code) return code
    // Sellers at the door, whose claims have no ticket, sell before the line opens, too.
    const needsAccess = this.#isPresale && fence !== null && claim.isByServer !== true
    if (needsAccess && code?.access !== true) return { status: 'not_started' }
    const previousSeats = previousId === null ? 0 : this.desk.seatsOf(previousId).length
    const owned = (this.#owned.get(claim.buyerId) ?? fact.seatsOwned) - previousSeats
    const quantity = 'seatIds' in claim.wish ? new Set(claim.wish.seatIds).size : claim.wish.quantity
    const seatsMax = claim.seatsPerBuyerMax * (fact.people ?? 1)
    if (owned + quantity > seatsMax) return { status: 'limit_reached', left: Math.max(0, seatsMax - owned) }
    const seats = this.#chooseSeats(claim, previousId, code)
    if (!Array.isArray(seats)) return seats
    const types = seats.map(({ seatTypeId }) => seatTypeId)
    if (code !== null && !isFor(code, types)) return { status: 'code_not_applicable' }
    const discount = code === null ? null : discountOf(code.code, code)
    const { variants, isFree = false } = claim
    const priced = priceSeats(this.#seatTypes, seats, { variants, discount, isFree })
    if (priced.status !== 'chosen') return priced

    this.#codes.count(claim, place, code, previousId)
    if (previousId !== null) this.#replace(previousId)
    this.#owned.set(claim.buyerId, owned + quantity)
    this.#pending.set(ticket, claim.reservationId)
    const reservation = this.#place(claim, priced, code?.id ?? null)
    return { status: 'held', reservation, replaced: previousId }
  }

  /** Visitors who stand together have one reservation at a time: only the one who made it replaces it. Rule B290. */
  #isOfAnother({ buyerId }: Claim, { people, pendingBuyerId }: ClaimFact, previousId: string): boolean {
    if (people === null) return false
    return (this.placed.get(previousId)?.claim.buyerId ?? pendingBuyerId) !== buyerId
  }

  #findRepeated({ operation }: Claim, fact: ClaimFact): ClaimReply | null {
    const earlier = this.#operations.get(operationName(operation))
    const fingerprint = fact.fingerprint ?? earlier?.claim.operation.fingerprint
    if (fingerprint === undefined) return null
    if (fingerprint !== operation.fingerprint) return { status: 'key_reused' }
    return { status: 'repeated', reservation: earlier?.reservation ?? parseReservation(JSON.stringify(fact.answer)) }
  }

  #livePending({ pendingId }: ClaimFact): string | null {
    if (pendingId === null || this.#overdue.has(pendingId)) return null
    return pendingId
  }

  /** The seats the claim gets, or why it gets none. Seats of the reservation it replaces count as free. */
  #chooseSeats(claim: Claim, previousId: string | null, code: CodeFact | null): SeatState[] | ClaimReply {
    const chosen =
      'seatIds' in claim.wish
        ? this.#chooseById([...new Set(claim.wish.seatIds)], previousId, code)
        : this.#chooseAny(claim.wish, previousId, code)
    if (Array.isArray(chosen) || chosen.status === 'unknown_seat') return chosen
    const { available, held } = this.desk.counts
    return available + held === 0 ? { status: 'sold_out' } : chosen
  }

  #chooseById(seatIds: readonly string[], previousId: string | null, code: CodeFact | null): SeatState[] | ClaimReply {
    const unknown = seatIds.filter((id) => !this.#isOffered(this.desk.find(id)?.seatTypeId, code))
    if (unknown.length > 0) return { status: 'unknown_seat', seatIds: unknown }
    const seats = seatIds.flatMap((id) => this.desk.find(id) ?? [])
    const taken = seats.filter((seat) => seat.status !== 'available' && !isHeldBy(seat, previousId))
    return taken.length > 0 ? { status: 'taken', seatIds: taken.map(({ id }) => id) } : seats
  }

  #chooseAny(
    wish: { seatTypeId: string; quantity: number },
    previousId: string | null,
    code: CodeFact | null,
  ): SeatState[] | ClaimReply {
    const type = this.#seatTypes.get(wish.seatTypeId)
    if (type === undefined || type.isNumbered || !this.#isOffered(type.id, code))
      return { status: 'unknown_seat', seatIds: [] }
    const own = previousId === null ? [] : this.desk.seatsOf(previousId)
    const kept = own.filter(({ seatTypeId }) => seatTypeId === type.id).slice(0, wish.quantity)
    const free = this.desk.firstFree(type.id, wish.quantity - kept.length)
    const available = kept.length + free.length
    // Everything that is free was read if it is less than wanted, so this is not a guess.
    return available < wish.quantity ? { status: 'not_enough', available } : [...kept, ...free]
  }

  /** Without a code that opens it, a hidden type is one that the event does not have. */
  #isOffered(seatTypeId: string | undefined, code: CodeFact | null): boolean {
    const type = seatTypeId === undefined ? undefined : this.#seatTypes.get(seatTypeId)
    if (type === undefined) return false
    return !type.isHidden || (code !== null && opens(code, type.id))
  }

  #replace(previousId: string): void {
    const placed = this.placed.get(previousId)
    if (placed === undefined) this.canceled.push(previousId)
    else placed.isReplaced = true
    this.desk.release(previousId)
  }

  #place(claim: Claim, { seats, order, currency }: PricedSeats, codeId: string | null): Reservation {
    const { at, eventId } = this.#map
    const { reservationId: id, buyerId, holdSeconds } = claim
    const { lines, tax, amount, shares } = order
    const items = seats.map(({ seat, price, variantId }, index) => ({
      ...{ seatId: seat.id, seatTypeId: seat.seatTypeId, row: seat.row, number: seat.number, price, variantId },
      paid: shares[index]?.paid ?? price,
    }))
    const expiresAt = new Date(at.getTime() + holdSeconds * 1_000)
    const reservation: Reservation = {
      ...{ id, eventId, buyerId, status: 'PENDING_PAYMENT', items, lines, tax, amount, currency },
      ...{ expiresAt, paidAt: null, createdAt: at, updatedAt: at },
    }
    this.desk.hold(
      seats.map(({ seat }) => seat),
      { reservationId: reservation.id, until: reservation.expiresAt },
    )
    const placed = { claim, reservation, shares, codeId, isReplaced: false }
    this.placed.set(reservation.id, placed)
    this.#operations.set(operationName(claim.operation), placed)
    return reservation
  }
}

const operationName = ({ actorId, key }: Claim['operation']): string => `${actorId} ${key}`

const isHeldBy = (seat: SeatState, reservationId: string | null): boolean =>
  seat.status === 'held' && reservationId !== null && seat.reservationId === reservationId
