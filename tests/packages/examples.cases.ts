import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { copyExample, EXAMPLES, type GuardedRoom, openShop, visitShop } from './examples.ts'
import { nodes, root } from './published.ts'

/** Starts what a module exports for `fetch` on Node, as Bun and Workers do by themselves. */
const SERVE_FETCH = (module: string): string => `
import { createServer } from 'node:http'
const { default: app } = await import(${JSON.stringify(pathToFileURL(module).href)})
createServer(async (incoming, outgoing) => {
  const request = new Request('http://' + incoming.headers.host + incoming.url, { method: incoming.method, headers: incoming.headers,
    ...(incoming.method === 'POST' ? { body: Buffer.concat(await incoming.toArray()) } : {}) })
  const response = await app.fetch(request, process.env)
  outgoing.writeHead(response.status, [...response.headers].flat())
  outgoing.end(Buffer.from(await response.arrayBuffer()))
}).listen(Number(process.env.PORT), '127.0.0.1')`

/** Those that need no package which the repository does not have; the long test runs all of them, freshly installed. */
export function examplesRun(stage: () => GuardedRoom & { readonly project: string }): void {
  it('[Y40] the Express shop sends visitors to wait, lets them in, and frees their place', async () => {
    const { project } = stage()
    const folder = copyExample('express-shop', project)
    const [node = process.execPath] = await nodes()
    const shop = await openShop(stage(), node, () => ['shop.js'], folder, 'The shop is open')
    try {
      expect((await fetch(`${shop.site}/imprint`)).status).toBe(200)
      await visitShop(stage(), shop, '/buy')
    } finally {
      await shop.child.stop()
    }
  })

  it('[Y40] the worker does too', async () => {
    const folder = copyExample('hono-worker', stage().project)
    const [node = process.execPath] = await nodes()
    const args = ['--input-type=module', '--eval', SERVE_FETCH(join(folder, 'worker.js'))]
    const shop = await openShop(stage(), node, () => args, folder)
    try {
      await visitShop(stage(), shop, '/buy')
    } finally {
      await shop.child.stop()
    }
  })

  it('[Y40] every folder of examples/ is one that the tests run', () => {
    expect(readdirSync(join(root, 'examples')).toSorted()).toEqual([...EXAMPLES])
  })
}
