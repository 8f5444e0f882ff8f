import type { Kysely } from 'kysely'
import { loadStatement, runStatement, type Schema } from '../../engine/index.ts'
import type { SeatCounts } from '../../seat-map/index.ts'

const COUNT_SALES = loadStatement(import.meta.url, 'count-sales.sql')

/** The state of the sale of one seat type. */
export interface SeatTypeSales extends SeatCounts {
  readonly id: string
  readonly name: string
  readonly currency: string
  readonly price: number
  /** What was paid for the seats that are sold, at the prices of then. */
  readonly revenue: number
}

/** In the order of the plan; empty when there is no such event. */
export async function countSales(db: Kysely<Schema>, eventId: string): Promise<SeatTypeSales[]> {
  return await runStatement<SeatTypeSales>(db, COUNT_SALES, [eventId])
}
