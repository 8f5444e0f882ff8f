import type { Kysely } from 'kysely'
import type { Schema } from '../schema.ts'
import { loadStatement, runStatement } from '../statement.ts'

/** Seats of an event that can be promised to somebody on the floor now. */
export async function readStock(db: Kysely<Schema>, eventId: string): Promise<number> {
  const [row] = await runStatement<{ stock: number }>(db, READ_STOCK, [eventId])
  return row?.stock ?? 0
}

const READ_STOCK = loadStatement(import.meta.url, 'read-stock.sql')
