import type { Kysely } from 'kysely'
import { loadStatement, runStatement, type Schema, type Transaction } from '../engine/index.ts'

const ISSUE_ETICKETS = loadStatement(import.meta.url, 'issue-etickets.sql')
const READ_ETICKETS = loadStatement(import.meta.url, 'read-etickets.sql')

/** What gets its holder through the door. */
export interface NewEticket {
  readonly id: string
  readonly reservationId: string
  readonly eventId: string
  readonly seatId: string
  readonly buyerId: string
  /** The account or guest who has it: the buyer, until it was transferred. */
  readonly holderId: string
  /** Which of its codes is good: each transfer voids the earlier ones. */
  readonly generation: number
  readonly organizationId: string
  readonly eventName: string
  readonly location: string
  readonly timeZone: string
  readonly startsAt: Date | null
  readonly endsAt: Date | null
  readonly seatTypeName: string
  readonly row: string | null
  readonly number: number | null
  readonly issuedAt: Date
  /** What is typed at the door where the code cannot be scanned; unique for the event. */
  readonly shortCode: string
  readonly checkedInAt: Date | null
  /** Refunded, or about to be. */
  readonly isVoid: boolean
}

/** With everything that is printed on it. */
export interface Eticket extends NewEticket {
  /** The name that the buyer gave for this ticket; null when the organiser did not ask. */
  readonly holder: string | null
}

/** No reservation has nearly as many seats. */
const OF_RESERVATION_MAX = 1_000

/**
 * Issues the e-tickets of reservations, in the transaction in which they are paid for. Refunding a reservation makes its
 * e-tickets void without a write of their own.
 */
export async function issueEtickets(
  transaction: Transaction,
  ...reservations: readonly { readonly id: string }[]
): Promise<Eticket[]> {
  const ids = reservations.map(({ id }) => id)
  await transaction.run(ISSUE_ETICKETS, [ids])
  return await readEticketsOf(transaction.db, ids)
}

export async function readEticket(db: Kysely<Schema>, id: string): Promise<Eticket | null> {
  const [eticket] = await runStatement<Eticket>(db, READ_ETICKETS, [[id], null, null, 1])
  return eticket ?? null
}

/** The e-tickets of some reservations, in the order of the plan. */
export async function readEticketsOf(db: Kysely<Schema>, reservationIds: readonly string[]): Promise<Eticket[]> {
  return await runStatement<Eticket>(db, READ_ETICKETS, [
    null,
    reservationIds,
    null,
    OF_RESERVATION_MAX * reservationIds.length,
  ])
}

/** What an account or guest holds, bought or transferred to them, the newest first. */
export async function readEticketsOfHolder(db: Kysely<Schema>, holderId: string, max: number): Promise<Eticket[]> {
  return await runStatement<Eticket>(db, READ_ETICKETS, [null, null, holderId, max])
}
