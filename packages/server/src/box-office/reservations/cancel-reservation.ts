import { randomUUID } from 'node:crypto'
import { type Reservation, SeatwiseError } from '@seatwise/domain'
import { cancelReservation as giveUp, isOwn, type ReservationRow, readReservation } from '@seatwise/ledger'
import { type TellParts, tellCopyAndLine } from './tell-line.ts'

/** Cancels a pending reservation; a retry gets the same answer. The visitor stays on the floor. */
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
  if ('version' in outcome) {
    // The line is told about the ticket's seats only if this call took them away.
    const lost = 'ended' in outcome && outcome.ended !== null ? { reserved: null } : {}
    const { ticketNumber: number } = found
    await tellCopyAndLine(parts, found.eventId, outcome, number === null ? [] : [{ operation, number, ...lost }])
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
 * Before the seats become free, the line is told to promise one of them to this visitor, who stays on the floor without
 * a reservation (M25). If the line does not answer, the seats become free nevertheless.
 */
async function promiseSeat(parts: TellParts, { eventId, ticketNumber }: ReservationRow, operation: string) {
  if (ticketNumber === null) return
  try {
    const room = await parts.rooms.ofEvent(eventId)
    await room.take([{ number: ticketNumber, fence: 0, quantity: 0, operation }])
  } catch (err) {
    parts.log.warn({ err, event: eventId }, 'a canceled seat was released without promising it to the visitor')
  }
}

export function unknownReservation(): SeatwiseError {
  return new SeatwiseError('NOT_FOUND', { message: 'There is no such reservation' })
}
