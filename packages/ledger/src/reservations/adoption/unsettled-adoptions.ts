import type { Kysely } from 'kysely'
import { loadStatement, runStatement, type Schema } from '../../engine/index.ts'

const TAKE_UNSETTLED = loadStatement(import.meta.url, 'take-unsettled.sql')
const SETTLE_ADOPTIONS = loadStatement(import.meta.url, 'settle-adoptions.sql')

/** An adopted guest who, as far as the ledger knows, still has a live ticket in that room. */
export interface UnsettledTicket {
  readonly guestId: string
  readonly userId: string
  /** By which the room knows the guest. */
  readonly identity: string
  readonly roomId: string
}

/** Tickets of adopted guests that no server has tried to give to the account lately. Servers take turns. */
export async function takeUnsettledTickets(db: Kysely<Schema>, max: number): Promise<UnsettledTicket[]> {
  return await runStatement<UnsettledTicket>(db, TAKE_UNSETTLED, [max])
}

/** Notes which adoptions no line can have missed any more. */
export async function settleAdoptions(db: Kysely<Schema>): Promise<void> {
  await runStatement(db, SETTLE_ADOPTIONS, [])
}
