import type { Kysely } from 'kysely'
import { type Call, loadStatement, runStatement, type Schema } from '../../engine/index.ts'
import { isOwn } from '../../operations/index.ts'
import { type ReservationRow, readReservation } from '../read-reservations.ts'

export const NAME_ADDRESSEE = loadStatement(import.meta.url, 'name-addressee.sql')

/** Who a reservation is for, as the buyer said. */
export interface NamedAddressee {
  readonly email: string
  readonly name: string | null
  readonly language: string | null
}

export type NameOutcome =
  | { readonly status: 'named'; readonly reservation: ReservationRow; readonly addressee: NamedAddressee }
  | { readonly status: 'unknown' }
  | { readonly status: 'not_yours' }
  /** Expired, canceled or refunded: no mail will be sent about it, or all of it was. */
  | { readonly status: 'ended'; readonly reservation: ReservationRow }

/** Stores who a reservation is for. It takes no lock on seats: who reads mail changes nothing about them. */
export async function nameAddressee(
  db: Kysely<Schema>,
  asked: { readonly reservationId: string; readonly buyerId: string } & NamedAddressee,
): Promise<NameOutcome> {
  const { reservationId, buyerId, email, name, language } = asked
  const reservation = await readReservation(db, reservationId)
  if (reservation === null) return { status: 'unknown' }
  if (!(await isOwn(db, buyerId, reservation.buyerId))) return { status: 'not_yours' }
  const [addressee] = await runStatement<NamedAddressee>(db, NAME_ADDRESSEE, [reservationId, email, name, language])
  return addressee === undefined ? { status: 'ended', reservation } : { status: 'named', reservation, addressee }
}

/** Calls name-addressee.sql for a reservation that is paid in the same transaction. */
export function addresseeToName({ reservationId, email }: { reservationId: string; email: string }): Call {
  return { statement: NAME_ADDRESSEE, parameters: [reservationId, email, null, null] }
}

/** Null while the buyer has not said who it is for. */
export async function readNamedAddressee(db: Kysely<Schema>, reservationId: string): Promise<NamedAddressee | null> {
  const rows = db.selectFrom('addressees').select(['email', 'name', 'language'])
  return (await rows.where('reservation_id', '=', reservationId).executeTakeFirst()) ?? null
}
