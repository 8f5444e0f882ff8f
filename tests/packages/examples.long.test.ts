import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import {
  type Child,
  expectFields,
  findBinary,
  freePort,
  openBrowser,
  removeFolder,
  type Server,
  shape,
  startChild,
  startServer,
  temporaryFolder,
  waitUntil,
} from '@seatwise/testbench'
import type { Browser, Page } from 'playwright-core'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { installExample, openShop, visitShop } from './examples.ts'
import { buildPackages, projectWith } from './published.ts'
import { openPage, walkIn } from './walk-in.ts'

const run = promisify(execFile)
/** Each brings its program as a package of its platform: nothing is downloaded from elsewhere. */
const BUN = '@oven/bun-linux-x64@1.4.4'
const DENO = '@deno/linux-x64-glibc@2.9.6'
const WORKERD = '@cloudflare/workerd-linux-64@1.20261117.1'

let folder: string
let tarballs: string[]
let server: Server
beforeAll(async () => {
  folder = await temporaryFolder()
  const built = join(folder, 'dist')
  const starting = startServer({ mode: 'embedded' })
  await buildPackages(built)
  tarballs = readdirSync(built)
    .filter((name) => name.startsWith('seatwise-client') || name.startsWith('seatwise-guard'))
    .map((name) => join(built, name))
  server = await starting
}, 120_000)
afterAll(async () => {
  await server?.discard()
  await removeFolder(folder)
})

const tarball = (name: 'client' | 'guard'): string => tarballs.find((path) => path.includes(`seatwise-${name}-`)) ?? ''
const stage = () => ({ server, makeRoom })

describe('guarded sites', () => {
  it('[Y40] the Express shop', async () => {
    const place = await installExample('express-shop', folder, [tarball('guard')])
    const shop = await openShop(stage(), process.execPath, () => ['shop.js'], place, 'The shop is open')
    await visitShop(stage(), shop, '/buy')
    await shop.child.stop()
  })

  it('[Y40] the Next.js app', async () => {
    const place = await installExample('next-app', folder, [tarball('guard')])
    const next = join(place, 'node_modules/next/dist/bin/next')
    const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1', NODE_ENV: 'production' }
    await run(process.execPath, [next, 'build'], { cwd: place, env })
    const args = (port: string): string[] => [next, 'start', '--hostname', '127.0.0.1', '--port', port]
    const shop = await openShop(stage(), process.execPath, args, place, 'Ready')
    await visitShop(stage(), shop, '/.seatwise/complete')
    await shop.child.stop()
  })

  it('[Y40] [Y41] the worker, on workerd', async () => {
    const place = await installExample('hono-worker', folder, [tarball('guard')])
    const workerd = join(
      await projectWith(folder, 'workerd', [WORKERD]),
      'node_modules',
      nameOf(WORKERD),
      'bin/workerd',
    )
    await bundle(join(place, 'worker.js'), join(place, 'bundle'))
    writeFileSync(join(place, 'config.capnp'), CONFIG)
    const args = (port: string): string[] => ['serve', 'config.capnp', '--socket-addr', `http=127.0.0.1:${port}`]
    const shop = await openShop(stage(), workerd, args, place)
    await visitShop(stage(), shop, '/buy')
    await shop.child.stop()
  })

  it('[Y40] [Y41] the same worker, on Bun', async () => {
    const place = join(folder, 'hono-worker')
    const bun = join(await projectWith(folder, 'bun', [BUN]), 'node_modules', nameOf(BUN), 'bin/bun')
    const shop = await openShop(stage(), bun, () => ['worker.js'], place)
    await visitShop(stage(), shop, '/buy')
    await shop.child.stop()
  })
})

describe('other runtimes', () => {
  const fixture = (name: string): string => join(import.meta.dirname, 'fixtures', name)

  it('[Y41] the client joins and is told its position, on Bun and Deno', async () => {
    const place = await projectWith(folder, 'runtimes', [BUN, DENO, ...tarballs])
    for (const name of ['use-client.mjs', 'use-guard.mjs']) cpSync(fixture(name), join(place, name))
    const eventId = await makeEvent(true)
    for (const [program, args] of runtimes(place)) {
      const { stdout } = await run(program, [...args, 'use-client.mjs', server.url, eventId], { cwd: place })
      expect(stdout).toMatch(/^position 1 on /)
    }
  })

  it('[Y41] the guard sends a visitor to wait and lets them in, on Bun and Deno', async () => {
    const place = join(folder, 'runtimes')
    for (const [program, args] of runtimes(place)) {
      const port = String(await freePort())
      const site = `http://127.0.0.1:${port}`
      const room = await makeRoom(site)
      const told = [...args, 'use-guard.mjs', server.url, room, port]
      const child = await startChild('a guarded site', program, told, { cwd: place })
      await waitUntil('it listens', () => child.output().includes('listening'))
      expect(await openPage(`${site}/cart`)).toEqual([303, `${server.url}/rooms/${room}/wait?to=%2Fcart`])
      const cookie = await walkIn(server.url, room, '/cart')
      expect(await (await fetch(`${site}/cart`, { headers: { cookie } })).text()).toMatch(/^the shop on /)
      await child.stop()
    }
  })
})

describe('pages', () => {
  let browser: Browser
  let front: { readonly url: string; readonly child: Child }
  const line = (name: string): string => join(folder, 'line', name)
  beforeAll(async () => {
    mkdirSync(join(folder, 'line'))
    browser = await openBrowser()
    front = await startFront()
  }, 60_000)
  afterAll(async () => {
    await browser?.close()
    await front?.child.stop()
  })

  it('[Y40] the static page waits, goes in and reserves two seats', async () => {
    const place = await installExample('static-page', folder, [tarball('client')])
    await run('npm', ['run', 'prepare'], { cwd: place })
    cpSync(place, line('static'), { recursive: true })
    const { page, eventId } = await openLine('static')
    await until(page, 'You are number 1 in line')
    await admit(eventId)
    await until(page, 'It is your turn')
    await page.click('#in')
    await page.click('#buy')
    await until(page, /^[A-Z]\d+ and [A-Z]\d+ are yours for a few minutes$/)
    await page.context().close()
  })

  it.each(['development', 'production'])('[Y40] the React hook, built for %s', async (mode) => {
    const place = await installExample('react-hook', folder, [tarball('client')])
    await run(
      process.execPath,
      [join(place, 'node_modules/vite/bin/vite.js'), 'build', '--base', './', '--mode', mode],
      {
        cwd: place,
        env: { ...process.env, NODE_ENV: mode },
      },
    )
    cpSync(join(place, 'dist'), line(mode), { recursive: true })
    const { page, eventId } = await openLine(mode)
    await until(page, 'You are number 1 in line')
    await admit(eventId)
    await page.click('text=It is your turn: go in')
    await until(page, 'You are in')
    await page.context().close()
  })

  /** nginx with the configuration of the example, but for its port, its folder and the server's port. */
  async function startFront(): Promise<{ url: string; child: Child }> {
    const port = await freePort()
    const published = readFileSync(join(import.meta.dirname, '../../examples/static-page/nginx.conf'), 'utf8')
    const served = published
      .replace('listen 80;', `listen 127.0.0.1:${port};`)
      .replace('/srv/static-page/', `${folder}/line/`)
      .replace('127.0.0.1:3000', `127.0.0.1:${server.port}`)
    const user = process.getuid?.() === 0 ? 'user root;' : ''
    const types = 'types { text/html html; text/javascript js mjs; } default_type application/octet-stream;'
    writeFileSync(
      join(folder, 'nginx.conf'),
      `${user} daemon off; worker_processes 1; pid ${folder}/pid;
events { worker_connections 256; }
http { access_log off; ${types} client_body_temp_path ${folder}/bodies; proxy_temp_path ${folder}/proxied;
${served}}
`,
    )
    const args = ['-p', folder, '-c', 'nginx.conf', '-e', 'stderr']
    return {
      url: `http://127.0.0.1:${port}`,
      child: await startChild('nginx', findBinary('nginx', 'nginx-light'), args),
    }
  }

  async function openLine(name: string): Promise<{ page: Page; eventId: string }> {
    const eventId = await makeEvent(true)
    const context = await browser.newContext()
    const page = await context.newPage()
    await page.goto(`${front.url}/line/${name}/index.html?event=${eventId}`)
    return { page, eventId }
  }
})

async function until(page: Page, text: string | RegExp): Promise<void> {
  await page
    .getByRole('status')
    .or(page.getByRole('button'))
    .filter({ hasText: text })
    .first()
    .waitFor({ timeout: 20_000 })
}

const nameOf = (wanted: string): string => wanted.slice(0, wanted.lastIndexOf('@'))

function runtimes(place: string): [program: string, args: string[]][] {
  return [
    [join(place, 'node_modules', nameOf(BUN), 'bin/bun'), ['run']],
    [
      join(place, 'node_modules', nameOf(DENO), 'deno'),
      ['run', '--allow-net', '--allow-read', '--allow-env', '--no-prompt'],
    ],
  ]
}

/** One module, as Wrangler makes it. */
async function bundle(input: string, outDir: string): Promise<void> {
  await build({
    configFile: false,
    logLevel: 'silent',
    root: join(input, '..'),
    ssr: { noExternal: true, target: 'webworker' },
    build: { ssr: true, outDir, rolldownOptions: { input, output: { entryFileNames: 'worker.js' } } },
  })
}

/** What Wrangler tells workerd, with leave to call this machine. */
const CONFIG = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .shop),
    (name = "internet", network = (allow = ["public", "private", "local"])),
  ],
  sockets = [(name = "http", http = (), service = "main")],
);
const shop :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed "bundle/worker.js")],
  compatibilityDate = "2026-07-01",
  bindings = [
    (name = "SEATWISE_URL", fromEnvironment = "SEATWISE_URL"),
    (name = "SEATWISE_ROOM", fromEnvironment = "SEATWISE_ROOM"),
    (name = "SITE_URL", fromEnvironment = "SITE_URL"),
    (name = "SEATWISE_GUARD_SECRET", fromEnvironment = "SEATWISE_GUARD_SECRET"),
  ],
);
`

async function makeEvent(paused: boolean): Promise<string> {
  const at = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString()
  const event = { name: 'A sale of an example', totalSeats: 10, salesStartAt: at(-1), salesEndAt: at(1) }
  return await call('POST', '/api/events', { ...event, room: { paused, guests: true } })
}

async function admit(eventId: string): Promise<void> {
  await call('PATCH', `/api/events/${eventId}/room`, { paused: false })
}

async function makeRoom(target: string): Promise<string> {
  return await call('POST', '/api/rooms', { name: 'A shop', target, guests: true, burst: 10, ratePerMinute: 600 })
}

async function call(method: string, path: string, body: object): Promise<string> {
  const answer = await fetch(server.url + path, {
    method,
    headers: { authorization: `Bearer ${await server.adminToken()}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(answer.status).toBeLessThan(300)
  const said: unknown = await answer.json()
  return method === 'POST' ? expectFields(said, { id: shape.text }).id : ''
}
