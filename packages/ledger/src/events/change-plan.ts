import { type EventEdit, numbersOf, type SeatRow, type SeatTypeChange } from '@seatwise/domain'
import { type Kysely, sql } from 'kysely'
import { loadStatement, runStatement, type Schema, type Transaction } from '../engine/index.ts'
import { notePlanChange, openSeatMap } from '../seat-map/index.ts'
import { addSeatTypes, withIds } from './create-event.ts'
import { createSeats, newSeatsOf, rowSpan } from './create-seats.ts'
import type { Conflict } from './edit-event.ts'

const FIND_SEATS_IN_THE_WAY = loadStatement(import.meta.url, 'find-seats-in-the-way.sql')
const CHANGE_ROWS = loadStatement(import.meta.url, 'change-rows.sql')
const RETIRE_SEATS = loadStatement(import.meta.url, 'retire-seats.sql')
const REVIVE_SEATS = loadStatement(import.meta.url, 'revive-seats.sql')

/** A conflict names some of the seats in the way, not a stadium of them. */
const SEATS_NAMED_MAX = 20

/**
 * Changes seat types and seats under the lock of the seat map; returns why it cannot. The caller holds the event's row
 * and undoes it then.
 */
export async function changePlan(
  transaction: Transaction,
  { edit, areTermsChanged, newId }: { edit: EventEdit; areTermsChanged: boolean; newId: () => string },
): Promise<Conflict | null> {
  const eventId = edit.event.id
  if (edit.changed.length === 0 && edit.added.length === 0) {
    // Claims read tax, fees and the beginning of the sale under the lock of the seat map.
    if (areTermsChanged) await openSeatMap(transaction, eventId)
    return null
  }
  const map = await openSeatMap(transaction, eventId)
  if (map === null) throw new Error(`The event ${eventId} has no seat map`)
  // The seat types follow by their foreign key; whether that is in the way of a sale is looked at for each of them.
  const { currency } = edit
  await transaction.db
    .updateTable('events')
    .set({ currency })
    .where('id', '=', eventId)
    .where('currency', '<>', currency)
    .execute()
  for (const change of edit.changed) {
    const conflict = await changeSeatType(transaction.db, eventId, change, newId)
    if (conflict !== null) return conflict
  }
  const lastOrdinal = await readLastOrdinal(transaction.db, eventId)
  const lastPosition = await readLastPosition(transaction.db, eventId)
  await addSeatTypes(transaction.db, { eventId, types: edit.added, newId, lastPosition, lastOrdinal })
  await notePlanChange(map)
  return null
}

async function changeSeatType(
  transaction: Kysely<Schema>,
  eventId: string,
  change: SeatTypeChange,
  newId: () => string,
): Promise<Conflict | null> {
  const { before, after } = change
  const isPriceChanged = after.price !== before.price || after.currency !== before.currency || isVariantChanged(change)
  const conflict =
    (isPriceChanged ? await findPriceConflict(transaction, change) : null) ??
    (before.rows === null
      ? await changeQuantity(transaction, eventId, change)
      : await changeRows(transaction, eventId, change, before.rows))
  if (conflict !== null) return conflict
  await transaction
    .updateTable('seat_types')
    .set({
      name: after.name,
      description: after.description,
      price: after.price,
      variants: JSON.stringify(withIds(after.variants, newId)),
      currency: after.currency,
      layout: after.rows === null ? null : JSON.stringify(after.rows),
      area: after.area === null ? null : JSON.stringify(after.area),
      hidden: after.hidden,
    })
    .where('id', '=', after.id)
    .execute()
  return null
}

/** A variant has another price, or is gone. A new one takes nothing from the buyers before. */
function isVariantChanged({ before, after }: SeatTypeChange): boolean {
  const prices = new Map(after.variants.map(({ id, price }) => [id, price]))
  return before.variants.some(({ id, price }) => prices.get(id) !== price)
}

/** Reservations keep the price they were made at; but two neighbours in one sale should not pay different ones. */
async function findPriceConflict(transaction: Kysely<Schema>, { before }: SeatTypeChange): Promise<Conflict | null> {
  const taken = await countTaken(transaction, before.id)
  if (taken === 0) return null
  const reason = `${taken} seats of ${before.name} are held or sold: their price cannot be changed`
  return { status: 'conflict', reason, details: { seatTypeId: before.id, taken } }
}

async function changeQuantity(
  transaction: Kysely<Schema>,
  eventId: string,
  { before, after }: SeatTypeChange,
): Promise<Conflict | null> {
  const more = after.totalQuantity - before.totalQuantity
  if (more > 0) {
    const revived = await runStatement(transaction, REVIVE_SEATS, [before.id, more])
    const span = { type: before.id, count: more - revived.length }
    await createSeats(transaction, { eventId, spans: [span], lastOrdinal: await readLastOrdinal(transaction, eventId) })
    return null
  }
  const gone = await runStatement(transaction, RETIRE_SEATS, [before.id, -more])
  if (gone.length === -more) return null
  const taken = await countTaken(transaction, before.id)
  const reason = `${taken} seats of ${before.name} are held or sold: there cannot be fewer than that`
  return { status: 'conflict', reason, details: { seatTypeId: before.id, taken } }
}

async function changeRows(
  transaction: Kysely<Schema>,
  eventId: string,
  { before, rows }: SeatTypeChange,
  rowsBefore: readonly SeatRow[],
): Promise<Conflict | null> {
  if (rows.length === 0) return null
  const spans = rows.map((row) => rowSpan(before.id, row))
  const wanted = JSON.stringify(spans)
  const inTheWay = await runStatement<TakenSeat>(transaction, FIND_SEATS_IN_THE_WAY, [before.id, wanted])
  if (inTheWay.length > 0) {
    const reason = `${inTheWay.length} seats that would go or be blocked are held or sold`
    const seats = inTheWay.slice(0, SEATS_NAMED_MAX).map((seat) => ({
      row: seat.row_label,
      number: seat.seat_number,
      status: seat.status,
    }))
    return { status: 'conflict', reason, details: { seatTypeId: before.id, seats } }
  }
  await runStatement(transaction, CHANGE_ROWS, [before.id, wanted])
  const numbersBefore = new Map(rowsBefore.map((row) => [row.label, new Set(numbersOf(row))]))
  const added = spans.map((span) => newSeatsOf(span, numbersBefore.get(span.label) ?? new Set()))
  await createSeats(transaction, { eventId, spans: added, lastOrdinal: await readLastOrdinal(transaction, eventId) })
  return null
}

interface TakenSeat {
  row_label: string
  seat_number: number
  status: string
}

async function countTaken(transaction: Kysely<Schema>, seatTypeId: string): Promise<number> {
  const row = await transaction
    .selectFrom('seats')
    .select(sql<number>`count(*)`.as('taken'))
    .where('seat_type_id', '=', seatTypeId)
    .where('status', 'in', ['held', 'sold'])
    .executeTakeFirstOrThrow()
  return row.taken
}

async function readLastOrdinal(transaction: Kysely<Schema>, eventId: string): Promise<number> {
  const row = await transaction
    .selectFrom('seats')
    .select(sql<number>`coalesce(max(ordinal), 0)`.as('last'))
    .where('event_id', '=', eventId)
    .executeTakeFirstOrThrow()
  return row.last
}

async function readLastPosition(transaction: Kysely<Schema>, eventId: string): Promise<number> {
  const row = await transaction
    .selectFrom('seat_types')
    .select(sql<number>`coalesce(max(position), 0)`.as('last'))
    .where('event_id', '=', eventId)
    .executeTakeFirstOrThrow()
  return row.last
}
