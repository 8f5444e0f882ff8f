import type { Kysely } from 'kysely'
import {
  inTransaction,
  loadStatement,
  type Primary,
  runStatement,
  type Schema,
  type Transaction,
} from '../../engine/index.ts'
import { notePlanChange, openSeatMap } from '../../seat-map/index.ts'

/** How two places of the ledger, or the ledger and the provider, can disagree. */
export const DRIFT_KINDS = [
  /** The counts of the seat map are not those of its seats. */
  'counts',
  /** Held for a reservation that is over. */
  'held-by-nobody',
  /** Sold to a reservation that is not paid. */
  'sold-to-nobody',
  /** Reserved or bought, and yet available. */
  'seat-let-go',
  /** Reserved or bought, and yet of another reservation. */
  'seat-elsewhere',
  'paid-without-payment',
  'payment-without-sale',
  /** The lines of an order, or the shares of its seats, do not add up to what it costs. */
  'order',
  /** A sale took another amount than its order costs. */
  'captured',
  /** The receipt and the credit notes of a purchase have other amounts than the purchase. */
  'papers',
  /** What the purchase says went back is not what its refunds add up to. */
  'refunds',
  /** A refund is not what its seats cost. */
  'refund-seats',
  /** The provider's books say something else. */
  'provider',
  /** The line believes that a ticket has other seats than the ledger says. */
  'gate',
  /** A ticket that the log has ended is alive. */
  'ticket',
  /** The log does not end where the ledger says it has followed it to. */
  'log',
] as const
export type DriftKind = (typeof DRIFT_KINDS)[number]

export interface Drift {
  readonly kind: DriftKind
  /** The id of what it is about. */
  readonly subject: string
  readonly details: Readonly<Record<string, unknown>>
}

export interface Reconciled {
  readonly repaired: readonly Drift[]
  /** Differences that an operator must decide; with `dryRun` everything that was found. */
  readonly left: readonly Drift[]
}

/**
 * Compares what the ledger's tables say about an event. Recounts the seats, frees seats of reservations that are over, and
 * gives reserved seats that show as available back to their reservation; it never touches money or the log.
 */
export async function reconcileEvent(
  ledger: Primary,
  options: { eventId: string; dryRun: boolean },
): Promise<Reconciled> {
  const { eventId, dryRun } = options
  const found = await findDrift(ledger.db, eventId)
  if (dryRun || !found.some(isSafe)) return { repaired: [], left: found }
  return await inTransaction(ledger, async (transaction) => {
    const map = await openSeatMap(transaction, eventId)
    if (map === null) return { repaired: [], left: found }
    // Under the lock no other transaction changes seats: a difference that is still there is real.
    const drift = await findDrift(transaction.db, eventId)
    await repair(transaction, drift)
    await notePlanChange(map)
    const left = await findDrift(transaction.db, eventId)
    const isLeft = new Set(left.map(nameOf))
    return { repaired: drift.filter((one) => !isLeft.has(nameOf(one))), left }
  })
}

const FIND_DRIFT = loadStatement(import.meta.url, 'find-drift.sql')
const REPAIR_SEATS = loadStatement(import.meta.url, 'repair-seats.sql')

function findDrift(db: Kysely<Schema>, eventId: string): Promise<Drift[]> {
  return runStatement<Drift>(db, FIND_DRIFT, [eventId])
}

async function repair(transaction: Transaction, drift: readonly Drift[]): Promise<void> {
  const letGo = drift.filter(({ kind }) => kind === 'held-by-nobody').map(({ subject }) => subject)
  const takenBack = drift.filter(({ kind }) => kind === 'seat-let-go')
  if (letGo.length === 0 && takenBack.length === 0) return
  await transaction.run(REPAIR_SEATS, [
    letGo,
    takenBack.map(({ subject }) => subject),
    takenBack.map(({ details }) => String(details.reservation)),
  ])
}

/** Differences that can be repaired without cost to a buyer: no money moves, no sold seat is given away. */
function isSafe({ kind }: Drift): boolean {
  return kind === 'counts' || kind === 'held-by-nobody' || kind === 'seat-let-go'
}

const nameOf = ({ kind, subject }: Drift): string => `${kind} ${subject}`
