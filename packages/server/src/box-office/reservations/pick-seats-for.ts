import { type CodeTerms, opens } from '@seatwise/domain'
import type { SeatClaimWish } from '@seatwise/ledger'
import type { SeatMaps } from '../seat-map/open-seat-maps.ts'
import type { TypeWish } from '../seat-map/seat-map-copy.ts'

export type Picked =
  /** `isOffer`: the server chose the seats, and may choose others. */
  | { readonly wish: SeatClaimWish; readonly isOffer: boolean; readonly rubOut: () => void }
  | { readonly status: 'unknown_seat'; readonly seatIds: readonly string[] }
  | { readonly status: 'sold_out' }
  | { readonly status: 'not_enough'; readonly available: number }

/** Turns a wish for some seats of a type into a claim for the ledger: for numbered seats, the best free ones. Rule B8. */
export async function pickSeatsFor(
  seatMaps: SeatMaps,
  eventId: string,
  wish: TypeWish,
  { seed, own, code }: { seed: number; own: readonly string[]; code: CodeTerms | null },
): Promise<Picked> {
  const { seatTypeId, quantity } = wish
  const copy = await seatMaps.read(eventId)
  const isNumbered = copy?.isNumbered(seatTypeId)
  if (copy === null || isNumbered === undefined) return { status: 'unknown_seat', seatIds: [] }
  const isOpen = !copy.isHidden(seatTypeId) || (code !== null && opens(code, seatTypeId))
  if (!isOpen) return { status: 'unknown_seat', seatIds: [] }
  if (!isNumbered) return { wish: { seatTypeId, quantity }, isOffer: false, rubOut: nothing }
  const picked = copy.pick(wish, seed, own)
  if (picked !== null) return { wish: { seatIds: picked.seatIds }, isOffer: true, rubOut: picked.rubOut }
  const { available, held } = copy.counts
  return available + held === 0 ? { status: 'sold_out' } : { status: 'not_enough', available: copy.freeFor(wish) }
}

function nothing(): void {}
