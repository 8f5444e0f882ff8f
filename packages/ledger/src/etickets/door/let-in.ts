import { loadStatement, type Transaction } from '../../engine/index.ts'
import { recordAction } from '../../trail/index.ts'

const LOCK_PAID = loadStatement(import.meta.url, '../lock-paid.sql')
const CHECK_IN = loadStatement(import.meta.url, '../check-in.sql')
const KEEP_SCAN = loadStatement(import.meta.url, 'keep-scan.sql')

/** What a device at the door says of a scan. */
export interface DoorScanDraft {
  /** The device drew it: a scan that arrives twice is one scan. */
  readonly id: string
  readonly door: string | null
  /** When the device let the holder in by itself; null when it asks. */
  readonly letInAt: Date | null
}

export interface Entrance {
  readonly eticketId: string
  readonly by: string
  /** Of the code that was shown; codes from before a transfer are void. Left out, the current one. */
  readonly generation?: number | undefined
  readonly scan: DoorScanDraft
}

/** Checks an e-ticket in, and keeps by which scan; null when it was used before, or is void. */
export async function letIn(
  transaction: Transaction,
  { eticketId, by, generation, scan }: Entrance,
): Promise<Date | null> {
  const [, [row]] = await transaction.together<[[], { checkedInAt: Date; eventId: string }[]]>([
    { statement: LOCK_PAID, parameters: [eticketId] },
    { statement: CHECK_IN, parameters: [eticketId, by, generation ?? null, scan.letInAt] },
  ])
  if (row === undefined) return null
  await keepScan(transaction, { eticketId, by, scan }, 'in')
  const { eventId, checkedInAt } = row
  await recordAction(transaction.db, { actorId: by, kind: 'eticket.checked_in', eventId, subject: eticketId })
  return checkedInAt
}

export async function keepScan(
  transaction: Transaction,
  { eticketId, by, scan: { id, door, letInAt } }: Entrance,
  outcome: 'in' | 'conflict' | 'void',
): Promise<void> {
  await transaction.run(KEEP_SCAN, [id, eticketId, door, by, letInAt, outcome])
}
