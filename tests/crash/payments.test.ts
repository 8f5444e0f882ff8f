import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { type FaultPoint, faultPointsOf } from '@seatwise/domain'
import { type Ledger, openLedger, runStatement } from '@seatwise/seats'
import { createAccessTokens } from '@seatwise/server'
import {
  HttpClient,
  postgresDatabase,
  removeFolder,
  SECRET,
  type Server,
  startServer,
  temporaryFolder,
  waitUntil,
} from '@seatwise/testbench'
import { afterAll, expect, test } from 'vitest'

/** Each point once in each of the two modes, or twenty times. */
const ROUNDS = process.env.SEATWISE_LONG === '1' ? 20 : 1
const DECIDED_MS_MAX = 30_000

/**
 * In this order nobody finishes a payment of those before at a server that would crash of it: the first two were not paid,
 * and the third is confirmed already. What the last two leave behind is for the survivor.
 */
const CRASHES: readonly FaultPoint[] = [
  'pay.after-start',
  'pay.after-prepare',
  'pay.after-confirm',
  'pay.inside-confirm',
  'pay.after-provider',
]
/** Everything before the provider has paid is undone, everything after it finished. */
const isPaidAt = (point: FaultPoint): boolean => point !== 'pay.after-start' && point !== 'pay.after-prepare'

/** Servers that die, and whoever is left: another one, or the same one started again. */
interface Shop {
  readonly doomed: Server
  /** Whoever goes on after the crash. */
  survivor(): Promise<Server>
  /** Only when no server has it. */
  readLedger<Result>(read: (ledger: Ledger) => Promise<Result>): Promise<Result>
  close(): Promise<void>
}

const http = new HttpClient()
const tokens = createAccessTokens([Buffer.from(SECRET, 'base64')], Date.now)
afterAll(() => http.close())

test('[B28] all points of a payment are tried', () => {
  expect(CRASHES.toSorted()).toEqual(faultPointsOf('pay').toSorted())
})

// Both at once: most of the time a payment that was left alone is waited for.
test.concurrent.each([
  ['embedded', openEmbedded],
  ['distributed', openDistributed],
] as const)(
  `[B28][B33][I9] servers killed with -9 at every point of a payment (%s), ${ROUNDS} times each: decided within 30 s, and what was captured is what was sold`,
  { timeout: ROUNDS * 300_000 },
  async (mode, open) => {
    const shop = await open()
    try {
      const sale = await openSale(shop.doomed)
      let slowestMs = 0
      for (let round = 0; round < ROUNDS; round += 1) slowestMs = Math.max(slowestMs, await crashEverywhere(shop, sale))
      console.info(`${mode}: ${ROUNDS * CRASHES.length} payments decided after at most ${Math.round(slowestMs)} ms`)
      expect(await shop.readLedger(disagreements)).toEqual([])
    } finally {
      await shop.close()
    }
  },
)

/** Returns how long the slowest decision took. */
async function crashEverywhere(shop: Shop, sale: { eventId: string; seatTypeId: string }): Promise<number> {
  const alive = await shop.survivor()
  const ready = await Promise.all(CRASHES.map(async (point) => ({ point, begun: await someoneReady(alive, sale) })))
  for (const { point, begun } of ready) await payAndCrash(shop, begun, point)
  const survivor = await shop.survivor()
  const tookMs = await Promise.all(ready.map(({ point, begun }) => expectDecision(survivor, begun, isPaidAt(point))))
  return Math.max(...tookMs)
}

interface Begun {
  readonly authorization: string
  readonly reservationId: string
  readonly key: string
}

/** Somebody with a seat and a card. */
async function someoneReady(server: Server, sale: { eventId: string; seatTypeId: string }): Promise<Begun> {
  const { accessToken } = tokens.issue({ id: randomUUID(), role: 'buyer', name: 'Ada' })
  const authorization = `Bearer ${accessToken}`
  return { authorization, reservationId: await reserve(server, sale, authorization), key: randomUUID() }
}

/** They pay at a server that dies of it. */
async function payAndCrash(shop: Shop, begun: Begun, point: FaultPoint): Promise<void> {
  await shop.doomed.restart({ SEATWISE_FAULTS: `${point}=crash` })
  const { exited } = shop.doomed
  await expect(pay(shop.doomed, begun, 'sandbox_ok')).rejects.toThrow()
  await exited
}

/** Returns how long it took. */
async function expectDecision(server: Server, begun: Begun, isPaid: boolean): Promise<number> {
  const { authorization, key, reservationId } = begun
  const since = performance.now()
  const decided = await waitUntil(
    'the payment is decided',
    async () => {
      const { status, body } = await send(server, 'GET', `/api/operations/${key}`, { authorization })
      return status === 200 && body.status === 'done' ? (body.result as Record<string, unknown>) : null
    },
    { timeoutMs: DECIDED_MS_MAX, everyMs: 200 },
  )
  const tookMs = performance.now() - since
  expect(tookMs).toBeLessThan(DECIDED_MS_MAX)
  expect(decided.status ?? decided.code).toBe(isPaid ? 'PAID' : 'PAYMENT_DECLINED')
  const again = await pay(server, begun, 'sandbox_ok')
  expect(again).toMatchObject({ status: isPaid ? 201 : 402, body: decided })
  if (isPaid) return tookMs
  const other = await pay(server, { authorization, reservationId, key: randomUUID() }, 'sandbox_ok')
  expect(other).toMatchObject({ status: 201, body: { status: 'PAID' } })
  return tookMs
}

async function openSale(server: Server): Promise<{ eventId: string; seatTypeId: string }> {
  const authorization = `Bearer ${await server.adminToken()}`
  const { body } = await send(
    server,
    'POST',
    '/api/events',
    { authorization },
    {
      name: 'Aurora Live',
      ...{ salesStartAt: '2026-01-01T00:00:00Z', salesEndAt: '2099-01-01T00:00:00Z' },
      seatTypes: [{ name: 'Standing', price: 4_500, currency: 'EUR', totalQuantity: 500 }],
      room: {
        ...{ capacity: 500, ratePerMinute: 1_000_000, burst: 500, claimSeconds: 0 },
        // They wait until it is their turn to crash.
        ...{ sessionSeconds: 3_600, reservationSeconds: 3_600 },
      },
    },
  )
  const [type] = body.seatTypes as { id: string }[]
  return { eventId: String(body.id), seatTypeId: type?.id ?? '' }
}

async function reserve(
  server: Server,
  { eventId, seatTypeId }: { eventId: string; seatTypeId: string },
  authorization: string,
): Promise<string> {
  const path = `/api/events/${eventId}`
  const ticket = await waitUntil('somebody can join', async () => {
    const { body } = await send(server, 'POST', `${path}/queue/join`, { authorization }, {})
    return typeof body.ticketToken === 'string' ? body.ticketToken : null
  })
  const pass = await waitUntil('it is their turn', async () => {
    const { body } = await send(server, 'GET', `${path}/queue/status`, { 'seatwise-ticket': ticket })
    return typeof body.activeToken === 'string' ? body.activeToken : null
  })
  return await waitUntil('they have a seat', async () => {
    const headers = { authorization, 'seatwise-pass': pass, 'idempotency-key': randomUUID() }
    const { status, body } = await send(server, 'POST', `${path}/reservations`, headers, { seatTypeId, quantity: 1 })
    return status === 201 ? String(body.id) : null
  })
}

const pay = (server: Server, { authorization, reservationId, key }: Begun, paymentMethod: string) =>
  send(server, 'POST', '/api/purchases', { authorization, 'idempotency-key': key }, { reservationId, paymentMethod })

const send = (server: Server, method: 'GET' | 'POST', path: string, headers: Record<string, string>, body?: object) =>
  http.send({ method, url: `${server.url}${path}`, headers, ...(body === undefined ? {} : { body }) })

/** The sandbox's books beside the ledger's. */
async function disagreements({ db }: Ledger): Promise<unknown[]> {
  const query = <Row>(sql: string) => runStatement<Row>(db, { name: 'a test', sql }, [])
  const kept = 'coalesce(books.captured, 0) - coalesce(books.refunded, 0)'
  const purchases = await query(`
    select purchases.id, purchases.status, ${kept} as kept
      from purchases left join sandbox_payments as books on books.purchase_id = purchases.id
     where (purchases.status = 'PAID') <> (${kept} = purchases.amount) or purchases.status not in ('PAID', 'DECLINED')`)
  const seats = await query(`
    select seats.id from seats left join reservations on reservations.id = seats.reservation_id
     where (seats.status = 'sold') <> coalesce(reservations.status = 'PAID', false)`)
  const [counted] = await query<{ paid: number }>("select count(*)::int as paid from purchases where status = 'PAID'")
  expect(counted?.paid).toBeGreaterThan(0)
  return [...purchases, ...seats]
}

async function openEmbedded(): Promise<Shop> {
  const folder = await temporaryFolder()
  const dataDir = join(folder, 'data')
  const server = await startServer({ mode: 'embedded', dataDir })
  return {
    doomed: server,
    async survivor() {
      if (!(await answers(server))) await server.restart()
      return server
    },
    async readLedger(read) {
      await server.stop()
      const ledger = await openLedger({ kind: 'pglite', dataDir })
      try {
        return await read(ledger)
      } finally {
        await ledger.close()
      }
    },
    async close() {
      await server.discard()
      await removeFolder(folder)
    },
  }
}

async function openDistributed(): Promise<Shop> {
  const database = await postgresDatabase('migrated')
  const [doomed, other] = await Promise.all([
    startServer({ mode: 'distributed', databaseUrl: database.url }),
    startServer({ mode: 'distributed', databaseUrl: database.url }),
  ])
  return {
    doomed,
    survivor: async () => other,
    async readLedger(read) {
      const ledger = await openLedger({ kind: 'postgres', url: database.url, poolMax: 1 })
      try {
        return await read(ledger)
      } finally {
        await ledger.close()
      }
    },
    async close() {
      await Promise.all([doomed.discard(), other.discard()])
      await database.drop()
    },
  }
}

async function answers(server: Server): Promise<boolean> {
  try {
    return (await http.send({ method: 'GET', url: `${server.url}/health/live` })).status === 200
  } catch {
    return false // Nobody is there.
  }
}
