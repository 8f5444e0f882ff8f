import type { Kysely } from 'kysely'
import { loadStatement, runStatement, type Schema, type SeatStatus } from '../engine/index.ts'
import { readSeatCounts } from './read-seat-counts.ts'
import type { SeatCounts } from './seat-map.ts'

const READ_SEAT_PLAN = loadStatement(import.meta.url, 'read-seat-plan.sql')

/** About 3 ms of parsing: a house of 60,000 seats does not stall other requests. */
const PAGE_SEATS = 5_000

export interface PlannedSeat {
  readonly id: string
  readonly seatTypeId: string
  readonly row: string | null
  /** How far along the row; null without a number. */
  readonly along: number | null
  readonly status: SeatStatus
  readonly accessible: boolean
}

export interface PlannedType {
  readonly id: string
  readonly isNumbered: boolean
  /** Shown to no visitor without a code. */
  readonly isHidden: boolean
}

export interface SeatPlan {
  /** The seats may be newer than this version, never older: what changed since brings them all to one version. */
  readonly version: number
  readonly counts: SeatCounts
  /** In the order of the event. */
  readonly seatTypes: readonly PlannedType[]
  /** In the order of the plan. */
  readonly seats: readonly PlannedSeat[]
}

/** Every seat of an event, for a server that follows it; null when there is no such event. */
export async function readSeatPlan(db: Kysely<Schema>, eventId: string): Promise<SeatPlan | null> {
  const [start] = await readSeatCounts(db, [eventId])
  if (start === undefined) return null
  const seatTypes = await db
    .selectFrom('seat_types')
    .select(['id', 'reserved_seating as isNumbered', 'hidden as isHidden'])
    .where('event_id', '=', eventId)
    .orderBy('position')
    .execute()
  const seats: PlannedSeat[] = []
  for (let after = -1; ; ) {
    const page = await readPage(db, eventId, after)
    for (const [, id, seatTypeId, row, along, status, accessible] of page) {
      seats.push({ id, seatTypeId, row, along, status, accessible })
    }
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE_SEATS) break
    after = last[0]
  }
  return { version: start.version, counts: start.counts, seatTypes, seats }
}

type PageSeat = [number, string, string, string | null, number | null, SeatStatus, boolean]

async function readPage(db: Kysely<Schema>, eventId: string, after: number): Promise<readonly PageSeat[]> {
  const [row] = await runStatement<{ seats: PageSeat[] }>(db, READ_SEAT_PLAN, [eventId, after, PAGE_SEATS])
  if (row === undefined) throw new Error('An aggregate always has a row')
  return row.seats
}
