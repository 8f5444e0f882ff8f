import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { readEticketCode } from '../../../src/box-office/etickets/eticket-code.ts'
import { registerWithRole } from '../../support/accounts.ts'
import { expectError } from '../../support/kernel.ts'
import { Cashier, type WirePurchase } from '../../support/payment.ts'
import { Buyer, HOUSE, OPEN_FLOOR, seatsOf } from '../../support/reservation.ts'
import { forEachMode, type RoomBench } from '../../support/room.ts'

forEachMode('payments', (open) => {
  let bench: RoomBench
  let cashier: Cashier

  beforeAll(async () => {
    bench = await open()
    cashier = await Cashier.open(bench)
  })

  const statusesOf = async (sale: string, seatIds: readonly string[]): Promise<string[]> =>
    (await seatsOf(bench, sale)).filter(({ id }) => seatIds.includes(id)).map(({ status }) => status)

  describe('paying', () => {
    it('[B28] captures once, sells the seats, makes an e-ticket for each, and frees the slot', async () => {
      const { buyer, reservation, seatIds } = await cashier.ready(undefined, [0, 1])
      const answer = await cashier.pay(buyer, reservation.id, 'sandbox_ok')
      expect(answer.statusCode).toBe(201)
      const purchase = answer.json<WirePurchase>()
      expect(purchase).toMatchObject({ status: 'PAID', reservation: { id: reservation.id, status: 'PAID' } })
      expect(purchase.etickets.map(({ seatId }) => seatId).sort()).toEqual([...seatIds].sort())
      for (const { id, code } of purchase.etickets) {
        expect(readEticketCode(bench.server.services.identity.keys, code)).toMatchObject({ id })
      }
      expect(await statusesOf(buyer.sale, seatIds)).toEqual(['sold', 'sold'])
      expect(await cashier.books(purchase.id)).toMatchObject({ captured: 18_000, refunded: 0 })
      expect(await bench.server.services.metrics.metrics()).toMatch(/seatwise_payments_total{outcome="paid"} [1-9]/)
      expect(await bench.status(buyer.sale, buyer.ticket)).toMatchObject({ status: 'completed' })
      expect((await buyer.read(`/api/purchases/${purchase.id}`)).json()).toMatchObject({ status: 'PAID' })
    })

    it('[B28] what costs nothing is paid at once, without a provider', async () => {
      const sale = await bench.sale(OPEN_FLOOR)
      const buyer = await Buyer.admitted(bench, sale)
      const [type] = (await bench.call('GET', sale)).json<{ seatTypes: { id: string }[] }>().seatTypes
      const reservation = await buyer.reserved({ seatTypeId: type?.id, quantity: 2 })
      expect(reservation.amount).toBe(0)
      const answer = await cashier.pay(buyer, reservation.id)
      expect(answer.statusCode).toBe(201)
      const purchase = answer.json<WirePurchase>()
      expect(purchase).toMatchObject({ status: 'PAID', etickets: [{}, {}] })
      expect(await cashier.books(purchase.id)).toBeUndefined()
    })

    it('[B30] a declined card leaves the hold, and another card pays', async () => {
      const { buyer, reservation, seatIds } = await cashier.ready()
      const key = randomUUID()
      const declined = await cashier.pay(buyer, reservation.id, 'sandbox_declined', key)
      expectError(declined, 402, 'PAYMENT_DECLINED')
      expect(await statusesOf(buyer.sale, seatIds)).toEqual(['held'])
      const again = await cashier.pay(buyer, reservation.id, 'sandbox_declined', key)
      expect(again.json()).toEqual(declined.json())
      expect((await cashier.operation(buyer, key)).json()).toMatchObject({ status: 'done' })
      const purchase = await cashier.paid(buyer, reservation.id)
      expect(purchase.status).toBe('PAID')
      expect(await statusesOf(buyer.sale, seatIds)).toEqual(['sold'])
    })

    it('[B18] starting to pay extends the hold once', async () => {
      const { buyer, reservation } = await cashier.ready()
      await bench.server.ledger.db
        .updateTable('reservations')
        .set({ expires_at: new Date(Date.now() + 60_000) })
        .where('id', '=', reservation.id)
        .execute()
      await cashier.pay(buyer, reservation.id, 'sandbox_declined')
      const first = (await buyer.read(`/api/reservations/${reservation.id}`)).json<{ expiresAt: string }>()
      expect(Date.parse(first.expiresAt) - Date.now()).toBeGreaterThan(150_000)
      await cashier.pay(buyer, reservation.id, 'sandbox_declined')
      const second = (await buyer.read(`/api/reservations/${reservation.id}`)).json<{ expiresAt: string }>()
      expect(second.expiresAt).toBe(first.expiresAt)
    })

    it('[B32] a slow payment is 202 first; its webhook brings the end', async () => {
      const { buyer, reservation, seatIds } = await cashier.ready()
      const key = randomUUID()
      const answer = await cashier.pay(buyer, reservation.id, 'sandbox_slow', key)
      expect(answer.statusCode).toBe(202)
      const { id, operationId } = answer.json<WirePurchase>()
      expect(answer.json()).toEqual({ id, status: 'PROCESSING', operationId: key })
      expect((await cashier.operation(buyer, operationId ?? '')).json()).toEqual({ status: 'pending' })
      await cashier.wait(2)
      await cashier.deliver()
      expect((await cashier.operation(buyer, key)).json()).toMatchObject({ status: 'done', result: { status: 'PAID' } })
      expect((await cashier.pay(buyer, reservation.id, 'sandbox_slow', key)).json()).toMatchObject({ status: 'PAID' })
      expect(await statusesOf(buyer.sale, seatIds)).toEqual(['sold'])
    })

    it('[B30] a slow payment may be declined in the end, and the hold stays', async () => {
      const { buyer, reservation, seatIds } = await cashier.ready()
      const key = randomUUID()
      await cashier.pay(buyer, reservation.id, 'sandbox_slow:declined', key)
      await cashier.wait(2)
      await cashier.deliver()
      expectError(await cashier.pay(buyer, reservation.id, 'sandbox_slow:declined', key), 402, 'PAYMENT_DECLINED')
      expect(await statusesOf(buyer.sale, seatIds)).toEqual(['held'])
    })
  })

  describe('the bank’s page', () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' }

    async function atTheBank() {
      const ready = await cashier.ready()
      const key = randomUUID()
      const answer = await cashier.pay(ready.buyer, ready.reservation.id, 'sandbox_3ds', key)
      expect(answer.statusCode).toBe(202)
      return { ...ready, key, url: answer.json<WirePurchase>().action?.url ?? '' }
    }

    it('[B32] approving there pays, and leads back to the checkout', async () => {
      const { buyer, reservation, key, url } = await atTheBank()
      const page = await bench.call('GET', url)
      expect(page.statusCode).toBe(200)
      expect(page.headers['content-security-policy']).toContain("form-action 'self'")
      expect(page.body).not.toContain('<script')
      expect(page.body).toContain('€90.00')
      const { app } = bench.server
      const back = await app.inject({ method: 'POST', url, headers: form, payload: 'decision=approve' })
      expect(back.statusCode).toBe(303)
      expect(back.headers.location).toBe(`/checkout/${reservation.id}`)
      await cashier.deliver()
      expect((await cashier.operation(buyer, key)).json()).toMatchObject({ status: 'done', result: { status: 'PAID' } })
      expect((await bench.call('GET', url)).body).toContain('You approved this payment')
    })

    it('[B30] declining there leaves the hold; deciding twice changes nothing', async () => {
      const { buyer, reservation, key, url } = await atTheBank()
      const { app } = bench.server
      await app.inject({ method: 'POST', url, headers: form, payload: 'decision=decline' })
      await app.inject({ method: 'POST', url, headers: form, payload: 'decision=approve' })
      await cashier.deliver()
      expectError(await cashier.pay(buyer, reservation.id, 'sandbox_3ds', key), 402, 'PAYMENT_DECLINED')
      expect((await cashier.paid(buyer, reservation.id)).status).toBe('PAID')
    })

    it('[B32] asking again under the same key tells the page’s address again', async () => {
      const { buyer, reservation, key, url } = await atTheBank()
      const again = await cashier.pay(buyer, reservation.id, 'sandbox_3ds', key)
      expect(again.json()).toMatchObject({ status: 'PROCESSING', action: { url } })
    })

    it('[B32] refuses what is not its form', async () => {
      const { url } = await atTheBank()
      const { app } = bench.server
      const odd = await app.inject({ method: 'POST', url, headers: form, payload: 'decision=maybe' })
      expectError(odd, 400, 'BAD_REQUEST')
      const json = await bench.call('POST', url, { body: { decision: 'approve' } })
      expectError(json, 415, 'UNSUPPORTED_MEDIA_TYPE')
      expectError(await bench.call('GET', `/sandbox/pay/sbx_${randomUUID()}`), 404, 'NOT_FOUND')
    })
  })

  describe('refusals', () => {
    it('[B25] needs a key; the same key and body repeats the answer, another body is refused', async () => {
      const { buyer, reservation } = await cashier.ready()
      expectError(await cashier.pay(buyer, reservation.id, 'sandbox_ok', null), 400, 'KEY_REQUIRED')
      const key = randomUUID()
      const first = await cashier.pay(buyer, reservation.id, 'sandbox_ok', key)
      const second = await cashier.pay(buyer, reservation.id, 'sandbox_ok', key)
      expect(second.statusCode).toBe(201)
      expect(second.json()).toEqual(first.json())
      expectError(await cashier.pay(buyer, reservation.id, 'sandbox_slow', key), 422, 'KEY_REUSED')
    })

    it('[B26] a refusal without effect leaves the key free', async () => {
      const { buyer, reservation } = await cashier.ready()
      const key = randomUUID()
      expectError(await cashier.pay(buyer, reservation.id, 'gold', key), 400, 'BAD_REQUEST')
      expectError(await cashier.pay(buyer, reservation.id, undefined, key), 400, 'BAD_REQUEST')
      expectError(await cashier.operation(buyer, key), 404, 'NOT_FOUND')
      expect((await cashier.pay(buyer, reservation.id, 'sandbox_ok', key)).statusCode).toBe(201)
    })

    it('[B28] other buyers’, unknown, expired, canceled and paid reservations are not paid for', async () => {
      const { buyer, reservation } = await cashier.ready()
      const stranger = await Buyer.admitted(bench, buyer.sale)
      expectError(await cashier.pay(stranger, reservation.id, 'sandbox_ok'), 403, 'FORBIDDEN')
      expectError(await cashier.pay(buyer, randomUUID(), 'sandbox_ok'), 404, 'NOT_FOUND')
      expectError(await cashier.pay(buyer, 'nonsense', 'sandbox_ok'), 400, 'BAD_REQUEST')
      const purchase = await cashier.paid(buyer, reservation.id)
      const paid = expectError(await cashier.pay(buyer, reservation.id, 'sandbox_ok'), 409, 'ALREADY_PAID')
      expect(paid.purchaseId).toBe(purchase.id)
      expectError(await stranger.read(`/api/purchases/${purchase.id}`), 404, 'NOT_FOUND')

      const late = await cashier.ready(buyer.sale, [1])
      await cashier.endHold(late.reservation)
      const expired = await cashier.pay(late.buyer, late.reservation.id, 'sandbox_ok')
      expect(expectError(expired, 400, 'RESERVATION_EXPIRED').message).toBe('Reservation has expired')

      const gone = await cashier.ready(buyer.sale, [2])
      await gone.buyer.cancel(gone.reservation.id)
      expectError(await cashier.pay(gone.buyer, gone.reservation.id, 'sandbox_ok'), 409, 'RESERVATION_ENDED')
    })

    it('[B28] nothing else pays while a payment is under way', async () => {
      const { buyer, reservation } = await cashier.ready()
      await cashier.pay(buyer, reservation.id, 'sandbox_slow')
      expectError(await cashier.pay(buyer, reservation.id, 'sandbox_ok'), 409, 'PAYMENT_UNDER_WAY')
      expectError(await buyer.cancel(reservation.id), 409, 'PAYMENT_UNDER_WAY')
    })
  })

  describe('refunds', () => {
    const refund = (id: string, as = bench.organizer.authorization) =>
      bench.call('POST', `/api/purchases/${id}/refund`, { as })

    it('[B34] gives the money back, returns the seats once and ends the e-tickets', async () => {
      const { buyer, reservation, seatIds } = await cashier.ready()
      const { id, etickets } = await cashier.paid(buyer, reservation.id)
      const answer = await refund(id)
      expect(answer.statusCode).toBe(200)
      expect(answer.json()).toMatchObject({ id, status: 'REFUNDED', refundedAmount: 9_000 })
      expect(await statusesOf(buyer.sale, seatIds)).toEqual(['available'])
      expect(await cashier.books(id)).toMatchObject({ captured: 9_000, refunded: 9_000 })
      expect((await buyer.read(`/api/etickets/${etickets[0]?.id}`)).json()).toMatchObject({ status: 'VOID' })
      expect((await buyer.read(`/api/reservations/${reservation.id}`)).json()).toMatchObject({ status: 'REFUNDED' })
      const other = await cashier.ready(buyer.sale)
      await cashier.paid(other.buyer, other.reservation.id)
      expect((await refund(id)).json()).toMatchObject({ id, status: 'REFUNDED' })
      expect(await statusesOf(buyer.sale, seatIds)).toEqual(['sold'])
    })

    it('[B62] a key belongs to its refund also while the money is on its way; the last answer comes again', async () => {
      const first = await cashier.ready()
      const { id } = await cashier.paid(first.buyer, first.reservation.id)
      const second = await cashier.ready()
      const other = await cashier.paid(second.buyer, second.reservation.id)
      const key = randomUUID()
      const refundOnce = (purchaseId: string) =>
        bench.call('POST', `/api/purchases/${purchaseId}/refund`, {
          as: bench.organizer.authorization,
          headers: { 'idempotency-key': key },
        })
      const { db } = bench.server.ledger
      // Its provider is not the one that is configured: the refund waits for it.
      const payWith = (provider: string) => db.updateTable('purchases').set({ provider }).where('id', '=', id).execute()
      await payWith('elsewhere')
      const begun = await refundOnce(id)
      expect([begun.statusCode, begun.json()]).toMatchObject([202, { id, status: 'REFUNDING' }])
      expectError(await refundOnce(other.id), 422, 'KEY_REUSED')
      expect(await cashier.purchase(other.id)).toMatchObject({ status: 'PAID' })
      await payWith('sandbox')
      expect((await refundOnce(id)).json()).toMatchObject({ id, status: 'REFUNDED' })
      expect((await refundOnce(id)).json()).toMatchObject({ id, status: 'REFUNDED' })
      expectError(await refundOnce(other.id), 422, 'KEY_REUSED')
    })

    it('[B62] a body with an unknown field is refused, and nothing is refunded', async () => {
      const { buyer, reservation, seatIds } = await cashier.ready(undefined, [0, 1])
      const { id } = await cashier.paid(buyer, reservation.id)
      const body = { seats: seatIds.slice(0, 1) }
      const as = bench.organizer.authorization
      expectError(await bench.call('POST', `/api/purchases/${id}/refund`, { as, body }), 400, 'BAD_REQUEST')
      expect(await cashier.purchase(id)).toMatchObject({ status: 'PAID', refunded: 0 })
    })

    it('[B61] what a visitor came in with is not refunded', async () => {
      const { buyer, reservation } = await cashier.ready()
      const { id, etickets } = await cashier.paid(buyer, reservation.id)
      const as = bench.organizer.authorization
      const scanned = await bench.call('POST', '/api/checkin', { as, body: { code: etickets[0]?.code } })
      expect(scanned.statusCode).toBe(200)
      expectError(await refund(id), 409, 'ALREADY_USED')
      expect(await cashier.purchase(id)).toMatchObject({ status: 'PAID', refunded: 0 })
    })

    it('[B25] a refund takes a key: a lost answer is found under it, and another refund cannot have it', async () => {
      const key = randomUUID()
      const under = (id: string) =>
        bench.call('POST', `/api/purchases/${id}/refund`, {
          as: bench.organizer.authorization,
          headers: { 'idempotency-key': key },
        })
      const one = await cashier.ready()
      const { id } = await cashier.paid(one.buyer, one.reservation.id)
      expect((await under(id)).json()).toMatchObject({ id, status: 'REFUNDED' })
      const asked = await bench.call('GET', `/api/operations/${key}`, { as: bench.organizer.authorization })
      expect(asked.json()).toMatchObject({ status: 'done', result: { id, status: 'REFUNDED' } })
      expect((await under(id)).json()).toMatchObject({ id, status: 'REFUNDED' })
      const other = await cashier.ready()
      expectError(await under((await cashier.paid(other.buyer, other.reservation.id)).id), 422, 'KEY_REUSED')
    })

    it('[B34] is for the organiser of the event and admins, and for what was paid', async () => {
      const { buyer, reservation } = await cashier.ready()
      const { id } = await cashier.paid(buyer, reservation.id)
      const { app, ledger } = bench.server
      expectError(await refund(id, buyer.authorization), 403, 'FORBIDDEN')
      expectError(await refund(id, (await registerWithRole(app, ledger, 'organizer')).authorization), 404, 'NOT_FOUND')
      expectError(await refund(randomUUID()), 404, 'NOT_FOUND')
      expect((await refund(id, bench.admin.authorization)).statusCode).toBe(200)
      const unpaid = await cashier.ready(await bench.sale(OPEN_FLOOR, HOUSE))
      const declined = await cashier.pay(unpaid.buyer, unpaid.reservation.id, 'sandbox_declined')
      expectError(await refund(declined.json<{ purchaseId: string }>().purchaseId), 409, 'NOT_PAID')
    })
  })
})
