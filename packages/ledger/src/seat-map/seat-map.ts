import type { Kysely } from 'kysely'
import {
  type Call,
  inTransaction,
  loadStatement,
  type Primary,
  prepareStatement,
  runStatement,
  type Schema,
  type SeatStatus,
  type Transaction,
} from '../engine/index.ts'

const OPEN_SEAT_MAP = prepareStatement(import.meta.url, 'open-seat-map.sql')
const CLOSE_SEAT_MAP = prepareStatement(import.meta.url, 'close-seat-map.sql')
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
  /** Of the held seats: those that are offered to the returns list, which do not end "sold out". */
  readonly offered: number
  readonly changes: readonly SeatChange[]
}

/** A seat map that this transaction has locked until it ends. */
export interface OpenSeatMap {
  readonly transaction: Transaction
  readonly eventId: string
  /** "Now" for everything in this transaction, by the ledger's clock, taken after the lock. */
  readonly at: Date
  readonly counts: SeatCounts
  readonly offered: number
  readonly freeFrom: FreeFrom
}

/** By seat type: no unnumbered seat of it before that ordinal is free. A type that is not in here may have some anywhere. */
export type FreeFrom = Readonly<Record<string, number>>

/** A seat that the work has changed, with the state it was in. */
export interface SeatMove extends SeatChange {
  readonly before: SeatStatus
  /** Where to find the seat again when it is free; not known to all work that moves one. */
  readonly place?: { readonly seatTypeId: string; readonly ordinal: number }
}

export type WithMap<Result> = Result & SeatMapChange

/** What a transaction did to a seat map. */
export interface SeatWork<Result> {
  readonly result: Result
  /** What is still to be written, before the map is closed and together with that. */
  readonly writes?: readonly Call[]
  readonly moves: readonly SeatMove[]
  /** Tickets that reserved something, or have another deadline now: the map gets a version for the line. */
  readonly tickets?: readonly number[]
  /** Where the next free seats are of the types that were looked through. */
  readonly freeFrom?: FreeFrom
}

/** What a transaction needs of a seat map beside the lock. */
export interface MapNeeds {
  /** What the work surely has to read, right after the lock; may use the setting `seatwise.at`, the map's "now". */
  readonly reads?: readonly Call[]
  /** For whom something new may be written: none of them is adopted until the transaction ends. */
  readonly owners?: readonly string[]
}

/**
 * The only door to an event's seats: every change happens in here, one transaction at a time. The work reads, decides,
 * writes the seats and returns which ones it moved. Null when there is no such event.
 */
export async function withSeatMap<Result extends object, Rows extends readonly unknown[][] = []>(
  ledger: Primary,
  eventId: string,
  work: (map: OpenSeatMap, rows: Rows) => Promise<SeatWork<Result>>,
  { reads = [], owners = [] }: MapNeeds = {},
): Promise<WithMap<Result> | null> {
  return await inTransaction(ledger, async (transaction) => {
    const [[row], ...rows] = await transaction.together<[MapRow[], ...Rows]>([toOpen(eventId, owners), ...reads])
    if (row === undefined) return null
    const map = mapOf(transaction, eventId, row)
    const done = await work(map, rows)
    const { writes, change } = toNote(map, done)
    return { ...done.result, ...change, ...offeredIn(map, await transaction.finish(writes)) }
  })
}

/**
 * The same for work that is one statement, which closes the map as well: it is sent together with the lock and the
 * commit, unless something has to happen before that.
 */
export async function atSeatMap<Row>(
  ledger: Primary,
  eventId: string,
  { work, owners, beforeCommit }: { work: Call; owners: readonly string[]; beforeCommit?: () => Promise<void> },
): Promise<{ map: LockedMap; rows: Row[] } | null> {
  return await inTransaction(ledger, async (transaction) => {
    const calls = [toOpen(eventId, owners), work]
    const [[row], rows] =
      beforeCommit === undefined
        ? await transaction.finish<[MapRow[], Row[]]>(calls)
        : await transaction.together<[MapRow[], Row[]]>(calls)
    await beforeCommit?.()
    return row === undefined ? null : { map: mapOf(transaction, eventId, row), rows }
  })
}

/** Locks the seat map inside a transaction that the caller ends; the planner may read all of the event's seats in it. */
export async function openSeatMap(transaction: Transaction, eventId: string): Promise<LockedMap | null> {
  const [row] = await transaction.run<MapRow>(OPEN_SEAT_MAP, [eventId, 'on', []])
  return row === undefined ? null : mapOf(transaction, eventId, row)
}

/** Writes what was done to a seat map inside a transaction that goes on. */
export async function closeSeatMap(map: LockedMap, work: Omit<SeatWork<unknown>, 'result'>): Promise<SeatMapChange> {
  const { writes, change } = toNote(map, work)
  return { ...change, ...offeredIn(map, await map.transaction.together(writes)) }
}

/** What close-seat-map.sql counted, if it ran: it is the last statement. */
function offeredIn(map: LockedMap, rows: readonly unknown[][]): Pick<SeatMapChange, 'offered'> {
  const [closed] = (rows.at(-1) as { offered?: number }[] | undefined) ?? []
  return { offered: closed?.offered ?? map.offered }
}

/** The owners in one order everywhere: two transactions that want the same ones never wait for each other. */
function toOpen(eventId: string, owners: readonly string[]): Call {
  return { statement: OPEN_SEAT_MAP, parameters: [eventId, 'off', owners.toSorted()] }
}

function mapOf(transaction: Transaction, eventId: string, row: MapRow): LockedMap {
  const { version, at, freeFrom, available, held, sold, blocked, offered } = row
  return { transaction, eventId, version, at, freeFrom, offered, counts: { available, held, sold, blocked } }
}

/** Gives the seat map a new version because its plan was changed, and counts it anew. */
export async function notePlanChange(map: LockedMap): Promise<void> {
  const [counts] = await map.transaction.run<SeatCounts>(COUNT_SEATS, [map.eventId])
  if (counts === undefined) throw new Error('An aggregate always has a row')
  const [close] = toClose(map, { changes: null, counts, freeFrom: {} })
  await map.transaction.together([close])
}

/** Makes the seat map of a new event. */
export async function createSeatMap(db: Kysely<Schema>, eventId: string): Promise<void> {
  const [counts] = await runStatement<SeatCounts>(db, COUNT_SEATS, [eventId])
  if (counts === undefined) throw new Error('An aggregate always has a row')
  await db
    .insertInto('seat_maps')
    .values({ event_id: eventId, ...counts })
    .execute()
}

export interface LockedMap extends OpenSeatMap {
  /** Before the work. */
  readonly version: number
}

interface MapRow extends SeatCounts {
  readonly version: number
  readonly offered: number
  readonly at: Date
  readonly freeFrom: FreeFrom
}

/** What is to be written at the end of the work, and what the map is afterwards. */
function toNote(
  map: LockedMap,
  work: Omit<SeatWork<unknown>, 'result'>,
): { writes: Call[]; change: Omit<SeatMapChange, 'offered'> } {
  const { moves, tickets = [], writes = [] } = work
  const changes = moves.filter(({ before, status }) => before !== status)
  // Nothing changed that a reader sees or the line needs: the version stays.
  if (changes.length === 0 && tickets.length === 0) {
    return { writes: [...writes], change: { version: map.version, counts: map.counts, changes: [] } }
  }
  const counts = { ...map.counts }
  for (const { before, status } of changes) {
    counts[before] -= 1
    counts[status] += 1
  }
  const freeFrom = lookBack({ ...map.freeFrom, ...work.freeFrom }, changes)
  const [close, version] = toClose(map, { changes, counts, freeFrom })
  const change = { version, counts, changes: changes.map(({ seatId, status }) => ({ seatId, status })) }
  return { writes: [...writes, close], change }
}

/** Seats that became free are looked for from there on. */
function lookBack(freeFrom: FreeFrom, moves: readonly SeatMove[]): FreeFrom {
  const from = { ...freeFrom }
  for (const { status, place } of moves) {
    if (status !== 'available') continue
    // A free seat that is not found is not sold: rather look through everything again.
    if (place === undefined) return {}
    const known = from[place.seatTypeId]
    if (known !== undefined) from[place.seatTypeId] = Math.min(known, place.ordinal)
  }
  return from
}

interface MapNote {
  readonly changes: readonly SeatChange[] | null
  readonly counts: SeatCounts
  readonly freeFrom: FreeFrom
}

function toClose(map: LockedMap, { changes, counts, freeFrom }: MapNote): [close: Call, version: number] {
  const version = map.version + 1
  const noted = changes === null ? null : JSON.stringify(changes.map(({ seatId, status }) => [seatId, status]))
  const { available, held, sold, blocked } = counts
  const change = [map.eventId, version, map.at, noted, available, held, sold, blocked]
  return [{ statement: CLOSE_SEAT_MAP, parameters: [...change, JSON.stringify(freeFrom)] }, version]
}
