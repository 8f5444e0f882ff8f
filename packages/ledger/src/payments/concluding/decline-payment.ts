import type { Primary } from '../../engine/index.ts'
import { tell } from '../../outbox/index.ts'
import {
  answersToForget,
  cancelInside,
  isBeyondLimit,
  type ReservationRow,
  readReservation,
} from '../../reservations/index.ts'
import { type OpenSeatMap, type SeatMove, type WithMap, withSeatMap } from '../../seat-map/index.ts'
import {
  type Alongside,
  answerOperation,
  changePurchase,
  freeKey,
  newsOfPurchase,
  type Purchase,
  readPurchase,
} from '../purchase.ts'

export interface DeclinePayment {
  readonly purchaseId: string
  readonly reason: string
  readonly providerRef?: string | null
  readonly alongside?: Alongside<DeclineOutcome>
}

export type DeclineOutcome =
  | {
      /** `repeated`: it was decided before; the purchase tells how. */
      readonly status: 'declined' | 'stuck' | 'repeated'
      readonly purchase: Purchase
      readonly reservation: ReservationRow
    }
  | { readonly status: 'unknown' }

/** The provider has not taken the money. The hold stays until its deadline, so that another card can be tried. */
export const declinePayment = (
  ledger: Primary,
  options: DeclinePayment,
): Promise<DeclineOutcome | WithMap<DeclineOutcome>> => end(ledger, options, 'declined')

/** The provider did not accept the order: declined as above, and the key may be used again. Rule B47. */
export const withdrawPayment = (
  ledger: Primary,
  options: Omit<DeclinePayment, 'alongside'>,
): Promise<DeclineOutcome | WithMap<DeclineOutcome>> => end(ledger, options, 'withdrawn')

/** It cannot be told whether the money was taken: an operator looks, and nothing else pays for it meanwhile. */
export const markPaymentStuck = (
  ledger: Primary,
  options: DeclinePayment,
): Promise<DeclineOutcome | WithMap<DeclineOutcome>> => end(ledger, options, 'stuck')

type End = 'declined' | 'withdrawn' | 'stuck'

async function end(
  ledger: Primary,
  options: DeclinePayment,
  wanted: End,
): Promise<DeclineOutcome | WithMap<DeclineOutcome>> {
  const found = await readPurchase(ledger.db, options.purchaseId)
  if (found === null) return { status: 'unknown' }
  const outcome = await withSeatMap<DeclineOutcome>(ledger, found.eventId, async (map) => {
    const result = await endInside(map, options, wanted)
    return { result, moves: result.status === 'declined' ? await giveUpExcess(map, result.reservation) : [] }
  })
  return outcome ?? { status: 'unknown' }
}

/** What is pending beyond the limit was kept only because it was being paid for. */
async function giveUpExcess(map: OpenSeatMap, reservation: ReservationRow): Promise<readonly SeatMove[]> {
  if (!(await isBeyondLimit(map, reservation))) return []
  const { moves } = await cancelInside(map, { reservationIds: [reservation.id] })
  return moves
}

async function endInside(map: OpenSeatMap, options: DeclinePayment, wanted: End): Promise<DeclineOutcome> {
  const { transaction, at } = map
  const status = wanted === 'stuck' ? 'stuck' : 'declined'
  const before = await readPurchase(transaction.db, options.purchaseId)
  const reservation = before === null ? null : await readReservation(transaction.db, before.reservationId)
  if (before === null || reservation === null) return { status: 'unknown' }
  // What is stuck may turn out to be declined; everything else is decided.
  const isOpen = before.status === 'PROCESSING' || (before.status === 'STUCK' && before.captured === 0)
  if (!isOpen) return { status: 'repeated', purchase: before, reservation }
  const change = {
    status: status === 'declined' ? ('DECLINED' as const) : ('STUCK' as const),
    reason: options.reason,
    providerRef: options.providerRef ?? null,
  }
  const changed = await changePurchase(transaction, { purchase: before, change, at })
  await transaction.together(answersToForget([reservation.id]))
  const purchase = wanted === 'withdrawn' ? await freeKey(transaction, changed) : changed
  const outcome: DeclineOutcome = { status, purchase, reservation }
  await answerOperation(transaction, purchase, (await options.alongside?.(transaction, outcome)) ?? null)
  await tell(map.transaction, [newsOfPurchase(purchase, reservation, `purchase.${status}`)])
  return outcome
}
