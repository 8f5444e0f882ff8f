import type { SeatRow, SeatTypeDraft } from '@seatwise/domain'
import type { Kysely } from 'kysely'
import { loadStatement, runStatement, type Schema } from '../engine/index.ts'

const CREATE_SEATS = loadStatement(import.meta.url, 'create-seats.sql')

/** Seats from `first` to `last` of one row, or so many without a number. */
export interface SeatSpan {
  readonly type: string
  readonly label: string | null
  readonly first: number
  readonly last: number
  readonly blocked?: readonly number[] | undefined
  readonly accessible?: readonly number[] | undefined
  readonly x?: number | undefined
  readonly y?: number | undefined
  readonly pitch?: number | undefined
}

/** Runs create-seats.sql: however many seats there are, it is one statement. */
export async function createSeats(
  transaction: Kysely<Schema>,
  options: { eventId: string; spans: readonly SeatSpan[]; lastOrdinal: number },
): Promise<void> {
  const spans = options.spans.filter(({ first, last }) => first <= last)
  if (spans.length === 0) return
  await runStatement(transaction, CREATE_SEATS, [options.eventId, JSON.stringify(spans), options.lastOrdinal])
}

export function spansOf(type: SeatTypeDraft & { id: string }): SeatSpan[] {
  if (type.rows === null) return [{ type: type.id, label: null, first: 1, last: type.totalQuantity }]
  return type.rows.map((row) => rowSpan(type.id, row, 1))
}

export function rowSpan(type: string, row: SeatRow, first: number): SeatSpan {
  const { label, seats, blocked, accessible } = row
  return { type, label, first, last: seats, blocked, accessible, ...spotOf(row) }
}

/**
 * Where a row lies on the map; its seats are one unit apart unless it says otherwise. Rounded to the ledger's `real`
 * here: PostgreSQL refuses a number that is too small for it instead of taking it for 0.
 */
export function spotOf({ x, y, seatPitch = 1 }: SeatRow): Pick<SeatSpan, 'x' | 'y' | 'pitch'> {
  if (x === undefined || y === undefined) return {}
  return { x: Math.fround(x), y: Math.fround(y), pitch: Math.fround(seatPitch) }
}
