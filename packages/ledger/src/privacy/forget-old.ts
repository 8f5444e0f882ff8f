import { type Kysely, sql } from 'kysely'
import type { Schema } from '../engine/index.ts'

const BATCH = 1_000

/**
 * Deletes the address, its keyed hash, the user agent and the metadata of tickets that ended so many days ago, and
 * verdicts on devices that were last refused before then. One bounded step; tells whether there is more.
 */
export async function forgetOld(db: Kysely<Schema>, days: number): Promise<boolean> {
  const before = sql`clock_timestamp() - make_interval(days => ${days})`
  const tickets = await sql`
    update queue_entries set address = null, user_agent = null, metadata = null, limit_key = null
     where (room_id, number) in
       (select room_id, number from queue_entries
         where ended_at < ${before} and (address is not null or user_agent is not null or metadata is not null)
         limit ${BATCH})
    returning 1`.execute(db)
  const verdicts = await sql`
    delete from join_verdicts where id in (select id from join_verdicts where last_at < ${before} limit ${BATCH})
    returning 1`.execute(db)
  return tickets.rows.length === BATCH || verdicts.rows.length === BATCH
}
