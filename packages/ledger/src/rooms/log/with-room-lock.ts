import { sql } from 'kysely'
import type { Ledger } from '../../engine/index.ts'

/**
 * Runs the work while no other server runs it for the same room, or reports that another one does. The lock belongs to a
 * connection of its own: when this process dies, the lock is released.
 */
export async function withRoomLock<Result>(
  ledger: Ledger,
  room: string,
  work: () => Promise<Result>,
): Promise<{ status: 'done'; result: Result } | { status: 'busy' }> {
  // An embedded ledger has one process and one connection, which the work itself needs.
  if (ledger.kind === 'pglite') return { status: 'done', result: await work() }
  return await ledger.withOwnConnection('guard', ({ db }) =>
    db.transaction().execute(async (transaction) => {
      const { rows } = await sql<{ locked: boolean }>`
        select pg_try_advisory_xact_lock(hashtextextended(${room}, 7)) as locked`.execute(transaction)
      if (rows[0]?.locked !== true) return { status: 'busy' as const }
      return { status: 'done' as const, result: await work() }
    }),
  )
}
