import { type Call, prepareStatement } from '../engine/index.ts'
import type { SeatDesk } from './seat-desk.ts'
import type { OpenSeatMap } from './seat-map.ts'

const SET_SEATS = prepareStatement(import.meta.url, 'set-seats.sql')

/** Runs set-seats.sql for everything the desk has changed. */
export async function setSeats(map: OpenSeatMap, desk: SeatDesk): Promise<void> {
  await map.transaction.together(seatsToSet(desk))
}

/** The same, to be run with others. */
export function seatsToSet(desk: SeatDesk): Call[] {
  const seats = desk.changed()
  if (seats.length === 0) return []
  const parameters = [
    seats.map(({ id }) => id),
    seats.map(({ status }) => status),
    seats.map(({ reservationId }) => reservationId),
    seats.map(({ heldUntil }) => heldUntil?.toISOString() ?? null),
  ]
  return [{ statement: SET_SEATS, parameters }]
}
