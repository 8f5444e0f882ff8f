import type { Kysely } from 'kysely'
import type { Schema } from '../schema.ts'
import { loadStatement, runStatement } from '../statement.ts'

/** What the gate of an event's room must know of its seats. */
export interface Stock {
  /** Of the seat map. */
  version: number
  /** Available seats. */
  stock: number
  heldSeats: number
}

export async function readStock(db: Kysely<Schema>, eventId: string): Promise<Stock> {
  const [row] = await runStatement<Stock>(db, READ_STOCK, [eventId])
  if (row === undefined) throw new Error(`The ledger has no seat map of the event ${eventId}`)
  return row
}

const READ_STOCK = loadStatement(import.meta.url, 'read-stock.sql')
