import { randomUUID } from 'node:crypto'
import { faults } from '@seatwise/domain'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { tellLines } from '../../../src/box-office/adoption/follow-adoptions.ts'
import { newEmail, PASSWORD, registerVisitor } from '../../support/accounts.ts'
import type { Answer } from '../../support/events.ts'
import { expectError } from '../../support/kernel.ts'
import { Buyer, HOUSE, OPEN_FLOOR, seatIdsOf, until } from '../../support/reservation.ts'
import { forEachMode, openRoomServer, RoomBench, type RoomServer } from '../../support/room.ts'
import { Mails } from '../../support/sign-in-mail.ts'

interface Session {
  accessToken: string
  user: { id: string }
  tickets?: { ticketId: string; ticketToken: string }[]
  canceled?: { id: string; status: string }[]
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' }
const GUESTS = { ...OPEN_FLOOR, guests: true, guestsPerAddress: 1_000, maxSeatsPerBuyer: 2 }

forEachMode('everything a guest owns', (open) => {
  let bench: RoomBench
  beforeAll(async () => {
    bench = await open()
  })
  afterEach(() => faults.disarm())

  const guestIn = async (sale: string, as = ''): Promise<Guest> => {
    const joined = await bench.join(sale, as)
    const token = joined.accessToken ?? as.slice('Bearer '.length)
    const buyer = new Buyer(bench, sale, `Bearer ${token}`, joined.ticketToken)
    await buyer.look()
    return { buyer, token, ticketId: joined.ticketId }
  }
  const pay = async (as: string, reservationId: string, paymentMethod = 'sandbox_ok'): Promise<Answer> => {
    await bench.call('PATCH', `/api/reservations/${reservationId}`, { as, body: { email: newEmail() } })
    const body = { reservationId, paymentMethod }
    return await bench.call('POST', '/api/purchases', { as, headers: { 'idempotency-key': randomUUID() }, body })
  }
  const register = (guest: string, email = newEmail()): Promise<Answer> => {
    const body = { email, password: PASSWORD, name: 'Ada' }
    return bench.call('POST', '/api/auth/register', { body, headers: { 'seatwise-guest': guest } })
  }
  const signIn = (email: string, guest: string): Promise<Answer> => {
    const body = { email, password: PASSWORD }
    return bench.call('POST', '/api/auth/login', { body, headers: { 'seatwise-guest': guest } })
  }

  it('[A64][A45][I31] a guest who signs in by mail, for the first time and again, keeps place, seats and purchases', async () => {
    const sale = await bench.sale(GUESTS, HOUSE)
    const mails = new Mails(bench.server)
    const email = newEmail()
    for (const round of ['first', 'second']) {
      const { buyer, token, ticketId } = await guestIn(sale)
      const { id } = await buyer
        .reserved({ seatIds: (await seatIdsOf(bench, sale)).slice(0, 1) })
        .catch(() => ({ id: '' }))
      if (round === 'first') expect((await pay(buyer.authorization, id)).statusCode).toBe(201)
      await mails.ask(email)
      const { code } = await mails.last(email)
      const answer = await mails.redeem(email, code, '127.0.0.1', { 'seatwise-guest': token })
      expect(answer.statusCode).toBe(200)
      const session = answer.json<Session>()
      if (round === 'second') expect(session.tickets?.map((ticket) => ticket.ticketId)).toEqual([ticketId])
      const as = `Bearer ${session.accessToken}`
      const mine = (await bench.call('GET', '/api/reservations', { as })).json<{ items: { status: string }[] }>()
      expect(mine.items.filter(({ status }) => status === 'PAID')).toHaveLength(1)
    }
  })

  it('[A45][B40][I31] a guest who paid and makes an account has purchase, e-tickets, reservation and answers', async () => {
    const sale = await bench.sale(GUESTS, HOUSE)
    const { buyer, token } = await guestIn(sale)
    const key = randomUUID()
    const { id } = await buyer.reserved({ seatIds: (await seatIdsOf(bench, sale)).slice(0, 2) }, key)
    const purchase = (await pay(buyer.authorization, id)).json<{ id: string; etickets: { id: string }[] }>()
    expect(purchase.etickets).toHaveLength(2)
    // The visit is over: no live ticket is left that could bring anything along.
    await until(async () => (await bench.status(sale, buyer.ticket)).status === 'completed')
    const session = (await register(token)).json<Session>()
    expect(session).toMatchObject({ tickets: [], canceled: [] })
    const read = (path: string) => bench.call('GET', path, { as: `Bearer ${session.accessToken}` })
    expect((await read(`/api/purchases/${purchase.id}`)).json()).toMatchObject({ status: 'PAID' })
    for (const eticket of purchase.etickets) expect((await read(`/api/etickets/${eticket.id}`)).statusCode).toBe(200)
    expect((await read('/api/reservations')).json()).toMatchObject({ items: [{ id, status: 'PAID' }] })
    expect((await read(`/api/operations/${key}`)).json()).toMatchObject({ status: 'done', result: { id } })
  })

  it.each([['/sign-up'], ['/sign-in']])(
    '[A45][I31] %s of the pages takes along what the guest of the session bought',
    async (url) => {
      const sale = await bench.sale(GUESTS, HOUSE)
      const { buyer, token } = await guestIn(sale)
      const { id } = await buyer.reserved({ seatIds: (await seatIdsOf(bench, sale)).slice(0, 2) })
      expect((await pay(buyer.authorization, id)).statusCode).toBe(201)
      const email = url === '/sign-up' ? newEmail() : (await registerVisitor(bench.server.app)).email
      const fields = { email, password: PASSWORD, ...(url === '/sign-up' && { name: 'Ada' }) }
      const headers = { ...FORM, cookie: `seatwise-session=${token}` }
      const payload = new URLSearchParams(fields).toString()
      const answer = await bench.server.app.inject({ method: 'POST', url, headers, payload })
      expect(answer.statusCode).toBe(303)
      const session = [answer.headers['set-cookie'] ?? []].flat().find((one) => one.startsWith('seatwise-session='))
      const as = `Bearer ${session?.slice('seatwise-session='.length).split(';', 1)[0]}`
      const mine = await bench.call('GET', '/api/reservations', { as })
      expect(mine.json()).toMatchObject({ items: [{ id, status: 'PAID' }] })
    },
  )

  it('[B50][I29] reserving as a guest, signing in and paying, again and again, stops at the limit', async () => {
    const sale = await bench.sale(GUESTS, HOUSE)
    const account = await registerVisitor(bench.server.app)
    const seats = await seatIdsOf(bench, sale)
    const canceled: string[] = []
    for (let turn = 0; turn < 3; turn += 1) {
      const { buyer, token } = await guestIn(sale)
      const { id } = await buyer.reserved({ seatIds: seats.slice(2 * turn, 2 * turn + 2) })
      const answer = await signIn(account.email, token)
      expect(answer.statusCode).toBe(200)
      const session = answer.json<Session>()
      canceled.push(...(session.canceled ?? []).map((reservation) => reservation.id))
      await pay(`Bearer ${session.accessToken}`, id)
      if (turn > 0) expect(session.canceled).toMatchObject([{ id, status: 'CANCELED' }])
    }
    const mine = await bench.call('GET', '/api/reservations', { as: account.authorization })
    const items = mine.json<{ items: { status: string; items: unknown[] }[] }>().items
    expect(items.filter(({ status }) => status === 'PAID').flatMap((paid) => paid.items)).toHaveLength(2)
    expect(items.filter(({ status }) => status === 'CANCELED')).toHaveLength(canceled.length)
    expect(canceled).toHaveLength(2)
  })

  describe('a buyer who signs in on the pages and has more than the limit', () => {
    const notice = 'Your reservation of 1 seat for Aurora &lt;Live&gt; was cancelled'
    let sale: string
    let email: string
    let account: string
    /** What the browser has after signing in. */
    let cookies: string[]
    const landOn = (url: string, cookie: readonly string[], language = 'en') =>
      bench.server.app.inject({ url, headers: { cookie: cookie.join('; '), 'accept-language': language } })
    const isNotice = (cookie: string): boolean => cookie.startsWith('seatwise-canceled=')

    beforeAll(async () => {
      sale = await bench.sale({ ...GUESTS, maxSeatsPerBuyer: 1 }, { ...HOUSE, name: 'Aurora <Live>' })
      const [first = '', second = ''] = await seatIdsOf(bench, sale)
      ;({ email, authorization: account } = await registerVisitor(bench.server.app))
      const earlier = await guestIn(sale)
      await earlier.buyer.reserved({ seatIds: [first] })
      await signIn(email, earlier.token)
      const { buyer, token } = await guestIn(sale)
      await buyer.reserved({ seatIds: [second] })
      const headers = { ...FORM, cookie: `seatwise-session=${token}` }
      const payload = new URLSearchParams({ email, password: PASSWORD, next: '/reservations' }).toString()
      const answer = await bench.server.app.inject({ method: 'POST', url: '/sign-in', headers, payload })
      expect(answer.headers.location).toBe('/reservations')
      cookies = cookiesOf(answer)
    })

    it('[W40][B50] is told once, on the page they land on, which reservation was cancelled', async () => {
      const landed = await landOn('/reservations', cookies)
      expect(landed.body.split(notice)).toHaveLength(2)
      expect(cookiesOf(landed)).toContain('seatwise-canceled=')
      const kept = cookies.filter((cookie) => !isNotice(cookie))
      expect((await landOn('/reservations', kept)).body).not.toContain(notice)
      expect((await landOn('/', cookies, 'ko')).body).toContain('Aurora &lt;Live&gt; 1석 예매가 취소되었습니다')
      expect((await landOn('/', cookies, 'vi')).body).toContain('Lượt đặt 1 ghế cho Aurora &lt;Live&gt; đã bị hủy')
    })

    it('[W40] a page that reloads by itself still shows it', async () => {
      const { ticketToken } = await bench.join(sale, account)
      const url = `${sale.replace('/api', '')}/wait`
      const waiting = await landOn(url, [...cookies, `seatwise-tickets=${ticketToken}`])
      expect(waiting.body).toContain('http-equiv="refresh"')
      expect(waiting.body).toContain(notice)
      expect(cookiesOf(waiting).some(isNotice)).toBe(false)
    })

    it('[W40] no other account is told, and a made-up cookie tells nothing', async () => {
      const stranger = (await registerVisitor(bench.server.app)).authorization.slice('Bearer '.length)
      const told = cookies.filter(isNotice)
      expect(told).toHaveLength(1)
      const session = cookies.filter((cookie) => !isNotice(cookie))
      for (const made of [
        told,
        [...told, `seatwise-session=${stranger}`],
        [...session, "seatwise-canceled=no'id"],
        [...session, `seatwise-canceled=${randomUUID()}`],
      ]) {
        const page = await landOn('/', made)
        expect(page.statusCode).toBe(200)
        expect(page.body).not.toContain('was cancelled')
      }
      expect(cookiesOf(await landOn('/nowhere', session)).some(isNotice)).toBe(false)
    })
  })

  it('[A46] the same sign-in again, and two at once, give the same answer', async () => {
    const sale = await bench.sale(GUESTS, HOUSE)
    const { buyer, token, ticketId } = await guestIn(sale)
    const { id } = await buyer.reserved({ seatIds: (await seatIdsOf(bench, sale)).slice(0, 1) })
    const account = await registerVisitor(bench.server.app)
    const answers = await Promise.all([signIn(account.email, token), signIn(account.email, token)])
    answers.push(await signIn(account.email, token))
    for (const answer of answers) {
      expect(answer.statusCode).toBe(200)
      expect(answer.json<Session>()).toMatchObject({ tickets: [{ ticketId }], canceled: [] })
    }
    const other = await registerVisitor(bench.server.app)
    expect((await signIn(other.email, token)).json<Session>()).toMatchObject({ tickets: [], canceled: [] })
    const { accessToken = '' } = answers[0]?.json<Session>() ?? {}
    expect((await pay(`Bearer ${accessToken}`, id)).statusCode).toBe(201)
  })

  it('[L52][A45] an account that stands in the line itself pays what the guest reserved, and the guest’s slot is free', async () => {
    const sale = await bench.sale(GUESTS, HOUSE)
    const account = await registerVisitor(bench.server.app)
    const own = await bench.join(sale, account.authorization)
    const { buyer, token } = await guestIn(sale)
    const { id } = await buyer.reserved({ seatIds: (await seatIdsOf(bench, sale)).slice(0, 1) })
    const session = (await signIn(account.email, token)).json<Session>()
    expect(session).toMatchObject({ tickets: [], canceled: [] })
    expect(await bench.status(sale, buyer.ticket)).toMatchObject({ status: 'active', reservation: { id } })
    expect((await pay(account.authorization, id)).statusCode).toBe(201)
    await until(async () => (await bench.status(sale, buyer.ticket)).status === 'completed')
    expect((await bench.status(sale, own.ticketToken)).status).toBe('active')
  })

  it('[A49] after a server died between the ledger and the line, the next round completes the adoption', async () => {
    const sale = await bench.sale(GUESTS, HOUSE)
    const { buyer, token, ticketId } = await guestIn(sale)
    const { id } = await buyer.reserved({ seatIds: (await seatIdsOf(bench, sale)).slice(0, 1) })
    const account = await registerVisitor(bench.server.app)
    faults.arm('adopt.after-commit', () => {
      throw new Error('killed')
    })
    expect((await signIn(account.email, token)).statusCode).toBe(500)
    faults.disarm()
    // The account owns everything, also before the line knows.
    const read = await bench.call('GET', `/api/reservations/${id}`, { as: account.authorization })
    expect(read.json()).toMatchObject({ id, status: 'PENDING_PAYMENT' })
    await until(async () => {
      await tellLines(bench.server.services)
      const { db } = bench.server.ledger
      const rows = await db.selectFrom('queue_entries').select('state').where('user_id', '=', account.id).execute()
      return rows.length > 0
    })
    expect(await bench.join(sale, account.authorization)).toMatchObject({ ticketId })
  })

  it('[A48] an account that cannot adopt is not made: the same registration succeeds afterwards', async () => {
    const sale = await bench.sale(GUESTS, HOUSE)
    const { buyer, token } = await guestIn(sale)
    const { id } = await buyer.reserved({ seatIds: (await seatIdsOf(bench, sale)).slice(0, 1) })
    const email = newEmail()
    faults.arm('adopt.inside-transaction', () => {
      throw Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' })
    })
    const refused = await register(token, email)
    expectError(refused, 503, 'UNAVAILABLE')
    expect(refused.headers['retry-after']).toBeDefined()
    faults.disarm()
    expect((await buyer.read(`/api/reservations/${id}`)).statusCode).toBe(200)
    const session = (await register(token, email)).json<Session>()
    const read = await bench.call('GET', `/api/reservations/${id}`, { as: `Bearer ${session.accessToken}` })
    expect(read.statusCode).toBe(200)
  })

  it('[A45][I31] every other server knows the new owner of all the guest’s data at once', async () => {
    const sale = await bench.sale(GUESTS, HOUSE)
    const { buyer, token } = await guestIn(sale)
    const { id } = await buyer.reserved({ seatIds: (await seatIdsOf(bench, sale)).slice(0, 1) })
    const as = `Bearer ${(await register(token)).json<Session>().accessToken}`
    // The guest is refused: here at once, and by a server that reads the list of the ended.
    expect((await buyer.read('/api/reservations')).statusCode).toBe(401)
    const elsewhere = await openElsewhere()
    const refused = await elsewhere.call('GET', '/api/reservations', { as: buyer.authorization })
    expect(refused.statusCode).toBe(401)
    expect((await elsewhere.call('GET', `/api/reservations/${id}`, { as })).statusCode).toBe(200)
    const paid = await elsewhere.call('POST', '/api/purchases', {
      as,
      headers: { 'idempotency-key': randomUUID() },
      body: { reservationId: id, paymentMethod: 'sandbox_ok' },
    })
    expect(paid.statusCode).toBe(201)
  })

  let second: RoomServer | undefined
  afterAll(() => second?.close())

  /** Embedded there is one server, which has to know as well. */
  async function openElsewhere(): Promise<RoomBench> {
    const { ledger, secrets } = bench.server
    if (ledger.kind === 'pglite') return bench
    second = await openRoomServer(ledger, { secrets })
    return new RoomBench(second, bench.organizer, bench.admin)
  }
})

/** As a browser sends them back. */
function cookiesOf({ headers }: Answer): string[] {
  return [headers['set-cookie'] ?? []].flat().map((cookie) => cookie.split(';', 1)[0] ?? '')
}

interface Guest {
  readonly buyer: Buyer
  readonly token: string
  readonly ticketId: string
}
