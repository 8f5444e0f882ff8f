import type { ReservationRow, SeatMapChange } from '@seatwise/ledger'
import type { SettledClaim } from '@seatwise/line'
import { completeTicket } from './complete-ticket.ts'
import { type TellParts, tellCopyAndLine } from './tell-line.ts'

/** A committed decision about a payment. */
export interface PaymentDecision {
  readonly kind: 'started' | 'paid' | 'refunded'
  readonly reservation: ReservationRow
  /** Null when the decision did not open the seat map. */
  readonly change: SeatMapChange | null
}

/**
 * Starting to pay extends the visitor's time on the floor to that of the hold; having paid ends the visit and frees the
 * slot. A failure here is repaired by the line keeper.
 */
export async function followPayment(parts: TellParts, { kind, reservation, change }: PaymentDecision): Promise<void> {
  const { eventId, ticketNumber } = reservation
  if (change !== null) await tellCopyAndLine(parts, eventId, change, kind === 'started' ? deadlineOf(reservation) : [])
  if (kind !== 'paid' || ticketNumber === null) return
  try {
    await completeTicket(await parts.rooms.ofEvent(eventId), ticketNumber)
  } catch (err) {
    parts.log.warn({ err, event: eventId }, 'the slot of a buyer who has paid is not free yet, retrying')
  }
}

function deadlineOf({ id, ticketNumber, expiresAt, items }: ReservationRow): SettledClaim[] {
  if (ticketNumber === null) return []
  return [{ operation: id, number: ticketNumber, reserved: { until: expiresAt.getTime(), quantity: items.length } }]
}
