import { generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type RequestListener, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { removeFolder, temporaryFolder } from '@seatwise/testbench'
import { guardSnippets, SNIPPET_KINDS, type SnippetKind } from '@seatwise/web'
import type { FastifyInstance } from 'fastify'
import type { Hono } from 'hono'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'

const ROOM = '0198f2a1-1111-7222-8333-444455556666'
const ROOM_URL = 'https://queue.example.com'
const SITE = 'https://shop.example.com'
const SECRET = Buffer.from('a secret of the guard, long enough for it').toString('base64')

/** As much of a room as a guard asks for: its keys, and that no pass ended. */
class RoomStandIn {
  readonly #keys = generateKeyPairSync('ed25519')

  readonly fetch = async (input: unknown): Promise<Response> => {
    const { pathname } = new URL(String(input))
    const jwk = { ...this.#keys.publicKey.export({ format: 'jwk' }), kid: 'first', use: 'sig', alg: 'EdDSA' }
    if (pathname === '/.well-known/jwks.json') return Response.json({ keys: [jwk] })
    return Response.json({ items: [], since: '1-0' })
  }

  pass(): string {
    const exp = Math.floor(Date.now() / 1_000) + 300
    const claims = { iss: 'seatwise', aud: ROOM, sub: `tkt_${randomUUID()}`, fence: 7, exp, num: 1 }
    const parts = [{ alg: 'EdDSA', typ: 'seatwise-pass+jwt', kid: 'first' }, claims]
    const text = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
    return `${text}.${sign(null, Buffer.from(text), this.#keys.privateKey).toString('base64url')}`
  }
}

/** Next itself is large; of it, the snippet needs this one answer, in the form in which Next sends it. */
const NEXT = `export const NextResponse = { next: () => new Response(null, { headers: { 'x-middleware-next': '1' } }) }\n`
const MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url))
const page = { accept: 'text/html', 'sec-fetch-mode': 'navigate' }
const snippets = new Map(
  guardSnippets({ roomUrl: ROOM_URL, room: ROOM, site: SITE }).map((snippet) => [snippet.kind, snippet.code]),
)

let folder: string
let room: RoomStandIn
beforeAll(async () => {
  folder = await temporaryFolder()
  const modules = join(folder, 'node_modules')
  await mkdir(join(modules, '@seatwise'), { recursive: true })
  await mkdir(join(modules, 'next'))
  await writeFile(join(modules, 'next', 'server.js'), NEXT)
  await writeFile(join(modules, 'next', 'package.json'), '{"type":"module","exports":{"./server":"./server.js"}}')
  for (const name of ['express', 'fastify', 'hono', '@seatwise/guard']) {
    await symlink(join(MODULES, name), join(modules, name))
  }
  room = new RoomStandIn()
  vi.stubEnv('SEATWISE_GUARD_SECRET', SECRET)
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await removeFolder(folder)
})
afterEach(() => vi.unstubAllGlobals())

type Ask = (path: string, init?: RequestInit) => Promise<Response>
type Handle = (request: Request) => Response | Promise<Response>

/** What a snippet exports, as its runtime would load it. */
async function load<Exports>(kind: SnippetKind): Promise<Exports> {
  const path = join(folder, `${kind}.${kind === 'next' ? 'ts' : 'mjs'}`)
  await writeFile(path, snippets.get(kind) ?? '')
  try {
    return (await import(/* @vite-ignore */ pathToFileURL(path).href)) as Exports
  } finally {
    await rm(path)
  }
}

const asks =
  (handle: Handle): Ask =>
  async (path, init) =>
    await handle(new Request(SITE + path, init))

/** Over a socket, with the headers of a browser, which `fetch` replaces with its own. */
function overHttp(listener: RequestListener, visit: (ask: Ask) => Promise<void>): () => Promise<void> {
  return async () => {
    vi.stubGlobal('fetch', room.fetch)
    const server = createServer(listener).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    try {
      await visit(async (path, { method = 'GET', headers = {}, body } = {}) => {
        const type = body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }
        const sent = { ...(headers as Record<string, string>), ...type }
        const outgoing = request({ port, path, method, headers: sent }).end(body?.toString())
        const [answer] = (await once(outgoing, 'response')) as [IncomingMessage]
        const pairs = Object.entries(answer.headers).map(([name, value]): [string, string] => [name, String(value)])
        return new Response((await answer.toArray()).join(''), { status: answer.statusCode ?? 0, headers: pairs })
      })
    } finally {
      server.close()
      server.closeAllConnections()
    }
  }
}

/** A visitor waits, comes with a pass, and reads the page. */
async function goThrough(ask: Ask): Promise<void> {
  const sent = await ask('/drop', { headers: page })
  expect([sent.status, sent.headers.get('location')]).toEqual([303, `${ROOM_URL}/rooms/${ROOM}/wait?to=%2Fdrop`])
  const body = new URLSearchParams({ pass: room.pass(), to: '/drop' })
  const entered = await ask('/.seatwise/enter', { method: 'POST', body, headers: { origin: ROOM_URL } })
  expect([entered.status, entered.headers.get('location')]).toEqual([303, `${SITE}/drop`])
  const cookie = entered.headers.get('set-cookie')?.split(';', 1)[0] ?? ''
  const inside = await ask('/drop', { headers: { ...page, cookie } })
  expect(inside.status).toBe(200)
  expect(inside.headers.get('x-middleware-next') ?? (await inside.text())).toMatch(/^(1|the page)$/)
}

const WAYS: Record<Exclude<SnippetKind, 'nginx'>, () => Promise<void>> = {
  async express() {
    const { app } = await load<{ app: RequestListener & { use(handler: RequestListener): void } }>('express')
    app.use((_request, response) => void response.end('the page'))
    await overHttp(app, goThrough)()
  },
  async fastify() {
    const { app } = await load<{ app: FastifyInstance }>('fastify')
    app.get('/drop', async () => 'the page')
    await app.ready()
    await overHttp((request, response) => app.routing(request, response), goThrough)()
    await app.close()
  },
  async next() {
    vi.stubGlobal('fetch', room.fetch)
    type Middleware = (request: Request, event: { waitUntil(): void }) => Promise<Response>
    const { middleware } = await load<{ middleware: Middleware }>('next')
    await goThrough(asks((request) => middleware(request, { waitUntil: () => undefined })))
  },
  async hono() {
    vi.stubGlobal('fetch', room.fetch)
    const { default: app } = await load<{ default: Hono }>('hono')
    app.get('/drop', (context) => context.text('the page'))
    await goThrough(asks((request) => app.fetch(request, { SEATWISE_GUARD_SECRET: SECRET })))
  },
}

it.each(Object.entries(WAYS))('[G79] the console’s snippet for %s guards a site as it stands', async (_kind, run) => {
  await run()
})

it('[G79] the console’s snippet for nginx is the configuration that is tested, with the command that belongs to it', () => {
  const paper = readFileSync(new URL('../../docs/guard.md', import.meta.url), 'utf8')
  const [, tested = ''] = /```nginx\n([\s\S]*?)```/.exec(paper) ?? []
  const code = snippets.get('nginx') ?? ''
  expect(tested.length).toBeGreaterThan(500)
  expect(code).toContain(tested)
  expect(code).toContain(`--room-url ${ROOM_URL} --room ${ROOM} --site ${SITE} --fail closed`)
  expect([...snippets.keys()]).toEqual([...SNIPPET_KINDS])
})
