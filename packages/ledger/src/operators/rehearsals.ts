import type { Kysely } from 'kysely'
import type { Schema } from '../engine/index.ts'
import { recordAction } from '../trail/index.ts'

/** A rehearsal of a sale with simulated visitors. */
export interface Rehearsal {
  readonly at: Date
  readonly verdict: 'passed' | 'failed'
  readonly report: Record<string, unknown>
}

export async function registerRehearsal(
  db: Kysely<Schema>,
  rehearsal: Omit<Rehearsal, 'at'> & { readonly eventId: string; readonly by: string },
): Promise<Rehearsal> {
  const { eventId, by, verdict, report } = rehearsal
  return await db.transaction().execute(async (transaction) => {
    await recordAction(transaction, { actorId: by, kind: 'rehearsal.registered', eventId, after: { verdict } })
    return await transaction
      .insertInto('rehearsals')
      .values({ event_id: eventId, by_id: by, verdict, report: JSON.stringify(report) })
      .returning(['at', 'verdict', 'report'])
      .executeTakeFirstOrThrow()
  })
}

/** Newest first. */
export async function readRehearsals(db: Kysely<Schema>, eventId: string, limit: number): Promise<Rehearsal[]> {
  return await db
    .selectFrom('rehearsals')
    .select(['at', 'verdict', 'report'])
    .where('event_id', '=', eventId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}
