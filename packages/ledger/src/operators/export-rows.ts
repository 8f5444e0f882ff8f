import type { Kysely } from 'kysely'
import { loadStatement, runStatement, type Schema, type Statement } from '../engine/index.ts'

/** The tables of an event that can be exported. */
export const EXPORTS = ['reservations', 'etickets', 'checkins'] as const
export type Export = (typeof EXPORTS)[number]

/** One line of a table: its first column is what the next page begins after. */
export type ExportRow = Readonly<Record<string, string | number | boolean | Date | null>>

/** A whole table in pages, so that an event of any size is never in memory as a whole. */
export async function* exportRows(
  db: Kysely<Schema>,
  what: Export,
  eventId: string,
  page = 2_000,
): AsyncGenerator<ExportRow[]> {
  let after: unknown = null
  while (true) {
    const rows: ExportRow[] = await runStatement<ExportRow>(db, STATEMENTS[what], [eventId, after, page])
    const last = rows.at(-1)
    if (last === undefined) return
    yield rows
    if (rows.length < page) return
    after = last.id
  }
}

const STATEMENTS = {
  reservations: loadStatement(import.meta.url, 'export-reservations.sql'),
  etickets: loadStatement(import.meta.url, 'export-etickets.sql'),
  checkins: loadStatement(import.meta.url, 'export-checkins.sql'),
} as const satisfies Record<Export, Statement>
