import { join } from 'node:path'
import {
  type Child,
  findBinary,
  freePort,
  type Postgres,
  removeFolder,
  startChild,
  temporaryFolder,
  unprivilegedUser,
  waitUntil,
} from '@seatwise/testbench'
import { Client } from 'pg'

export interface Standby {
  readonly url: string
  query(statement: string): Promise<void>
  kill(): Promise<void>
  start(): Promise<void>
  discard(): Promise<void>
}

const HINT = 'PostgreSQL 15 or newer (Debian: apt-get install postgresql)'

/** Starts a streaming replica of a private PostgreSQL. */
export async function startStandby(primary: Postgres): Promise<Standby> {
  const user = unprivilegedUser()
  const folder = await temporaryFolder(user)
  const port = await freePort()
  const data = join(folder, 'data')
  const copying = await startChild(
    'pg_basebackup',
    findBinary('pg_basebackup', HINT),
    ['-D', data, '-R', '-X', 'stream', '-c', 'fast', '--no-sync', '-d', primary.url],
    { user, cwd: folder },
  )
  const { code } = await copying.exited
  if (code !== 0) throw new Error(`pg_basebackup failed with code ${code}: ${copying.output()}`)

  const url = new URL(primary.url)
  url.port = String(port)
  let child: Child
  const query = (statement: string): Promise<void> => runOnce(url.href, statement)
  const start = async (): Promise<void> => {
    const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=200', 'fsync=off']
    child = await startChild(
      `standby:${port}`,
      findBinary('postgres', HINT),
      ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
      { user, cwd: folder },
    )
    await waitUntil('the standby answers', async () => {
      await query('select 1')
      return true
    })
  }
  await start()
  return {
    url: url.href,
    query,
    start,
    async kill() {
      await child.kill()
    },
    async discard() {
      await child.stop('SIGQUIT')
      await removeFolder(folder)
    },
  }
}

async function runOnce(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 1_000 })
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
