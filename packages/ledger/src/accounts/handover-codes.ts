import type { Kysely } from 'kysely'
import { loadStatement, runStatement, type Schema } from '../engine/index.ts'

const KEEP_HANDOVER_CODE = loadStatement(import.meta.url, 'keep-handover-code.sql')
const USE_HANDOVER_CODE = loadStatement(import.meta.url, 'use-handover-code.sql')

/** A ticket that may move to another device, and its owner. */
export interface HandedTicket {
  readonly number: number
  readonly identity: string
  readonly generation: number
  /** The account or the guest. */
  readonly ownerId: string
  readonly isGuest: boolean
}

/** Stores the hash of a code for a ticket, replacing an earlier one; returns when it expires. */
export async function keepHandoverCode(
  db: Kysely<Schema>,
  {
    roomId,
    codeHash,
    ticket,
    lifeSeconds,
  }: { roomId: string; codeHash: string; ticket: HandedTicket; lifeSeconds: number },
): Promise<Date> {
  const { number, identity, generation, ownerId, isGuest } = ticket
  const values = [roomId, number, codeHash, identity, generation, ownerId, isGuest, lifeSeconds]
  const [row] = await runStatement<{ expiresAt: Date }>(db, KEEP_HANDOVER_CODE, values)
  if (row === undefined) throw new Error('The ledger tells until when a code is good')
  return row.expiresAt
}

/** The ticket that the code hands over, which this operation alone may take; null for every other code. */
export async function useHandoverCode(
  db: Kysely<Schema>,
  { roomId, codeHashes, operation }: { roomId: string; codeHashes: readonly string[]; operation: string },
): Promise<HandedTicket | null> {
  const [ticket] = await runStatement<HandedTicket>(db, USE_HANDOVER_CODE, [roomId, [...codeHashes], operation])
  return ticket ?? null
}

/** The operation could not take the ticket after all, for a reason that may be gone in a moment. */
export async function releaseHandoverCode(
  db: Kysely<Schema>,
  { roomId, number, operation }: { roomId: string; number: number; operation: string },
): Promise<void> {
  await db
    .updateTable('handover_codes')
    .set({ used_by: null })
    .where('room_id', '=', roomId)
    .where('ticket_number', '=', number)
    .where('used_by', '=', operation)
    .execute()
}
