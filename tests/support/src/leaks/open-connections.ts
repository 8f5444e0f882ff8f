import { Client } from 'pg'
import { redisCommand } from '../stores/redis-admin.ts'

export interface StoreConnection {
  /** Its `application_name` as the bench gave it; a ledger says behind it which schema it knows. */
  owner: string
  query: string
}

export interface RedisClient {
  /** The Redis user it signed in as. */
  owner: string
  command: string
}

/** All connections to this PostgreSQL but the one that asks. */
export async function storeConnections(postgresUrl: string): Promise<StoreConnection[]> {
  const client = new Client({ connectionString: postgresUrl })
  await client.connect()
  try {
    const { rows } = await client.query<StoreConnection>(
      `select split_part(application_name, ' ', 1) as owner, query from pg_stat_activity
        where backend_type = 'client backend' and pid <> pg_backend_pid()`,
    )
    return rows
  } finally {
    await client.end()
  }
}

/** All connections to this Redis but the one that asks. */
export async function redisClients(redisUrl: string): Promise<RedisClient[]> {
  const answer = String(await redisCommand(Number(new URL(redisUrl).port), 'CLIENT', 'LIST'))
  return answer
    .trim()
    .split('\n')
    .map((line) => new Map(line.split(' ').map((field) => field.split('=', 2) as [string, string])))
    .map((fields) => ({ owner: fields.get('user') ?? '', command: fields.get('cmd') ?? '' }))
    .filter(({ command }) => command !== 'client|list')
}
