import type { Reservation } from '@seatwise/domain'
import type { Kysely } from 'kysely'
import { loadStatement, runStatement, type Schema } from '../engine/index.ts'

const READ_RESERVATIONS = loadStatement(import.meta.url, 'read-reservations.sql')

/** A reservation and the ticket it was made with. */
export interface ReservationRow extends Reservation {
  readonly roomId: string | null
  readonly ticketNumber: number | null
  /** Starting to pay has given it more time; that happens once. */
  readonly isExtended: boolean
  /** The guest who made it, when it is an account's by adoption. */
  readonly adoptedFrom: string | null
}

export async function readReservation(db: Kysely<Schema>, id: string): Promise<ReservationRow | null> {
  const [row] = await runStatement<ReservationRow>(db, READ_RESERVATIONS, [[id], null, 1])
  return row === undefined ? null : toReservation(row)
}

/** Those there are, in no particular order. */
export async function readReservations(db: Kysely<Schema>, ids: readonly string[]): Promise<ReservationRow[]> {
  if (ids.length === 0) return []
  const rows = await runStatement<ReservationRow>(db, READ_RESERVATIONS, [ids, null, ids.length])
  return rows.map(toReservation)
}

/** Somebody's reservations, the newest first. */
export async function readReservationsOf(db: Kysely<Schema>, buyerId: string, max: number): Promise<ReservationRow[]> {
  const rows = await runStatement<ReservationRow>(db, READ_RESERVATIONS, [null, buyerId, max])
  return rows.map(toReservation)
}

function toReservation(row: ReservationRow): ReservationRow {
  return { ...row, items: row.items ?? [] }
}
