import type { ReservationState, TicketClass, TicketState } from '@seatwise/domain'
import type { Kysely } from 'kysely'
import { loadStatement, runStatement, type Schema } from '../engine/index.ts'

/** A ticket as an operator sees it. */
export interface TicketOfOperator {
  readonly number: number
  readonly class: TicketClass
  readonly state: TicketState
  readonly away: boolean
  readonly name: string | null
  /** Null for guests. */
  readonly email: string | null
  readonly joinedAt: Date
  readonly admittedAt: Date | null
  readonly enteredAt: Date | null
  readonly deadline: Date | null
  readonly extended: boolean
  readonly reservationId: string | null
  readonly reservationStatus: ReservationState | null
  readonly amount: number | null
  readonly currency: string | null
}

/** Those of the tickets that the ledger has, in no particular order. */
export async function readTicketState(
  db: Kysely<Schema>,
  room: string,
  numbers: readonly number[],
): Promise<TicketOfOperator[]> {
  if (numbers.length === 0) return []
  return await runStatement<TicketOfOperator>(db, READ_TICKET_STATE, [room, numbers])
}

export async function readAway(db: Kysely<Schema>, room: string, limit: number): Promise<number[]> {
  const rows = await runStatement<{ number: number }>(db, READ_AWAY, [room, limit])
  return rows.map(({ number }) => number)
}

const READ_TICKET_STATE = loadStatement(import.meta.url, 'read-ticket-state.sql')
const READ_AWAY = loadStatement(import.meta.url, 'read-away.sql')
