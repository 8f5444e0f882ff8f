import { faults } from '@seatwise/domain'
import { inTransaction, loadStatement, type Primary, type Transaction } from '../../engine/index.ts'
import { lockOwner } from '../../operations/index.ts'
import { type Eticket, readEticket } from '../etickets.ts'
import { readTransfer } from './read-transfers.ts'
import { lockTransferable, type Untransferable } from './transferable.ts'

const CHANGE_HOLDER = loadStatement(import.meta.url, 'change-holder.sql')

export interface AcceptTransfer {
  readonly transferId: string
  /** The account or guest who accepts; null for a guest that the transfer itself makes, who has the transfer's id. */
  readonly actorId: string | null
}

/** `over`: withdrawn, or another holder has accepted it. */
export type TransferRefusal = Untransferable | { readonly status: 'over' }

export type AcceptOutcome =
  | {
      /** `repeated`: the same holder accepted it before. */
      readonly status: 'accepted' | 'repeated'
      readonly eticket: Eticket
      readonly holderId: string
    }
  | TransferRefusal

/**
 * Gives an e-ticket to the one who accepts it: from the commit on the old code is void, and a new one is good. Of an
 * acceptance, a check-in and a refund that come together, one succeeds.
 */
export async function acceptTransfer(ledger: Primary, wish: AcceptTransfer): Promise<AcceptOutcome> {
  const outcome = await inTransaction(ledger, (transaction) => acceptInside(transaction, wish))
  if (faults.on) await faults.reach('transfer.after-accept')
  return outcome
}

async function acceptInside(transaction: Transaction, { transferId, actorId }: AcceptTransfer): Promise<AcceptOutcome> {
  // First, as an adoption does: neither waits for the other while it holds the e-ticket.
  const holderId = await lockOwner(transaction, actorId ?? transferId)
  const asked = await readTransfer(transaction.db, transferId)
  if (asked === null) return { status: 'unknown' }
  const found = await lockTransferable(transaction, asked.eticketId)
  const transfer = (await readTransfer(transaction.db, transferId)) ?? asked
  if (transfer.status === 'accepted' && transfer.acceptedBy === holderId) {
    return await repeat(transaction, transfer.eticketId, holderId)
  }
  if (transfer.status !== 'open') return { status: 'over' }
  if (found.status !== 'transferable') return found
  const changed = await transaction.run(CHANGE_HOLDER, [transferId, holderId])
  if (changed.length === 0) return { status: 'over' }
  const eticket = await readEticket(transaction.db, transfer.eticketId)
  if (eticket === null) throw new Error('An e-ticket that was just changed is gone')
  if (faults.on) await faults.reach('transfer.inside-accept')
  return { status: 'accepted', eticket, holderId }
}

/** The holder may have given it on since; then the link shows it no longer. */
async function repeat(transaction: Transaction, eticketId: string, holderId: string): Promise<AcceptOutcome> {
  const eticket = await readEticket(transaction.db, eticketId)
  if (eticket === null || eticket.holderId !== holderId) return { status: 'over' }
  return { status: 'repeated', eticket, holderId }
}
