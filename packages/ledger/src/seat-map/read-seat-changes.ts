import type { Kysely } from 'kysely'
import {
  loadStatement,
  type Primary,
  prepareStatement,
  runPrepared,
  runStatement,
  type Schema,
  type SeatStatus,
} from '../engine/index.ts'
import type { SeatChange, SeatCounts } from './seat-map.ts'

const READ_SEAT_CHANGES = prepareStatement(import.meta.url, 'read-seat-changes.sql')
const FORGET_SEAT_CHANGES = loadStatement(import.meta.url, 'forget-seat-changes.sql')

/** A server that is further behind is faster with the whole map. */
const VERSIONS_MAX = 500

export interface SeatMapNews {
  readonly version: number
  readonly counts: SeatCounts
  /** What to change in a map of the given version, the last word on each seat; null means: read the whole map. */
  readonly changes: readonly SeatChange[] | null
}

/** What changed in a seat map since a version. Null when there is no such event. */
export async function readSeatChanges(ledger: Primary, eventId: string, since: number): Promise<SeatMapNews | null> {
  const [row] = await runPrepared<NewsRow>(ledger, READ_SEAT_CHANGES, [eventId, since, VERSIONS_MAX])
  if (row === undefined) return null
  const { version, rows, ...counts } = row
  return { version, counts, changes: joinChanges(version - since, rows) }
}

/** Forgets the changes of versions that are older than that: a server that still has one reads the whole map. */
export async function forgetSeatChanges(db: Kysely<Schema>, olderThanSeconds: number): Promise<number> {
  const gone = await runStatement(db, FORGET_SEAT_CHANGES, [olderThanSeconds, FORGET_MAX])
  return gone.length
}

/** Most rows that one call forgets, so that it holds up no other work. */
const FORGET_MAX = 5_000

interface NewsRow extends SeatCounts {
  readonly version: number
  readonly rows: readonly NotedVersion[]
}

type NotedVersion = readonly [version: number, changes: readonly [string, SeatStatus][] | null]

function joinChanges(versions: number, rows: NewsRow['rows']): SeatChange[] | null {
  // A version without its note was forgotten, or the caller has a version that the ledger does not have yet.
  if (versions !== rows.length) return null
  const latest = new Map<string, SeatStatus>()
  for (const [, changes] of rows) {
    if (changes === null) return null
    for (const [seatId, status] of changes) latest.set(seatId, status)
  }
  return [...latest].map(([seatId, status]) => ({ seatId, status }))
}
