import { cancelOfTickets, type EndedReservation, findPending, type Ledger, type SeatMapChange } from '@seatwise/ledger'
import type { SettledClaim } from '@seatwise/line'
import type { Logger } from 'pino'
import type { Rooms } from '../../rooms/index.ts'
import type { SeatMaps } from '../seat-map/open-seat-maps.ts'

export interface TellParts {
  readonly ledger: Ledger
  readonly rooms: Rooms
  readonly seatMaps: SeatMaps
  readonly log: Logger
}

/** Tells this server's copy of the seat map and the line what was just committed. */
export async function tellCopyAndLine(
  parts: TellParts,
  eventId: string,
  change: SeatMapChange,
  results: readonly SettledClaim[],
): Promise<void> {
  parts.seatMaps.learn(eventId, change)
  await tellLine(parts, eventId, change, results)
}

/**
 * Tells the line how many seats are left, and what tickets have. Never fails: what the line misses now, the line keeper
 * tells it within seconds.
 */
export async function tellLine(
  parts: TellParts,
  eventId: string,
  { version, counts }: Pick<SeatMapChange, 'version' | 'counts'>,
  results: readonly SettledClaim[],
): Promise<void> {
  try {
    const room = await parts.rooms.ofEvent(eventId)
    const news = { version, stock: counts.available, heldSeats: counts.held }
    const { left } = await room.settle({ ...news, results })
    if (left.length > 0) await giveBack(parts, { eventId, roomId: room.id, ticketNumbers: left })
  } catch (err) {
    parts.log.warn({ err, event: eventId }, 'the line was not told of a seat change, retrying')
  }
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
