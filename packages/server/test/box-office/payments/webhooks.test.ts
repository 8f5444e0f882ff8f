import { randomUUID } from 'node:crypto'
import { takeSandboxWebhooks } from '@seatwise/ledger'
import { beforeAll, expect, it } from 'vitest'
import { createSandboxSignature } from '../../../src/box-office/payments/sandbox/sandbox-signature.ts'
import { expectError } from '../../support/kernel.ts'
import { Cashier, type WirePurchase } from '../../support/payment.ts'
import { forEachMode, type RoomBench } from '../../support/room.ts'

forEachMode('payment webhooks', (open) => {
  let bench: RoomBench
  let cashier: Cashier

  beforeAll(async () => {
    bench = await open()
    cashier = await Cashier.open(bench)
  })

  /** A payment that is under way, and everything to follow it. */
  async function underWay(method: string) {
    const { buyer, reservation } = await cashier.ready()
    const answer = await cashier.pay(buyer, reservation.id, method)
    expect(answer.statusCode).toBe(202)
    const { id } = answer.json<WirePurchase>()
    return { id, ref: (await cashier.books(id))?.ref ?? '' }
  }

  const post = (body: string, signature: string | undefined, provider = 'sandbox') =>
    bench.server.app.inject({
      method: 'POST',
      url: `/api/payments/webhooks/${provider}`,
      headers: {
        'content-type': 'application/json',
        ...(signature === undefined ? {} : { 'sandbox-signature': signature }),
      },
      payload: body,
    })

  const signed = (now: () => number = Date.now) => createSandboxSignature(bench.server.secrets, now)

  const newsCount = async (id: string, type: string): Promise<number> => {
    const { reservation_id } = await cashier.purchase(id)
    const rows = await bench.server.ledger.db
      .selectFrom('outbox')
      .select('id')
      .where('aggregateid', '=', reservation_id)
      .where('type', '=', type)
      .execute()
    return rows.length
  }

  it('[B32] webhooks that come twice count once', async () => {
    const { id, ref } = await underWay('sandbox_slow:twice')
    await cashier.wait(2)
    await cashier.deliver()
    const body = JSON.stringify({ id: randomUUID(), type: 'payment.succeeded', ref })
    const all = await Promise.all(Array.from({ length: 5 }, () => post(body, signed().sign(body))))
    expect(all.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200])
    expect(await cashier.purchase(id)).toMatchObject({ status: 'PAID', captured: 9_000 })
    expect(await newsCount(id, 'purchase.paid')).toBe(1)
  })

  it('[B32] webhooks in the wrong order change nothing', async () => {
    const { id, ref } = await underWay('sandbox_slow:reordered')
    await cashier.wait(1.5)
    await cashier.deliver()
    expect(await cashier.purchase(id)).toMatchObject({ status: 'PAID' })
    await cashier.wait(5)
    await cashier.deliver()
    for (const type of ['payment.failed', 'payment.processing', 'payment.canceled']) {
      const body = JSON.stringify({ id: randomUUID(), type, ref })
      expect((await post(body, signed().sign(body))).statusCode).toBe(200)
    }
    expect(await cashier.purchase(id)).toMatchObject({ status: 'PAID', captured: 9_000 })
  })

  it('[B32] a late webhook finds that the watch was faster', async () => {
    const { id } = await underWay('sandbox_slow:late')
    await cashier.wait(1)
    await cashier.deliver()
    expect(await cashier.purchase(id)).toMatchObject({ status: 'PROCESSING' })
    await cashier.wait(3)
    await cashier.watch()
    expect(await cashier.purchase(id)).toMatchObject({ status: 'PAID' })
    await cashier.deliver()
    expect(await cashier.purchase(id)).toMatchObject({ status: 'PAID', captured: 9_000 })
    expect(await newsCount(id, 'purchase.paid')).toBe(1)
  })

  it('[B32] after a lost webhook the server asks the provider', async () => {
    const paid = await underWay('sandbox_slow:lost')
    const declined = await underWay('sandbox_slow:lost,declined')
    await cashier.wait(4)
    await cashier.deliver()
    expect(await cashier.purchase(paid.id)).toMatchObject({ status: 'PROCESSING' })
    await cashier.watch()
    expect(await cashier.purchase(paid.id)).toMatchObject({ status: 'PAID' })
    expect(await cashier.purchase(declined.id)).toMatchObject({ status: 'DECLINED' })
  })

  it('[B32] a forged webhook is refused and changes nothing', async () => {
    const { id, ref } = await underWay('sandbox_3ds')
    const body = JSON.stringify({ id: randomUUID(), type: 'payment.succeeded', ref })
    const good = signed().sign(body)
    const foreign = createSandboxSignature([Buffer.alloc(32, 1)], Date.now).sign(body)
    for (const signature of [undefined, '', 'v1=00', foreign, good.replace(/.$/, (c) => (c === '0' ? '1' : '0'))]) {
      expectError(await post(body, signature), 401, 'BAD_SIGNATURE')
    }
    expectError(await post(body.replace('succeeded', 'failed'), good), 401, 'BAD_SIGNATURE')
    expectError(await post('', good), 401, 'BAD_SIGNATURE')
    expectError(await post(body, good, 'stripe'), 404, 'NOT_FOUND')
    expect(await cashier.purchase(id)).toMatchObject({ status: 'PROCESSING' })
    // Even a validly signed webhook cannot claim a false state: only the provider's books count.
    expect((await post(body, good)).statusCode).toBe(200)
    expect(await cashier.purchase(id)).toMatchObject({ status: 'PROCESSING', captured: 0 })
  })

  it('[B32] a webhook replayed much later is refused', async () => {
    const { ref } = await underWay('sandbox_3ds')
    const body = JSON.stringify({ id: randomUUID(), type: 'payment.succeeded', ref })
    const old = signed(() => Date.now() - 301_000).sign(body)
    expectError(await post(body, old), 401, 'BAD_SIGNATURE')
    // Neither a new time on an old signature helps, nor a signature for a time to come.
    const renewed = old.replace(/^t=\d+/, `t=${Math.floor(Date.now() / 1_000)}`)
    expectError(await post(body, renewed), 401, 'BAD_SIGNATURE')
    const ahead = signed(() => Date.now() + 302_000).sign(body)
    expectError(await post(body, ahead), 401, 'BAD_SIGNATURE')
  })

  it('[B32] a webhook about an unknown payment is acknowledged and ignored', async () => {
    for (const body of [JSON.stringify({ ref: `sbx_${randomUUID()}` }), '{}', '[]', '"news"']) {
      expect((await post(body, signed().sign(body))).statusCode).toBe(200)
    }
  })

  it('[B32] a webhook that failed is sent again', async () => {
    const { id } = await underWay('sandbox_slow')
    await cashier.wait(2)
    const { db } = bench.server.ledger
    const waiting = async () => (await db.selectFrom('sandbox_webhooks').select('id').execute()).length
    expect((await takeSandboxWebhooks(db, 50)).length).toBeGreaterThan(0)
    expect(await waiting()).toBeGreaterThan(0)
    await cashier.deliver()
    await cashier.wait(10)
    await cashier.deliver()
    expect(await cashier.purchase(id)).toMatchObject({ status: 'PAID' })
    expect(await waiting()).toBe(0)
  })
})
