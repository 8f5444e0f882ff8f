import { alongOf, numbersOf, type SeatRow, type SeatTypeDraft, spotsOf } from '@seatwise/domain'
import type { Kysely } from 'kysely'
import { loadStatement, runStatement, type Schema } from '../engine/index.ts'

const CREATE_SEATS = loadStatement(import.meta.url, 'create-seats.sql')

/** The seats of one row, or so many without a number. */
export type SeatSpan = RowSpan | HeapSpan

interface HeapSpan {
  readonly type: string
  readonly count: number
}

/** What the lists say of a seat stands at the same place in each. */
export interface RowSpan {
  readonly type: string
  readonly label: string
  readonly numbers: readonly number[]
  /** How far along the row, counted in seats. */
  readonly along: readonly number[]
  /** Null for a row that has no place on the map. */
  readonly xs: readonly number[] | null
  readonly ys: readonly number[] | null
  readonly blocked: readonly number[] | undefined
  readonly accessible: readonly number[] | undefined
}

/** Runs create-seats.sql: however many seats there are, it is one statement. */
export async function createSeats(
  transaction: Kysely<Schema>,
  options: { eventId: string; spans: readonly SeatSpan[]; lastOrdinal: number },
): Promise<void> {
  const spans = options.spans.filter((span) => ('count' in span ? span.count : span.numbers.length) > 0)
  if (spans.length === 0) return
  await runStatement(transaction, CREATE_SEATS, [options.eventId, JSON.stringify(spans), options.lastOrdinal])
}

export function spansOf(type: SeatTypeDraft & { id: string }): SeatSpan[] {
  if (type.rows === null) return [{ type: type.id, count: type.totalQuantity }]
  return type.rows.map((row) => rowSpan(type.id, row))
}

/**
 * Rounded to the ledger's `real` here: PostgreSQL refuses a number that is too small for it instead of taking it for 0.
 */
export function rowSpan(type: string, row: SeatRow): RowSpan {
  const spots = spotsOf(row)
  return {
    type,
    label: row.label,
    numbers: numbersOf(row),
    along: alongOf(row),
    xs: spots?.map(({ x }) => Math.fround(x)) ?? null,
    ys: spots?.map(({ y }) => Math.fround(y)) ?? null,
    blocked: row.blocked,
    accessible: row.accessible,
  }
}

/** The seats of a row that it did not have before. */
export function newSeatsOf(span: RowSpan, before: ReadonlySet<number>): RowSpan {
  const isNew = span.numbers.map((number) => !before.has(number))
  const kept = <Item>(list: readonly Item[]): Item[] => list.filter((_, place) => isNew[place])
  const [xs, ys] = [span.xs, span.ys].map((list) => (list === null ? null : kept(list)))
  return { ...span, numbers: kept(span.numbers), along: kept(span.along), xs: xs ?? null, ys: ys ?? null }
}
