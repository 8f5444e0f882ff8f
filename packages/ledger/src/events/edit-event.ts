import { type EventEdit, type EventEditBody, readEventEdit, type SaleEvent } from '@seatwise/domain'
import { type Kysely, sql } from 'kysely'
import { inTransaction, type Primary, type Schema, type Transaction } from '../engine/index.ts'
import { recordAction } from '../trail/index.ts'
import { changePlan } from './change-plan.ts'
import { readEvent } from './read-events.ts'

export interface EditEvent {
  readonly eventId: string
  readonly body: EventEditBody
  /** The organiser who edits, and may edit only their own events; null for an admin, who may edit all. */
  readonly organizerId: string | null
  /** The account that the trail names; without it the trail gets no entry. */
  readonly by?: string
  readonly newId: () => string
}

export type EditOutcome =
  | { readonly status: 'edited'; readonly event: SaleEvent }
  | { readonly status: 'unknown' }
  | { readonly status: 'not-yours' }
  | Conflict

/** The edit would break a running sale; nothing was changed. */
export interface Conflict {
  readonly status: 'conflict'
  readonly reason: string
  readonly details?: Record<string, unknown>
}

/**
 * Changes an event without breaking its sale: what is held or sold keeps its seat, its price and its sale window.
 * The event's row is locked against other edits; claims wait only while the plan itself is changed.
 */
export async function editEvent(ledger: Primary, options: EditEvent): Promise<EditOutcome> {
  try {
    return await inTransaction(ledger, async (transaction) => {
      const outcome = await editInside(transaction, options)
      // A conflict may be found after seats were changed: leave nothing of that behind.
      if (outcome.status === 'conflict') throw new Undo(outcome)
      return outcome
    })
  } catch (error) {
    if (error instanceof Undo) return error.outcome
    throw error
  }
}

class Undo extends Error {
  readonly outcome: Conflict
  constructor(outcome: Conflict) {
    super(outcome.reason)
    this.outcome = outcome
  }
}

async function editInside(transaction: Transaction, options: EditEvent): Promise<EditOutcome> {
  const { eventId, organizerId, newId } = options
  const { db } = transaction
  const clock = await lockEvent(db, eventId)
  const current = await readEvent(db, eventId)
  if (clock === null || current === null) return { status: 'unknown' }
  if (organizerId !== null && current.organizerId !== organizerId) return { status: 'not-yours' }

  const edit = readEventEdit(current, options.body)
  const conflict = windowConflict(current, edit, clock) ?? (await changePlan(transaction, { edit, newId }))
  if (conflict !== null) return conflict
  await writeFacts(db, edit)
  const event = await readEvent(db, eventId)
  if (event === null) return { status: 'unknown' }
  if (options.by !== undefined) await noteEdit(db, options.by, { before: current, after: event, options })
  return { status: 'edited', event }
}

/** Of a changed plan the trail has the seat types, not every row: the plan itself says where the seats are. */
async function noteEdit(
  db: Kysely<Schema>,
  actorId: string,
  { before, after, options }: { before: SaleEvent; after: SaleEvent; options: EditEvent },
): Promise<void> {
  const pick = (event: SaleEvent) => {
    const seatTypes = event.seatTypes.map(({ name, price, totalQuantity }) => ({ name, price, totalQuantity }))
    const all: Record<string, unknown> = { ...event, seatTypes }
    return Object.fromEntries(Object.keys(options.body).map((name) => [name, all[name]]))
  }
  const values = { before: pick(before), after: pick(after) }
  await recordAction(db, { actorId, kind: 'event.edited', eventId: options.eventId, ...values })
}

/** Not `for update`: a claim points at the event by a foreign key and must not wait for an edit. */
async function lockEvent(db: Kysely<Schema>, eventId: string): Promise<Date | null> {
  const row = await db
    .selectFrom('events')
    .select(sql<Date>`now()`.as('clock'))
    .where('id', '=', eventId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row?.clock ?? null
}

function windowConflict(current: SaleEvent, { event }: EventEdit, clock: Date): Conflict | null {
  const hasStarted = current.salesStartAt <= clock
  if (hasStarted && event.salesStartAt.getTime() !== current.salesStartAt.getTime()) {
    return { status: 'conflict', reason: 'The sale has begun: salesStartAt cannot be changed any more' }
  }
  const isRunning = hasStarted && current.salesEndAt > clock
  if (isRunning && event.salesEndAt < clock) {
    return { status: 'conflict', reason: 'The sale is running: salesEndAt cannot be moved into the past' }
  }
  return null
}

async function writeFacts(db: Kysely<Schema>, { event }: EventEdit): Promise<void> {
  await db
    .updateTable('events')
    .set({
      name: event.name,
      code: event.code,
      description: event.description,
      location: event.location,
      time_zone: event.timeZone,
      starts_at: event.startsAt,
      ends_at: event.endsAt,
      sales_start_at: event.salesStartAt,
      sales_end_at: event.salesEndAt,
      additional_info: JSON.stringify(event.additionalInfo),
      updated_at: sql<Date>`now()`,
    })
    .where('id', '=', event.id)
    .execute()
}
