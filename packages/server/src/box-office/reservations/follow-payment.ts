import type { ReservationRow, SeatMapChange } from '@seatwise/ledger'
import type { SettledClaim } from '@seatwise/line'
import { completeTicket } from './complete-ticket.ts'
import { type TellParts, tellEverybody } from './tell-line.ts'

/** Something about a payment that is committed. */
export interface PaymentDecision {
  readonly kind: 'started' | 'paid' | 'refunded'
  readonly reservation: ReservationRow
  /** Absent when no seat map was opened for it. */
  readonly change: SeatMapChange | null
}

/**
 * Beginning to pay gives the visitor as long on the floor as the hold has now; having paid ends the visit and frees the
 * slot. What goes wrong here is found by whoever keeps lines in step with the ledger.
 */
export async function followPayment(parts: TellParts, { kind, reservation, change }: PaymentDecision): Promise<void> {
  const { eventId, ticketNumber } = reservation
  if (change !== null) await tellEverybody(parts, eventId, change, kind === 'started' ? deadlineOf(reservation) : [])
  if (kind !== 'paid' || ticketNumber === null) return
  try {
    await completeTicket(await parts.rooms.ofEvent(eventId), ticketNumber)
  } catch (err) {
    parts.log.warn({ err, event: eventId }, 'the slot of somebody who has paid is not free yet, it will be')
  }
}

function deadlineOf({ id, ticketNumber, expiresAt, items }: ReservationRow): SettledClaim[] {
  if (ticketNumber === null) return []
  return [{ operation: id, number: ticketNumber, reserved: { until: expiresAt.getTime(), quantity: items.length } }]
}
