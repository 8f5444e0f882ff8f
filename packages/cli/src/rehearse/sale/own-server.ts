import { type ChildProcess, fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { type Sale, saleOf } from './sale.ts'

/** A server that the rehearsal started for itself: a process of its own, with its own data folder. */
export interface OwnServer {
  readonly url: URL
  /** Signs access tokens, so that visitors need no accounts. */
  readonly secret: Buffer
  /** What it occupied when it last said so. */
  readonly residentBytes: () => number | null
  openSale(wanted: OwnSale): Promise<Sale>
  /** Lets it finish what it began. */
  stop(): Promise<void>
}

export interface OwnSale {
  readonly seats: number
  readonly room: Readonly<Record<string, unknown>>
}

/** What the other process is told, and what it tells. */
export interface ServerSettings {
  readonly settings: Readonly<Record<string, string>>
}
export type ServerNews =
  | { readonly kind: 'ready'; readonly url: string }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'memory'; readonly residentBytes: number }

const PROGRAM = join(import.meta.dirname, 'own-server-process.ts')
const STOP_MS_MAX = 20_000
const ADMIN_EMAIL = 'operator@example.com'

export async function startOwnServer(dataDir: string): Promise<OwnServer> {
  const secret = randomBytes(32)
  const password = randomBytes(18).toString('base64url')
  const child = fork(PROGRAM, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  let residentBytes: number | null = null
  child.on('message', (news: ServerNews) => {
    if (news.kind === 'memory') residentBytes = news.residentBytes
  })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.send({
    settings: {
      ...{
        HOST: '127.0.0.1',
        PORT: '0',
        SEATWISE_DATA_DIR: dataDir,
        SEATWISE_DEMO: 'off',
        SEATWISE_RATE_LIMITS: 'off',
      },
      ...{ SEATWISE_SECRET: secret.toString('base64'), SEATWISE_LOG_LEVEL: 'error' },
      ...{ SEATWISE_ADMIN_EMAIL: ADMIN_EMAIL, SEATWISE_ADMIN_PASSWORD: password },
    },
  } satisfies ServerSettings)
  const url = new URL(await ready(child))
  return {
    ...{ url, secret, residentBytes: () => residentBytes },
    openSale: async (wanted) => await openSale(url, await signIn(url, password), wanted),
    async stop() {
      // It stops when its parent is gone.
      if (child.connected) child.disconnect()
      const impatience = setTimeout(() => child.kill('SIGKILL'), STOP_MS_MAX)
      await exited
      clearTimeout(impatience)
    },
  }
}

function ready(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.on('message', (news: ServerNews) => {
      if (news.kind === 'ready') resolve(news.url)
      if (news.kind === 'failed') reject(new Error(`The server for the rehearsal did not start: ${news.reason}`))
    })
    child.once('exit', (code) => reject(new Error(`The server for the rehearsal ended with ${code}`)))
  })
}

async function signIn(url: URL, password: string): Promise<string> {
  const { accessToken } = await post(url, '/api/auth/login', {}, { email: ADMIN_EMAIL, password })
  return String(accessToken)
}

const DAY_MS = 86_400_000

async function openSale(url: URL, token: string, { seats, room }: OwnSale): Promise<Sale> {
  const event = await post(
    url,
    '/api/events',
    { authorization: `Bearer ${token}` },
    {
      ...{ name: 'Opening night', location: 'Here' },
      ...{ salesStartAt: new Date(Date.now() - DAY_MS), salesEndAt: new Date(Date.now() + DAY_MS) },
      seatTypes: [{ name: 'Standing', price: 4_500, currency: 'EUR', totalQuantity: seats }],
      room,
    },
  )
  return saleOf(event)
}

async function post(url: URL, path: string, headers: Readonly<Record<string, string>>, body: object) {
  const answer = await fetch(new URL(path, url), {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', connection: 'close' },
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${path} was answered ${answer.status}: ${text}`)
  return JSON.parse(text) as Record<string, unknown>
}
