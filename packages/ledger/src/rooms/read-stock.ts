import type { Kysely } from 'kysely'
import type { Schema } from '../engine/index.ts'
import { readSeatCounts } from '../seat-map/index.ts'

/** What the gate of an event's room must know of its seats. */
export interface Stock {
  /** Of the seat map. */
  version: number
  /** Available seats. */
  stock: number
  /** Without those that are offered to the returns list. */
  heldSeats: number
}

export async function readStock(db: Kysely<Schema>, eventId: string): Promise<Stock> {
  const [counted] = await readSeatCounts(db, [eventId])
  if (counted === undefined) throw new Error(`The ledger has no seat map of the event ${eventId}`)
  const { version, counts, offered } = counted
  return { version, stock: counts.available, heldSeats: counts.held - offered }
}
