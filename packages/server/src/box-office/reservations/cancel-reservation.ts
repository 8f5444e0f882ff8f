import { randomUUID } from 'node:crypto'
import { type Reservation, SeatwiseError } from '@seatwise/domain'
import { cancelReservation as giveUp, isOwn, type ReservationRow, readReservation } from '@seatwise/ledger'
import { type TellParts, tellEverybody } from './tell-line.ts'

/** Gives a pending reservation up; again gives the same answer. The visitor stays on the floor. */
export async function cancelReservation(
  parts: TellParts,
  reservationId: string,
  buyerId: string,
): Promise<Reservation> {
  const found = await readReservation(parts.ledger.db, reservationId)
  if (found === null) throw unknownReservation()
  if (!(await isOwn(parts.ledger.db, buyerId, found.buyerId)))
    throw new SeatwiseError('FORBIDDEN', { message: 'This reservation is not yours' })
  const operation = randomUUID()
  await promiseSeat(parts, found, operation)
  const outcome = await giveUp(parts.ledger, { reservationId, buyerId })
  if ('version' in outcome && found.ticketNumber !== null) {
    // What the ticket has is only news if this very call took it away.
    const lost = 'ended' in outcome && outcome.ended !== null ? { reserved: null } : {}
    await tellEverybody(parts, found.eventId, outcome, [{ operation, number: found.ticketNumber, ...lost }])
  }
  switch (outcome.status) {
    case 'canceled':
      return outcome.reservation
    case 'paying':
      throw new SeatwiseError('PAYMENT_UNDER_WAY')
    case 'ended':
      throw new SeatwiseError(outcome.reservation.status === 'EXPIRED' ? 'RESERVATION_EXPIRED' : 'RESERVATION_ENDED')
    case 'unknown':
    case 'not_yours':
      throw unknownReservation()
  }
}

/**
 * Before the seats return to everybody, the line is told that one of them is for this visitor, who stays on the floor
 * without a reservation (M25). If the line is away the seats return nevertheless.
 */
async function promiseSeat(parts: TellParts, { eventId, ticketNumber }: ReservationRow, operation: string) {
  if (ticketNumber === null) return
  try {
    const room = await parts.rooms.ofEvent(eventId)
    await room.take([{ number: ticketNumber, fence: 0, quantity: 0, operation }])
  } catch (err) {
    parts.log.warn({ err, event: eventId }, 'a seat is given back without a promise')
  }
}

export function unknownReservation(): SeatwiseError {
  return new SeatwiseError('NOT_FOUND', { message: 'There is no such reservation' })
}
