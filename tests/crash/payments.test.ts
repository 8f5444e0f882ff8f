import { randomUUID } from 'node:crypto'
import { type FaultPoint, faultPointsOf } from '@seatwise/domain'
import { type Ledger, runStatement } from '@seatwise/ledger'
import { createAccessTokens } from '@seatwise/server'
import { SECRET, type Server, waitUntil } from '@seatwise/testbench'
import { afterAll, expect, test } from 'vitest'
import { http, openDistributed, openEmbedded, openSale, reserve, type SaleOfShop, type Shop, send } from './shop.ts'

/** Each point once in each of the two modes, or twenty times. */
const ROUNDS = process.env.SEATWISE_LONG === '1' ? 20 : 1
const DECIDED_MS_MAX = 30_000

/**
 * In this order no server that is to crash finishes an earlier payment and crashes of that: the first two were not paid,
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
async function crashEverywhere(shop: Shop, sale: SaleOfShop): Promise<number> {
  const alive = await shop.survivor()
  const ready = await Promise.all(CRASHES.map(async (point) => ({ point, begun: await buyerReady(alive, sale) })))
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

/** A buyer with a seat and a card. */
async function buyerReady(server: Server, sale: SaleOfShop): Promise<Begun> {
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

const pay = (server: Server, { authorization, reservationId, key }: Begun, paymentMethod: string) =>
  send(server, 'POST', '/api/purchases', { authorization, 'idempotency-key': key }, { reservationId, paymentMethod })

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
