import type { Kysely } from 'kysely'
import { loadStatement, runStatement, type Schema } from '../../engine/index.ts'

const READ_LIST = loadStatement(import.meta.url, 'read-door-list.sql')
const READ_COUNTS = loadStatement(import.meta.url, 'read-door-counts.sql')
const READ_SCANS = loadStatement(import.meta.url, 'read-door-scans.sql')
/** More doors than a stadium has. */
const DOORS_MAX = 100

/** An e-ticket as a device at the door keeps it. */
export interface DoorTicket {
  readonly id: string
  readonly generation: number
  readonly shortCode: string
  readonly isVoid: boolean
  readonly checkedInAt: Date | null
  readonly seatTypeName: string
  readonly row: string | null
  readonly number: number | null
  readonly holder: string | null
}

export interface DoorCounts {
  /** E-tickets that let in, those that did already included. */
  readonly valid: number
  readonly inside: number
  readonly doors: readonly { readonly door: string; readonly in: number }[]
}

export interface DoorScan {
  readonly id: string
  readonly eticketId: string
  readonly door: string | null
  readonly scannedAt: Date
  readonly outcome: 'in' | 'conflict' | 'void'
  /** Of the scan that counts; null when there is none. */
  readonly checkedInAt: Date | null
  readonly countedDoor: string | null
  readonly seatTypeName: string
  readonly row: string | null
  readonly number: number | null
}

/** The e-tickets after this one, by id. */
export function readDoorList(
  db: Kysely<Schema>,
  { eventId, after, max }: { readonly eventId: string; readonly after: string | null; readonly max: number },
): Promise<DoorTicket[]> {
  return runStatement<DoorTicket>(db, READ_LIST, [eventId, after, max])
}

export async function readDoorCounts(db: Kysely<Schema>, eventId: string): Promise<DoorCounts> {
  const [counts] = await runStatement<DoorCounts>(db, READ_COUNTS, [eventId, DOORS_MAX])
  if (counts === undefined) throw new Error('A statement that always returns a row returned none')
  return counts
}

export interface ScansWanted {
  readonly eventId: string
  readonly since: Date
  readonly onlyTroubled: boolean
  readonly max: number
}

export function readDoorScans(
  db: Kysely<Schema>,
  { eventId, since, onlyTroubled, max }: ScansWanted,
): Promise<DoorScan[]> {
  return runStatement<DoorScan>(db, READ_SCANS, [eventId, since, onlyTroubled, max])
}
