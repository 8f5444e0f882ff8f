import { keepMailLink, type Ledger, startRefund } from '@seatwise/ledger'
import { openScratchLedger, waitUntil } from '@seatwise/testbench'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { offerReturnedSeats } from '../../src/box-office/after-sale/offer-returned-seats.ts'
import { registerVisitor, type Visitor } from '../support/accounts.ts'
import { finishRefundsOf } from '../support/finish-refunds.ts'
import { buy } from '../support/news.ts'
import { openRoomServer, type RoomServer } from '../support/room.ts'

describe('pages after the sale', () => {
  let ledger: Ledger
  let server: RoomServer
  let buyer: Visitor
  beforeAll(async () => {
    ledger = await openScratchLedger()
    server = await openRoomServer(ledger)
    buyer = await registerVisitor(server.app)
  })
  afterAll(async () => {
    await server.close()
    await ledger.close()
  })

  const OWN = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded' }
  const show = (url: string, headers: Record<string, string> = {}) => server.app.inject({ url, headers })
  const press = (url: string, fields: Record<string, string> = {}, headers: Record<string, string> = {}) => {
    const payload = new URLSearchParams(fields).toString()
    return server.app.inject({ method: 'POST', url, headers: { ...OWN, ...headers }, payload })
  }
  const cookieIn = (answer: Awaited<ReturnType<typeof press>>): string =>
    String([answer.headers['set-cookie']].flat()[0]).split(';')[0] ?? ''
  const as = ({ authorization }: Visitor) => ({ authorization })
  const link = (kind: 'order' | 'transfer' | 'return' | 'offer', subjectId: string) =>
    keepMailLink(ledger.db, { kind, subjectId })
  const latest = async (table: 'transfers' | 'return_requests' | 'offers'): Promise<string> => {
    const at = { transfers: 'created_at', return_requests: 'asked_at', offers: 'made_at' } as const
    const rows = ledger.db.selectFrom(table).select('id').orderBy(at[table], 'desc')
    return (await rows.limit(1).executeTakeFirstOrThrow()).id
  }

  const TERMS = {
    transfersUntil: '2098-05-04T18:00:00.000Z',
    refundsUntil: '2098-05-01T10:00:00.000Z',
    refundFee: { perTicket: 250, percent: 10, keepFees: true },
  }
  const setTerms = (eventId: string, after: object) =>
    ledger.db
      .updateTable('events')
      .set({ after: JSON.stringify(after) })
      .where('id', '=', eventId)
      .execute()

  it('[W156] one page has all e-tickets of an order by seat, each to show and to give away, with what else belongs to it', async () => {
    const bought = await buy(ledger, { quantity: 2, buyerId: buyer.id })
    const path = `/checkout/${bought.reservationId}`
    const page = (await show(path, as(buyer))).body
    expect(page.match(/class="qr"/g)).toHaveLength(2)
    const seats = [...page.matchAll(/E-ticket \d: [^<]+/g)].map(([text]) => text)
    expect(seats).toEqual(['E-ticket 1: Stalls, Row A, seat 1', 'E-ticket 2: Stalls, Row A, seat 2'])
    expect(page).toContain(`/events/${bought.eventId}/calendar.ics?of=show`)
    const [first, second] = bought.etickets
    for (const eticket of [first, second]) expect(page).toContain(`action="/etickets/${eticket?.id}/transfer"`)
    const show2 = await show(`/events/${bought.eventId}/calendar.ics?of=show`)
    expect(show2.body).toContain('SUMMARY:Aurora Live')
    expect(show2.headers['content-disposition']).toBe('attachment; filename="event.ics"')

    // What was given away is another holder's, and its code is gone from here.
    await press(`/etickets/${first?.id}/transfer`, { email: 'kim@example.com' }, as(buyer))
    expect((await show(path, as(buyer))).body).toContain('Offered to kim@example.com')
    await press(`/transfer/${await link('transfer', await latest('transfers'))}`)
    const left = (await show(path, as(buyer))).body
    expect(left.match(/class="qr"/g)).toHaveLength(1)
    expect(left).not.toContain(`/etickets/${first?.id}`)
    expect(left).toContain(`/etickets/${second?.id}`)
  })

  it('[W157] until when e-tickets may be given away is said where they are, in the language of the page, and afterwards there is no form', async () => {
    const bought = await buy(ledger, { quantity: 1, buyerId: buyer.id })
    const eticket = `/etickets/${bought.etickets[0]?.id}`
    const paths = [eticket, `/checkout/${bought.reservationId}`]
    await setTerms(bought.eventId, TERMS)
    const said = { en: 'Possible until', ko: '까지 양도할 수 있습니다', vi: 'Có thể chuyển đến' }
    for (const path of paths) {
      for (const [language, words] of Object.entries(said)) {
        const { body } = await show(path, { ...as(buyer), 'accept-language': language })
        expect(body).toContain(words)
        expect(body).toContain('datetime="2098-05-04T18:00:00.000Z"')
      }
    }
    await setTerms(bought.eventId, { ...TERMS, transfersUntil: '2026-01-01T00:00:00.000Z' })
    for (const path of paths) {
      // The page may know the event as it was a moment ago.
      const body = await waitUntil('the page has the new terms', async () => {
        const page = (await show(path, as(buyer))).body
        return page.includes('can no longer be transferred') && page
      })
      expect(body).not.toContain(`action="${eticket}/transfer"`)
    }
  })

  it('[W123] [B192] an order page shows the order and its codes to the one with the link, and nothing else', async () => {
    const bought = await buy(ledger, { quantity: 2, addressee: { email: 'a@example.com', name: null, language: null } })
    const token = await link('order', bought.reservationId)
    const page = await show(`/orders/${token}`)
    expect(page.statusCode).toBe(200)
    expect(page.body.match(/class="qr"/g)).toHaveLength(2)
    expect(page.body).toContain(bought.reservationId)
    expect(page.headers).toMatchObject({
      ...{ 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex, nofollow', 'cache-control': 'no-store' },
    })
    expect(page.headers['set-cookie']).toBeUndefined()
    // The link is no session: pages that need one lead to signing in.
    expect((await show('/reservations')).statusCode).toBe(303)
    expect((await show(`/orders/${bought.reservationId}`)).statusCode).toBe(404)
    await ledger.db
      .updateTable('events')
      .set({ starts_at: '2026-01-02T00:00:00Z' })
      .where('id', '=', bought.eventId)
      .execute()
    expect((await show(`/orders/${token}`)).statusCode).toBe(404)
  })

  it('[W124] [W127] an e-ticket is given and taken by plain forms; opening the link changes nothing', async () => {
    const bought = await buy(ledger, { buyerId: buyer.id, quantity: 2, eventName: 'Given <b>' })
    const path = `/etickets/${bought.etickets[0]?.id}`
    expect((await show(path, as(buyer))).body).toContain(`action="${path}/transfer"`)
    expect((await press(`${path}/transfer`, { email: 'x', more: '1' }, as(buyer))).statusCode).toBe(400)
    for (const email of ['first@example.com', 'bob@example.com']) {
      expect((await press(`${path}/transfer`, { email }, as(buyer))).statusCode).toBe(303)
    }
    const offered = (await show(path, as(buyer))).body
    expect(offered).toContain('Offered to bob@example.com')
    const token = await link('transfer', await latest('transfers'))
    for (const _ of [1, 2]) {
      const page = await show(`/transfer/${token}`, { 'accept-language': 'ko' })
      expect(page.statusCode).toBe(200)
      expect(page.body).toContain(`action="/transfer/${token}"`)
      expect(page.body).toContain('Given &lt;b&gt;')
      expect(page.headers).toMatchObject({ 'referrer-policy': 'same-origin', 'x-robots-tag': 'noindex, nofollow' })
    }
    expect((await show(path, as(buyer))).statusCode).toBe(200)
    const elsewhere = await press(`/transfer/${token}`, {}, { 'sec-fetch-site': 'cross-site' })
    expect(elsewhere.statusCode).toBe(403)
    const taken = await press(`/transfer/${token}`)
    expect(taken).toMatchObject({ statusCode: 303, headers: { location: path } })
    const cookie = cookieIn(taken)
    const mine = await show(path, { cookie })
    expect(mine.body).toContain('class="qr"')
    // What came by a link is good for this sale only, and gives nothing away.
    expect(mine.body).not.toContain(`action="${path}/transfer"`)
    expect((await show(path, as(buyer))).statusCode).toBe(404)
    const listed = (await show('/reservations', as(buyer))).body
    expect(listed).toContain('Given to bob@example.com')
    expect(listed).not.toContain(`href="${path}"`)
    expect((await show('/reservations', { cookie })).body).toContain(`href="${path}"`)
    const late = await press(`/transfer/${token}`, {}, as(buyer))
    expect(late.statusCode).toBe(409)
    expect(late.body).toContain('This transfer is over')
    // The guest comes back by the same link after the session.
    expect((await press(`/transfer/${token}`)).headers.location).toBe(path)
  })

  it('[W124] the holder withdraws by a form, and the link says so', async () => {
    const bought = await buy(ledger, { buyerId: buyer.id })
    const path = `/etickets/${bought.etickets[0]?.id}`
    await press(`${path}/transfer`, { email: 'bob@example.com' }, as(buyer))
    const token = await link('transfer', await latest('transfers'))
    expect((await press(`${path}/withdraw`, {}, as(buyer))).statusCode).toBe(303)
    expect((await show(`/transfer/${token}`)).body).toContain('This transfer is over')
    expect((await show(path, as(buyer))).body).not.toContain('Offered to')
  })

  it('[W125] [W126] from the sold-out event to the checkout of returned seats, by plain forms', async () => {
    const facts = { salesStartAt: '2026-01-01T00:00:00Z' }
    const bought = await buy(ledger, { quantity: 1, facts })
    const event = `/events/${bought.eventId}`
    await server.services.rooms.ofEvent(bought.eventId)
    const page = (await show(event)).body
    expect(page).toContain(`action="${event}/returns"`)
    const wish = { email: 'mai@example.com', quantity: '1' }
    for (const bad of [{ ...wish, quantity: 'x' }, { ...wish, quantity: '0' }, { email: 'mai@example.com' }]) {
      expect((await press(`${event}/returns`, bad)).statusCode).toBe(400)
    }
    const asked = await press(`${event}/returns`, { ...wish, seatTypeId: '' }, { 'accept-language': 'vi' })
    expect(asked).toMatchObject({ statusCode: 303, headers: { location: `${event}?returns=asked` } })
    expect((await show(`${event}?returns=asked`)).body).toContain('We sent you an email')
    const token = await link('return', await latest('return_requests'))
    const entry = `/returns/${token}`
    for (const _ of [1, 2]) expect((await show(entry)).body).toContain(`action="${entry}"`)
    expect((await press(entry)).headers.location).toBe(entry)
    expect((await show(entry)).body).toContain('You are on the list')

    const { purchaseId } = bought
    await startRefund(ledger, { purchaseId, reason: 'asked for' })
    await finishRefundsOf(ledger, purchaseId)
    await offerReturnedSeats({ ...server.services, ...server.services.boxOffice })
    const offer = `/offers/${await link('offer', await latest('offers'))}`
    const shown = (await show(offer, { 'accept-language': 'vi' })).body
    expect(shown).toContain('Một ghế đang được giữ cho bạn')
    expect(shown).toContain('45,00')
    expect((await show(offer)).body).toContain(`action="${offer}/decline"`)
    const accepted = await press(offer)
    expect(accepted.headers.location).toMatch(/^\/checkout\//)
    const checkout = await show(String(accepted.headers.location), { cookie: cookieIn(accepted) })
    expect(checkout.body).toContain('value="mai@example.com"')
    expect((await show(offer)).body).toContain('You accepted this offer')
    expect((await press(offer, {}, as(buyer))).body).toContain('This offer is over')
    expect((await press(`${offer}/decline`)).statusCode).toBe(303)
    expect((await show(entry)).body).toContain('Seats are held for you')
  })
})
