import type { Kysely } from 'kysely'
import { loadStatement, runStatement, type Schema } from '../engine/index.ts'

const READ_ADDRESSEE = loadStatement(import.meta.url, 'read-addressee.sql')

/** The addressee of mail about a reservation, and the facts for it. */
export interface Addressee {
  readonly email: string
  readonly name: string
  readonly eventName: string
  readonly location: string
  readonly timeZone: string
  readonly startsAt: Date | null
  readonly amount: number
  readonly currency: string
}

/** Null when the buyer has no account (any more). */
export async function readAddressee(db: Kysely<Schema>, reservationId: string): Promise<Addressee | null> {
  const [addressee] = await runStatement<Addressee>(db, READ_ADDRESSEE, [reservationId])
  return addressee ?? null
}
