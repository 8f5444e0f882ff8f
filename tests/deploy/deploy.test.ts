import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { removeFolder, type Server, startServer, temporaryFolder, waitUntil } from '@seatwise/testbench'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { http, openSale, type SaleOfShop } from '../crash/shop.ts'
import { type FrontServer, startProxy } from './nginx.ts'
import { ask, bodyOf, expectPages, expectPush } from './through-proxy.ts'

const root = join(import.meta.dirname, '../..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')

let folder: string
let server: Server
let proxy: FrontServer
let sale: SaleOfShop

beforeAll(async () => {
  folder = await temporaryFolder()
  const env = { SEATWISE_TRUST_PROXY: '127.0.0.1', SEATWISE_LOG_LEVEL: 'debug' }
  server = await startServer({ mode: 'embedded', env })
  sale = await openSale(server)
  proxy = await startProxy(folder, server.port)
  await waitUntil(
    'nginx answers',
    async () => (await ask(`${proxy.url}/health/live`).catch(() => null))?.statusCode === 200,
  )
}, 90_000)
afterAll(async () => {
  await proxy?.child.stop()
  await server?.discard()
  await http.close()
  await removeFolder(folder)
})

describe('the published configuration of nginx', () => {
  it('[Y30] serves pages by the server that is there, and knows the visitor by the address of the connection', async () => {
    await expectPages(proxy.url, server)
  })

  it('[Y31] answers now from its cache, without anybody’s cookie', async () => {
    const path = `${proxy.url}/api/events/${sale.eventId}/queue/now`
    const first = await ask(path, { cookie: 'a=b' })
    await bodyOf(first)
    const second = await ask(path)
    expect(await bodyOf(second)).toContain('"phase":"open"')
    const told = [first, second].map(({ headers }) => headers['seatwise-cache'])
    expect(told[0]).toBe('MISS')
    // A slow machine may take longer than the second that the answer is good for.
    expect(['HIT', 'STALE', 'UPDATING']).toContain(told[1])
  })

  it('[Y32] passes on WebSocket and Server-Sent Events as they come', async () => {
    await expectPush(proxy.url, server, sale)
  })
})

it('[Y37] what the chart probes and measures is there', async () => {
  const rendered = read('tests/deploy/chart/full.rendered.yaml')
  const probed = [...rendered.matchAll(/httpGet: \{ path: (\S+),/g)].map(([, path = '']) => path)
  expect(probed).toHaveLength(3)
  for (const path of probed) expect((await fetch(server.url + path)).status, path).toBe(200)
  const [, metric = ''] = /metric: \{ name: (\w+) \}/.exec(rendered) ?? []
  expect(await (await fetch(`${server.url}/metrics`)).text()).toContain(`\n${metric} `)
})

describe('what watches a server', () => {
  const alerts = [
    ...read('deploy/prometheus/alerts.yml').matchAll(/- alert: (\w+)\n +expr: (.+)\n[\s\S]*?runbook: (\S+) \}/g),
  ]
  const expressions = (file: string): string[] =>
    [...read(file).matchAll(/"expr": "(.+)"/g)].map(([, expr = '']) => expr)

  it('[Y33] alerts and panels name metrics that a server has', async () => {
    const metrics = await (await fetch(`${server.url}/metrics`)).text()
    const known = new Set([...metrics.matchAll(/^# TYPE (\S+) (\w+)/gm)].map(([, name = '']) => name))
    const dashboards = readdirSync(join(root, 'deploy/grafana')).map((name) => `deploy/grafana/${name}`)
    const panels = dashboards.flatMap(expressions)
    expect(alerts.length).toBeGreaterThan(5)
    expect(panels.length).toBeGreaterThan(20)
    const named = [...alerts.map(([, , expr = '']) => expr), ...panels].flatMap(
      (expr) => expr.match(/\b(?:seatwise|nodejs|process)_\w+/g) ?? [],
    )
    expect(named.length).toBeGreaterThan(25)
    const ofHistogram = (name: string): string => name.replace(/_(?:bucket|count|sum)$/, '')
    expect(named.filter((name) => !known.has(name) && !known.has(ofHistogram(name)))).toEqual([])
  })

  it('[Y33] every alert has a runbook, and every runbook an alert', () => {
    const pages = readdirSync(join(root, 'docs/runbooks')).map((name) => `docs/runbooks/${name}`)
    expect(alerts.map(([, , , runbook]) => runbook).toSorted()).toEqual(pages.toSorted())
    expect(read('deploy/prometheus/alerts.yml').match(/- alert:/g)).toHaveLength(alerts.length)
    for (const [, name = '', , runbook = ''] of alerts) {
      expect(existsSync(join(root, runbook))).toBe(true)
      expect(read(runbook)).toMatch(/^# .+\n\n## What it means\n[\s\S]+## What to look at\n[\s\S]+## What to do\n/)
      expect(read('docs/monitoring.md')).toContain(`| ${name} |`)
    }
  })
})
