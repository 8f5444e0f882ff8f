import type { Kysely } from 'kysely'
import { loadStatement, runStatement, type Schema } from '../engine/index.ts'

const READ_PUBLIC_STOCK = loadStatement(import.meta.url, 'read-public-stock.sql')

/** Whether visitors without an access code can still get a seat. */
export interface PublicStock {
  readonly eventId: string
  /** Only hidden seats are left, or none. */
  readonly isGone: boolean
}

export async function readPublicStock(db: Kysely<Schema>, eventIds: readonly string[]): Promise<PublicStock[]> {
  return await runStatement<PublicStock>(db, READ_PUBLIC_STOCK, [eventIds])
}
