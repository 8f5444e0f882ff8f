import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { promisify } from 'node:util'
import {
  expectFields,
  type PageStandIn,
  parseRecord,
  postgresDatabase,
  type Server,
  shape,
  startServer,
  waitUntil,
} from '@seatwise/testbench'
import pg from 'pg'
import type { Browser, Page } from 'playwright-core'

const BUILD = join(import.meta.dirname, '../../../packages/web/src/build/build-pages.ts')
const OPEN = { salesStartAt: '2026-01-01T00:00:00Z', salesEndAt: '2099-01-01T00:00:00Z' }
const ROOM = {
  ...{ guests: true, guestsPerAddress: 1_000, capacity: 1_000, ratePerMinute: 1_000_000, burst: 1_000 },
  ...{ claimSeconds: 0, stockAware: false },
}

export interface Held {
  readonly reservationId: string
  readonly accessToken: string
  readonly sale: Sale
}

export interface Sale {
  readonly id: string
  readonly seatIds: readonly string[]
}

/** A server that takes money through the stand-in of a provider, and the ledger under it. */
export interface Shop {
  readonly url: string
  /** An event with so many seats, at 90 euros each. */
  sale(seats: number): Promise<Sale>
  /** A guest reserves a seat. */
  reserve(sale: Sale, seat?: number): Promise<Held>
  /** The guest's browser at the checkout. */
  visit(browser: Browser, held: Held, javaScriptEnabled: boolean): Promise<Page>
  /** The hold ends, by the ledger's own clock, and its seats are free. */
  endHold(held: Held): Promise<void>
  /** How the newest payment of a reservation stands in our books. */
  purchase(held: Held): Promise<{ id: string; status: string; captured: number; refunded: number }>
  close(): Promise<void>
}

export async function buildPages(): Promise<void> {
  await promisify(execFile)(process.execPath, [BUILD])
}

export async function openShop(standIn: PageStandIn): Promise<Shop> {
  const database = await postgresDatabase('migrated')
  const server = await startServer({
    ...{ mode: 'distributed', databaseUrl: database.url, isPublic: true, lasts: true, env: standIn.settings },
  })
  const ledger = new pg.Client(database.url)
  await ledger.connect()
  deliverWebhooks(standIn, server)
  const admin = await server.adminToken()
  return {
    url: server.url,
    async sale(seats) {
      const rows = [{ label: 'A', seats }]
      const seatTypes = [{ name: 'Stalls', price: 9_000, currency: 'EUR', reservedSeating: true, rows }]
      const event = await call(
        server,
        'POST',
        '/api/events',
        { name: 'Aurora Live', ...OPEN, seatTypes, room: ROOM },
        { authorization: `Bearer ${admin}` },
      )
      const { seats: all } = expectFields(await call(server, 'GET', `/api/events/${event.id}/seats`), {
        seats: shape.listOf(shape.fields({ id: shape.text })),
      })
      return { id: String(event.id), seatIds: all.map(({ id }) => id) }
    },
    reserve: (sale, seat = 0) => reserve(server, sale, seat),
    visit: (browser, held, javaScriptEnabled) => visit(browser, server, held, javaScriptEnabled),
    async endHold({ reservationId }) {
      const past = "clock_timestamp() - interval '1 second'"
      await ledger.query(`update reservations set expires_at = ${past} where id = $1`, [reservationId])
      await ledger.query(`update seats set held_until = ${past} where reservation_id = $1`, [reservationId])
      await waitUntil('the hold has ended', async () => {
        const { rows } = await ledger.query('select status from reservations where id = $1', [reservationId])
        return rows[0]?.status === 'EXPIRED'
      })
    },
    async purchase({ reservationId }) {
      const newest =
        'select id, status, captured::int, refunded::int from purchases where reservation_id = $1 order by created_at desc limit 1'
      return (await ledger.query(newest, [reservationId])).rows[0]
    },
    async close() {
      await ledger.end()
      await server.discard()
      await database.drop()
    },
  }
}

/** Like the provider's own courier: one attempt at a time, each of them once. */
function deliverWebhooks(standIn: PageStandIn, server: Server): void {
  const path = `/api/payments/webhooks/${standIn.settings.SEATWISE_PAYMENTS}`
  standIn.onWebhook = ({ body, headers }) => {
    // A webhook that is not heard costs nothing: the server asks by itself.
    fetch(`${server.url}${path}`, { method: 'POST', headers: { ...headers, connection: 'close' }, body }).catch(
      () => undefined,
    )
  }
}

async function reserve(server: Server, sale: Sale, seat: number): Promise<Held> {
  const path = `/api/events/${sale.id}`
  const { accessToken, ticketToken } = await call(server, 'POST', `${path}/queue/join`, {})
  const ticket = { 'seatwise-ticket': String(ticketToken) }
  const pass = await waitUntil('the guest is inside', async () => {
    const { activeToken } = await call(server, 'GET', `${path}/queue/status`, undefined, ticket)
    return activeToken === undefined ? null : String(activeToken)
  })
  const headers = {
    ...{ authorization: `Bearer ${accessToken}`, 'seatwise-pass': pass },
    'idempotency-key': randomUUID(),
  }
  const { id } = await call(server, 'POST', `${path}/reservations`, { seatIds: [sale.seatIds[seat]] }, headers)
  const email = { email: 'linh@example.com' }
  await call(server, 'PATCH', `/api/reservations/${id}`, email, { authorization: `Bearer ${accessToken}` })
  return { reservationId: String(id), accessToken: String(accessToken), sale }
}

async function visit(browser: Browser, server: Server, held: Held, javaScriptEnabled: boolean): Promise<Page> {
  const context = await browser.newContext({ baseURL: server.url, locale: 'en', javaScriptEnabled })
  context.setDefaultTimeout(40_000)
  await context.addCookies([{ name: 'seatwise-session', value: held.accessToken, url: server.url }])
  const page = await context.newPage()
  await page.goto(`/checkout/${held.reservationId}`)
  return page
}

async function call(
  server: Server,
  method: string,
  path: string,
  body?: object,
  headers: Record<string, string> = {},
): Promise<Record<string, unknown>> {
  const answer = await fetch(`${server.url}${path}`, {
    method,
    headers: { connection: 'close', ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
  return parseRecord(text)
}
