import type { Kysely } from 'kysely'
import { loadStatement, runStatement, type Schema } from '../engine/index.ts'

/** What happened in a room within two seconds of its clock, in one epoch. */
export interface Flow {
  readonly epoch: number
  /** Milliseconds at which the two seconds begin. */
  readonly at: number
  readonly entries: number
  readonly seq: number
  /** Where an epoch began: how many waited and were on the floor just then. */
  readonly waitingAtFirst: number | null
  readonly floorAtFirst: number | null
  readonly arrived: number
  readonly back: number
  readonly away: number
  readonly admitted: number
  readonly leftLine: number
  readonly leftFloor: number
  readonly noShows: number
  /** How long those who were admitted had waited, added up. */
  readonly waitedMs: number
  readonly servedMs: number
  /** Settings that changed. */
  readonly ratePerMinute: number | null
  readonly capacity: number | null
  readonly paused: boolean | null
}

/** The log of a room after an entry, added up; at most `entriesMax` entries of it. */
export async function readFlows(
  db: Kysely<Schema>,
  room: string,
  after: { readonly epoch: number; readonly seq: number },
  entriesMax: number,
): Promise<Flow[]> {
  return await runStatement<Flow>(db, READ_FLOWS, [room, after.epoch, after.seq, entriesMax])
}

/** Seats that came to be held or sold, or ceased to be, within two seconds. */
export interface SeatFlow {
  readonly at: number
  readonly held: number
  readonly sold: number
}

/** Of all reservations of an event, oldest first. */
export async function readSeatFlows(db: Kysely<Schema>, eventId: string): Promise<SeatFlow[]> {
  return await runStatement<SeatFlow>(db, READ_SEAT_FLOWS, [eventId])
}

const READ_FLOWS = loadStatement(import.meta.url, 'read-flows.sql')
const READ_SEAT_FLOWS = loadStatement(import.meta.url, 'read-seat-flows.sql')
