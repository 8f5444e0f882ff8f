import type { Kysely } from 'kysely'
import { loadStatement, runStatement, type Schema } from '../engine/index.ts'

/** The state of a sale, as far as the ledger knows. */
export interface SaleOfOperator {
  readonly id: string
  readonly name: string
  readonly location: string
  readonly roomId: string
  readonly organizerId: string | null
  readonly organizationId: string
  readonly timeZone: string
  readonly startsAt: Date | null
  readonly salesStartAt: Date
  readonly salesEndAt: Date
  readonly state: 'draft' | 'published' | 'cancelled'
  readonly paused: boolean
  readonly available: number
  readonly held: number
  readonly sold: number
  readonly blocked: number
}

export interface SalesPage {
  /** Null for all organizations. */
  readonly organizationIds: readonly string[] | null
  /** Part of the name, or empty. */
  readonly words: string
  readonly limit: number
  readonly offset: number
}

export async function listSales(db: Kysely<Schema>, page: SalesPage): Promise<SaleOfOperator[]> {
  const { organizationIds, words, limit, offset } = page
  return await runStatement<SaleOfOperator>(db, LIST_SALES, [
    organizationIds,
    words === '' ? null : words,
    limit,
    offset,
  ])
}

const LIST_SALES = loadStatement(import.meta.url, 'list-sales.sql')
