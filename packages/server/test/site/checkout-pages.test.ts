import { randomUUID } from 'node:crypto'
import { forEachLedger, type StripeStandIn, waitUntil } from '@seatwise/testbench'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { newEmail, PASSWORD } from '../support/accounts.ts'
import { Cashier, type Ready } from '../support/payment.ts'
import { Buyer, HOUSE, OPEN_FLOOR, seatIdsOf } from '../support/reservation.ts'
import { openRoomServer, RoomBench, type RoomServer } from '../support/room.ts'
import { openStripe, SITE } from '../support/stand-ins.ts'

interface Session {
  accessToken: string
}

forEachLedger('checkout with a provider that has a page of its own', (open) => {
  let standIn: StripeStandIn
  let closeProvider: () => Promise<void>
  let server: RoomServer
  let cashier: Cashier
  beforeAll(async () => {
    const stripe = await openStripe()
    standIn = stripe.standIn
    closeProvider = stripe.close
    server = await openRoomServer(await open(), { env: { ...standIn.settings, SEATWISE_PUBLIC_URL: SITE } })
    cashier = await Cashier.open(await RoomBench.open(server))
  })
  afterAll(async () => {
    await server.close()
    await closeProvider()
  })

  const OWN = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded' }
  const headersOf = ({ buyer }: Ready) => ({ authorization: buyer.authorization, host: 'tickets.example.com' })
  const show = (ready: Ready, query = '') =>
    server.app.inject({ url: `/checkout/${ready.reservation.id}${query}`, headers: headersOf(ready) })
  const press = (ready: Ready, what: 'pay' | 'stop' | 'refund', fields: Record<string, string> = {}) =>
    server.app.inject({
      method: 'POST',
      url: `/checkout/${ready.reservation.id}/${what}`,
      headers: { ...headersOf(ready), ...OWN, 'accept-language': 'ko' },
      payload: new URLSearchParams(fields).toString(),
    })
  const refOf = async ({ reservation }: Ready): Promise<string> => {
    const { db } = server.ledger
    const rows = db.selectFrom('purchases').select('provider_ref').where('reservation_id', '=', reservation.id)
    return (await rows.orderBy('created_at', 'desc').executeTakeFirst())?.provider_ref ?? ''
  }

  /** The provider books the refunds that were pending, and the watch asks about them. */
  const bookRefunds = async () => {
    standIn.refundStatus = 'succeeded'
    for (const refund of standIn.refunds) refund.status = 'succeeded'
    await cashier.wait(60)
    await cashier.watch()
  }

  it('[W43] paying is answered with a page that leads to the provider, under a closed content policy', async () => {
    const ready = await cashier.ready()
    expect((await show(ready)).body).toContain('You pay on a secure page')
    const answer = await press(ready, 'pay', { key: randomUUID() })
    expect(answer).toMatchObject({ statusCode: 200 })
    expect(answer.headers).not.toHaveProperty('location')
    expect(answer.headers['content-security-policy']).toContain("form-action 'self'")
    const page = standIn.pageOf(await refOf(ready))
    expect(answer.body).toContain(`<meta http-equiv="refresh" content="0; url=${page}">`)
    expect(answer.body).toContain(`href="${page}"`)
    expect(standIn.session(await refOf(ready)).locale).toBe('ko')
  })

  it('[W50] the page asks for the address, filled in with what is known, and stores it with the language', async () => {
    const ready = await cashier.ready()
    const field = (email: string) =>
      `name="email" type="email" autocomplete="email" required maxlength="254" value="${email}"`
    expect((await show(ready)).body).toContain(field(''))
    const bad = await press(ready, 'pay', { key: randomUUID(), email: 'nobody' })
    expect(bad.statusCode).toBe(400)
    await press(ready, 'pay', { key: randomUUID(), email: 'minho@example.com' })
    expect(standIn.session(await refOf(ready)).customer_email).toBe('minho@example.com')
    await press(ready, 'stop')
    expect((await show(ready)).body).toContain(field('minho@example.com'))
    const own = (await ready.buyer.read(`/api/reservations/${ready.reservation.id}`)).json()
    expect(own).toMatchObject({ email: 'minho@example.com', language: 'ko' })
  })

  it('[W50] [B91] an account finds its own address there; a guest without one is refused', async () => {
    const email = newEmail()
    const body = { email, password: PASSWORD, name: 'Ada' }
    const { accessToken } = (await cashier.bench.call('POST', '/api/auth/register', { body })).json<Session>()
    const sale = await cashier.bench.sale({ ...OPEN_FLOOR, guests: true }, HOUSE)
    const [seatId] = await seatIdsOf(cashier.bench, sale)
    const account = await Buyer.admitted(cashier.bench, sale, `Bearer ${accessToken}`)
    const reservation = await account.reserved({ seatIds: [seatId] })
    expect((await show({ buyer: account, reservation, seatIds: [] })).body).toContain(`value="${email}"`)
    const joined = await cashier.bench.join(sale, '')
    const guest = new Buyer(cashier.bench, sale, `Bearer ${joined.accessToken}`, joined.ticketToken)
    await guest.look()
    const [, second] = await seatIdsOf(cashier.bench, sale)
    const held = { buyer: guest, reservation: await guest.reserved({ seatIds: [second] }), seatIds: [] }
    expect((await press(held, 'pay', { key: randomUUID() })).statusCode).toBe(400)
    expect((await press(held, 'pay', { key: randomUUID(), email })).statusCode).toBe(200)
  })

  it('[W157] what the organiser allows after the sale is said before paying', async () => {
    const ready = await cashier.ready()
    const refundFee = { perTicket: 250, percent: 10, keepFees: true }
    const after = { transfersUntil: '2098-05-04T18:00:00Z', refundsUntil: '2098-05-01T10:00:00Z', refundFee }
    const as = cashier.bench.organizer.authorization
    const edited = await cashier.bench.call('PATCH', `/api/events/${ready.reservation.eventId}`, {
      as,
      body: { after },
    })
    expect(edited.statusCode).toBe(200)
    await waitUntil('the page has the terms', async () => (await show(ready)).body.includes('2098-05-01'))
    const { body } = await show(ready)
    expect(body).toContain('you can return the seats of this purchase')
    expect(body).toContain('Kept of each ticket then: €2.50 + 10% + the booking fees.')
    expect(body).toContain('datetime="2098-05-04T18:00:00.000Z"')
  })

  it('[W42] [B72] a buyer who comes back unpaid continues or cancels; afterwards the seats are still held', async () => {
    const ready = await cashier.ready()
    await press(ready, 'pay', { key: randomUUID() })
    const ref = await refOf(ready)
    const back = (await show(ready)).body
    expect(back).toContain('Your payment is not finished yet')
    expect(back).toContain(`href="${standIn.pageOf(ref)}"`)
    expect((await press(ready, 'stop')).headers.location).toBe(`/checkout/${ready.reservation.id}`)
    const after = (await show(ready)).body
    expect(after).toContain('The payment was not finished. You have not been charged, and your seat is still held.')
    expect(after).toContain('Pay €90.00')
    await press(ready, 'pay', { key: randomUUID() })
    standIn.act(await refOf(ready), 'pay')
    expect((await show(ready)).body).toContain('Your seat is booked')
  })

  it('[W42] the page says so when the provider keeps its page open, and what becomes of money after the hold', async () => {
    const ready = await cashier.ready()
    await press(ready, 'pay', { key: randomUUID() })
    expect((await show(ready, '?stop=refused')).body).toContain('does not let us cancel this payment')
    standIn.act(await refOf(ready), 'slow')
    await cashier.expire(ready.reservation)
    const late = (await show(ready)).body
    expect(late).toContain('Your reservation expired before the payment was finished')
    expect(late).toContain('http-equiv="refresh"')
    standIn.finish(await refOf(ready), true)
    expect((await show(ready)).body).toContain('Your seat is booked')
  })

  it('[W42] [W51] [B31] a buyer whose own look finds that the money came too late is told that it goes back, and that it is back once it is', async () => {
    const rows = [{ label: 'A', seats: 1 }]
    const house = { ...HOUSE, seatTypes: [{ ...HOUSE.seatTypes[0], rows }] }
    const sale = await cashier.bench.sale({ ...OPEN_FLOOR, stockAware: false }, house)
    const ready = await cashier.ready(sale)
    await press(ready, 'pay', { key: randomUUID() })
    await cashier.expire(ready.reservation)
    await cashier.ready(sale)
    standIn.refundStatus = 'pending'
    standIn.act(await refOf(ready), 'pay')
    for (const look of ['first', 'second']) {
      const { body } = await show(ready)
      expect(body, look).toContain('It is being refunded in full')
      expect(body, look).not.toContain('It was refunded in full')
    }
    await bookRefunds()
    expect((await show(ready)).body).toContain('It was refunded in full')
  })

  it('[W51] a purchase that is being refunded says so while its seats are not back yet', async () => {
    const ready = await cashier.ready()
    await press(ready, 'pay', { key: randomUUID() })
    standIn.act(await refOf(ready), 'pay')
    expect((await show(ready)).body).toContain('Your seat is booked')
    standIn.refundStatus = 'pending'
    const { db } = server.ledger
    const paid = db.selectFrom('purchases').select('id').where('reservation_id', '=', ready.reservation.id)
    const { id } = await paid.executeTakeFirstOrThrow()
    const as = cashier.bench.organizer.authorization
    const answer = await cashier.bench.call('POST', `/api/purchases/${id}/refund`, { as })
    expect(answer.statusCode).toBe(202)
    expect((await show(ready)).body).toContain('This purchase is being refunded in full.')
    await bookRefunds()
    expect((await show(ready)).body).toContain('<h1>Refunded</h1>')
  })

  it('[W117] a purchase with refunded seats says how many, and shows only e-tickets that are valid', async () => {
    const ready = await cashier.ready(undefined, [0, 1])
    await press(ready, 'pay', { key: randomUUID() })
    standIn.act(await refOf(ready), 'pay')
    const links = (body: string) => body.match(/href="\/etickets\//g)?.length
    expect(links((await show(ready)).body)).toBe(2)
    standIn.refundStatus = 'succeeded'
    const paid = server.ledger.db.selectFrom('purchases').select('id')
    const { id } = await paid.where('reservation_id', '=', ready.reservation.id).executeTakeFirstOrThrow()
    const body = { seatIds: ready.seatIds.slice(0, 1) }
    const as = cashier.bench.organizer.authorization
    expect((await cashier.bench.call('POST', `/api/purchases/${id}/refund`, { as, body })).statusCode).toBe(200)
    const page = (await show(ready)).body
    expect(page).toContain('1 of these seats was refunded')
    expect(links(page)).toBe(1)
  })

  it('[W131] a buyer gets a refund by a button while the moved event offers it, and not afterwards', async () => {
    const sale = await cashier.bench.sale(OPEN_FLOOR, HOUSE)
    const ready = await cashier.ready(sale, [0, 1])
    await press(ready, 'pay', { key: randomUUID(), email: 'mai@example.com' })
    standIn.act(await refOf(ready), 'pay')
    const sent = { amount: String(ready.reservation.amount) }
    const button = `action="/checkout/${ready.reservation.id}/refund"`
    expect((await show(ready)).body).not.toContain(button)
    expect((await press(ready, 'refund', sent)).statusCode).toBe(403)
    const move = async (offerRefundUntil: string | null) => {
      const body = { startsAt: '2090-01-01T20:00:00Z', offerRefundUntil }
      const as = cashier.bench.organizer.authorization
      expect((await cashier.bench.call('PATCH', sale, { as, body })).statusCode).toBe(200)
    }
    const after = { refundsUntil: '2089-01-01T00:00:00Z', refundFee: { perTicket: 150 } }
    const as = cashier.bench.organizer.authorization
    await cashier.bench.call('PATCH', sale, { as, body: { after } })
    await waitUntil('the page offers it', async () => (await show(ready)).body.includes(button))
    expect((await show(ready)).body).toContain('€3.00 is kept')
    // The terms that the sent page showed are no longer those of the event: the page says what they are.
    expect((await press(ready, 'refund', sent)).statusCode).toBe(303)
    expect((await show(ready)).body).toContain(`name="amount" value="${ready.reservation.amount - 300}"`)
    await move('2089-01-01T00:00:00Z')
    await waitUntil('nothing stays', async () => !(await show(ready)).body.includes('is kept'))
    standIn.refundStatus = 'succeeded'
    expect((await press(ready, 'refund', sent)).statusCode).toBe(303)
    const page = (await show(ready)).body
    expect(page).toContain('Refunded')
    expect(page).not.toContain(button)
  })

  it('[W128] the page has a field for all that is asked; what is wrong is told at the field, what was typed stays', async () => {
    const url = 'https://example.com/terms'
    const meal = { id: 'meal', kind: 'choice', label: 'Meal', choices: ['Fish', 'Soup'], per: 'ticket', required: true }
    const why = { id: 'why', kind: 'text', label: 'Why "us"?', per: 'order' }
    const checkout = { names: true, questions: [meal, why], terms: { url }, marketing: true }
    const sale = await cashier.bench.sale(OPEN_FLOOR, { ...HOUSE, checkout })
    const ready = await cashier.ready(sale, [0])
    const [seatId = ''] = ready.seatIds
    const first = (await show(ready)).body
    expect(first).toContain(`name="name.${seatId}" required`)
    expect(first).toContain(`href="${url}" target="_blank" rel="noopener noreferrer"`)
    expect(first).not.toContain('checked')
    expect(first).not.toContain('aria-invalid')

    const key = randomUUID()
    const typed = {
      key,
      email: 'mai',
      'q.why': '<b>why</b>',
      [`q.meal.${seatId}`]: 'Beef',
      terms: `${url}/old`,
    }
    const wrong = await press(ready, 'pay', typed)
    expect(wrong.statusCode).toBe(400)
    for (const field of ['email', `name.${seatId}`, `q.meal.${seatId}`, 'terms']) {
      expect(wrong.body, field).toContain(`id="${field}-problem"`)
    }
    expect(wrong.body).toContain('입력이 필요하거나 잘못된 항목이 4개 있습니다')
    expect(wrong.body).toContain('약관이 변경되었습니다')
    expect(wrong.body).toContain('value="&lt;b&gt;why&lt;/b&gt;"')
    const own = () => ready.buyer.read(`/api/reservations/${ready.reservation.id}`)
    expect((await own()).json()).toMatchObject({ status: 'PENDING_PAYMENT', email: null, answers: [], terms: null })
    for (const unknown of ['q.__proto__', 'name.1', 'colour']) {
      expect((await press(ready, 'pay', { ...typed, [unknown]: 'x' })).statusCode).toBe(400)
    }

    const said = {
      'q.why': 'Friends',
      [`q.meal.${seatId}`]: 'Soup',
      [`name.${seatId}`]: 'Mai',
      terms: url,
      marketing: 'on',
    }
    const answer = await press(ready, 'pay', { key, email: 'mai@example.com', ...said })
    expect(answer.body).toContain(standIn.pageOf(await refOf(ready)))
    expect((await own()).json()).toMatchObject({
      ...{ email: 'mai@example.com', names: [{ name: 'Mai' }], terms: { url } },
      marketing: { given: true, words: expect.stringContaining('철회') },
    })
    await press(ready, 'stop')
    const again = (await show(ready)).body
    for (const value of ['value="Mai"', 'value="Friends"', '<option value="Soup" selected>']) {
      expect(again).toContain(value)
    }
  })
})
