import { afterEach, beforeAll, expect, it } from 'vitest'
import { listen, PushClient, privateOf, publicOf } from '../support/realtime.ts'
import { Buyer, forEachMode, HOUSE, OPEN_FLOOR, seatIdsOf, seatsOf } from '../support/reservation.ts'
import type { RoomBench } from '../support/room.ts'

forEachMode('push for buyers', (open) => {
  let bench: RoomBench
  let url: string
  const clients: PushClient[] = []

  beforeAll(async () => {
    bench = await open()
    // Background work ends holds and compares floors.
    bench.server.services.boxOffice.start()
    url = await listen(bench)
  })
  afterEach(() => {
    for (const client of clients.splice(0)) client.close()
  })

  const hear = async (channel: string, ticketToken?: string): Promise<PushClient> => {
    const client = await PushClient.open(url)
    clients.push(client)
    return await client.subscribed([channel], ticketToken === undefined ? {} : { ticketToken })
  }
  /** A visitor on the floor, and what their private channel says. */
  const enter = async (sale: string): Promise<{ buyer: Buyer; ear: PushClient }> => {
    const buyer = await Buyer.admitted(bench, sale)
    const { ticketId } = await bench.status(sale, buyer.ticket)
    return { buyer, ear: await hear(privateOf(sale, { ticketId }), buyer.ticket) }
  }

  it('[U12] reserving, cancelling and paying are told to the ticket they concern, and to no other ticket', async () => {
    const sale = await bench.sale(OPEN_FLOOR, HOUSE)
    const [ada, bob] = [await enter(sale), await enter(sale)]
    const publicEar = await hear(publicOf(sale))
    const seats = await seatIdsOf(bench, sale)
    const { id } = await ada.buyer.reserved({ seatIds: seats.slice(0, 2) })
    const created = await ada.ear.hear('RESERVATION_CREATED')
    expect(created.reservation).toMatchObject({ id, status: 'PENDING_PAYMENT', amount: 18_000 })
    await ada.buyer.cancel(id)
    await ada.ear.hear('RESERVATION_CANCELED')
    const { id: paid } = await ada.buyer.reserved({ seatIds: seats.slice(2, 3) })
    await bench.call('POST', '/api/purchases', {
      as: ada.buyer.authorization,
      body: { reservationId: paid, paymentMethod: 'sandbox_ok' },
      headers: { 'idempotency-key': 'pay' },
    })
    await ada.ear.hear('UNSUBSCRIBED')
    expect((await ada.ear.hear('PAYMENT_SUCCESS')).reservation).toMatchObject({ id: paid, status: 'PAID' })
    expect(ada.ear.heard.map(({ type }) => type).slice(-3)).toEqual(['PAYMENT_SUCCESS', 'ENDED', 'UNSUBSCRIBED'])
    await publicEar.hear('SEATS', ({ changes }) => JSON.stringify(changes).includes('sold'))
    for (const ear of [bob.ear, publicEar]) {
      expect(ear.heard.filter(({ type }) => /^(RESERVATION|PAYMENT)_/.test(type))).toEqual([])
      expect(JSON.stringify(ear.heard)).not.toContain(paid)
    }
  })

  it('[U12] an expired reservation is told', async () => {
    const sale = await bench.sale({ ...OPEN_FLOOR, reservationSeconds: 1 }, HOUSE)
    const { buyer, ear } = await enter(sale)
    const [seatId = ''] = await seatIdsOf(bench, sale)
    const { id } = await buyer.reserved({ seatIds: [seatId] })
    expect((await ear.hear('RESERVATION_EXPIRED')).reservation).toMatchObject({ id })
  })

  it('[U10] a client with any version of the seat map has the newest by applying the changes it gets', async () => {
    const sale = await bench.sale(OPEN_FLOOR, HOUSE)
    const { buyer } = await enter(sale)
    const loaded = (await bench.call('GET', `${sale}/seats`)).json<{ version: number }>()
    const seats = await seatIdsOf(bench, sale)
    const steady = await hear(publicOf(sale))
    await steady.hear('SNAPSHOT')
    await buyer.reserved({ seatIds: seats.slice(0, 2) })
    await steady.hear('SEATS', ({ changes }) => JSON.stringify(changes).includes(seats[1] ?? ''))
    await buyer.reserved({ seatIds: seats.slice(4, 6) })
    await steady.hear('SEATS', ({ changes }) => JSON.stringify(changes).includes(seats[5] ?? ''))
    const late = await PushClient.open(url)
    clients.push(late)
    await late.subscribed([publicOf(sale)], { seats: loaded.version })
    await late.hear('SEATS', ({ changes }) => JSON.stringify(changes).includes(seats[5] ?? ''))
    const truth = new Map((await seatsOf(bench, sale)).map((seat) => [seat.id, seat.status]))
    for (const client of [steady, late]) {
      const known = new Map([...truth.keys()].map((id) => [id, 'available']))
      for (const { changes } of client.of('SEATS')) {
        for (const { id, status } of changes as { id: string; status: string }[]) known.set(id, status)
      }
      expect(known).toEqual(truth)
    }
  })
})
