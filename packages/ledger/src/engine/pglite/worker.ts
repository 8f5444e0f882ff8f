import { constants, existsSync } from 'node:fs'
import { cp, rename, rm } from 'node:fs/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { unaccent } from '@electric-sql/pglite/contrib/unaccent'

/**
 * The thread PostgreSQL lives in. It takes requests in the wire protocol and posts back what PostgreSQL said, as
 * bytes: they are moved between the threads, not copied, and the `pg` client on the other side reads them exactly
 * as it reads a server's.
 */
export interface WorkerData {
  readonly dataDir: string
}

/** What it is asked: statements in the wire protocol, a copy of the cluster, or null to shut down. */
export type WorkerRequest = Uint8Array | { readonly copyTo: string } | null

/** What the thread says: `ready` first, then one `answer` for each statement, in order, and `copied` for each copy. */
export type WorkerMessage =
  | { readonly type: 'ready' }
  | { readonly type: 'answer'; readonly bytes: Uint8Array }
  | { readonly type: 'copied'; readonly at: number; readonly error: unknown }

const MEMORY = 'memory://'
const STARTUP = 0
// AuthenticationOk and ReadyForQuery. Nothing to authenticate: only the program itself reaches this thread.
const WELCOME = [0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49]

const port = parentPort
if (port === null) throw new Error('This file runs as a worker thread only.')
const { dataDir } = workerData as WorkerData
if (dataDir !== MEMORY && !existsSync(dataDir)) await makeCluster(dataDir)
const postgres = await openCluster(dataDir)

let last: Promise<void> = Promise.resolve()
port.on('message', (request: WorkerRequest) => {
  last = last.then(() => {
    if (request === null) return close()
    return 'copyTo' in request ? copy(request.copyTo) : answer(request)
  })
})
post({ type: 'ready' })

async function answer(request: Uint8Array): Promise<void> {
  const bytes = request[0] === STARTUP ? await startSession() : await postgres.execProtocolRaw(request)
  post({ type: 'answer', bytes })
}

/** There is one session for ever. A new connection must not find what the one before left behind. */
async function startSession(): Promise<Uint8Array> {
  await postgres.exec('rollback')
  await postgres.exec('discard all')
  await postgres.exec("set timezone to 'UTC'")
  return Uint8Array.from(WELCOME)
}

/**
 * Between two requests nothing writes, and every acknowledged transaction is in the log on the disk: a copy that is made now
 * opens like a cluster after a crash. The time is taken before the next request.
 */
async function copy(folder: string): Promise<void> {
  let error: unknown
  try {
    await cp(dataDir, folder, { recursive: true, errorOnExist: true, force: false, mode: constants.COPYFILE_FICLONE })
  } catch (thrown) {
    error = thrown
  }
  post({ type: 'copied', at: Date.now(), error })
}

async function close(): Promise<void> {
  await postgres.close()
  port?.close()
}

/** The folder gets its name when it is complete, so that a crash half-way leaves nothing that looks like a ledger. */
async function makeCluster(folder: string): Promise<void> {
  const draft = `${folder}.new`
  await rm(draft, { recursive: true, force: true })
  const first = await openCluster(draft)
  await first.close()
  await rename(draft, folder)
}

async function openCluster(folder: string): Promise<PGlite> {
  return await PGlite.create(folder, { extensions: { pg_trgm, unaccent } })
}

function post(message: WorkerMessage): void {
  port?.postMessage(message, message.type === 'answer' ? [message.bytes.buffer as ArrayBuffer] : [])
}
