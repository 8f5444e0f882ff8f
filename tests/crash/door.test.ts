import { randomUUID } from 'node:crypto'
import { type FaultPoint, faultPointsOf } from '@seatwise/domain'
import { type Ledger, runStatement } from '@seatwise/ledger'
import type { Server } from '@seatwise/testbench'
import { afterAll, expect, test } from 'vitest'
import { http, openDistributed, openEmbedded, openSale, type SaleOfShop, type Shop, send } from './shop.ts'

/** Each point once, or twenty times. */
const ROUNDS = process.env.SEATWISE_LONG === '1' ? 20 : 1
afterAll(() => http.close())

// Both at once: most of the time a server is started.
test.concurrent.each([
  // Starting an embedded server takes longest: only before and after the commit, which is where the two ways differ.
  ['embedded', openEmbedded, ['door.inside-transaction', 'door.after-commit']],
  ['distributed', openDistributed, faultPointsOf('door')],
] as const)(
  '[B167] servers killed with -9 at every point of a sale at the door (%s): paid with an e-ticket or nothing, and the same key finishes it',
  { timeout: ROUNDS * 120_000 },
  async (_mode, open, points) => {
    const shop = await open()
    try {
      const sale = await openSale(shop.doomed)
      const seller = `Bearer ${await shop.doomed.adminToken()}`
      const keys: string[] = []
      for (let round = 0; round < ROUNDS; round += 1)
        for (const point of points) keys.push(await sellAndCrash(shop, sale, seller, point))
      const survivor = await shop.survivor()
      for (const key of keys) {
        const again = await sell(survivor, sale, seller, key)
        expect(again).toMatchObject({ status: 201, body: { status: 'PAID', amount: 9_000 } })
        expect(again.body.etickets).toHaveLength(2)
      }
      const sales = ROUNDS * points.length
      const all = { sales, purchases: sales, etickets: 2 * sales, sold: 2 * sales, held: 0 }
      expect(await shop.readLedger(countAll)).toEqual([all])
    } finally {
      await shop.close()
    }
  },
)

/** A sale at a server that dies of it; the key it was asked for under. */
async function sellAndCrash(shop: Shop, sale: SaleOfShop, seller: string, point: FaultPoint): Promise<string> {
  await shop.doomed.restart({ SEATWISE_FAULTS: `${point}=crash` })
  const { exited } = shop.doomed
  const key = randomUUID()
  await expect(sell(shop.doomed, sale, seller, key)).rejects.toThrow()
  await exited
  return key
}

const sell = (server: Server, { eventId, seatTypeId }: SaleOfShop, authorization: string, key: string) =>
  send(
    server,
    'POST',
    `/api/events/${eventId}/sales`,
    { authorization, 'idempotency-key': key },
    { seatTypeId, quantity: 2, method: 'cash' },
  )

async function countAll({ db }: Ledger): Promise<unknown[]> {
  const sql = `
    select (select count(*)::int from door_sales) as sales,
           (select count(*)::int from purchases where status = 'PAID' and captured = amount) as purchases,
           (select count(*)::int from etickets) as etickets,
           (select count(*)::int from seats where status = 'sold') as sold,
           (select count(*)::int from seats where status = 'held') as held`
  return await runStatement(db, { name: 'a test', sql }, [])
}
