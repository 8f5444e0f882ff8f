import { inTransaction, type Primary } from '../../engine/index.ts'
import { readEticket } from '../etickets.ts'
import { type Entrance, keepScan, letIn } from './let-in.ts'

/** What became of a scan. Unknown: no such e-ticket at this event, or its id belongs to another scan. */
type TakenScan = 'in' | 'conflict' | 'void' | 'unknown'

/**
 * Takes over a scan that a device decided without the ledger: the holder is inside already. Where the ledger would have
 * refused, the scan is kept as what it is, so that staff learns of it. However often it arrives, it counts once (B312).
 */
export async function takeScan(
  ledger: Primary,
  { eventId, ...entrance }: Entrance & { readonly eventId: string },
): Promise<TakenScan> {
  const { eticketId, generation, scan } = entrance
  return await inTransaction(ledger, async (transaction) => {
    const before = await readEticket(transaction.db, eticketId)
    if (before === null || before.eventId !== eventId) return 'unknown'
    if ((await letIn(transaction, entrance)) !== null) return 'in'
    const kept = transaction.db.selectFrom('door_scans').select(['outcome', 'eticket_id']).where('id', '=', scan.id)
    const known = await kept.executeTakeFirst()
    if (known !== undefined) return known.eticket_id === eticketId ? known.outcome : 'unknown'
    // The lock of its reservation keeps the e-ticket as it is read here.
    const eticket = await readEticket(transaction.db, eticketId)
    const isOutdated = generation !== undefined && generation !== eticket?.generation
    const outcome = eticket === null || eticket.isVoid || isOutdated ? 'void' : 'conflict'
    await keepScan(transaction, entrance, outcome)
    return outcome
  })
}
