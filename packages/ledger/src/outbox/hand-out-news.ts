import { type Kysely, sql } from 'kysely'
import { loadStatement, runStatement, type Schema } from '../engine/index.ts'

const HAND_OUT_NEWS = loadStatement(import.meta.url, 'hand-out-news.sql')
/** Any number, as long as no other lock of ours has it. */
const HAND_OUT_LOCK = 7_281_905

/**
 * Writes the deliveries of the oldest news, and returns how many news that were. One server does it at a time, so
 * that an earlier news of a reservation is never handed out after a later one; the others find nothing to do.
 */
export async function handOutNews(
  db: Kysely<Schema>,
  { newsMax, mailTypes }: { readonly newsMax: number; readonly mailTypes: readonly string[] },
): Promise<number> {
  return await db.transaction().execute(async (transaction) => {
    const { rows } = await sql<{
      ours: boolean
    }>`select pg_try_advisory_xact_lock(${HAND_OUT_LOCK}::bigint) as ours`.execute(transaction)
    if (rows[0]?.ours !== true) return 0
    // Its own statement, hence a snapshot from after the lock.
    return (await runStatement(transaction, HAND_OUT_NEWS, [newsMax, mailTypes])).length
  })
}
