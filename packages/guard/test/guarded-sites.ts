import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer, type Server as HttpServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  type Child,
  findBinary,
  freePort,
  removeFolder,
  type Server,
  startChild,
  temporaryFolder,
  waitUntil,
} from '@seatwise/testbench'
import express from 'express'
import Fastify from 'fastify'
import { createGuard, forExpress, forFastify, type Guard } from '../src/index.ts'
import { generousPath } from './generous-path.ts'
import { openPage } from './raw-request.ts'

const SECRET = Buffer.from('what signs the sessions of guarded sites').toString('base64')
const IGNORE = ['/favicon.ico', '/assets/']
/** A visitor who reads this got through. */
export const GUARDED = 'THE GUARDED PAGE'

export interface Site {
  readonly name: string
  readonly url: string
  readonly room: string
  close(): Promise<void>
}

/** What guards call the room through: counts what they ask. */
export interface Counter {
  readonly url: string
  readonly calls: string[]
  close(): Promise<void>
}

export async function openCounter(target: string): Promise<Counter> {
  const calls: string[] = []
  const server = await listen((request, response) => {
    const { url = '', method = 'GET', headers } = request
    calls.push(`${method} ${url.split('?', 1)[0]?.split('/').at(-1)}`)
    const pass = headers['seatwise-pass']
    fetch(target + url, { method, headers: typeof pass === 'string' ? { 'seatwise-pass': pass } : {} })
      .then(async (answer) => {
        response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
      })
      .catch(() => response.writeHead(502).end())
  })
  return { url: urlOf(server), calls, close: () => closeServer(server) }
}

/**
 * The site itself. It reads paths as generously as some servers do, so that a path which the guard takes for one that
 * needs no pass, and which means another one here, is found.
 */
export const origin: RequestListener = (request, response) => {
  const path = generousPath(request.url ?? '/')
  const isOpen = path === '/favicon.ico' || path.startsWith('/assets/')
  if (path === '/thanks') response.setHeader('Seatwise-Complete', '1')
  response.setHeader('x-reached', isOpen ? 'open' : 'guarded')
  response.setHeader('content-type', 'text/plain')
  response.end(isOpen ? 'open to all' : GUARDED)
}

export interface SiteParts {
  readonly server: Server
  readonly counter: Counter
  readonly makeRoom: (target: string) => Promise<string>
}

export function guardOf({ server, counter }: SiteParts, url: string, room: string): Guard {
  return createGuard({
    ...{ roomUrl: server.url, apiUrl: counter.url, room, site: url, failOpen: false, secret: SECRET, ignore: IGNORE },
    onProblem: () => undefined,
  })
}

export async function openExpress(parts: SiteParts): Promise<Site> {
  const app = express()
  const server = await listen(app)
  const url = urlOf(server)
  const room = await parts.makeRoom(url)
  const guard = guardOf(parts, url, room)
  app.use(forExpress(guard))
  app.use((request, response) => origin(request, response))
  const close = async (): Promise<void> => {
    await closeServer(server)
    await guard.settled()
  }
  return { name: 'Express', url, room, close }
}

export async function openFastify(parts: SiteParts): Promise<Site> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const room = await parts.makeRoom(url)
  const guard = guardOf(parts, url, room)
  const app = Fastify({ forceCloseConnections: true })
  await app.register(forFastify(guard))
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, payload, done) => {
    payload.resume()
    done(null)
  })
  // Every address and method, also those for which there is no route.
  app.setNotFoundHandler((request, reply) => {
    const path = generousPath(request.raw.url ?? '/')
    const isOpen = path === '/favicon.ico' || path.startsWith('/assets/')
    if (path === '/thanks') reply.header('Seatwise-Complete', '1')
    return reply
      .code(200)
      .header('x-reached', isOpen ? 'open' : 'guarded')
      .send(isOpen ? 'open to all' : GUARDED)
  })
  await app.listen({ port, host: '127.0.0.1' })
  const close = async (): Promise<void> => {
    await app.close()
    await guard.settled()
  }
  return { name: 'Fastify', url, room, close }
}

const COMMAND = fileURLToPath(new URL('../../cli/bin/seatwise.mjs', import.meta.url))
const PAPER = fileURLToPath(new URL('../../../docs/guard.md', import.meta.url))

/** nginx with the configuration that docs/guard.md shows, and the guard as its command runs it. */
export async function openNginx(parts: SiteParts): Promise<Site> {
  const folder = await temporaryFolder()
  const [port, guardPort] = [await freePort(), await freePort()]
  const url = `http://127.0.0.1:${port}`
  const room = await parts.makeRoom(url)
  const upstream = await listen(origin)
  await writeFile(join(folder, 'secret'), `${SECRET}\n`)
  const options = [
    ...['--room-url', parts.server.url, '--api-url', parts.counter.url, '--room', room, '--site', url],
    ...['--fail', 'closed', '--secret-file', join(folder, 'secret'), '--port', String(guardPort)],
    ...IGNORE.flatMap((path) => ['--ignore', path]),
  ]
  const guard = await startChild('seatwise guard', process.execPath, [COMMAND, 'guard', ...options])
  const text = configuration(folder, { port, guardPort, originPort: (upstream.address() as AddressInfo).port })
  await writeFile(join(folder, 'nginx.conf'), text)
  await mkdir(join(folder, 'temporary'))
  const nginx = await startNginx(folder)
  const children = [guard, nginx]
  await waitUntil('nginx and the guard answer', async () => {
    if (children.some((child) => !child.isRunning()))
      throw new Error(children.map((child) => child.output()).join('\n'))
    return (await openPage(url)).status === 303
  })
  const close = async (): Promise<void> => {
    for (const child of children) await child.stop()
    await closeServer(upstream)
    await removeFolder(folder)
  }
  return { name: 'nginx', url, room, close }
}

function startNginx(folder: string): Promise<Child> {
  const program = existsSync('/usr/sbin/nginx') ? '/usr/sbin/nginx' : findBinary('nginx', 'nginx-light')
  return startChild('nginx', program, ['-p', folder, '-c', 'nginx.conf', '-e', 'stderr'])
}

interface Ports {
  readonly port: number
  readonly guardPort: number
  readonly originPort: number
}

function configuration(folder: string, { port, guardPort, originPort }: Ports): string {
  const server = /```nginx\n([\s\S]*?)```/.exec(readFileSync(PAPER, 'utf8'))?.[1] ?? ''
  const served = server
    .replace('listen 80;', `listen 127.0.0.1:${port};`)
    .replaceAll('127.0.0.1:8455', `127.0.0.1:${guardPort}`)
    .replaceAll('127.0.0.1:8080', `127.0.0.1:${originPort}`)
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${join(folder, 'temporary', kind)};`,
  )
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  return `${user} daemon off; worker_processes 1; pid ${join(folder, 'pid')};
events { worker_connections 256; }
http { access_log off; ${folders.join(' ')}
${served}}
`
}

async function listen(handler: RequestListener): Promise<HttpServer> {
  const server = createServer({ insecureHTTPParser: false }, handler)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

function urlOf(server: HttpServer): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function closeServer(server: HttpServer): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  server.closeAllConnections()
  await closed
}
