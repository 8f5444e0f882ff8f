import { randomUUID } from 'node:crypto'
import { readAddressee } from '@seatwise/ledger'
import { beforeAll, expect, it } from 'vitest'
import { newEmail, PASSWORD } from '../../support/accounts.ts'
import type { Answer } from '../../support/events.ts'
import { expectError } from '../../support/kernel.ts'
import { Cashier } from '../../support/payment.ts'
import { Buyer, HOUSE, OPEN_FLOOR, typeIdsOf, type WireReservation } from '../../support/reservation.ts'
import { forEachMode, type RoomBench } from '../../support/room.ts'

const GUESTS = { ...OPEN_FLOOR, guests: true, guestsPerAddress: 1_000 }

interface Holder {
  readonly buyer: Buyer
  readonly token: string
  readonly reservation: WireReservation
}

forEachMode('who a reservation is for', (open) => {
  let bench: RoomBench
  let cashier: Cashier
  beforeAll(async () => {
    bench = await open()
    cashier = await Cashier.open(bench)
  })

  const guest = async (facts: object = HOUSE): Promise<Holder> => {
    const sale = await bench.sale(GUESTS, facts)
    const joined = await bench.join(sale, '')
    const token = joined.accessToken ?? ''
    const buyer = new Buyer(bench, sale, `Bearer ${token}`, joined.ticketToken)
    await buyer.look()
    const [seatTypeId] = await typeIdsOf(bench, sale)
    return { buyer, token, reservation: await buyer.reserved({ seatTypeId, quantity: 1 }) }
  }
  const addressee = (id: string) => readAddressee(bench.server.ledger.db, id)

  it('[B91] a guest pays once they have said where the e-tickets go, and not before', async () => {
    const { buyer, reservation } = await guest()
    const key = randomUUID()
    expectError(await cashier.pay(buyer, reservation.id, 'sandbox_ok', key), 400, 'EMAIL_NEEDED')
    expect((await buyer.read(`/api/reservations/${reservation.id}`)).json()).toMatchObject({
      ...{ status: 'PENDING_PAYMENT', email: null, name: null, language: null },
    })
    expect((await buyer.sayEmail(reservation.id)).statusCode).toBe(200)
    expect((await cashier.pay(buyer, reservation.id, 'sandbox_ok', key)).statusCode).toBe(201)
  })

  it('[B91] free seats are no exception, an expired hold is still called expired, and accounts need not say anything', async () => {
    const free = await guest({ totalSeats: 3 })
    expectError(await cashier.pay(free.buyer, free.reservation.id), 400, 'EMAIL_NEEDED')
    const late = await guest()
    await cashier.endHold(late.reservation)
    expectError(await cashier.pay(late.buyer, late.reservation.id, 'sandbox_ok'), 400, 'RESERVATION_EXPIRED')
    const { buyer, reservation } = await cashier.ready()
    expect((await cashier.pay(buyer, reservation.id, 'sandbox_ok')).statusCode).toBe(201)
  })

  it('[B90] the owner names address, name and language; what is left out stays', async () => {
    const { buyer, reservation } = await guest()
    const named = { email: 'ada@example.com', name: 'Ada', language: 'ko' }
    const answer = await buyer.sayEmail(reservation.id, named)
    expect(answer.json()).toMatchObject({ id: reservation.id, status: 'PENDING_PAYMENT', ...named })
    expect((await buyer.sayEmail(reservation.id, { email: 'bob@example.com' })).json()).toMatchObject({
      ...{ email: 'bob@example.com', name: 'Ada', language: 'ko' },
    })
    expect((await buyer.read(`/api/reservations/${reservation.id}`)).json()).toMatchObject({ email: 'bob@example.com' })
  })

  it('[B90] bad input, other buyers and ended reservations are refused', async () => {
    const { buyer, reservation } = await guest()
    const say = (body: object): Promise<Answer> => buyer.sayEmail(reservation.id, body)
    for (const body of [
      ...[{}, { name: 'Ada' }, { email: 'ada' }, { email: 'a@b', language: 'tlh' }, { email: 'a@b.c', name: '' }],
      ...[{ email: 'a@b.c', status: 'PAID' }, { email: 'ada@example.com\r\nbcc: eve@example.com' }],
    ]) {
      expectError(await say(body), 400, 'BAD_REQUEST')
    }
    const other = await guest()
    expectError(await other.buyer.sayEmail(reservation.id), 403, 'FORBIDDEN')
    expectError(await buyer.sayEmail(randomUUID()), 404, 'NOT_FOUND')
    await buyer.cancel(reservation.id)
    expectError(await buyer.sayEmail(reservation.id), 409, 'RESERVATION_ENDED')
    await cashier.endHold(other.reservation)
    expectError(await other.buyer.sayEmail(other.reservation.id), 400, 'RESERVATION_EXPIRED')
    expect(await addressee(reservation.id)).toBeNull()
  })

  it('[B90] [B92] what a guest bought keeps its address when an account adopts it; the organiser sees it', async () => {
    const { buyer, token, reservation } = await guest()
    await buyer.sayEmail(reservation.id, { email: 'mai@example.com', name: 'Mai', language: 'vi' })
    await cashier.paid(buyer, reservation.id)
    const account = { email: newEmail(), password: PASSWORD, name: 'Ada' }
    const headers = { 'seatwise-guest': token }
    const { accessToken } = (await bench.call('POST', '/api/auth/register', { body: account, headers })).json<{
      accessToken: string
    }>()
    const own = await bench.call('GET', `/api/reservations/${reservation.id}`, { as: `Bearer ${accessToken}` })
    expect(own.json()).toMatchObject({ status: 'PAID', email: 'mai@example.com', language: 'vi' })
    expect(await addressee(reservation.id)).toMatchObject({ email: 'mai@example.com', name: 'Mai', language: 'vi' })
    const list = await bench.call('GET', `${buyer.sale}/reservations?q=mai@`, { as: bench.organizer.authorization })
    expect(list.json()).toMatchObject({ items: [{ buyer: { email: 'mai@example.com', name: 'Mai' } }] })
  })
})
