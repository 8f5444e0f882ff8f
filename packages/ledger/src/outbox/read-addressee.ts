import type { Kysely } from 'kysely'
import { loadStatement, runStatement, type Schema } from '../engine/index.ts'

const READ_ADDRESSEE = loadStatement(import.meta.url, 'read-addressee.sql')

/** The addressee of mail about a reservation, and the facts for it. */
export interface Addressee {
  readonly email: string
  /** Empty when it is not known. */
  readonly name: string
  /** As the buyer named it; null when they did not. */
  readonly language: string | null
  /** The buyer finds the reservation by signing in. */
  readonly hasAccount: boolean
  readonly eventName: string
  readonly location: string
  readonly timeZone: string
  readonly startsAt: Date | null
  readonly amount: number
  readonly currency: string
}

/** Null when the buyer named no address and has no account (any more). */
export async function readAddressee(db: Kysely<Schema>, reservationId: string): Promise<Addressee | null> {
  const [addressee] = await runStatement<Addressee>(db, READ_ADDRESSEE, [reservationId])
  return addressee ?? null
}
