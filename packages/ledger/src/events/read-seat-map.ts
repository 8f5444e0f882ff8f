import type { Kysely } from 'kysely'
import { loadStatement, runStatement, type Schema } from '../engine/index.ts'

const READ_SEAT_MAP = loadStatement(import.meta.url, 'read-seat-map.sql')
const READ_VERSION = loadStatement(import.meta.url, 'read-seat-map-version.sql')

export interface SeatMapVersion {
  /** Grows with every change of any seat. */
  readonly version: number
  /** Holds that ended by the clock alone: they change what is shown before they change a row. */
  readonly expired: number
}

export interface SeatMap extends SeatMapVersion {
  /** A JSON list, ready to send. */
  readonly seats: string
}

/** Every seat of an event but those of some types; `unchanged` when the caller's copy is still right. */
export async function readSeatMap(
  db: Kysely<Schema>,
  eventId: string,
  known: SeatMapVersion | null,
  leftOutTypeIds: readonly string[] = [],
): Promise<SeatMap | 'unchanged'> {
  if (known !== null) {
    const [now] = await runStatement<SeatMapVersion>(db, READ_VERSION, [eventId])
    if (now?.version === known.version && now.expired === known.expired) return 'unchanged'
  }
  const [map] = await runStatement<SeatMap>(db, READ_SEAT_MAP, [eventId, leftOutTypeIds])
  if (map === undefined) throw new Error('An aggregate always has a row')
  return map
}
