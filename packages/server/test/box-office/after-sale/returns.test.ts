import { randomUUID } from 'node:crypto'
import { eventsToOffer, expireReservations, findMailLink, keepMailLink, offerReturns } from '@seatwise/ledger'
import { waitUntil } from '@seatwise/testbench'
import { beforeAll, expect, it } from 'vitest'
import { offerReturnedSeats } from '../../../src/box-office/after-sale/offer-returned-seats.ts'
import { expectError } from '../../support/kernel.ts'
import { Cashier, type WirePurchase } from '../../support/payment.ts'
import { endHolds } from '../../support/payment-time.ts'
import { Buyer, OPEN_FLOOR, type WireReservation } from '../../support/reservation.ts'
import { forEachMode, type RoomBench } from '../../support/room.ts'

type Offered = WireReservation & { accessToken: string }

forEachMode('returns list', (open) => {
  let bench: RoomBench
  let cashier: Cashier
  beforeAll(async () => {
    bench = await open()
    cashier = await Cashier.open(bench)
  })

  const idIn = (sale: string): string => sale.split('/').at(-1) ?? ''
  const buyOne = async (sale: string): Promise<WirePurchase> => {
    const buyer = await Buyer.admitted(bench, sale)
    const { seatTypes } = (await bench.call('GET', sale)).json<{ seatTypes: { id: string }[] }>()
    const reservation = await buyer.reserved({ seatTypeId: seatTypes[0]?.id, quantity: 1 })
    return await cashier.paid(buyer, reservation.id)
  }
  /** A sale of so many places to stand, all of them sold. */
  const soldOut = async (seats: number, room: object = {}): Promise<[sale: string, purchases: WirePurchase[]]> => {
    const seatTypes = [{ name: 'Standing', price: 4_500, currency: 'EUR', totalQuantity: seats }]
    const sale = await bench.sale({ ...OPEN_FLOOR, ...room }, { totalSeats: undefined, seatTypes })
    const purchases: WirePurchase[] = []
    for (let index = 0; index < seats; index += 1) purchases.push(await buyOne(sale))
    return [sale, purchases]
  }
  const ask = (sale: string, name: string, more: object = {}) =>
    bench.call('POST', `${sale}/returns`, { body: { email: `${name}@example.com`, quantity: 1, ...more } })
  const requestOf = async (sale: string, name: string) =>
    await bench.server.ledger.db
      .selectFrom('return_requests')
      .select(['id', 'status'])
      .where('event_id', '=', idIn(sale))
      .where('email', '=', `${name}@example.com`)
      .executeTakeFirstOrThrow()
  const link = (kind: 'return' | 'offer', subjectId: string) =>
    keepMailLink(bench.server.ledger.db, { kind, subjectId })
  const confirm = async (sale: string, name: string) =>
    await bench.call('POST', `/api/returns/${await link('return', (await requestOf(sale, name)).id)}/confirm`)
  const wait = async (sale: string, name: string, more: object = {}) => {
    expect((await ask(sale, name, more)).statusCode).toBe(201)
    expect((await confirm(sale, name)).json()).toMatchObject({ status: 'WAITING' })
  }
  const refund = async ({ id }: WirePurchase) => {
    const answer = await bench.call('POST', `/api/purchases/${id}/refund`, { as: bench.organizer.authorization })
    expect(answer.statusCode).toBe(200)
  }
  /** The link that the mail of the open offer has. */
  const offerTo = async (sale: string, name: string): Promise<string> => {
    const offers = bench.server.ledger.db.selectFrom('offers').select('id').where('ended_at', 'is', null)
    const { id } = await offers.where('request_id', '=', (await requestOf(sale, name)).id).executeTakeFirstOrThrow()
    return await link('offer', id)
  }
  const accept = (token: string, as?: string) =>
    bench.call('POST', `/api/offers/${token}/accept`, as === undefined ? {} : { as })
  const phaseOf = async (sale: string) => (await bench.call('GET', `${sale}/queue/now`)).json<{ phase: string }>().phase
  const round = () => offerReturnedSeats({ ...bench.server.services, ...bench.server.services.boxOffice })

  it('[B185] the list takes addresses of sold-out events only, and says nothing about them', async () => {
    const seatTypes = [{ name: 'Standing', price: 4_500, currency: 'EUR', totalQuantity: 1 }]
    const sale = await bench.sale(OPEN_FLOOR, { totalSeats: undefined, seatTypes })
    expectError(await ask(sale, 'ada'), 409, 'NOT_SOLD_OUT')
    await buyOne(sale)
    const first = await ask(sale, 'ada')
    expect(first.statusCode).toBe(201)
    expect(first.json()).toEqual({
      ...{ eventId: idIn(sale), email: 'ada@example.com', seatTypeId: null, quantity: 1, status: 'UNCONFIRMED' },
    })
    await confirm(sale, 'ada')
    expect((await ask(sale, 'ada')).json()).toEqual(first.json())
    expectError(await ask(sale, 'bob', { quantity: 7 }), 409, 'LIMIT_REACHED')
    expectError(await ask(sale, 'bob', { quantity: 0 }), 400, 'BAD_REQUEST')
    expectError(await ask(sale, 'bob', { seatTypeId: randomUUID() }), 404, 'NOT_FOUND')
    expectError(await ask(sale, 'bob', { surprise: 1 }), 400, 'BAD_REQUEST')
    expectError(await ask(sale, 'no address'), 400, 'BAD_REQUEST')
    expectError(await ask(`/api/events/${randomUUID()}`, 'bob'), 404, 'NOT_FOUND')
    const token = await link('return', (await requestOf(sale, 'ada')).id)
    for (const _ of [1, 2]) expect((await bench.call('DELETE', `/api/returns/${token}`)).statusCode).toBe(204)
    expect((await requestOf(sale, 'ada')).status).toBe('left')
    expectError(await bench.call('POST', '/api/returns/nonsense/confirm'), 404, 'NOT_FOUND')
  })

  it('[B186] [B188] a returned seat is offered before the line hears of it: the event stays sold out', async () => {
    const [sale, [purchase]] = await soldOut(1)
    await wait(sale, 'ada')
    await wait(sale, 'bob')
    await waitUntil('it is sold out', async () => ((await phaseOf(sale)) === 'sold_out' ? true : null))
    await refund(purchase as WirePurchase)
    const token = await offerTo(sale, 'ada')
    const now = await (await bench.server.services.rooms.ofEvent(idIn(sale))).freshNow()
    expect(now.document.phase).toBe('sold_out')
    expectError(await bench.call('POST', `${sale}/queue/join`, { as: bench.buyer(), body: {} }), 409, 'SOLD_OUT')
    expect((await bench.call('GET', `/offers/${token}`)).statusCode).toBe(200)
    const accepted = await accept(token)
    expect(accepted.statusCode).toBe(201)
    const { accessToken, ...reservation } = accepted.json<Offered>()
    expect(reservation).toMatchObject({ status: 'PENDING_PAYMENT', amount: 4_500, items: [{ row: null }] })
    const as = `Bearer ${accessToken}`
    expect((await accept(token)).json<Offered>()).toMatchObject({ id: reservation.id })
    expectError(await accept(token, bench.buyer()), 409, 'OFFER_OVER')
    expectError(await bench.call('GET', '/api/auth/me', { as }), 403, 'FORBIDDEN')
    const body = { reservationId: reservation.id, paymentMethod: 'sandbox_ok' }
    const headers = { 'idempotency-key': randomUUID() }
    const paid = await bench.call('POST', '/api/purchases', { as, body, headers })
    expect(paid.statusCode).toBe(201)
    expect(paid.json<WirePurchase>().etickets).toHaveLength(1)
    await round()
    expect((await requestOf(sale, 'ada')).status).toBe('served')
    expect((await requestOf(sale, 'bob')).status).toBe('waiting')
  })

  it('[B186] visitors in the line come first', async () => {
    const [sale, [purchase]] = await soldOut(1, { keepLineWhenSoldOut: true })
    await wait(sale, 'ada')
    const { ticketToken } = await bench.join(sale, bench.buyer())
    await refund(purchase as WirePurchase)
    await round()
    expect((await requestOf(sale, 'ada')).status).toBe('waiting')
    // The visitor leaves without seats: now it is the list's turn.
    expect((await bench.call('DELETE', `${sale}/queue`, { ticket: ticketToken })).statusCode).toBe(204)
    await round()
    expect((await requestOf(sale, 'ada')).status).toBe('offered')
  })

  it('[B187] an offer that runs out or is given back goes to the next, also after a crash', async () => {
    const [sale, [purchase]] = await soldOut(1)
    const eventId = idIn(sale)
    for (const name of ['ada', 'bob', 'cyd']) await wait(sale, name)
    await refund(purchase as WirePurchase)
    const toAda = await offerTo(sale, 'ada')
    // The hold expires and its server dies before it offers the seat again: any round does.
    await endHolds(bench.server.ledger.db, eventId, (await findMailLink(bench.server.ledger.db, 'offer', toAda)) ?? '')
    await expireReservations(bench.server.ledger, eventId)
    expect(await eventsToOffer(bench.server.ledger.db, [eventId], 9)).toEqual([eventId])
    await round()
    expectError(await accept(toAda), 409, 'OFFER_OVER')
    const toBob = await offerTo(sale, 'bob')
    expect((await bench.call('POST', `/api/offers/${toBob}/decline`)).statusCode).toBe(204)
    expectError(await accept(toBob), 409, 'OFFER_OVER')
    expect((await requestOf(sale, 'cyd')).status).toBe('offered')
    expect(await offerReturns(bench.server.ledger, eventId, { ahead: 0 })).toMatchObject({ offers: 0 })
  })
  it('[B189] a signed-in buyer accepts for itself, within the limit', async () => {
    const [sale, [purchase]] = await soldOut(1, { maxSeatsPerBuyer: 1 })
    await wait(sale, 'ada')
    await refund(purchase as WirePurchase)
    const token = await offerTo(sale, 'ada')
    const as = bench.buyer()
    const accepted = await accept(token, as)
    expect(accepted.statusCode).toBe(201)
    const { id } = accepted.json<Offered>()
    expect((await bench.call('GET', `/api/reservations/${id}`, { as })).statusCode).toBe(200)
    expectError(await accept(token), 409, 'OFFER_OVER')
    expectError(await bench.call('POST', `/api/offers/${token}/decline`), 409, 'OFFER_OVER')
  })
})
