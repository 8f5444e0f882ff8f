import { waitUntil } from '@seatwise/testbench'
import { beforeAll, expect, it } from 'vitest'
import { expectError } from '../../support/kernel.ts'
import { Buyer, forEachMode, OPEN_FLOOR } from '../../support/reservation.ts'
import type { RoomBench } from '../../support/room.ts'
import { codesOf, typesOf } from './codes-kit.ts'

/** One seat for everybody, and two for friends. */
const CLUB = {
  totalSeats: undefined,
  seatTypes: [
    { name: 'Standing', price: 4_500, currency: 'EUR', totalQuantity: 1 },
    { name: 'Friends', price: 1_000, totalQuantity: 2, hidden: true },
  ],
}

forEachMode('when only hidden seats are left', (open) => {
  let bench: RoomBench
  beforeAll(async () => {
    bench = await open()
  })

  /** A sale of which the public seat is sold, or held, by the visitor who is returned. */
  async function taken(room: object, isSold: boolean) {
    const sale = await bench.sale({ ...OPEN_FLOOR, ...room }, CLUB)
    const { Standing = '', Friends = '' } = await typesOf(bench, sale)
    await codesOf(bench, sale).post({ code: 'FRIEND', access: true })
    await codesOf(bench, sale).post({ code: 'CHEAP', percent: 10 })
    const first = await Buyer.admitted(bench, sale)
    await first.reserved({ seatTypeId: Standing, quantity: 1 })
    if (isSold) {
      // As paying leaves it: what decides is the seat.
      const eventId = sale.split('/').at(-1) ?? ''
      await bench.server.ledger.db
        .updateTable('seats')
        .set({ status: 'sold', held_until: null })
        .where('event_id', '=', eventId)
        .where('status', '=', 'held')
        .execute()
    }
    const join = (body: object = {}, as = bench.buyer()) => bench.call('POST', `${sale}/queue/join`, { as, body })
    return { sale, Friends, first, join }
  }

  it('[E45] visitors without an access code are refused, those with one come in and get the seats', async () => {
    const { sale, Friends, join, first } = await taken({}, true)
    const { publicStocks } = bench.server.services.roomTokens
    // Not by joining: who comes in before the server knows has one of the friends' seats promised.
    await waitUntil('the server knows', () => publicStocks.isGone(sale.split('/').at(-1) ?? ''))
    expectError(await join(), 409, 'SOLD_OUT')
    expectError(await join({ code: 'CHEAP' }), 409, 'SOLD_OUT')
    expectError(await join({ code: 'WRONG' }), 404, 'CODE_UNKNOWN')
    // An edit makes the server read the event again, whatever the clock of the bench says.
    await bench.call('PATCH', sale, { as: bench.organizer.authorization, body: { description: 'Almost full' } })
    const page = await bench.call('GET', sale.replace('/api', ''), {})
    expect(page.body).toContain('Sold out')

    const authorization = bench.buyer()
    const { ticketToken } = await bench.join(sale, authorization, { code: 'FRIEND' })
    const friend = new Buyer(bench, sale, authorization, ticketToken)
    await friend.look()
    expect((await friend.reserve({ seatTypeId: Friends, quantity: 1, code: 'FRIEND' })).statusCode).toBe(201)
    // Whoever has a live ticket keeps it.
    expect((await join({}, authorization)).statusCode).toBe(200)
    expect((await join({}, first.authorization)).statusCode).toBe(200)
  })

  it('[E45] a public seat that is only held may come back: visitors join', async () => {
    const { join } = await taken({}, false)
    expect((await join()).statusCode).toBe(200)
  })

  it('[E45 control] in a line that is kept, the same visitor comes in and can buy nothing', async () => {
    const { sale, join, Friends } = await taken({ keepLineWhenSoldOut: true }, true)
    const authorization = bench.buyer()
    expect((await join({}, authorization)).statusCode).toBe(200)
    const { ticketToken } = await bench.join(sale, authorization)
    const visitor = new Buyer(bench, sale, authorization, ticketToken)
    await visitor.look()
    expectError(await visitor.reserve({ seatTypeId: Friends, quantity: 1 }), 404, 'NOT_FOUND')
  })
})
