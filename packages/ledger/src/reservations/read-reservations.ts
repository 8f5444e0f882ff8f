import type { Reservation } from '@seatwise/domain'
import type { Kysely } from 'kysely'
import { type Call, prepareStatement, runStatement, type Schema } from '../engine/index.ts'

const READ_RESERVATIONS = prepareStatement(import.meta.url, 'read-reservations.sql')

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
  return row ?? null
}

/** Calls read-reservations.sql for reservations by id. */
export function reservationsToRead(ids: readonly string[]): Call {
  return { statement: READ_RESERVATIONS, parameters: [ids, null, ids.length] }
}

/** The ones that exist, in no particular order. */
export async function readReservations(db: Kysely<Schema>, ids: readonly string[]): Promise<ReservationRow[]> {
  if (ids.length === 0) return []
  const { statement, parameters } = reservationsToRead(ids)
  return await runStatement<ReservationRow>(db, statement, parameters)
}

/** A buyer's reservations, the newest first. */
export async function readReservationsOf(db: Kysely<Schema>, buyerId: string, max: number): Promise<ReservationRow[]> {
  return await runStatement<ReservationRow>(db, READ_RESERVATIONS, [null, buyerId, max])
}
