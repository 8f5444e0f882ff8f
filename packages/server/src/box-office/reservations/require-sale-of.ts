import { readReservation } from '@seatwise/ledger'
import { type Actor, requireSale } from '../../http/index.ts'
import type { BoxOfficeServices } from '../box-office-services.ts'

/** Refuses an actor of another sale than the reservation's. Whether it is theirs at all is for others to judge. */
export async function requireSaleOf(
  { ledger }: Pick<BoxOfficeServices, 'ledger'>,
  actor: Actor,
  reservationId: string,
): Promise<void> {
  if (actor.sale === undefined) return
  const reservation = await readReservation(ledger.db, reservationId)
  if (reservation !== null) requireSale(actor, reservation.eventId)
}
