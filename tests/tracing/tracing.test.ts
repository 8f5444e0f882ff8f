import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Server, startServer, waitUntil } from '@seatwise/testbench'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { http, openSale, type SaleOfShop, send } from '../crash/shop.ts'
import { type Collector, type ReceivedSpan, startCollector } from './collector.ts'
import { outlineIn, outlineOf, PAYING, payOnPage, stepsOf } from './purchase-trace.ts'

const KEY = 'the key of the collector'
/** A trace id of the caller's own choice. */
const FOREIGN = 'ab'.repeat(16)

let collector: Collector
let server: Server
let sale: SaleOfShop
/** Everything that must not be in a span. */
const secrets: string[] = []

beforeAll(async () => {
  collector = await startCollector()
  server = await startServer({
    mode: 'embedded',
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: `x-key=${encodeURIComponent(KEY)}`,
      OTEL_TRACES_SAMPLER_ARG: '1',
      SEATWISE_LOG_LEVEL: 'debug',
    },
  })
  sale = await openSale(server)
  await Promise.all(Array.from({ length: 8 }, () => buyOne()))
  secrets.push(...(await payOnPage(server, sale)))
  await server.stop()
}, 120_000)
afterAll(async () => {
  await server?.discard()
  await collector?.close()
  await http.close()
})

const named = (name: string): ReceivedSpan[] => collector.spans().filter((span) => span.name === name)
const childrenOf = (parent: ReceivedSpan): ReceivedSpan[] =>
  collector.spans().filter((span) => span.parentSpanId === parent.spanId && span.traceId === parent.traceId)

it('[Y20] a purchase is one trace, from the request to the provider and the transactions', () => {
  const request = [...named('POST /api/purchases'), ...named(PAYING)]
  expect(request).toHaveLength(9)
  const purchases = named('purchases.create')
  expect(purchases).toHaveLength(9)
  expect(new Set(purchases.map(({ parentSpanId }) => parentSpanId))).toEqual(
    new Set(request.map(({ spanId }) => spanId)),
  )
  for (const purchase of purchases) {
    expect(childrenOf(purchase).map(({ name }) => name)).toEqual(
      expect.arrayContaining(['provider.prepare', 'provider.pay']),
    )
  }
  const [decided] = named('purchases.decide')
  expect(decided && childrenOf(decided).map(({ name }) => name)).toContain('ledger.transaction')
  expect(named('queue.join')).toHaveLength(9)
  expect(named('reservations.create')).toHaveLength(9)
})

it('[Y24] the picture in the docs shows what a purchase on a page is made of', () => {
  const outline = outlineOf(stepsOf(collector.spans(), PAYING))
  expect(outline).toEqual(expect.arrayContaining([PAYING, '  purchases.create', '    provider.pay']))
  const picture = readFileSync(join(import.meta.dirname, '../../docs/screens/purchase-trace.svg'), 'utf8')
  // Else: node bench/trace-picture.ts
  expect(outlineIn(picture)).toEqual(outline)
})

it('[Y21] requests that share a call of the line are linked to its span, and it to them', () => {
  const batches = named('line.join')
  const joins = named('queue.join')
  expect(batches.length).toBeGreaterThan(0)
  const linked = batches.flatMap(({ links = [] }) => links.map(({ spanId }) => spanId))
  expect(linked.toSorted()).toEqual(joins.map(({ spanId }) => spanId).toSorted())
  for (const { links = [] } of joins) {
    expect(batches.map(({ spanId }) => spanId)).toEqual(expect.arrayContaining(links.map(({ spanId }) => spanId)))
    expect(links).toHaveLength(1)
  }
})

it('[Y22] no token, key, address or code is in a span, and log lines name their trace', () => {
  expect(secrets.length).toBeGreaterThan(30)
  const text = collector.text()
  expect(text).toContain(KEY)
  const spans = JSON.stringify(collector.spans())
  expect(secrets.filter((secret) => spans.includes(secret))).toEqual([])
  const traces = new Set(collector.spans().map(({ traceId }) => traceId))
  const lines = server
    .output()
    .split('\n')
    .filter((line) => line.includes('"msg":"answered"') && line.includes('purchases'))
  const logged = lines.flatMap((line) => /"trace_id":"([0-9a-f]{32})"/.exec(line)?.[1] ?? [])
  expect(logged).toHaveLength(8)
  expect(logged.filter((id) => !traces.has(id))).toEqual([])
  expect(server.output()).not.toContain(KEY)
})

it('[Y23] what a caller says about tracing is ignored', () => {
  expect(collector.text()).not.toContain(FOREIGN)
})

async function buyOne(): Promise<void> {
  const { eventId, seatTypeId } = sale
  const path = `/api/events/${eventId}`
  const traceparent = `00-${FOREIGN}-${'cd'.repeat(8)}-01`
  const joined = (await send(server, 'POST', `${path}/queue/join`, { traceparent }, { name: 'Ada Traced' })).body
  const authorization = `Bearer ${joined.accessToken}`
  const pass = await waitUntil('it is their turn', async () => {
    const headers = { 'seatwise-ticket': String(joined.ticketToken) }
    const { activeToken } = (await send(server, 'GET', `${path}/queue/status`, headers)).body
    return typeof activeToken === 'string' ? activeToken : null
  })
  const [key, email] = [randomUUID(), `${randomUUID()}@example.com`]
  secrets.push(String(joined.accessToken), String(joined.ticketToken), pass, key, email, 'Ada Traced')
  const headers = { authorization, 'seatwise-pass': pass, 'idempotency-key': key }
  const { id } = (await send(server, 'POST', `${path}/reservations`, headers, { seatTypeId, quantity: 1 })).body
  await send(server, 'PATCH', `/api/reservations/${id}`, { authorization }, { email })
  const order = { reservationId: id, paymentMethod: 'sandbox_ok' }
  const { status } = await send(
    server,
    'POST',
    '/api/purchases',
    { authorization, 'idempotency-key': randomUUID() },
    order,
  )
  expect(status).toBe(201)
}
