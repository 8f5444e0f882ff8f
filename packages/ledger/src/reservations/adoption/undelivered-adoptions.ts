import type { Kysely } from 'kysely'
import { loadStatement, runStatement, type Schema } from '../../engine/index.ts'

const TAKE_UNDELIVERED = loadStatement(import.meta.url, 'take-undelivered.sql')
const FINISH_ADOPTIONS = loadStatement(import.meta.url, 'finish-adoptions.sql')

/** An adopted guest who, as far as the ledger knows, still has a live ticket in that room. */
export interface UndeliveredTicket {
  readonly guestId: string
  readonly userId: string
  /** By which the room knows the guest. */
  readonly identity: string
  readonly roomId: string
}

/** Tickets of adopted guests that no server has tried to give to the account lately. Servers take turns. */
export async function takeUndeliveredTickets(db: Kysely<Schema>, max: number): Promise<UndeliveredTicket[]> {
  return await runStatement<UndeliveredTicket>(db, TAKE_UNDELIVERED, [max])
}

/** Notes which adoptions no line can have missed any more. */
export async function finishAdoptions(db: Kysely<Schema>): Promise<void> {
  await runStatement(db, FINISH_ADOPTIONS, [])
}
