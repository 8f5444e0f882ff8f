import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Kysely, PostgresDialect, sql } from 'kysely'
import type { Ledger, PgliteOptions } from '../ledger.ts'
import { openPool } from '../pool.ts'
import type { Schema } from '../schema.ts'
import { PgliteThread } from './thread.ts'
import { WorkerStream } from './worker-stream.ts'

/**
 * Opens PostgreSQL inside the process. It has one session, so the pool holds one connection and hands it out in the
 * order of asking: a transaction has it alone until it ends.
 */
export async function openPglite(options: PgliteOptions): Promise<Ledger> {
  const isInMemory = options.dataDir === 'memory://'
  if (!isInMemory) await mkdir(options.dataDir, { recursive: true, mode: 0o700 })
  const thread = new PgliteThread(isInMemory ? options.dataDir : join(options.dataDir, 'ledger'))
  const pool = openPool({ max: 1, ssl: false, idleTimeoutMillis: 0, stream: () => new WorkerStream(thread) as never })
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) })
  const ping = async (): Promise<void> => {
    await sql`select 1`.execute(db)
  }
  await ping()
  return {
    kind: 'pglite',
    db,
    replica: db,
    replicaProblem: undefined,
    ping,
    async close() {
      await db.destroy()
      await thread.close()
    },
  }
}
