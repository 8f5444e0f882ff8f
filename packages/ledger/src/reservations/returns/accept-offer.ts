import { faults } from '@seatwise/domain'
import { loadStatement, type Primary } from '../../engine/index.ts'
import { ownerOf } from '../../operations/index.ts'
import { type OpenSeatMap, openDesk, readKeptSeats, setSeats, type WithMap, withSeatMap } from '../../seat-map/index.ts'
import { type ReservationRow, readReservation } from '../read-reservations.ts'
import { type Offer, readOffer } from './read-offer.ts'
import { readTerms } from './terms.ts'

const COUNT_OWNED = loadStatement(import.meta.url, 'count-owned-seats.sql')
const TAKE_OFFER = loadStatement(import.meta.url, 'take-offer.sql')

export interface AcceptOffer {
  readonly offerId: string
  /** The account or guest who accepts; null for the guest that the offer itself made. */
  readonly actorId: string | null
}

export type AcceptOfferOutcome =
  | {
      /** `repeated`: the same buyer accepted it before. */
      readonly status: 'accepted' | 'repeated'
      readonly reservation: ReservationRow
    }
  | { readonly status: 'unknown' }
  /** It ran out, or another buyer accepted it. */
  | { readonly status: 'over' }
  /** `left` is how many seats the buyer may still have. */
  | { readonly status: 'limit_reached'; readonly left: number }

/**
 * Makes the hold of an offer the reservation of the buyer who accepts it, with the usual time to pay if less of the offer's
 * is left.
 */
export async function acceptOffer(
  ledger: Primary,
  { offerId, actorId }: AcceptOffer,
): Promise<AcceptOfferOutcome | WithMap<AcceptOfferOutcome>> {
  const found = await readOffer(ledger.db, offerId)
  if (found === null) return { status: 'unknown' }
  const owners = [actorId ?? offerId]
  const outcome = await withSeatMap<AcceptOfferOutcome>(
    ledger,
    found.eventId,
    async (map) => {
      const offer = (await readOffer(map.transaction.db, offerId)) ?? found
      const buyerId = await ownerOf(map.transaction, actorId ?? offerId)
      return await acceptInside(map, offer, buyerId)
    },
    { owners },
  )
  if (faults.on) await faults.reach('returns.after-accept')
  return outcome ?? { status: 'unknown' }
}

async function acceptInside(map: OpenSeatMap, offer: Offer, buyerId: string) {
  const { transaction, at, eventId } = map
  const moves = [] as const
  const reservation = await readReservation(transaction.db, offer.reservationId)
  if (reservation === null) return { result: { status: 'unknown' } as const, moves }
  if (offer.acceptedBy !== null) {
    const isSame = offer.acceptedBy === buyerId && reservation.buyerId === buyerId
    return { result: isSame ? ({ status: 'repeated', reservation } as const) : OVER, moves }
  }
  if (reservation.status !== 'PENDING_PAYMENT' || reservation.expiresAt <= at) return { result: OVER, moves }
  const terms = await readTerms(transaction, eventId)
  const [owned] = await transaction.run<{ seats: number }>(COUNT_OWNED, [eventId, buyerId, at, reservation.id])
  const left = (terms?.seatsPerBuyerMax ?? Number.MAX_SAFE_INTEGER) - (owned?.seats ?? 0)
  if (reservation.items.length > left) {
    return { result: { status: 'limit_reached', left: Math.max(0, left) } as const, moves }
  }
  const usual = at.getTime() + (terms?.reservationSeconds ?? 0) * 1_000
  const until = new Date(Math.max(reservation.expiresAt.getTime(), usual))
  await transaction.run(TAKE_OFFER, [offer.id, buyerId, until, at])
  const desk = openDesk(await readKeptSeats(transaction, [reservation.id]), map.counts)
  desk.hold(desk.seatsOf(reservation.id), { reservationId: reservation.id, until })
  await setSeats(map, desk)
  if (faults.on) await faults.reach('returns.inside-accept')
  const accepted = { ...reservation, buyerId, expiresAt: until, updatedAt: at }
  return { result: { status: 'accepted', reservation: accepted } as const, moves: desk.moves() }
}

const OVER = { status: 'over' } as const
