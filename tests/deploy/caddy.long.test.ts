import { join } from 'node:path'
import {
  type Child,
  findBinary,
  freePort,
  HttpClient,
  removeFolder,
  type Server,
  startChild,
  startServer,
  temporaryFolder,
  waitUntil,
} from '@seatwise/testbench'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { http, openSale, type SaleOfShop } from '../crash/shop.ts'
import { ask, bodyOf, expectPages, expectPush } from './through-proxy.ts'

const FILE = join(import.meta.dirname, '../../deploy/caddy/Caddyfile')

let folder: string
let server: Server
let caddy: Child
let url: string
let sale: SaleOfShop

/** Caddy with the file that we publish, without TLS. The first of its servers is not there. */
beforeAll(async () => {
  folder = await temporaryFolder()
  const env = { SEATWISE_TRUST_PROXY: '127.0.0.1', SEATWISE_LOG_LEVEL: 'debug' }
  server = await startServer({ mode: 'embedded', env })
  sale = await openSale(server)
  const [own, admin, dead] = [await freePort(), await freePort(), await freePort()]
  url = `http://127.0.0.1:${own}`
  const program = findBinary('caddy', 'Caddy 2 (Debian: apt-get install caddy)')
  caddy = await startChild('caddy', program, ['run', '--config', FILE, '--adapter', 'caddyfile'], {
    env: {
      ...{ PATH: process.env.PATH, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
      ...{ CADDY_ADMIN: `127.0.0.1:${admin}`, SEATWISE_HOST: url },
      SEATWISE_UPSTREAMS: `127.0.0.1:${dead} 127.0.0.1:${server.port}`,
    },
  })
  await waitUntil('Caddy answers', async () => (await ask(`${url}/health/live`).catch(() => null))?.statusCode === 200)
}, 90_000)
afterAll(async () => {
  await caddy?.stop()
  await server?.discard()
  await http.close()
  await removeFolder(folder)
})

it('[Y34] serves pages by the server that is there, and knows the visitor by the address of the connection', async () => {
  await expectPages(url, server)
})

it('[Y34] passes on WebSocket and Server-Sent Events as they come', async () => {
  await expectPush(url, server, sale)
})

it('[Y34] leaves it to caches behind it how long now and assets are good', async () => {
  const now = await ask(`${url}/api/events/${sale.eventId}/queue/now`)
  await bodyOf(now)
  expect(now.headers['cache-control']).toMatch(/max-age=1\b/)
  const [, script = ''] = /src="(\/assets\/[^"]+\.js)"/.exec(await bodyOf(await ask(`${url}/`))) ?? []
  const asset = await ask(url + script)
  await bodyOf(asset)
  expect([asset.statusCode, asset.headers['cache-control']]).toEqual([200, expect.stringContaining('immutable')])
})

it('[Y34] writes reach the server although another one is gone', async () => {
  const client = new HttpClient({ timeoutMs: 20_000 })
  try {
    for (let count = 0; count < 20; count += 1) {
      const path = `/api/events/${sale.eventId}/queue/join`
      expect((await client.send({ method: 'POST', url: url + path, headers: {}, body: {} })).status).toBe(200)
    }
  } finally {
    await client.close()
  }
})
