import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Child, type Exit, startChild } from './child.ts'
import { freePort, removeFolder, temporaryFolder } from './machine.ts'
import { seatwiseProgram } from './program.ts'
import { copyLedgerTemplate } from './stores/ledger-template.ts'
import { postgresDatabase, redisUrl } from './stores/shared-stores.ts'
import { waitForStart } from './wait-for-start.ts'

export interface ServerOptions {
  mode: 'embedded' | 'distributed'
  /** Settings on top of the bench's own; undefined takes one away. */
  env?: Readonly<Record<string, string | undefined>>
  /** What Node is told to run instead of today's program: an older or a changed one. */
  program?: readonly string[]
  /** It serves a whole file of tests: what it does often is worth making fast. */
  lasts?: boolean
  /** It knows the address under which the bench reaches it, to which buyers return from a payment provider. */
  isPublic?: boolean
  /** Embedded: a data folder that outlives this server. Otherwise it has a temporary one. */
  dataDir?: string
  /** Distributed: a database that several servers of one system share. Otherwise it has its own. */
  databaseUrl?: string
  /** Distributed: a Redis, Cluster or Sentinel of its own. Otherwise it uses the shared one. */
  redisUrl?: string
}

/** The whole program, run by its own command as a child process. */
export interface Server {
  readonly url: string
  readonly port: number
  readonly pid: number
  readonly exited: Promise<Exit>
  output(): string
  /** Signs in as the first operator. */
  adminToken(): Promise<string>
  /** SIGTERM: it finishes what it began. */
  stop(): Promise<Exit>
  kill(): Promise<Exit>
  pause(): void
  resume(): void
  /** Starts it again on the same port with the same stores, after `stop` or `kill`. */
  restart(env?: Readonly<Record<string, string | undefined>>): Promise<void>
  /** Ends it if it runs, and removes what the bench made for it. */
  discard(): Promise<void>
}

export const ADMIN = { email: 'admin@example.com', password: 'correct horse battery staple' } as const

/** Every server of the bench shares it, so that several of them can form one system. */
export const SECRET: string = Buffer.from('a secret that only the test bench knows').toString('base64')

/** Starts the real server and waits until it is ready. */
export async function startServer(options: ServerOptions): Promise<Server> {
  const port = await freePort()
  const folder = await temporaryFolder()
  const undo: (() => Promise<void>)[] = [() => removeFolder(folder)]
  const url = `http://127.0.0.1:${port}`
  const address = options.isPublic === true ? { SEATWISE_PUBLIC_URL: url } : {}
  const settings = {
    ...baseSettings(port),
    ...address,
    ...(await storeSettings(options, folder, undo)),
    ...options.env,
  }

  let child: Child
  try {
    child = await launch(url, folder, settings, options)
  } catch (error) {
    for (const step of undo) await step()
    throw error
  }
  return {
    url,
    port,
    get pid() {
      return child.pid
    },
    get exited() {
      return child.exited
    },
    output: () => child.output(),
    adminToken: () => signIn(url),
    stop: () => child.stop(),
    kill: () => child.kill(),
    pause: () => child.pause(),
    resume: () => child.resume(),
    async restart(env = {}) {
      await child.kill()
      child = await launch(url, folder, { ...settings, ...env }, options)
    },
    async discard() {
      await child.kill()
      for (const step of undo) await step()
    },
  }
}

/** Only what the program needs: a stray variable of the shell must not change a test. */
function baseSettings(port: number): Record<string, string | undefined> {
  return {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    TMPDIR: process.env.TMPDIR,
    NODE_ENV: 'test',
    HOST: '127.0.0.1',
    PORT: String(port),
    SEATWISE_DEMO: 'off',
    SEATWISE_RATE_LIMITS: 'off',
    SEATWISE_SECRET: SECRET,
    SEATWISE_ADMIN_EMAIL: ADMIN.email,
    SEATWISE_ADMIN_PASSWORD: ADMIN.password,
  }
}

async function storeSettings(
  options: ServerOptions,
  folder: string,
  undo: (() => Promise<void>)[],
): Promise<Record<string, string>> {
  const dataDir = options.dataDir ?? join(folder, 'data')
  if (options.mode === 'embedded') {
    if (!existsSync(dataDir)) await copyLedgerTemplate(dataDir, 'migrated')
    return { SEATWISE_DATA_DIR: dataDir }
  }
  if (options.databaseUrl !== undefined) {
    return {
      SEATWISE_DATA_DIR: dataDir,
      DATABASE_URL: options.databaseUrl,
      REDIS_URL: options.redisUrl ?? redisUrl(),
    }
  }
  const database = await postgresDatabase('migrated')
  undo.push(() => database.drop())
  return { SEATWISE_DATA_DIR: dataDir, DATABASE_URL: database.url, REDIS_URL: options.redisUrl ?? redisUrl() }
}

async function launch(
  url: string,
  cwd: string,
  env: Record<string, string | undefined>,
  { program, lasts = false }: ServerOptions,
): Promise<Child> {
  const command = [...(program ?? (await seatwiseProgram(lasts))), 'serve']
  const child = await startChild('seatwise serve', process.execPath, command, { cwd, env })
  await waitForStart(child, async () => (await statusOf(`${url}/health/ready`)) === 200)
  // Starting up on a busy machine makes it shed load for a moment; health answers are never shed, others are.
  await waitForStart(child, async () => (await statusOf(`${url}/api/auth/me`)) !== 503)
  return child
}

async function statusOf(url: string): Promise<number> {
  const answer = await fetch(url, { headers: { connection: 'close' } })
  await answer.arrayBuffer()
  return answer.status
}

async function signIn(url: string): Promise<string> {
  const answer = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', connection: 'close' },
    body: JSON.stringify(ADMIN),
  })
  const body: unknown = await answer.json()
  if (typeof body === 'object' && body !== null && 'accessToken' in body && typeof body.accessToken === 'string') {
    return body.accessToken
  }
  throw new Error(`The operator could not sign in: ${answer.status} ${JSON.stringify(body)}`)
}
