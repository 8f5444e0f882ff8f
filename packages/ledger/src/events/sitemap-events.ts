import type { Kysely } from 'kysely'
import { loadStatement, runStatement, type Schema } from '../engine/index.ts'

const SITEMAP_EVENTS = loadStatement(import.meta.url, 'sitemap-events.sql')

export interface SitemapEvent {
  readonly id: string
  /** Of the organization. */
  readonly slug: string
  readonly changed_at: Date
}

/** What a search engine may find, at most so many. */
export async function listForSitemap(db: Kysely<Schema>, limit: number): Promise<SitemapEvent[]> {
  return await runStatement<SitemapEvent>(db, SITEMAP_EVENTS, [limit])
}
