import { randomUUID } from 'node:crypto'
import { type FaultPoint, faultPointsOf } from '@seatwise/domain'
import { type Ledger, runStatement } from '@seatwise/ledger'
import { createAccessTokens } from '@seatwise/server'
import { SECRET, type Server, waitUntil } from '@seatwise/testbench'
import { afterAll, expect, test } from 'vitest'
import { http, openEmbedded, openSale, reserve, type SaleOfShop, send } from './shop.ts'

/** Each point once, or twenty times. */
const ROUNDS = process.env.SEATWISE_LONG === '1' ? 20 : 1
const tokens = createAccessTokens([Buffer.from(SECRET, 'base64')], Date.now)
afterAll(() => http.close())

/** In this order no server finds a sale that waits for its number when it starts, and dies of that before it sells. */
const CRASHES: readonly FaultPoint[] = ['receipts.after-commit', 'receipts.inside-transaction']

test('[B163] a server killed with -9 at every point of numbering leaves no gap, and every sale gets one receipt', {
  timeout: ROUNDS * 120_000,
}, async () => {
  expect(CRASHES.toSorted()).toEqual(faultPointsOf('receipts').toSorted())
  const shop = await openEmbedded()
  try {
    const server = shop.doomed
    const sale = await openSale(server)
    const bought: { authorization: string; id: string }[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const point of CRASHES) {
        await server.restart({ SEATWISE_FAULTS: `${point}=crash` })
        const { exited } = server
        bought.push(await buy(server, sale))
        await exited
      }
      await server.restart({ SEATWISE_FAULTS: '' })
      bought.push(await buy(server, sale))
      expect(await numbersOf(server, bought)).toEqual(bought.map((_, index) => index + 1))
    }
    expect(await shop.readLedger(issued)).toEqual(bought.map((_, index) => index + 1))
  } finally {
    await shop.close()
  }
})

async function numbersOf(server: Server, bought: readonly { authorization: string; id: string }[]): Promise<number[]> {
  const numbers = []
  for (const { id, authorization } of bought) {
    const number = await waitUntil('the sale has its number', async () => {
      const { body } = await send(server, 'GET', `/api/purchases/${id}`, { authorization })
      return body.receiptNumber === null ? null : (body.receiptNumber as number)
    })
    numbers.push(number)
  }
  return numbers
}

async function buy(server: Server, sale: SaleOfShop): Promise<{ authorization: string; id: string }> {
  const { accessToken } = tokens.issue({ id: randomUUID(), role: 'buyer', name: 'Ada' })
  const authorization = `Bearer ${accessToken}`
  const reservationId = await reserve(server, sale, authorization)
  const headers = { authorization, 'idempotency-key': randomUUID() }
  const { status, body } = await send(server, 'POST', '/api/purchases', headers, {
    reservationId,
    paymentMethod: 'sandbox_ok',
  })
  expect(status).toBe(201)
  return { authorization, id: String(body.id) }
}

async function issued({ db }: Ledger): Promise<number[]> {
  const statement = { name: 'a test', sql: 'select number from receipts order by number' }
  return (await runStatement<{ number: number }>(db, statement, [])).map(({ number }) => number)
}
