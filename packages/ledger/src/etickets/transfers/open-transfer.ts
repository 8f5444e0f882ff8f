import { faults } from '@seatwise/domain'
import { sql } from 'kysely'
import { inTransaction, type Primary } from '../../engine/index.ts'
import { isOwn, lockOwner } from '../../operations/index.ts'
import { tellLetter } from '../../outbox/index.ts'
import { readEticket } from '../etickets.ts'
import { readOpenTransfer } from './read-transfers.ts'
import { lockTransferable, type Untransferable } from './transferable.ts'

export interface OpenTransfer {
  /** The id that the transfer gets if it is a new one. */
  readonly transferId: string
  readonly eticketId: string
  /** The account or guest who gives it away. */
  readonly actorId: string
  readonly email: string
  readonly language: string | null
}

export type OpenOutcome =
  | { readonly status: 'opened'; readonly transferId: string }
  | { readonly status: 'not_yours' }
  | Untransferable

/**
 * Offers an e-ticket to an address; the news of it becomes mail. A transfer that was open to another address is withdrawn;
 * one to the same address is told again. The e-ticket stays the holder's until the transfer is accepted.
 */
export async function openTransfer(ledger: Primary, wish: OpenTransfer): Promise<OpenOutcome> {
  const outcome = await inTransaction(ledger, async (transaction): Promise<OpenOutcome> => {
    const from = await lockOwner(transaction, wish.actorId)
    const found = await lockTransferable(transaction, wish.eticketId)
    if (found.status === 'unknown') return found
    if (found.eticket.holderId !== from) return { status: 'not_yours' }
    if (found.status !== 'transferable') return found
    const { eticketId, email, language } = wish
    const open = await readOpenTransfer(transaction.db, eticketId)
    const transferId = open?.email === email ? open.id : wish.transferId
    if (transferId !== open?.id) {
      if (open !== null) await withdrawOpen(transaction.db, eticketId)
      const values = { id: transferId, eticket_id: eticketId, from_id: from, email, language }
      await transaction.db.insertInto('transfers').values(values).execute()
    }
    await tellLetter(transaction, { about: 'transfer', id: transferId, type: 'transfer.asked' })
    if (faults.on) await faults.reach('transfer.inside-offer')
    return { status: 'opened', transferId }
  })
  if (faults.on) await faults.reach('transfer.after-offer')
  return outcome
}

/** Withdraws the open transfer of an e-ticket, if there is one. */
export async function withdrawTransfer(
  ledger: Primary,
  { eticketId, actorId }: { readonly eticketId: string; readonly actorId: string },
): Promise<'withdrawn' | 'unknown' | 'not_yours'> {
  const eticket = await readEticket(ledger.db, eticketId)
  if (eticket === null) return 'unknown'
  if (!(await isOwn(ledger.db, actorId, eticket.holderId))) return 'not_yours'
  // An acceptance that was faster has ended it: then there is nothing to withdraw.
  await withdrawOpen(ledger.db, eticketId)
  return 'withdrawn'
}

async function withdrawOpen(db: Primary['db'], eticketId: string): Promise<void> {
  await db
    .updateTable('transfers')
    .set({ status: 'withdrawn', ended_at: sql<Date>`clock_timestamp()` })
    .where('eticket_id', '=', eticketId)
    .where('status', '=', 'open')
    .execute()
}
