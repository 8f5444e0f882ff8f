import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { type Child, signalProcess, startChild } from '../child.ts'
import { findBinary, freePort, removeFolder, temporaryFolder, unprivilegedUser } from '../machine.ts'
import { waitForStart } from '../wait-for-start.ts'
import { waitUntil } from '../wait-until.ts'

export interface PostgresOptions {
  port?: number
  /** Keeps every commit over kill -9. Off by default, because most tests outlive no crash and want speed. */
  durable?: boolean
  /** The locale of the cluster; Seatwise itself wants a UTF-8 one. */
  locale?: string
  /** Further settings, such as `{ max_connections: '20' }`. */
  settings?: Readonly<Record<string, string>>
}

export interface Postgres {
  readonly url: string
  readonly port: number
  readonly folder: string
  readonly pid: number
  output(): string
  stop(): Promise<void>
  kill(): Promise<void>
  pause(): void
  resume(): void
  /** Starts it again on the same port after `stop` or `kill`, with the data it had on disk or with none. */
  restart(data: 'kept' | 'empty'): Promise<void>
  /** Stops it if it runs, and removes its folder. */
  discard(): Promise<void>
}

export const INSTALL_HINT = 'PostgreSQL 15 or newer (Debian: apt-get install postgresql)'
const FAST = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }

/** Starts a private PostgreSQL on a free port in a folder of its own, as a user without rights. */
export async function startPostgres(options: PostgresOptions = {}): Promise<Postgres> {
  const port = options.port ?? (await freePort())
  const folder = await temporaryFolder(unprivilegedUser())
  await initialise(folder, options)
  return await run(port, folder, options)
}

/** Starts it on a data folder that other tools made, `data` in a folder of the user without rights. */
export async function startPostgresOn(folder: string, options: PostgresOptions = {}): Promise<Postgres> {
  return await run(options.port ?? (await freePort()), folder, options)
}

export interface Standby extends Postgres {
  /** Makes it the primary, and waits until it is. */
  promote(): Promise<void>
}

/** Starts a copy that follows the primary; from then on the primary acknowledges only what the copy has, too. */
export async function startStandby(primary: Postgres, options: PostgresOptions = {}): Promise<Standby> {
  const port = await freePort()
  const folder = await temporaryFolder(unprivilegedUser())
  const binary = findBinary('pg_basebackup', INSTALL_HINT)
  const args = ['-D', join(folder, 'data'), '-d', primary.url, '-R', '-X', 'stream', '-c', 'fast', '--no-sync']
  const copying = await startChild('pg_basebackup', binary, args, { user: unprivilegedUser(), cwd: folder })
  const { code } = await copying.exited
  if (code !== 0) throw new Error(`pg_basebackup failed with code ${code}: ${copying.output()}`)
  const standby = await run(port, folder, options)
  await query(primary.port, "alter system set synchronous_standby_names = '*'")
  await query(primary.port, 'select pg_reload_conf()')
  await waitUntil('the primary waits for the standby', async () => {
    const rows = await query(primary.port, "select 1 from pg_stat_replication where sync_state = 'sync'")
    return rows.length === 1
  })
  const promote = async (): Promise<void> => {
    await query(port, 'select pg_promote(true, 30)')
  }
  return Object.assign(standby, { promote })
}

async function run(port: number, folder: string, options: PostgresOptions): Promise<Postgres> {
  let child = await launch(port, folder, options)

  const end = async (signal: NodeJS.Signals): Promise<void> => {
    await child.stop(signal)
  }
  return {
    url: postgresUrl(port),
    port,
    folder,
    get pid() {
      return child.pid
    },
    output: () => child.output(),
    // The processes that work for connections are children of the one that we know.
    pause() {
      child.pause()
      for (const pid of childrenOf(child.pid)) signalProcess(pid, 'SIGSTOP')
    },
    resume() {
      for (const pid of childrenOf(child.pid)) signalProcess(pid, 'SIGCONT')
      child.resume()
    },
    stop: () => end('SIGINT'),
    async kill() {
      await child.kill()
    },
    async restart(data) {
      await child.kill()
      if (data === 'empty') {
        await removeFolder(join(folder, 'data'))
        await initialise(folder, options)
      }
      child = await launchAgain(port, folder, options)
    },
    async discard() {
      await end('SIGQUIT')
      await removeFolder(folder)
    },
  }
}

function childrenOf(pid: number): number[] {
  const listed = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return listed.split(' ').filter(Boolean).map(Number)
}

function postgresUrl(port: number): string {
  return `postgres://seatwise@127.0.0.1:${port}/postgres`
}

async function initialise(folder: string, options: PostgresOptions): Promise<void> {
  const binary = findBinary('initdb', INSTALL_HINT)
  const child = await startChild(
    'initdb',
    binary,
    [
      ...['-D', join(folder, 'data'), '-U', 'seatwise', '--auth=trust', '--encoding=UTF8', '--no-sync'],
      `--locale=${options.locale ?? 'C.UTF-8'}`,
    ],
    { user: unprivilegedUser(), cwd: folder },
  )
  const { code } = await child.exited
  if (code !== 0) throw new Error(`initdb failed with code ${code}: ${child.output()}`)
}

async function launch(port: number, folder: string, options: PostgresOptions): Promise<Child> {
  const settings: Record<string, string> = {
    listen_addresses: '127.0.0.1',
    // No socket file: its path would have to be short, and every test goes through TCP.
    unix_socket_directories: '',
    max_connections: '200',
    ...(options.durable === true ? {} : FAST),
    ...options.settings,
  }
  const child = await startChild(
    `postgres:${port}`,
    findBinary('postgres', INSTALL_HINT),
    [
      ...['-D', join(folder, 'data'), '-p', String(port)],
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    { user: unprivilegedUser(), cwd: folder },
  )
  await waitForStart(child, () => answersSelect(port))
  return child
}

/** After kill -9 the old backends need a moment to notice and to leave the shared memory, which delays a new start. */
async function launchAgain(port: number, folder: string, options: PostgresOptions): Promise<Child> {
  return waitUntil(`PostgreSQL starts again on port ${port}`, () => launch(port, folder, options), {
    timeoutMs: 30_000,
    everyMs: 100,
  })
}

async function answersSelect(port: number): Promise<boolean> {
  await query(port, 'select 1')
  return true
}

async function query(port: number, text: string): Promise<unknown[]> {
  const client = new Client({ connectionString: postgresUrl(port), connectionTimeoutMillis: 1_000 })
  // A connection that breaks while it is opened is reported by connect() itself.
  client.on('error', () => undefined)
  try {
    await client.connect()
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}
