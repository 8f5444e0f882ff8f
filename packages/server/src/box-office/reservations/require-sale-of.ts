import { readReservation } from '@seatwise/ledger'
import { type Actor, requireSale } from '../../http/index.ts'
import type { BoxOfficeServices } from '../box-office-services.ts'

/** Refuses an actor of another sale than the reservation's. The caller checks who owns the reservation. */
export async function requireSaleOf(
  { ledger }: Pick<BoxOfficeServices, 'ledger'>,
  actor: Actor,
  reservationId: string,
): Promise<void> {
  if (actor.sale === undefined) return
  const reservation = await readReservation(ledger.db, reservationId)
  if (reservation !== null) requireSale(actor, reservation.eventId)
}
