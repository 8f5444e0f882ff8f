import {
  type EventEdit,
  type EventEditBody,
  priceListOf,
  priceListText,
  readEventEdit,
  type SaleEvent,
  storedCheckout,
  toThousandths,
} from '@seatwise/domain'
import { type Kysely, sql } from 'kysely'
import {
  inTransaction,
  loadStatement,
  type Primary,
  runStatement,
  type Schema,
  type Transaction,
} from '../engine/index.ts'
import { recordAction } from '../trail/index.ts'
import { changePlan } from './change-plan.ts'
import { withQuestionIds } from './create-event.ts'
import { readEvent } from './read-events.ts'

const TELL_MOVED = loadStatement(import.meta.url, 'tell-moved.sql')

export interface EditEvent {
  readonly eventId: string
  readonly body: EventEditBody
  /** The account that the trail names; without it the trail gets no entry. */
  readonly by?: string
  readonly newId: () => string
  /** The event's price list as the caller read it: the edit is refused as `stale` when there is another by now. */
  readonly expects?: string
}

export type EditOutcome =
  | { readonly status: 'edited'; readonly event: SaleEvent }
  | { readonly status: 'stale' }
  | { readonly status: 'unknown' }
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
  const { eventId, newId } = options
  const { db } = transaction
  const clock = await lockEvent(db, eventId)
  const current = await readEvent(db, eventId)
  if (clock === null || current === null) return { status: 'unknown' }
  if (options.expects !== undefined && options.expects !== priceListText(priceListOf(current)))
    return { status: 'stale' }
  const edit = readEventEdit(current, options.body)
  const { taxRate, fees, presaleStartAt, salesStartAt } = options.body
  const areTermsChanged = [taxRate, fees, presaleStartAt, salesStartAt].some((term) => term !== undefined)
  const conflict =
    stateConflict(current, edit) ??
    windowConflict(current, edit, clock) ??
    (await changePlan(transaction, { edit, areTermsChanged, newId }))
  if (conflict !== null) return conflict
  await writeFacts(db, edit, newId)
  await tellMoved(db, current, edit)
  const event = await readEvent(db, eventId)
  if (event === null) return { status: 'unknown' }
  if (options.by !== undefined) await noteEdit(db, options.by, { before: current, after: event, options })
  return { status: 'edited', event }
}

/** Buyers plan by the date: they hear of another one by mail, and until when they may refund themselves. Rule B145. */
async function tellMoved(db: Kysely<Schema>, { id, startsAt: before }: SaleEvent, { event }: EventEdit): Promise<void> {
  const { startsAt, refundsUntil } = event
  if (before?.getTime() === startsAt?.getTime()) return
  await runStatement(db, TELL_MOVED, [id, before, startsAt, refundsUntil])
}

/** Of a changed plan the trail has the seat types, not every row: the plan itself says where the seats are. */
async function noteEdit(
  db: Kysely<Schema>,
  actorId: string,
  { before, after, options }: { before: SaleEvent; after: SaleEvent; options: EditEvent },
): Promise<void> {
  const pick = (event: SaleEvent) => {
    const seatTypes = event.seatTypes.map(({ name, price, variants, totalQuantity, hidden }) => ({
      ...{ name, price, totalQuantity },
      ...(hidden ? { hidden } : {}),
      ...(variants.length === 0 ? {} : { variants }),
    }))
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

function stateConflict(current: SaleEvent, { event }: EventEdit): Conflict | null {
  if (event.state === current.state) return null
  if (current.state === 'draft') return null
  const reason =
    current.state === 'cancelled'
      ? 'The event was cancelled: that is final'
      : 'The event is published: it cannot become a draft again, but it can be cancelled'
  return { status: 'conflict', reason }
}

function windowConflict(current: SaleEvent, { event }: EventEdit, clock: Date): Conflict | null {
  const hasStarted = current.salesStartAt <= clock
  if (hasStarted && event.salesStartAt.getTime() !== current.salesStartAt.getTime()) {
    return { status: 'conflict', reason: 'The sale has begun: salesStartAt cannot be changed any more' }
  }
  const hasPresaleStarted = current.presaleStartAt !== null && current.presaleStartAt <= clock
  if (hasPresaleStarted && event.presaleStartAt?.getTime() !== current.presaleStartAt?.getTime()) {
    return { status: 'conflict', reason: 'The presale has begun: presaleStartAt cannot be changed any more' }
  }
  const isRunning = hasStarted && current.salesEndAt > clock
  if (isRunning && event.salesEndAt < clock) {
    return { status: 'conflict', reason: 'The sale is running: salesEndAt cannot be moved into the past' }
  }
  return null
}

async function writeFacts(db: Kysely<Schema>, { event, checkout }: EventEdit, newId: () => string): Promise<void> {
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
      doors_at: event.doorsAt,
      age_min: event.ageMin,
      presale_start_at: event.presaleStartAt,
      sales_start_at: event.salesStartAt,
      sales_end_at: event.salesEndAt,
      tax_rate: toThousandths(event.taxRate),
      fees: JSON.stringify(event.fees),
      after: JSON.stringify(event.after),
      shapes: JSON.stringify(event.shapes),
      checkout: JSON.stringify(storedCheckout(withQuestionIds(checkout, newId))),
      additional_info: JSON.stringify(event.additionalInfo),
      state: event.state,
      refunds_until: event.refundsUntil,
      updated_at: sql<Date>`now()`,
    })
    .where('id', '=', event.id)
    .execute()
}
