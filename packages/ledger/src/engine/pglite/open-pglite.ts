import { join } from 'node:path'
import { Kysely, PostgresDialect } from 'kysely'
import type { Ledger, PgliteOptions } from '../ledger.ts'
import { ping } from '../ping.ts'
import { countConnections, openPool } from '../pool.ts'
import { proveWritable } from '../prove-writable.ts'
import type { Schema } from '../schema/schema.ts'
import { type FolderLock, lockFolder } from './lock-folder.ts'
import { proveDisk } from './prove-disk.ts'
import { PgliteThread } from './thread.ts'
import { WorkerStream } from './worker-stream.ts'

const MEMORY = 'memory://'
const UNLOCKED: FolderLock = { release: async () => {} }
// How long a caller may stand in line for the one session before being told that the ledger is overloaded.
const SESSION_WAIT_MS = 30_000
// The first start makes the cluster: seconds on a quiet machine, more than a minute on a busy or small one.
const OPENING_MS_MAX = 300_000

/** Opens PostgreSQL inside the process, in a folder that no other process can have open. */
export async function openPglite(options: PgliteOptions): Promise<Ledger> {
  const isKept = options.dataDir !== MEMORY
  const lock = isKept ? await lockFolder(options.dataDir) : UNLOCKED
  const thread = new PgliteThread(isKept ? join(options.dataDir, 'ledger') : MEMORY)
  try {
    const session = await openSession(thread, lock)
    return isKept ? onDisk(session, options.dataDir) : session
  } catch (cause) {
    await thread.terminate()
    await lock.release()
    throw new Error(`The embedded ledger in ${options.dataDir} does not open: ${(cause as Error).message}`, { cause })
  }
}

function onDisk(session: Ledger, folder: string): Ledger {
  return {
    ...session,
    async proveWritable() {
      await proveDisk(folder)
      await session.proveWritable()
    },
  }
}

/**
 * There is one session, so the pool holds one connection and hands it out in the order of asking: a transaction has
 * it alone until it ends, and a query that bypasses the transaction inside of one waits for itself.
 */
export async function openSession(thread: PgliteThread, lock: FolderLock = UNLOCKED): Promise<Ledger> {
  await thread.opened(OPENING_MS_MAX)
  const pool = openPool({
    max: 1,
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: SESSION_WAIT_MS,
    // The environment may ask for encryption, which a thread neither has nor needs.
    ssl: false,
    stream: () => new WorkerStream(thread),
  })
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) })
  await ping(db)
  return {
    kind: 'pglite',
    db,
    pool,
    replica: db,
    replicaProblem: undefined,
    withOwnConnection: (_kind, work) => work({ db, pool }),
    connections: () => countConnections(pool),
    ping: () => ping(db),
    proveWritable: () => proveWritable(db),
    copyTo: (folder) => thread.copyTo(folder),
    async close() {
      await db.destroy()
      await thread.close()
      await lock.release()
    },
  }
}
