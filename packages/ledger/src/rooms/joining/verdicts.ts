import { type Kysely, sql } from 'kysely'
import type { Row, Schema } from '../../engine/index.ts'
import { recordAction } from '../../trail/index.ts'

/** A device that was refused another ticket of a room. */
export interface JoinVerdict {
  readonly id: string
  /** The ticket that the device had. */
  readonly ticketNumber: number
  readonly refusals: number
  readonly firstAt: Date
  readonly lastAt: Date
  /** When the visitor asked the operator for another ticket; null without a question. */
  readonly appealedAt: Date | null
  /** When an operator let the ticket stand; null while the verdict is in force. */
  readonly standsAt: Date | null
}

export interface JudgedDevice {
  readonly roomId: string
  /** A keyed hash of the device's id. */
  readonly device: string
}

/** How many further tickets operators allowed a device in a room. */
export async function countAllowed(db: Kysely<Schema>, { roomId, device }: JudgedDevice): Promise<number> {
  const { count } = await db
    .selectFrom('join_verdicts')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('room_id', '=', roomId)
    .where('device', '=', device)
    .where('stands_at', 'is not', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Writes a verdict down, or counts another refusal by the one that is in force. */
export async function keepVerdict(
  db: Kysely<Schema>,
  { id, roomId, device, ticketNumber }: JudgedDevice & { readonly id: string; readonly ticketNumber: number },
): Promise<JoinVerdict> {
  const row = await db
    .insertInto('join_verdicts')
    .values({ id, room_id: roomId, device, ticket_number: ticketNumber })
    .onConflict((conflict) =>
      conflict
        .columns(['room_id', 'device'])
        .where('stands_at', 'is', null)
        .doUpdateSet({ refusals: sql`join_verdicts.refusals + 1`, last_at: sql`clock_timestamp()` }),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
  return verdictOf(row)
}

/** The visitor asks the operator: only from the device that was judged. False when there is no such verdict in force. */
export async function appealVerdict(
  db: Kysely<Schema>,
  { roomId, device }: JudgedDevice,
  id?: string,
): Promise<boolean> {
  const rows = await db
    .updateTable('join_verdicts')
    .set({ appealed_at: sql`coalesce(appealed_at, clock_timestamp())` })
    .$if(id !== undefined, (update) => update.where(sql`id::text`, '=', id))
    .where('room_id', '=', roomId)
    .where('device', '=', device)
    .where('stands_at', 'is', null)
    .returning('id')
    .execute()
  return rows.length > 0
}

/** An operator lets the ticket stand: the device may draw one more. Null for an unknown verdict; repeated, the same one. */
export async function letStand(
  db: Kysely<Schema>,
  { roomId, eventId, id, by }: { roomId: string; eventId: string | null; id: string; by: string },
): Promise<JoinVerdict | null> {
  return await db.transaction().execute(async (transaction) => {
    const found = transaction.selectFrom('join_verdicts').selectAll().where('id', '=', id).where('room_id', '=', roomId)
    const row = await found.forUpdate().executeTakeFirst()
    if (row === undefined) return null
    if (row.stands_at !== null) return verdictOf(row)
    await recordAction(transaction, { actorId: by, kind: 'verdict.overturned', subject: id, eventId, roomId })
    const changed = await transaction
      .updateTable('join_verdicts')
      .set({ stands_at: sql`clock_timestamp()`, decided_by: by })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    return verdictOf(changed)
  })
}

/** What waits for an answer comes first, then the latest. */
export async function listVerdicts(db: Kysely<Schema>, roomId: string, limit: number): Promise<JoinVerdict[]> {
  const rows = await db
    .selectFrom('join_verdicts')
    .selectAll()
    .where('room_id', '=', roomId)
    .orderBy(sql`stands_at is null and appealed_at is not null`, 'desc')
    .orderBy('last_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(verdictOf)
}

function verdictOf(row: Row<'join_verdicts'>): JoinVerdict {
  return {
    id: row.id,
    ticketNumber: row.ticket_number,
    refusals: row.refusals,
    firstAt: row.first_at,
    lastAt: row.last_at,
    appealedAt: row.appealed_at,
    standsAt: row.stands_at,
  }
}
