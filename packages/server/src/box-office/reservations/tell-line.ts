import {
  cancelOfTickets,
  type EndedReservation,
  findPending,
  type Ledger,
  type ReservationRow,
  type SeatMapChange,
} from '@seatwise/ledger'
import type { SettledClaim } from '@seatwise/line'
import type { Logger } from 'pino'
import type { Room, Rooms } from '../../rooms/index.ts'
import type { SeatMaps } from '../seat-map/open-seat-maps.ts'

export interface TellParts {
  readonly ledger: Ledger
  readonly rooms: Rooms
  readonly seatMaps: SeatMaps
  readonly log: Logger
  /** Offers seats that came back to the returns list before the line hears of them; null when there is nothing to offer. */
  readonly offerFirst?: (eventId: string, change: SeatMapChange) => Promise<SeatMapChange | null>
}

/** Tells this server's copy of the seat map and the line what was just committed. */
export async function tellCopyAndLine(
  parts: TellParts,
  eventId: string,
  change: SeatMapChange,
  results: readonly SettledClaim[],
): Promise<void> {
  parts.seatMaps.learn(eventId, change)
  const offered = (await parts.offerFirst?.(eventId, change)) ?? null
  await tellLine(parts, eventId, offered ?? change, results)
}

/**
 * Tells the line how many seats are left, and what tickets have. Never fails: what the line misses now, the line keeper
 * tells it within seconds.
 */
export async function tellLine(
  parts: TellParts,
  eventId: string,
  { version, counts, offered }: Pick<SeatMapChange, 'version' | 'counts' | 'offered'>,
  results: readonly SettledClaim[],
): Promise<void> {
  try {
    const room = await parts.rooms.ofEvent(eventId)
    const news = { version, stock: counts.available, heldSeats: counts.held - offered }
    const { left } = await room.settle({ ...news, results })
    if (left.length > 0) await giveBack(parts, { eventId, roomId: room.id, ticketNumbers: left })
  } catch (err) {
    parts.log.warn({ err, event: eventId }, 'the line was not told of a seat change, retrying')
  }
}

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

/** Frees the slot of a buyer who has paid, on any device or account. It may be free already. */
export async function completeTicket(room: Room, number: number): Promise<void> {
  await room.end({ number, identity: '', generation: 0, as: 'paid', operation: `paid-${number}` })
}

/** Releases the seats of visitors who are not on the floor any more. Rule B19. */
export async function giveBack(
  parts: TellParts,
  leavers: { eventId: string; roomId: string; ticketNumbers: readonly number[] },
): Promise<void> {
  const ticketNumbers = await findPending(parts.ledger.db, leavers.roomId, leavers.ticketNumbers)
  if (ticketNumbers.length === 0) return
  const outcome = await cancelOfTickets(parts.ledger, { ...leavers, ticketNumbers })
  if (outcome === null) return
  await tellCopyAndLine(parts, leavers.eventId, outcome, lossesOf(outcome.canceled))
}

/** What to tell the line about reservations that ended. */
export function lossesOf(ended: readonly EndedReservation[]): SettledClaim[] {
  return ended.flatMap(({ reservationId, ticketNumber }) =>
    ticketNumber === null ? [] : [{ operation: reservationId, number: ticketNumber, reserved: null }],
  )
}
