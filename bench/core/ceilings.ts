import { ADMIN, type Child, freePort, startChild, waitUntil } from '@seatwise/testbench'
import { SECRET } from '../support/box-office/sale.ts'
import type { Answer } from '../support/http/converse.ts'
import type { Subject } from './subject.ts'

/** What a ceiling imitates: the request it takes and the answer it gives. */
export interface Imitated {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly status: number
  readonly body: string
}

/** Room for garbage, as much as the command itself asks for. */
const AS_THE_COMMAND_DOES = '--max-semi-space-size=64'

/** A join or a poll, and the answer that the real route gave. */
export function imitate(method: Imitated['method'], { status, body }: Answer): Imitated {
  const act = method === 'POST' ? 'join' : 'status'
  return { method, path: `/api/events/00000000-0000-4000-8000-000000000000/queue/${act}`, status, body }
}

export async function startBare(stack: AsyncDisposableStack, imitated: Imitated): Promise<URL> {
  return await start(stack, 'bare', imitated, {})
}

export async function startKernel(
  stack: AsyncDisposableStack,
  imitated: Imitated,
  { tree, spareDatabaseUrl, redisUrl }: Subject,
): Promise<URL> {
  return await start(stack, 'kernel', imitated, {
    ...{ TREE: tree, DATABASE_URL: spareDatabaseUrl, REDIS_URL: redisUrl, HOST: '127.0.0.1' },
    ...{ SEATWISE_DEMO: 'off', SEATWISE_RATE_LIMITS: 'off', SEATWISE_SECRET: SECRET.toString('base64') },
    ...{ SEATWISE_ADMIN_EMAIL: ADMIN.email, SEATWISE_ADMIN_PASSWORD: ADMIN.password },
  })
}

async function start(
  stack: AsyncDisposableStack,
  name: 'bare' | 'kernel',
  { method, path, status, body }: Imitated,
  env: Readonly<Record<string, string>>,
): Promise<URL> {
  const port = await freePort()
  const imitated = { METHOD: method, ROUTE: path, STATUS: String(status), ANSWER: body, PORT: String(port) }
  const command = [AS_THE_COMMAND_DOES, `${import.meta.dirname}/${name}-server.ts`]
  const child = await startChild(name, process.execPath, command, {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...imitated, ...env },
  })
  stack.defer(async () => void (await child.stop()))
  const url = new URL(path, `http://127.0.0.1:${port}`)
  await untilAnswered(child, url, method, status)
  return url
}

async function untilAnswered(child: Child, url: URL, method: string, status: number): Promise<void> {
  try {
    await waitUntil(`the ${child.name} server answers`, async () => (await fetch(url, { method })).status === status)
  } catch (cause) {
    throw new Error(`The ${child.name} server did not start; it printed:\n${child.output()}`, { cause })
  }
}
