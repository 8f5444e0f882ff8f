import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { registerVisitor, registerWithRole } from '../../support/accounts.ts'
import { expectError } from '../../support/kernel.ts'
import { Cashier } from '../../support/payment.ts'
import { Buyer, forEachMode, HOUSE, OPEN_FLOOR, seatIdsOf, typeIdsOf } from '../../support/reservation.ts'
import type { RoomBench } from '../../support/room.ts'

interface Found {
  items: {
    id: string
    status: string
    items: { row: string | null; number: number | null }[]
    buyer: { id: string; email: string | null; name: string | null }
    purchase: { id: string; status: string } | null
  }[]
  nextCursor: string | null
}

forEachMode('what organisers see of a sale', (open) => {
  let bench: RoomBench
  let cashier: Cashier
  let sale: string
  /** Three people: one has paid, one has not yet, one has thought better of it. */
  let paid: { id: string; purchaseId: string; eticketId: string }
  let pending: { id: string; email: string }
  let canceled: { id: string }

  beforeAll(async () => {
    bench = await open()
    cashier = await Cashier.open(bench)
    const { app } = bench.server
    sale = await bench.sale(OPEN_FLOOR, HOUSE)
    const row = await seatIdsOf(bench, sale)
    const [, standing = ''] = await typeIdsOf(bench, sale)

    const payer = await Buyer.admitted(bench, sale, bench.buyer('Zoë Đặng'))
    const bought = await payer.reserved({ seatIds: row.slice(0, 2) })
    const purchase = await cashier.paid(payer, bought.id)
    paid = { id: bought.id, purchaseId: purchase.id, eticketId: purchase.etickets[0]?.id ?? '' }

    const account = await registerVisitor(app)
    const holder = await Buyer.admitted(bench, sale, account.authorization)
    pending = { id: (await holder.reserved({ seatTypeId: standing, quantity: 3 })).id, email: account.email }

    const doubter = await Buyer.admitted(bench, sale)
    canceled = await doubter.reserved({ seatIds: row.slice(4, 5) })
    await doubter.cancel(canceled.id)
  })

  const find = (query: string, as = bench.organizer.authorization) =>
    bench.call('GET', `${sale}/reservations${query}`, { as })
  const foundBy = async (query: string) => (await find(query)).json<Found>().items.map(({ id }) => id)

  describe('reservations', () => {
    it('[B41] all are listed, the newest first, with who made them and how they stand with the money', async () => {
      const { items, nextCursor } = (await find('')).json<Found>()
      expect(nextCursor).toBeNull()
      expect(items).toMatchObject([
        { id: canceled.id, status: 'CANCELED', purchase: null, items: [{ row: 'A', number: 5 }] },
        { id: pending.id, status: 'PENDING_PAYMENT', purchase: null, buyer: { email: pending.email } },
        {
          ...{ id: paid.id, status: 'PAID', purchase: { id: paid.purchaseId, status: 'PAID' } },
          ...{ buyer: { email: null, name: 'Zoë Đặng' } },
        },
      ])
    })

    it('[B41] page by page each is seen once', async () => {
      const seen: string[] = []
      let cursor: string | null = ''
      while (cursor !== null) {
        const page: Found = (await find(`?limit=1${cursor === '' ? '' : `&cursor=${cursor}`}`)).json<Found>()
        seen.push(...page.items.map(({ id }) => id))
        cursor = page.nextCursor
      }
      expect(seen).toEqual([canceled.id, pending.id, paid.id])
    })

    it('[B41] by state', async () => {
      expect(await foundBy('?status=PAID')).toEqual([paid.id])
      expect(await foundBy('?status=EXPIRED')).toEqual([])
      expectError(await find('?status=LOST'), 400, 'BAD_REQUEST')
    })

    it('[B41] by the id of the reservation, its payment and an e-ticket', async () => {
      for (const id of [paid.id, paid.purchaseId, paid.eticketId]) expect(await foundBy(`?q=${id}`)).toEqual([paid.id])
      expect(await foundBy(`?q=${randomUUID()}`)).toEqual([])
    })

    it('[B41] by a part of the buyer’s name, however it is spelt, or of the address', async () => {
      for (const name of ['zoe', 'DANG', 'Đặng'])
        expect(await foundBy(`?q=${encodeURIComponent(name)}`)).toEqual([paid.id])
      expect(await foundBy(`?q=${encodeURIComponent(pending.email.toUpperCase())}`)).toEqual([pending.id])
      expect(await foundBy(`?q=${encodeURIComponent('%_')}`)).toEqual([])
    })

    it('[B41] by seat, also one that was given back', async () => {
      for (const seat of ['A2', 'a 2', 'A-2'])
        expect(await foundBy(`?q=${encodeURIComponent(seat)}`)).toEqual([paid.id])
      expect(await foundBy('?q=A5')).toEqual([canceled.id])
      expect(await foundBy('?q=A9')).toEqual([])
    })

    it('[B41] a cursor that we did not write is refused', async () => {
      expectError(await find('?cursor=bm9uc2Vuc2U'), 400, 'BAD_REQUEST')
    })
  })

  it('[B42] the figures agree with the seats', async () => {
    const answer = await bench.call('GET', `${sale}/sales`, { as: bench.organizer.authorization })
    expect(answer.json()).toMatchObject({
      ...{ available: 20, held: 3, sold: 2, blocked: 0, total: 25 },
      revenue: [{ currency: 'EUR', amount: 18_000 }],
      seatTypes: [
        { name: 'Stalls', available: 18, held: 0, sold: 2, blocked: 0, total: 20, revenue: 18_000 },
        { name: 'Standing', available: 2, held: 3, sold: 0, blocked: 0, total: 5, revenue: 0 },
      ],
    })
  })

  it('[B41] other organisers and buyers see nothing of it', async () => {
    const { app, ledger } = bench.server
    const other = (await registerWithRole(app, ledger, 'organizer')).authorization
    for (const path of [`${sale}/reservations`, `${sale}/sales`]) {
      for (const as of [other, bench.buyer()]) expectError(await bench.call('GET', path, { as }), 403, 'FORBIDDEN')
      expectError(await bench.call('GET', path), 401, 'UNAUTHORIZED')
      expect((await bench.call('GET', path, { as: bench.admin.authorization })).statusCode).toBe(200)
    }
    const nowhere = `/api/events/${randomUUID()}/reservations`
    expectError(await bench.call('GET', nowhere, { as: bench.admin.authorization }), 404, 'NOT_FOUND')
  })
})
