import type { TicketView } from '@seatwise/line'
import { readReservationOfTicket } from '@seatwise/seats'
import type { Room } from '../room/room.ts'
import { type ShownReservation, showReservation } from './show-reservation.ts'
import type { TellParts } from './tell-line.ts'

/**
 * What somebody on the floor has reserved, beside where they stand. The line works while the ledger is away, so that
 * this is left out then and never keeps anybody from hearing where they stand.
 */
export async function reservationOf(
  { ledger, log }: TellParts,
  room: Room,
  { state, number }: TicketView,
): Promise<ShownReservation | null> {
  if (state !== 'active' || room.row.eventId === null) return null
  try {
    const reservation = await readReservationOfTicket(ledger.db, room.id, number)
    return reservation === null ? null : showReservation(reservation)
  } catch (err) {
    log.warn({ err, room: room.id }, 'a visitor is not told of their reservation')
    return null
  }
}
