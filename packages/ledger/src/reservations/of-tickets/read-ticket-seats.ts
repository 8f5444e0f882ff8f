import type { Kysely } from 'kysely'
import { loadStatement, runStatement, type Schema } from '../../engine/index.ts'
import type { SeatCounts } from '../../seat-map/index.ts'

const READ_TICKET_SEATS = loadStatement(import.meta.url, 'read-ticket-seats.sql')

export interface TicketSeats {
  readonly number: number
  /** Milliseconds. */
  readonly until: number
  readonly quantity: number
}

export interface SeatsOfTickets {
  readonly version: number
  readonly counts: SeatCounts
  readonly offered: number
  readonly tickets: readonly TicketSeats[]
  /** True: a ticket that is not listed holds nothing. False: there were more tickets than the limit. */
  readonly isComplete: boolean
}

/** What the tickets of an event hold, as of one version. Null when there is no such event. */
export async function readTicketSeats(
  db: Kysely<Schema>,
  eventId: string,
  max: number,
): Promise<SeatsOfTickets | null> {
  type Row = SeatCounts & { version: number; offered: number; tickets: [number, number, number][] }
  const [row] = await runStatement<Row>(db, READ_TICKET_SEATS, [eventId, max])
  if (row === undefined) return null
  const { version, offered, tickets, ...counts } = row
  return {
    ...{ version, counts, offered, isComplete: tickets.length < max },
    tickets: tickets.map(([number, until, quantity]) => ({ number, until, quantity })),
  }
}
