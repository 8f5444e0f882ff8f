import { parseReservation, type Reservation, type ReservationItem } from '@seatwise/domain'
import { type OpenSeatMap, openDesk, type SeatDesk, type SeatState } from '../../seat-map/index.ts'
import type { Claim, ClaimReply } from './claim.ts'
import { newReservation } from './new-reservation.ts'
import type { ClaimFact, ClaimFacts, SeatTypeFact } from './read-facts.ts'

/** A claim that succeeded, to be written. */
export interface Placed {
  readonly claim: Claim
  readonly reservation: Reservation
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
export function decideClaims(map: OpenSeatMap, claims: readonly Claim[], facts: ClaimFacts): Decision {
  const round = new Round(map, facts)
  const replies = claims.map((claim, index) => {
    const fact = facts.claims[index]
    if (fact === undefined) throw new Error('The ledger answers about every claim')
    return round.decide(claim, fact)
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
  /** What earlier claims of this batch changed about later ones: by ticket, buyer and operation. */
  readonly #fences = new Map<string, number>()
  readonly #pending = new Map<string, string>()
  readonly #owned = new Map<string, number>()
  readonly #operations = new Map<string, Placed>()

  constructor(map: OpenSeatMap, facts: ClaimFacts) {
    this.#map = map
    this.#seatTypes = new Map(facts.seatTypes.map((type) => [type.id, type]))
    this.#overdue = new Set(facts.overdue)
    this.desk = openDesk(facts.seats, map.counts)
    for (const id of facts.overdue) this.desk.release(id)
  }

  decide(claim: Claim, fact: ClaimFact): ClaimReply {
    const repeated = this.#findRepeated(claim, fact)
    if (repeated !== null) return repeated

    const ticket = `${claim.roomId}:${claim.ticketNumber}`
    const fence = Math.max(fact.fence ?? 0, this.#fences.get(ticket) ?? 0)
    if (fact.hasPaid || claim.fence < fence) return { status: 'stale_pass' }
    this.#fences.set(ticket, claim.fence)

    const previousId = this.#pending.get(ticket) ?? this.#livePending(fact)
    // No payment can have begun for a reservation that this batch placed.
    if (previousId !== null && previousId === fact.pendingId && fact.isPaying) {
      return { status: 'paying', reservationId: previousId }
    }
    const previousSeats = previousId === null ? 0 : this.desk.seatsOf(previousId).length
    const owned = (this.#owned.get(claim.buyerId) ?? fact.seatsOwned) - previousSeats
    const quantity = 'seatIds' in claim.wish ? new Set(claim.wish.seatIds).size : claim.wish.quantity
    if (owned + quantity > claim.seatsPerBuyerMax) {
      return { status: 'limit_reached', left: Math.max(0, claim.seatsPerBuyerMax - owned) }
    }
    const seats = this.#chooseSeats(claim, previousId)
    if (!Array.isArray(seats)) return seats

    if (previousId !== null) this.#replace(previousId)
    this.#owned.set(claim.buyerId, owned + quantity)
    this.#pending.set(ticket, claim.reservationId)
    const reservation = this.#place(claim, seats)
    const { id, items, expiresAt: until } = reservation
    return { status: 'held', id, reservation, quantity: items.length, until, shown: null, replaced: previousId }
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
  #chooseSeats(claim: Claim, previousId: string | null): SeatState[] | ClaimReply {
    const chosen =
      'seatIds' in claim.wish
        ? this.#chooseById([...new Set(claim.wish.seatIds)], previousId)
        : this.#chooseAny(claim.wish, previousId)
    if (Array.isArray(chosen) || chosen.status === 'unknown_seat') return chosen
    const { available, held } = this.desk.counts
    return available + held === 0 ? { status: 'sold_out' } : chosen
  }

  #chooseById(seatIds: readonly string[], previousId: string | null): SeatState[] | ClaimReply {
    const unknown = seatIds.filter((id) => this.desk.find(id) === undefined)
    if (unknown.length > 0) return { status: 'unknown_seat', seatIds: unknown }
    const seats = seatIds.flatMap((id) => this.desk.find(id) ?? [])
    const taken = seats.filter((seat) => seat.status !== 'available' && !isHeldBy(seat, previousId))
    return taken.length > 0 ? { status: 'taken', seatIds: taken.map(({ id }) => id) } : seats
  }

  #chooseAny(wish: { seatTypeId: string; quantity: number }, previousId: string | null): SeatState[] | ClaimReply {
    const type = this.#seatTypes.get(wish.seatTypeId)
    if (type === undefined || type.isNumbered) return { status: 'unknown_seat', seatIds: [] }
    const own = previousId === null ? [] : this.desk.seatsOf(previousId)
    const kept = own.filter(({ seatTypeId }) => seatTypeId === type.id).slice(0, wish.quantity)
    const free = this.desk.firstFree(type.id, wish.quantity - kept.length)
    const available = kept.length + free.length
    // Everything that is free was read if it is less than wanted, so this is not a guess.
    return available < wish.quantity ? { status: 'not_enough', available } : [...kept, ...free]
  }

  #replace(previousId: string): void {
    const placed = this.placed.get(previousId)
    if (placed === undefined) this.canceled.push(previousId)
    else placed.isReplaced = true
    this.desk.release(previousId)
  }

  #place(claim: Claim, seats: readonly SeatState[]): Reservation {
    const { at, eventId } = this.#map
    // In the order of the plan, as they are read again later.
    const inOrder = seats.toSorted((one, other) => one.ordinal - other.ordinal)
    const items = inOrder.map((seat) => this.#toItem(seat))
    const amount = items.reduce((sum, { price }) => sum + price, 0)
    // All types of an event have its currency: a foreign key sees to that.
    const { currency } = this.#typeOf(items[0]?.seatTypeId)
    const reservation = newReservation({ claim, eventId, at, items, amount, currency })
    this.desk.hold(seats, { reservationId: reservation.id, until: reservation.expiresAt })
    const placed = { claim, reservation, isReplaced: false }
    this.placed.set(reservation.id, placed)
    this.#operations.set(operationName(claim.operation), placed)
    return reservation
  }

  #toItem({ id, seatTypeId, row, number }: SeatState): ReservationItem {
    return { seatId: id, seatTypeId, row, number, price: this.#typeOf(seatTypeId).price }
  }

  #typeOf(seatTypeId: string | undefined): SeatTypeFact {
    const type = this.#seatTypes.get(seatTypeId ?? '')
    if (type === undefined) throw new Error(`The event has a seat of type ${seatTypeId}, which it does not have`)
    return type
  }
}

const operationName = ({ actorId, key }: Claim['operation']): string => `${actorId} ${key}`

const isHeldBy = (seat: SeatState, reservationId: string | null): boolean =>
  seat.status === 'held' && reservationId !== null && seat.reservationId === reservationId
