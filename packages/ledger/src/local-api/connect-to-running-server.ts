import type { BackupFacts } from '../backups/index.ts'
import type { ReconciledEvents, ReconcileOptions } from '../operators/index.ts'
import { readServerFile, type ServerFile } from './server-file.ts'

/** What a server says of itself to tools on the same machine. */
export interface ServerStatus {
  readonly version: string
  readonly pid: number
  readonly schemaVersion: number
  readonly startedAt: string
  /** Where visitors reach it. */
  readonly url: string
}

/** The server that has a data folder open, as a tool on the same machine sees it. */
export interface LocalServer {
  readonly status: ServerStatus
  /** Reads from its ledger; values are what the ledger itself would return. */
  query<Row>(statement: string, parameters?: readonly unknown[]): Promise<Row[]>
  /** Lets it compare its books, and repair what is safe. */
  reconcile(options: ReconcileOptions): Promise<ReconciledEvents>
  /** Lets it copy its data folder into another one, by an absolute path. */
  backup(folder: string): Promise<BackupFacts>
}

/** What travels: rows as JSON, and which columns were times, because JSON has none. */
export interface QueryAnswer {
  readonly rows: Record<string, unknown>[]
  readonly timeColumns: readonly string[]
}

const ANSWER_MS = 60_000
const STATUS_MS = 5_000
/** Gigabytes on a slow disk. */
const BACKUP_MS = 3_600_000

/**
 * Finds the server that has this data folder open. Undefined when there is none: no file, or one that a killed server
 * left behind, so that its port is closed or belongs to another process by now.
 */
export async function connectToRunningServer(dataDir: string): Promise<LocalServer | undefined> {
  const file = await readServerFile(dataDir)
  if (file === undefined) return undefined
  const status = await askStatus(file)
  if (status === undefined || status.pid !== file.pid) return undefined
  return {
    status,
    async query<Row>(statement: string, parameters: readonly unknown[] = []) {
      const body = JSON.stringify({ statement, parameters })
      const response = await call(file, '/query', { method: 'POST', body }, ANSWER_MS)
      if (!response.ok) throw new Error(`The running server refused to read: ${await reasonOf(response)}`)
      return reviveTimes((await response.json()) as QueryAnswer) as Row[]
    },
    async reconcile(options) {
      const response = await call(file, '/reconcile', { method: 'POST', body: JSON.stringify(options) }, ANSWER_MS)
      if (!response.ok) throw new Error(`The running server could not reconcile: ${await reasonOf(response)}`)
      return (await response.json()) as ReconciledEvents
    },
    async backup(folder) {
      const response = await call(file, '/backup', { method: 'POST', body: JSON.stringify({ folder }) }, BACKUP_MS)
      if (!response.ok) throw new Error(`The running server could not make a backup: ${await reasonOf(response)}`)
      return (await response.json()) as BackupFacts
    },
  }
}

async function askStatus(file: ServerFile): Promise<ServerStatus | undefined> {
  let response: Response
  try {
    response = await call(file, '/status', { method: 'GET' }, STATUS_MS)
  } catch (cause) {
    if (isRefused(cause)) return undefined
    throw new Error(`The server with process id ${file.pid} has the data folder open and does not answer.`, { cause })
  }
  return response.ok ? ((await response.json()) as ServerStatus) : undefined
}

async function call(file: ServerFile, path: string, init: RequestInit, withinMs: number): Promise<Response> {
  return await fetch(`http://127.0.0.1:${file.port}${path}`, {
    ...init,
    redirect: 'error',
    headers: { authorization: `Bearer ${file.secret}`, 'content-type': 'application/json' },
    signal: AbortSignal.timeout(withinMs),
  })
}

function isRefused(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED'
}

async function reasonOf(response: Response): Promise<string> {
  const { message } = (await response.json()) as { message?: string }
  return message ?? `status ${response.status}`
}

function reviveTimes({ rows, timeColumns }: QueryAnswer): Record<string, unknown>[] {
  for (const row of rows) {
    for (const column of timeColumns) {
      const value = row[column]
      if (typeof value === 'string') row[column] = new Date(value)
    }
  }
  return rows
}
