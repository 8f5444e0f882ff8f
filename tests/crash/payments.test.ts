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
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const isLong = process.env.SEATWISE_LONG === '1'
const DECIDED_MS_MAX = 30_000

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

const ROUNDS = isLong ? 20 : 2

/** Everything before the provider has paid is undone, everything after it finished. */
const isPaidAt = (point: string): boolean => point !== 'pay.after-start' && point !== 'pay.after-prepare'

/**
 * What is undone takes a while, for all alike: these crash one after the other and are waited for together. Payments that
 * were made are finished by whichever server looks first, which must not be one that is about to crash for another.
 */
const GROUPS: readonly (readonly FaultPoint[])[] = [
  faultPointsOf('pay').filter((point) => !isPaidAt(point)),
  ...faultPointsOf('pay')
    .filter(isPaidAt)
    .map((point) => [point]),
]

payingSurvives('embedded', openEmbedded)
payingSurvives('distributed', openDistributed)

function payingSurvives(mode: string, open: () => Promise<Shop>): void {
  describe(`servers killed with -9 while somebody pays (${mode})`, () => {
    let shop: Shop
    let sale: { eventId: string; seatTypeId: string }
    beforeAll(async () => {
      shop = await open()
      sale = await openSale(shop.doomed)
    }, 120_000)
    afterAll(async () => {
      await shop?.close()
      http.close()
    })

    for (const points of GROUPS) {
      test(`[B28][B33] a crash at ${points.join(' or ')} is decided within 30 s, ${ROUNDS} times`, async () => {
        const crashes = points.flatMap((point) => Array.from({ length: ROUNDS }, () => point))
        const alive = await shop.survivor()
        const ready = await Promise.all(crashes.map(() => someoneReady(alive, sale)))
        for (const [index, begun] of ready.entries()) await payAndCrash(shop, begun, crashes[index] ?? '')
        const survivor = await shop.survivor()
        await Promise.all(ready.map((begun, index) => expectDecision(survivor, begun, isPaidAt(crashes[index] ?? ''))))
      }, 900_000)
    }

    test('[B28][I9] over all these crashes, what was captured is what was sold', async () => {
      const wrong = await shop.readLedger(disagreements)
      expect(wrong).toEqual([])
    }, 120_000)
  })
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
async function payAndCrash(shop: Shop, begun: Begun, point: string): Promise<void> {
  await shop.doomed.restart({ SEATWISE_FAULTS: `${point}=crash` })
  const { exited } = shop.doomed
  await expect(pay(shop.doomed, begun, 'sandbox_ok')).rejects.toThrow()
  await exited
}

async function expectDecision(server: Server, begun: Begun, isPaid: boolean): Promise<void> {
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
  expect(performance.now() - since).toBeLessThan(DECIDED_MS_MAX)
  expect(decided.status ?? decided.code).toBe(isPaid ? 'PAID' : 'PAYMENT_DECLINED')
  const again = await pay(server, begun, 'sandbox_ok')
  expect(again).toMatchObject({ status: isPaid ? 201 : 402, body: decided })
  if (isPaid) return
  const other = await pay(server, { authorization, reservationId, key: randomUUID() }, 'sandbox_ok')
  expect(other).toMatchObject({ status: 201, body: { status: 'PAID' } })
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
