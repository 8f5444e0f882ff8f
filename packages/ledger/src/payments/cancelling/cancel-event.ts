import { randomUUID } from 'node:crypto'
import { faults } from '@seatwise/domain'
import type { Kysely } from 'kysely'
import { loadStatement, type Primary, runStatement, type Schema } from '../../engine/index.ts'
import { cancelInside, type EndedReservation } from '../../reservations/index.ts'
import { type OpenSeatMap, type WithMap, withSeatMap } from '../../seat-map/index.ts'
import { recordAction } from '../../trail/index.ts'

const MARK_CANCELLED = loadStatement(import.meta.url, 'mark-cancelled.sql')
const OPEN_CANCELLATION = loadStatement(import.meta.url, 'open-cancellation.sql')
const FIND_PENDING = loadStatement(import.meta.url, 'find-pending.sql')
const RETRY_FAILED = loadStatement(import.meta.url, 'retry-failed.sql')
const READ_CANCELLATION = loadStatement(import.meta.url, 'read-cancellation.sql')

/** How far the cancelling of an event is. */
export interface Cancellation {
  readonly operation: string
  readonly message: string
  readonly status: 'running' | 'done'
  readonly orders: number
  readonly refunded: number
  /** Could not be refunded so far. */
  readonly failed: number
  /** Have their mail. */
  readonly told: number
  /** What the reconciliation at the end found; null before. */
  readonly differences: number | null
  readonly createdAt: Date
  readonly doneAt: Date | null
}

export interface CancelEvent {
  readonly eventId: string
  /** To every buyer. */
  readonly message: string
  readonly by: string
}

export interface CancelledEvent {
  readonly operation: string
  /** False: it was cancelled before; orders that were given up are tried again. */
  readonly isNew: boolean
  /** Reservations that were not paid, and are over now. */
  readonly canceled: readonly EndedReservation[]
}

/**
 * Cancels an event, in one transaction under the lock of its seat map: from here on nothing of it is sold. Its orders are
 * listed for servers to refund, its buyers are told, and what was only reserved ends. Null when there is no such event.
 */
export async function cancelEvent(ledger: Primary, options: CancelEvent): Promise<WithMap<CancelledEvent> | null> {
  return await withSeatMap<CancelledEvent>(ledger, options.eventId, async (map) => {
    const done = await cancelOnce(map, options)
    if (faults.on) await faults.reach('cancel.inside-transaction')
    return done
  })
}

async function cancelOnce(map: OpenSeatMap, { eventId, message, by }: CancelEvent) {
  const { transaction, at } = map
  const [marked] = await transaction.run(MARK_CANCELLED, [eventId, at])
  if (marked === undefined) {
    await transaction.run(RETRY_FAILED, [eventId])
    const earlier = await readCancellation(transaction.db, eventId)
    if (earlier === null) throw new Error(`The event ${eventId} is cancelled without a record of it`)
    return { result: { operation: earlier.operation, isNew: false, canceled: [] }, moves: [] }
  }
  const operation = randomUUID()
  await transaction.run(OPEN_CANCELLATION, [eventId, operation, message, by, at])
  const pending = await transaction.run<{ id: string }>(FIND_PENDING, [eventId])
  const { ended, moves } = await cancelInside(map, { reservationIds: pending.map(({ id }) => id) })
  await recordAction(transaction.db, { actorId: by, kind: 'event.cancelled', eventId, after: { message } })
  return { result: { operation, isNew: true, canceled: ended }, moves }
}

/** Null when the event was never cancelled. */
export async function readCancellation(db: Kysely<Schema>, eventId: string): Promise<Cancellation | null> {
  const [row] = await runStatement<Cancellation>(db, READ_CANCELLATION, [eventId])
  return row ?? null
}
