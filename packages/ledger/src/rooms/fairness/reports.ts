import type { Kysely } from 'kysely'
import { loadStatement, runStatement, type Schema } from '../../engine/index.ts'

/** The final report of a sale, as it was signed. */
export interface FairnessReport {
  readonly roomId: string
  /** By the ledger's clock. */
  readonly at: Date
  /** The exact text that the note covers: JSON. */
  readonly text: string
  readonly kid: string
  readonly note: string
}

/** Keeps the first report of a room: of two servers both get the same one. */
export async function keepReport(db: Kysely<Schema>, report: Omit<FairnessReport, 'at'>): Promise<FairnessReport> {
  const { roomId: room_id, text, kid, note } = report
  await db
    .insertInto('fairness_reports')
    .values({ room_id, text, kid, note })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const kept = await readReport(db, room_id)
  if (kept === null) throw new Error(`The report of room ${room_id} was not kept`)
  return kept
}

export async function readReport(db: Kysely<Schema>, room: string): Promise<FairnessReport | null> {
  const row = await db.selectFrom('fairness_reports').selectAll().where('room_id', '=', room).executeTakeFirst()
  if (row === undefined) return null
  const { room_id: roomId, at, text, kid, note } = row
  return { roomId, at, text, kid, note }
}

/** Rooms whose final report is due. */
export async function listUnreported(db: Kysely<Schema>, max: number): Promise<string[]> {
  const rows = await runStatement<{ id: string }>(db, LIST_UNREPORTED, [null, max])
  return rows.map(({ id }) => id)
}

export async function isReportDue(db: Kysely<Schema>, room: string): Promise<boolean> {
  return (await runStatement(db, LIST_UNREPORTED, [room, 1])).length > 0
}

export interface PastReport {
  readonly roomId: string
  readonly eventId: string
  readonly name: string
  readonly closedAt: Date
  readonly at: Date
  readonly text: string
}

/** The newest first. */
export async function listReports(
  db: Kysely<Schema>,
  organizationId: string,
  { after, max }: { after: { at: Date; roomId: string } | null; max: number },
): Promise<PastReport[]> {
  return await runStatement<PastReport>(db, LIST_REPORTS, [
    ...[organizationId, after?.at ?? null, after?.roomId ?? null],
    max,
  ])
}

const LIST_UNREPORTED = loadStatement(import.meta.url, 'list-unreported.sql')
const LIST_REPORTS = loadStatement(import.meta.url, 'list-reports.sql')
