import { randomUUID } from 'node:crypto'
import { type Ledger, readPurchasesOf } from '@seatwise/ledger'
import { forEachLedger, type PageStandIn, type ProviderWebhook } from '@seatwise/testbench'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buy } from '../../../src/box-office/payments/buy.ts'
import { concludeFromProvider } from '../../../src/box-office/payments/conclude-from-provider.ts'
import { stopPaying } from '../../../src/box-office/payments/stop-paying.ts'
import { compareProvider } from '../../../src/operators/reconcile/compare-provider.ts'
import { expectError } from '../../support/kernel.ts'
import { Cashier, type Ready, type WirePurchase } from '../../support/payment.ts'
import { letDecidedAge, query } from '../../support/payment-time.ts'
import { Buyer, HOUSE, OPEN_FLOOR, typeIdsOf } from '../../support/reservation.ts'
import { openRoomServer, RoomBench, type RoomServer } from '../../support/room.ts'
import { openMollie, openStripe, SITE } from '../../support/stand-ins.ts'

const PROVIDERS = [
  { name: 'mollie', open: openMollie, closesPages: false },
  { name: 'stripe', open: openStripe, closesPages: true },
] as const

/** Each ledger meets one provider: providers know nothing of ledgers, and the contract suite tries each of them alone. */
let turn = 0

forEachLedger('paying on a page of the provider', (openLedger) => {
  const ofThisLedger = PROVIDERS.filter((_provider, index) => index === turn % PROVIDERS.length)
  turn += 1
  let ledger: Ledger
  beforeAll(async () => {
    ledger = await openLedger()
  })

  describe.each(ofThisLedger)('$name', ({ name, open, closesPages }) => {
    let standIn: PageStandIn
    let closeProvider: () => Promise<void>
    let server: RoomServer
    let cashier: Cashier
    const webhooks: ProviderWebhook[] = []
    beforeAll(async () => {
      const atWork = await open()
      standIn = atWork.standIn
      closeProvider = atWork.close
      standIn.onWebhook = (webhook) => void webhooks.push(webhook)
      server = await openRoomServer(ledger, { env: { ...withoutNode(standIn), SEATWISE_PUBLIC_URL: SITE } })
      cashier = await Cashier.open(await RoomBench.open(server))
    })
    afterAll(async () => {
      await server.close()
      await closeProvider()
    })
    beforeEach(() => {
      standIn.troubles.splice(0)
      standIn.requests.splice(0)
      webhooks.splice(0)
    })

    const deliver = async (which: readonly ProviderWebhook[]): Promise<number[]> => {
      const codes: number[] = []
      for (const { body: payload, headers } of which) {
        const url = `/api/payments/webhooks/${name}`
        const own = { ...headers, host: 'tickets.example.com' }
        codes.push((await server.app.inject({ method: 'POST', url, headers: own, payload })).statusCode)
      }
      return codes
    }
    /** A buyer who is on the provider's page. */
    const atPage = async (ready?: Ready, key: string = randomUUID()) => {
      const { buyer, reservation, seatIds } = ready ?? (await cashier.ready())
      const answer = await cashier.pay(buyer, reservation.id, undefined, key)
      if (answer.statusCode !== 202) throw new Error(`Not on the page: ${answer.body}`)
      const { id } = answer.json<WirePurchase>()
      return { buyer, reservation, seatIds, id, key, answer, ref: standIn.refOf(id) }
    }
    const purchase = (id: string) => cashier.purchase(id)
    const watched = async (seconds = 4): Promise<void> => {
      await cashier.wait(seconds)
      await cashier.watch()
    }
    /** Our books and the provider's, for one purchase. */
    const expectBooks = async (id: string, kept: { captured: number; refunded: number }) => {
      const [theirs] = standIn.books().filter(({ purchaseId }) => purchaseId === id)
      expect(theirs).toMatchObject(kept)
      expect(await purchase(id)).toMatchObject(kept)
    }

    it('[B74] paying leads to the page; the same key again leads to the same page, and a method is refused', async () => {
      const ready = await cashier.ready()
      const { id, key, answer, ref, buyer, reservation } = await atPage(ready)
      const expected = {
        ...{ id, status: 'PROCESSING', operationId: key },
        action: { kind: 'redirect', url: standIn.pageOf(ref) },
      }
      expect(answer.json()).toEqual(expected)
      expect((await cashier.pay(buyer, reservation.id, undefined, key)).json()).toEqual(expected)
      expectError(await cashier.pay(buyer, reservation.id), 409, 'PAYMENT_UNDER_WAY')
      const other = await cashier.ready()
      expectError(await cashier.pay(other.buyer, other.reservation.id, 'pm_card_visa'), 400, 'BAD_REQUEST')
      expect(standIn.books().filter(({ purchaseId }) => purchaseId === id)).toHaveLength(1)
    })

    it('[B74] what costs nothing is paid at once, without the provider', async () => {
      const sale = await cashier.bench.sale(OPEN_FLOOR, { totalSeats: 2 })
      const buyer = await Buyer.admitted(cashier.bench, sale)
      const [seatTypeId] = await typeIdsOf(cashier.bench, sale)
      const { id } = await buyer.reserved({ seatTypeId, quantity: 1 })
      expect((await cashier.pay(buyer, id)).statusCode).toBe(201)
      expect(standIn.requests).toEqual([])
    })

    it('[B32] [B74] webhooks that come twice, late or never end in one sale', async () => {
      const [heard, silent] = [await atPage(), await atPage()]
      standIn.act(heard.ref, 'pay')
      expect(await deliver([...webhooks, ...webhooks])).toEqual([200, 200])
      expect(await purchase(heard.id)).toMatchObject({ status: 'PAID', captured: 9_000 })
      standIn.act(silent.ref, 'slow')
      await watched()
      expect(await purchase(silent.id)).toMatchObject({ status: 'PROCESSING' })
      standIn.finish(silent.ref, true)
      await watched()
      expect(await purchase(silent.id)).toMatchObject({ status: 'PAID', captured: 9_000 })
      expect(new Set(await deliver(webhooks))).toEqual(new Set([200]))
      await expectBooks(silent.id, { captured: 9_000, refunded: 0 })
    })

    it('[B32] a webhook that an attacker could have sent changes nothing, and asks the provider only about our payments', async () => {
      const { id, ref } = await atPage()
      standIn.requests.splice(0)
      const forged = (about: string) => ({ body: `id=${about}&status=paid`, headers: {} })
      const codes = await deliver([forged(ref), forged(`${ref}0`), forged('../../admin'), forged('')])
      // Stripe's are signed. What Mollie's names is looked up, if it is ours.
      const isSigned = name === 'stripe'
      expect(codes).toEqual(Array(4).fill(isSigned ? 401 : 200))
      expect(standIn.requests).toHaveLength(isSigned ? 0 : 1)
      expect(await purchase(id)).toMatchObject({ status: 'PROCESSING', captured: 0 })
    })

    it('[B30] [B74] a bad card leaves the hold, and another attempt pays', async () => {
      const first = await atPage()
      standIn.act(first.ref, 'decline')
      await watched()
      const isOver = (await purchase(first.id)).status === 'DECLINED'
      // On Stripe's page the buyer tries the next card; Mollie's is over, and the next purchase has another page.
      expect(isOver).toBe(!closesPages)
      const second = isOver ? await atPage(first) : first
      standIn.act(second.ref, 'pay')
      await deliver(webhooks)
      expect(await purchase(second.id)).toMatchObject({ status: 'PAID' })
    })

    it('[B34] [B74] a refund sends the money back to where it came from', async () => {
      const { id, ref } = await atPage()
      standIn.act(ref, 'pay')
      await watched()
      const path = `/api/purchases/${id}/refund`
      const refund = await cashier.bench.call('POST', path, { as: cashier.bench.admin.authorization })
      expect(refund.json()).toMatchObject({ id, status: 'REFUNDED', refundedAmount: 9_000 })
      await expectBooks(id, { captured: 9_000, refunded: 9_000 })
    })

    it('[B70] a server dies before the reference is stored: a retry sends the same and gets the same page', async () => {
      const { buyer, reservation } = await cashier.ready()
      const { buyer_id: buyerId } = await ledger.db
        .selectFrom('reservations')
        .select('buyer_id')
        .where('id', '=', reservation.id)
        .executeTakeFirstOrThrow()
      const operation = { actorId: buyerId, key: randomUUID(), fingerprint: 'test' }
      const wish = { operation, buyerId, reservationId: reservation.id, paymentMethod: undefined, language: 'ko' }
      const { payments } = cashier
      const dies = { ...payments.desk, noteRef: () => Promise.reject(new Error('the server dies')) }
      await expect(buy({ ...payments, desk: dies }, wish)).rejects.toThrow('the server dies')
      const [begun] = await readPurchasesOf(ledger.db, reservation.id)
      const id = begun?.id ?? ''
      expect(await purchase(id)).toMatchObject({ provider_ref: null, provider_order: { language: 'ko' } })
      // Meanwhile the account has another language and the seat type another name: neither may change what is sent.
      await query(ledger.db, "update seat_types set name = 'Renamed' where event_id = $1", [reservation.eventId])
      const answer = await buy(payments, { ...wish, language: 'vi' })
      expect(answer).toMatchObject({ statusCode: 202, body: { action: { url: standIn.pageOf(standIn.refOf(id)) } } })
      expect(standIn.books().filter(({ purchaseId }) => purchaseId === id)).toHaveLength(1)
      expect(await purchase(id)).toMatchObject({ provider_ref: standIn.refOf(id), provider_order: null })
      expectError(await cashier.pay(buyer, reservation.id), 409, 'PAYMENT_UNDER_WAY')
    })

    it('[B47] [B70] while the provider is away paying is refused; the same key pays once it is back', async () => {
      const ready = await cashier.ready()
      const key = randomUUID()
      standIn.isAway = true
      const refused = await cashier.pay(ready.buyer, ready.reservation.id, undefined, key)
      standIn.isAway = false
      expectError(refused, 503, 'UNAVAILABLE')
      const [given] = await readPurchasesOf(ledger.db, ready.reservation.id)
      expect(await purchase(given?.id ?? '')).toMatchObject({ status: 'DECLINED', provider_order: null })
      const { id, ref } = await atPage(ready, key)
      standIn.act(ref, 'pay')
      await watched()
      await expectBooks(id, { captured: 9_000, refunded: 0 })
    })

    it('[B31] [B71] when the hold ends the page is closed where the provider lets us, at the next look of the watch', async () => {
      const { id, ref, reservation } = await atPage()
      // Begun a moment ago: only the end of the hold makes it due.
      await watched(2)
      expect(standIn.requests.filter((request) => request.includes(ref))).toEqual([])
      await cashier.expire(reservation)
      await cashier.watch()
      expect(standIn.requests.filter((request) => request.includes(ref))).not.toEqual([])
      expect(await purchase(id)).toMatchObject({ status: closesPages ? 'DECLINED' : 'PROCESSING' })
      standIn.act(ref, 'pay')
      await deliver(webhooks)
      // The page that stayed open took late money, and the seats were still free.
      expect(await purchase(id)).toMatchObject({ status: closesPages ? 'DECLINED' : 'PAID' })
      await expectBooks(id, { captured: closesPages ? 0 : 9_000, refunded: 0 })
    })

    it.each([
      ['the same seats are free', 'PAID', 0, 2],
      ['equal seats are free', 'PAID', 1, 2],
      ['nothing is free', 'REFUNDED', 1, 1],
    ] as const)(
      '[B31] [B71] money that was faster than the end of its page: %s',
      async (_case, ending, taken, seats) => {
        const rows = [{ label: 'A', seats }]
        const house = { ...HOUSE, seatTypes: [{ ...HOUSE.seatTypes[0], rows }] }
        const sale = await cashier.bench.sale({ ...OPEN_FLOOR, stockAware: false }, house)
        const { id, ref, reservation, seatIds } = await atPage(await cashier.ready(sale))
        standIn.act(ref, 'pay')
        await cashier.expire(reservation)
        for (let rivals = 0; rivals < taken; rivals += 1) {
          const rival = await atPage(await cashier.ready(sale))
          standIn.act(rival.ref, 'pay')
          await concludeFromProvider(cashier.payments, rival.id)
          expect(await purchase(rival.id)).toMatchObject({ status: 'PAID' })
        }
        await watched()
        expect(await purchase(id)).toMatchObject({ status: ending })
        const isBack = ending === 'REFUNDED'
        await expectBooks(id, { captured: 9_000, refunded: isBack ? 9_000 : 0 })
        const sold = await query<{ id: string }>(ledger.db, 'select id from seats where reservation_id = $1', [
          reservation.id,
        ])
        expect(sold.map((seat) => seat.id === seatIds[0])).toEqual(isBack ? [] : [taken === 0])
      },
    )

    it('[B72] a buyer stops a payment where the provider lets them, and pays anew; money that was faster counts', async () => {
      const { id, ref, reservation, buyer, seatIds } = await atPage()
      expect(await stopPaying(cashier.payments, reservation.id)).toBe(closesPages)
      expect(await purchase(id)).toMatchObject({ status: closesPages ? 'DECLINED' : 'PROCESSING' })
      const next = closesPages ? await atPage({ buyer, reservation, seatIds }) : { id, ref }
      standIn.act(next.ref, 'pay')
      expect(await stopPaying(cashier.payments, reservation.id)).toBe(true)
      expect(await purchase(next.id)).toMatchObject({ status: 'PAID' })
      expect(await stopPaying(cashier.payments, reservation.id)).toBe(true)
    })

    it('[F5] while the provider is away all but paying goes on', async () => {
      const before = await atPage()
      standIn.act(before.ref, 'pay')
      await watched()
      standIn.isAway = true
      const { buyer, reservation } = await cashier.ready()
      const sale = `/api/events/${reservation.eventId}`
      expectError(await cashier.pay(buyer, reservation.id), 503, 'UNAVAILABLE')
      expect((await buyer.cancel(reservation.id)).statusCode).toBe(200)
      expect((await cashier.bench.operate(sale, { message: 'Paying takes a moment' })).statusCode).toBe(200)
      const { etickets } = (await before.buyer.read(`/api/purchases/${before.id}`)).json<WirePurchase>()
      const scanned = { as: cashier.bench.admin.authorization, body: { code: etickets[0]?.code } }
      expect((await cashier.bench.call('POST', '/api/checkin', scanned)).statusCode).toBe(200)
      standIn.isAway = false
    })

    it('[B38] reconciliation asks the provider: what was captured after all is brought to its end', async () => {
      const { id, ref, reservation } = await atPage()
      standIn.act(ref, 'slow')
      const compare = (conclude: ((id: string) => Promise<unknown>) | null) =>
        compareProvider(cashier.payments.provider, ledger.db, { eventId: reservation.eventId, max: 100, conclude })
      standIn.finish(ref, false)
      await watched()
      expect(await purchase(id)).toMatchObject({ status: 'DECLINED' })
      await letDecidedAge(ledger.db, reservation.id, 61)
      expect(await compare(null)).toEqual({ repaired: [], left: [] })
      standIn.finish(ref, true)
      const drift = { kind: 'provider', subject: id, details: { status: 'DECLINED', ours: 0, theirs: 9_000 } }
      expect(await compare(null)).toEqual({ repaired: [], left: [drift] })
      expect(await compare((one) => concludeFromProvider(cashier.payments, one))).toEqual({
        repaired: [drift],
        left: [],
      })
      expect(await purchase(id)).toMatchObject({ status: 'PAID', captured: 9_000 })
    })
  })
})

/** A variable of Node itself is no setting. */
function withoutNode({ settings }: PageStandIn): Record<string, string> {
  return Object.fromEntries(Object.entries(settings).filter(([name]) => !name.startsWith('NODE_')))
}
