import type { Kysely, Transaction } from 'kysely'
import type { Schema, SeatStatus } from '../schema.ts'
import { loadStatement, runStatement } from '../statement.ts'

const OPEN_SEAT_MAP = loadStatement(import.meta.url, 'open-seat-map.sql')
const CLOSE_SEAT_MAP = loadStatement(import.meta.url, 'close-seat-map.sql')
const COUNT_SEATS = loadStatement(import.meta.url, 'count-seats.sql')

/** How many seats of an event are in which state; the ones off the plan are in none. */
export type SeatCounts = Readonly<Record<SeatStatus, number>>

/** One seat as it is after a change. */
export interface SeatChange {
  readonly seatId: string
  readonly status: SeatStatus
}

/** What a transaction did to a seat map: what the gate and the push need to know. */
export interface SeatMapChange {
  /** The version the map has now. */
  readonly version: number
  readonly counts: SeatCounts
  readonly changes: readonly SeatChange[]
}

/** A seat map that is ours until the transaction ends. */
export interface OpenSeatMap {
  readonly transaction: Transaction<Schema>
  readonly eventId: string
  /** "Now" for everything in this transaction, by the ledger's clock, taken after the lock. */
  readonly at: Date
  readonly counts: SeatCounts
}

/** A seat that the work has changed, with the state it was in. */
export interface SeatMove extends SeatChange {
  readonly before: SeatStatus
}

export type WithMap<Result> = Result & SeatMapChange

/** What somebody did to a seat map. */
export interface SeatWork<Result> {
  readonly result: Result
  readonly moves: readonly SeatMove[]
  /** Those that reserved something. */
  readonly tickets?: readonly number[]
}

/**
 * The only door to an event's seats: whoever changes some does it in here, alone. The work reads, decides, writes the
 * seats and says which ones it moved; `plan` says that seats came, went or were redrawn. Null when there is no such event.
 */
export async function withSeatMap<Result extends object>(
  db: Kysely<Schema>,
  eventId: string,
  work: (map: OpenSeatMap) => Promise<SeatWork<Result>>,
): Promise<WithMap<Result> | null> {
  return await db.transaction().execute(async (transaction) => {
    const map = await openSeatMap(transaction, eventId)
    if (map === null) return null
    const { result, moves, tickets = [] } = await work(map)
    return { ...result, ...(await noteMoves(map, moves, tickets)) }
  })
}

/** Locks the seat map inside a transaction that the caller ends. */
export async function openSeatMap(transaction: Transaction<Schema>, eventId: string): Promise<LockedMap | null> {
  const [row] = await runStatement<SeatCounts & { version: number; at: Date }>(transaction, OPEN_SEAT_MAP, [eventId])
  if (row === undefined) return null
  const { version, at, ...counts } = row
  return { transaction, eventId, version, at, counts }
}

/** Gives the seat map a new version because its plan was changed, and counts it anew. */
export async function notePlanChange(map: LockedMap): Promise<void> {
  const [counts] = await runStatement<SeatCounts>(map.transaction, COUNT_SEATS, [map.eventId])
  if (counts === undefined) throw new Error('An aggregate always has a row')
  await closeSeatMap(map, null, counts)
}

/** Makes the seat map of a new event. */
export async function createSeatMap(transaction: Transaction<Schema>, eventId: string): Promise<void> {
  const [counts] = await runStatement<SeatCounts>(transaction, COUNT_SEATS, [eventId])
  if (counts === undefined) throw new Error('An aggregate always has a row')
  await transaction
    .insertInto('seat_maps')
    .values({ event_id: eventId, ...counts })
    .execute()
}

interface LockedMap extends OpenSeatMap {
  /** Before the work. */
  readonly version: number
}

async function noteMoves(
  map: LockedMap,
  moves: readonly SeatMove[],
  tickets: readonly number[],
): Promise<SeatMapChange> {
  const changes = moves.filter(({ before, status }) => before !== status)
  // Nothing that anybody can see has changed: the version stays.
  if (changes.length === 0) return { version: map.version, counts: map.counts, changes: [] }
  const counts = { ...map.counts }
  for (const { before, status } of changes) {
    counts[before] -= 1
    counts[status] += 1
  }
  const version = await closeSeatMap(map, changes, counts, tickets)
  return { version, counts, changes: changes.map(({ seatId, status }) => ({ seatId, status })) }
}

async function closeSeatMap(
  map: LockedMap,
  changes: readonly SeatChange[] | null,
  counts: SeatCounts,
  tickets: readonly number[] = [],
): Promise<number> {
  const version = map.version + 1
  const noted = changes === null ? null : JSON.stringify(changes.map(({ seatId, status }) => [seatId, status]))
  const { available, held, sold, blocked } = counts
  const parameters = [map.eventId, version, map.at, noted, available, held, sold, blocked, tickets]
  await runStatement(map.transaction, CLOSE_SEAT_MAP, parameters)
  return version
}
