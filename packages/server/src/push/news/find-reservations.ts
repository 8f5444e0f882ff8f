import { isAboutTheWork, type Ledger, readLatestReservations } from '@seatwise/ledger'
import { createBatcher } from '@seatwise/line'
import type { FindReservation } from './ticket-news.ts'

const LOOKED_UP_MAX = 500
const QUEUED_MAX = 10_000

/** Looks up the latest reservations of tickets of a room, batching requests of the same moment. */
export function findReservations(ledger: Ledger, roomId: string): FindReservation {
  const reservations = createBatcher({
    maxItems: LOOKED_UP_MAX,
    maxQueued: QUEUED_MAX,
    isAboutItems: isAboutTheWork,
    run: async (numbers: readonly number[]) => {
      const rows = await readLatestReservations(ledger.db, roomId, [...new Set(numbers)])
      const byTicket = new Map(rows.map((row) => [row.ticketNumber, row]))
      return numbers.map((number) => byTicket.get(number) ?? null)
    },
  })
  return (number) => reservations.send(number)
}
