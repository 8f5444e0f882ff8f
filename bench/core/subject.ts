import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import {
  ADMIN,
  freePort,
  type Postgres,
  type Redis,
  removeFolder,
  startChild,
  startPostgres,
  startRedis,
  temporaryFolder,
  waitUntil,
} from '@seatwise/testbench'
import { Client } from 'pg'
import { SECRET, type Seller } from '../support/box-office/sale.ts'
import { cpuSeconds } from '../support/cpu-time.ts'

/** One server process of a checkout, with a PostgreSQL and a Redis of its own. */
export interface Subject extends Seller {
  readonly name: string
  readonly tree: string
  readonly redisUrl: string
  /** An empty database of the same PostgreSQL, for the kernel that does nothing. */
  readonly spareDatabaseUrl: string
  /** An access token of a buyer that the server has never seen. */
  newAccessToken(): string
  /** Processor time so far, in seconds. */
  cpu(): Cpu
}

export interface Cpu {
  readonly server: number
  readonly redis: number
  readonly postgres: number
}

/** Starts what the README says: default settings, append-only file `everysec`, durable PostgreSQL; rate limits are off. */
export async function startSubject(stack: AsyncDisposableStack, name: string, tree: string): Promise<Subject> {
  const postgres = await startPostgres({ durable: true })
  stack.defer(() => postgres.discard())
  const redis = await startRedis({ args: ['--appendonly', 'yes', '--appendfsync', 'everysec'] })
  stack.defer(() => redis.discard())
  const { url, pid } = await startServer(stack, tree, postgres, redis)
  const door = join(tree, 'packages/server/src/index.ts')
  const { createAccessTokens }: typeof import('@seatwise/server') = await import(door)
  const tokens = createAccessTokens([SECRET], Date.now)
  const operatorToken = await signIn(url)
  const pids = { server: pid, redis: redis.pid, postgres: postgres.pid }
  return {
    ...{ name, tree, url, redisUrl: redis.url, spareDatabaseUrl: await createSpareDatabase(postgres) },
    adminToken: async () => operatorToken,
    newAccessToken: () => tokens.issue({ id: randomUUID(), role: 'buyer', name: 'Visitor', avatar: null }).accessToken,
    cpu() {
      const seconds = cpuSeconds(pids)
      const of = (process: keyof Cpu): number => seconds.get(process) ?? 0
      return { server: of('server'), redis: of('redis'), postgres: of('postgres') }
    },
  }
}

async function startServer(
  stack: AsyncDisposableStack,
  tree: string,
  postgres: Postgres,
  redis: Redis,
): Promise<{ url: string; pid: number }> {
  const folder = await temporaryFolder()
  stack.defer(() => removeFolder(folder))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const command = ['--max-semi-space-size=64', ...PROFILE, join(tree, 'packages/cli/bin/seatwise.mjs'), 'serve']
  const child = await startChild('seatwise serve', process.execPath, command, {
    cwd: folder,
    env: {
      ...{ PATH: process.env.PATH, HOME: process.env.HOME, HOST: '127.0.0.1', PORT: String(port) },
      ...{ DATABASE_URL: postgres.url, REDIS_URL: redis.url, SEATWISE_DEMO: 'off', SEATWISE_RATE_LIMITS: 'off' },
      ...{ SEATWISE_SECRET: SECRET.toString('base64'), SEATWISE_DATA_DIR: join(folder, 'data') },
      ...{ SEATWISE_ADMIN_EMAIL: ADMIN.email, SEATWISE_ADMIN_PASSWORD: ADMIN.password },
    },
  })
  stack.defer(async () => void (await child.stop()))
  try {
    await waitUntil('the server is ready', async () => (await fetch(`${url}/health/ready`)).ok, {
      timeoutMs: 30_000,
    })
  } catch (cause) {
    throw new Error(`The server of ${tree} did not start; it printed:\n${child.output()}`, { cause })
  }
  return { url, pid: child.pid }
}

/** SEATWISE_BENCH_PROFILE names a folder: each server then writes a profile of its processor time there when it ends. */
const PROFILE =
  process.env.SEATWISE_BENCH_PROFILE === undefined
    ? []
    : ['--cpu-prof', `--cpu-prof-dir=${process.env.SEATWISE_BENCH_PROFILE}`]

async function createSpareDatabase({ url }: Postgres): Promise<string> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('create database spare')
  } finally {
    await client.end()
  }
  return new URL('/spare', url).href
}

async function signIn(url: string): Promise<string> {
  const answer = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(ADMIN),
  })
  const { accessToken } = (await answer.json()) as { accessToken?: string }
  if (accessToken === undefined) throw new Error(`The operator could not sign in: ${answer.status}`)
  return accessToken
}
