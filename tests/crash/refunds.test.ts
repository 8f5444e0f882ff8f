import { randomUUID } from 'node:crypto'
import { type FaultPoint, faultPointsOf } from '@seatwise/domain'
import { type Ledger, runStatement } from '@seatwise/ledger'
import { createAccessTokens } from '@seatwise/server'
import { SECRET, type Server, waitUntil } from '@seatwise/testbench'
import { afterAll, expect, test } from 'vitest'
import { http, openDistributed, openEmbedded, openSale, reserve, type SaleOfShop, type Shop, send } from './shop.ts'

const DONE_MS_MAX = 60_000
const tokens = createAccessTokens([Buffer.from(SECRET, 'base64')], Date.now)
afterAll(() => http.close())

const DISTRIBUTED = ['distributed', openDistributed] as const
/** Each point once, or twenty times; then the embedded server is killed five times at each. */
const ROUNDS = process.env.SEATWISE_LONG === '1' ? { distributed: 20, embedded: 5 } : { distributed: 1, embedded: 1 }
/** Embedded each kill is a restart of the same folder, and takes twice as long. */
const MODES = process.env.SEATWISE_LONG === '1' ? [DISTRIBUTED, ['embedded', openEmbedded] as const] : [DISTRIBUTED]

test.concurrent.each(MODES)(
  '[B133] [B142] servers killed with -9 at every point of refunding and of cancelling an event (%s): no order is refunded twice, and both books agree',
  { timeout: 1_800_000 },
  async (mode, open) => {
    const shop = await open()
    const rounds = ROUNDS[mode]
    try {
      const sale = await openSale(shop.doomed)
      for (let round = 0; round < rounds; round += 1) {
        for (const point of faultPointsOf('refund'))
          await refundAndCrash(shop, await paid(await shop.survivor(), sale), point)
        const paths: string[] = []
        for (const point of faultPointsOf('cancel')) paths.push(await cancelAndCrash(shop, point))
        await expectCancelled(shop, paths)
      }
      expect(await shop.readLedger((ledger) => disagreements(ledger, rounds))).toEqual([])
      console.info(`${mode}: ${rounds} kills at each point of refunding and cancelling`)
    } finally {
      await shop.close()
    }
  },
)

async function paid(server: Server, sale: SaleOfShop): Promise<string> {
  const { accessToken } = tokens.issue({ id: randomUUID(), role: 'buyer', name: 'Ada' })
  const authorization = `Bearer ${accessToken}`
  const reservationId = await reserve(server, sale, authorization)
  const headers = { authorization, 'idempotency-key': randomUUID() }
  const { body } = await send(server, 'POST', '/api/purchases', headers, { reservationId, paymentMethod: 'sandbox_ok' })
  return String(body.id)
}

async function refundAndCrash(shop: Shop, purchaseId: string, point: FaultPoint): Promise<void> {
  await shop.doomed.restart({ SEATWISE_FAULTS: `${point}=crash` })
  const headers = { authorization: `Bearer ${await shop.doomed.adminToken()}`, 'idempotency-key': randomUUID() }
  const path = `/api/purchases/${purchaseId}/refund`
  const { exited } = shop.doomed
  await expect(send(shop.doomed, 'POST', path, headers, {})).rejects.toThrow()
  await exited
  const survivor = await shop.survivor()
  await waitUntil(
    `the refund that crashed at ${point} is done`,
    async () => {
      const { status, body } = await send(survivor, 'POST', path, headers, {})
      return status === 200 && body.status === 'REFUNDED' ? true : null
    },
    { timeoutMs: DONE_MS_MAX, everyMs: 200 },
  )
}

/** The event of an order that a server dies of while it cancels. Whether it dies in the call or in its work afterwards, it dies. */
async function cancelAndCrash(shop: Shop, point: FaultPoint): Promise<string> {
  const alive = await shop.survivor()
  const sale = await openSale(alive)
  for (let order = 0; order < 2; order += 1) await paid(alive, sale)
  await shop.doomed.restart({ SEATWISE_FAULTS: `${point}=crash` })
  const { exited } = shop.doomed
  const headers = { authorization: `Bearer ${await shop.doomed.adminToken()}` }
  const path = `/api/events/${sale.eventId}/cancel`
  await send(shop.doomed, 'POST', path, headers, { message: 'Rain' }).catch(() => undefined)
  // Where there is another server, that one may do the work instead.
  if (alive === shop.doomed) await exited
  return path
}

/** Every event is cancelled in the end, by whichever server is there; asking again is what an operator would do. */
async function expectCancelled(shop: Shop, paths: readonly string[]): Promise<void> {
  await shop.doomed.restart()
  const server = await shop.survivor()
  const headers = { authorization: `Bearer ${await server.adminToken()}` }
  for (const path of paths) {
    await waitUntil(
      `${path} is done`,
      async () => {
        await send(server, 'POST', path, headers, { message: 'Rain' })
        const { body } = await send(server, 'GET', path, headers)
        return body.status === 'done' && body.refunded === 2 && body.differences === 0 ? true : null
      },
      { timeoutMs: DONE_MS_MAX, everyMs: 300 },
    )
  }
}

/** Where our purchases, our refunds and the sandbox's books do not say the same. */
async function disagreements({ db }: Ledger, rounds: number): Promise<unknown[]> {
  const query = <Row>(text: string) => runStatement<Row>(db, { name: 'a test', sql: text }, [])
  const [counted] = await query<{ refunded: number }>(
    "select count(*)::int as refunded from purchases where status = 'REFUNDED'",
  )
  expect(counted?.refunded).toBe(rounds * (faultPointsOf('refund').length + 2 * faultPointsOf('cancel').length))
  return await query(`
    select purchases.id, purchases.status, purchases.refunded, books.refunded as theirs
      from purchases
      left join sandbox_payments as books on books.purchase_id = purchases.id
     where purchases.status <> 'REFUNDED' or purchases.captured <> purchases.refunded
        or books.captured <> purchases.captured or books.refunded <> purchases.refunded
        or purchases.refunded <> (select sum(amount) from refunds where purchase_id = purchases.id and state = 'DONE')
        or 1 <> (select count(*) from refunds where purchase_id = purchases.id)`)
}
