import { randomUUID } from 'node:crypto'
import { beforeAll, expect, it } from 'vitest'
import { newEmail, PASSWORD } from '../../support/accounts.ts'
import type { Answer } from '../../support/events.ts'
import { expectError } from '../../support/kernel.ts'
import { Cashier, type Ready } from '../../support/payment.ts'
import { Buyer, HOUSE, OPEN_FLOOR, seatIdsOf } from '../../support/reservation.ts'
import { forEachMode, type RoomBench } from '../../support/room.ts'

const TERMS = 'https://example.com/terms'
const CHECKOUT = {
  names: true,
  questions: [
    { id: 'how', kind: 'text', label: 'How did you hear of us?', per: 'order' },
    { id: 'meal', kind: 'choice', label: 'Meal', choices: ['Fish', 'Soup'], per: 'ticket', required: true },
  ],
  terms: { url: TERMS },
  marketing: true,
}
const GUESTS = { ...OPEN_FLOOR, guests: true, guestsPerAddress: 1_000 }

interface Said {
  answers: { questionId: string; seatId: string | null; label: string; answer: string }[]
  names: { seatId: string; name: string }[]
  terms: { url: string; acceptedAt: string } | null
  marketing: { given: boolean; at: string | null; words: string | null }
}

forEachMode('what buyers are asked', (open) => {
  let bench: RoomBench
  let cashier: Cashier
  let sale: string
  beforeAll(async () => {
    bench = await open()
    cashier = await Cashier.open(bench)
    sale = await bench.sale(GUESTS, { ...HOUSE, checkout: CHECKOUT })
  })

  const say = ({ buyer, reservation }: Ready, body: object): Promise<Answer> => buyer.sayEmail(reservation.id, body)
  const said = async ({ buyer, reservation }: Ready): Promise<Said> =>
    (await buyer.read(`/api/reservations/${reservation.id}`)).json<Said>()
  const all = (seatIds: readonly string[]) => ({
    names: seatIds.map((seatId, index) => ({ seatId, name: `Holder ${index + 1}` })),
    answers: seatIds.map((seatId) => ({ questionId: 'meal', seatId, answer: 'Soup' })),
    acceptTerms: true,
    termsUrl: TERMS,
  })
  const rows = async (table: 'order_answers' | 'ticket_answers', { reservation }: Ready): Promise<number> => {
    const { db } = bench.server.ledger
    return (await db.selectFrom(table).select('reservation_id').where('reservation_id', '=', reservation.id).execute())
      .length
  }
  let taken = 0
  /** Two seats of their own for each test; the house has twenty. */
  const ready = (): Promise<Ready> => cashier.ready(sale, [taken++, taken++])
  const asOrganizer = (path: string) => bench.call('GET', path, { as: bench.organizer.authorization })

  it('[B201] paying waits for names, required answers and terms; nothing is charged, and the same key pays then', async () => {
    const held = await ready()
    const { buyer, reservation, seatIds } = held
    const key = randomUUID()
    const pay = () => cashier.pay(buyer, reservation.id, 'sandbox_ok', key)
    const refused = await pay()
    expectError(refused, 400, 'ANSWERS_NEEDED')
    const [first = '', second = ''] = seatIds
    expect(refused.json()).toMatchObject({
      missing: [
        { kind: 'name', seatId: first },
        { kind: 'name', seatId: second },
        { kind: 'answer', questionId: 'meal', seatId: first, label: 'Meal' },
        { kind: 'answer', questionId: 'meal', seatId: second, label: 'Meal' },
      ],
    })
    const { acceptTerms: _, termsUrl: __, ...answers } = all(seatIds)
    expect((await say(held, answers)).statusCode).toBe(200)
    const lacking = await pay()
    expectError(lacking, 400, 'TERMS_NEEDED')
    expect(lacking.json()).toMatchObject({ terms: { url: TERMS } })
    expect((await buyer.read(`/api/reservations/${reservation.id}`)).json()).toMatchObject({
      status: 'PENDING_PAYMENT',
    })
    await say(held, { acceptTerms: true })
    const paid = await pay()
    expect(paid.statusCode).toBe(201)
    expect(await cashier.books(paid.json<{ id: string }>().id)).toMatchObject({ captured: reservation.amount })
    expect((await pay()).statusCode).toBe(201)
  })

  it('[B200] [B202] [B203] what is left out stays, a blank answer goes, and terms and consent have their time and words', async () => {
    const held = await ready()
    const [seatId = '', other = ''] = held.seatIds
    const how = { questionId: 'how', answer: 'A friend' }
    const first = (
      await say(held, { email: 'mai@example.com', language: 'ko', answers: [how], acceptTerms: true })
    ).json<Said>()
    expect(first).toMatchObject({ email: 'mai@example.com', marketing: { given: false, at: null, words: null } })
    await say(held, { names: [{ seatId, name: 'Mai' }], marketing: true })
    const second = await said(held)
    expect(second).toMatchObject({
      answers: [{ ...how, seatId: null, label: 'How did you hear of us?' }],
      names: [{ seatId, name: 'Mai' }],
      terms: { url: TERMS, acceptedAt: first.terms?.acceptedAt },
      marketing: { given: true, words: expect.stringContaining('이메일') },
    })
    await say(held, {
      answers: [{ questionId: 'how', answer: '' }],
      names: [{ seatId: other, name: 'Nam' }],
      ...{ marketing: false, acceptTerms: true },
    })
    const third = await said(held)
    expect(third.answers).toEqual([])
    expect(third.names.map(({ name }) => name)).toEqual(['Mai', 'Nam'])
    expect(third.terms).toEqual(first.terms)
    expect(third.marketing).toMatchObject({ given: false, words: second.marketing.words })
    expect(third.marketing.at).not.toBe(second.marketing.at)
  })

  it('[B200] a request with one wrong part stores nothing of it, and other buyers and ended reservations are refused', async () => {
    const held = await ready()
    const [seatId = ''] = held.seatIds
    const name = { seatId, name: 'Mai' }
    for (const body of [
      { names: [name], answers: [{ questionId: 'meal', seatId, answer: 'Beef' }] },
      { names: [name], email: 'no address' },
      { names: [name], language: 'ko' },
      { names: [{ seatId: randomUUID(), name: 'Mai' }] },
      { names: [{ ...name, name: 'x'.repeat(101) }] },
      { names: [name], acceptTerms: true, termsUrl: 'https://example.com/old' },
      { acceptTerms: false },
      { answers: [{ questionId: '__proto__', answer: 'x' }] },
    ]) {
      expectError(await say(held, body), 400, 'BAD_REQUEST')
    }
    expect(await said(held)).toMatchObject({ names: [], answers: [], terms: null, email: null })
    const stranger = await Buyer.admitted(bench, sale)
    expectError(await stranger.sayEmail(held.reservation.id, { names: [name] }), 403, 'FORBIDDEN')
    expectError(await held.buyer.sayEmail(randomUUID(), { names: [name] }), 404, 'NOT_FOUND')
    await cashier.endHold(held.reservation)
    expectError(await say(held, { names: [name] }), 400, 'RESERVATION_EXPIRED')
  })

  it('[B205] what a buyer said goes with a reservation that is canceled or expires', async () => {
    for (const end of ['cancel', 'expire'] as const) {
      const held = await ready()
      await say(held, all(held.seatIds))
      expect([await rows('order_answers', held), await rows('ticket_answers', held)]).toEqual([1, 2])
      if (end === 'cancel') await held.buyer.cancel(held.reservation.id)
      else await cashier.expire(held.reservation)
      expect([await rows('order_answers', held), await rows('ticket_answers', held)]).toEqual([0, 0])
      taken -= 2
    }
  })

  it('[B205] answers wait for an undecided payment: late money moves them to the new seats, a decline deletes them', async () => {
    const late = await bench.sale(OPEN_FLOOR, { ...HOUSE, checkout: { names: true } })
    const begin = async (seats: number[], method: string) => {
      const held = await cashier.ready(late, seats)
      await say(held, { names: held.seatIds.map((seatId) => ({ seatId, name: 'Late Mai' })) })
      const { id } = (await cashier.pay(held.buyer, held.reservation.id, method)).json<{ id: string }>()
      await cashier.expire(held.reservation)
      expect(await rows('ticket_answers', held)).toBe(1)
      return { held, id }
    }
    const moved = await begin([0], 'sandbox_slow:lost')
    const declined = await begin([1], 'sandbox_3ds')
    const rival = await cashier.ready(late, [0])
    await say(rival, { names: [{ seatId: rival.seatIds[0], name: 'Rival' }] })
    await cashier.paid(rival.buyer, rival.reservation.id)
    await cashier.wait(4)
    await cashier.watch()
    expect(await cashier.purchase(moved.id)).toMatchObject({ status: 'PAID' })
    const { names } = await said(moved.held)
    expect(names).toMatchObject([{ name: 'Late Mai' }])
    expect(names[0]?.seatId).not.toBe(moved.held.seatIds[0])
    expect(await cashier.purchase(declined.id)).toMatchObject({ status: 'DECLINED' })
    expect([await rows('order_answers', declined.held), await rows('ticket_answers', declined.held)]).toEqual([0, 0])
  })

  it('[B204] [B206] [B207] the organiser sees and exports it, the holder is on every paper, others see nothing', async () => {
    const held = await ready()
    const [seatId = ''] = held.seatIds
    await say(held, { ...all(held.seatIds), marketing: true })
    await say(held, {
      names: [{ seatId, name: '=cmd()' }],
      answers: [{ questionId: 'how', answer: '@friend' }],
    })
    const { etickets } = await cashier.paid(held.buyer, held.reservation.id)
    const list = await asOrganizer(`${sale}/reservations?q=${held.reservation.id}`)
    expect(list.json()).toMatchObject({
      items: [{ names: [{ name: '=cmd()' }, { name: 'Holder 2' }], terms: { url: TERMS }, marketing: { given: true } }],
    })
    const table = (await asOrganizer(`${sale}/reservations.csv`)).body
    expect(table).toContain('answer: How did you hear of us?')
    expect(table.split('\r\n').find((line) => line.startsWith(held.reservation.id))).toContain(",'@friend,")
    const tickets = (await asOrganizer(`${sale}/etickets.csv`)).body
    expect(tickets).toContain(",'=cmd(),Soup,")

    const eticket = etickets.find((one) => one.seatId === seatId)
    const path = `/api/etickets/${eticket?.id}`
    expect((await held.buyer.read(path)).json()).toMatchObject({ holder: '=cmd()' })
    const print = await bench.call('GET', path, { as: held.buyer.authorization, headers: { accept: 'text/html' } })
    expect(print.body).toContain('=cmd()')
    const claims = Buffer.from(eticket?.code.split('.')[1] ?? '', 'base64url').toString()
    expect(claims).not.toContain('cmd')
    const scan = { code: eticket?.code }
    const checkIn = await bench.call('POST', '/api/checkin', { as: bench.organizer.authorization, body: scan })
    expect(checkIn.json()).toMatchObject({ eticketId: eticket?.id, holder: '=cmd()' })

    const stranger = await Buyer.admitted(bench, sale)
    expectError(await stranger.read(`/api/reservations/${held.reservation.id}`), 403, 'FORBIDDEN')
    expectError(await stranger.read(`${sale}/reservations`), 403, 'FORBIDDEN')
    expect((await bench.call('GET', sale)).body).not.toContain('Holder')
  })

  it('[B202] [B204] an adoption changes nothing; terms that moved have to be accepted again', async () => {
    const where = await bench.sale(GUESTS, { ...HOUSE, checkout: { ...CHECKOUT, questions: [] } })
    const joined = await bench.join(where, '')
    const buyer = new Buyer(bench, where, `Bearer ${joined.accessToken}`, joined.ticketToken)
    await buyer.look()
    const seatIds = (await seatIdsOf(bench, where)).slice(0, 1)
    const reservation = await buyer.reserved({ seatIds })
    const names = [{ seatId: seatIds[0], name: 'Mai' }]
    await buyer.sayEmail(reservation.id, { email: 'mai@example.com', names, acceptTerms: true })
    const url = 'https://example.com/terms-2'
    const change = { as: bench.organizer.authorization, body: { checkout: { terms: { url } } } }
    expect((await bench.call('PATCH', where, change)).json()).toMatchObject({
      checkout: { names: true, terms: { url } },
    })
    expectError(await cashier.pay(buyer, reservation.id, 'sandbox_ok'), 400, 'TERMS_NEEDED')
    expectError(await buyer.sayEmail(reservation.id, { acceptTerms: true, termsUrl: TERMS }), 400, 'BAD_REQUEST')
    await buyer.sayEmail(reservation.id, { acceptTerms: true, termsUrl: url })
    await cashier.paid(buyer, reservation.id)
    const account = { email: newEmail(), password: PASSWORD, name: 'Ada' }
    const headers = { 'seatwise-guest': joined.accessToken ?? '' }
    const registered = await bench.call('POST', '/api/auth/register', { body: account, headers })
    const as = `Bearer ${registered.json<{ accessToken: string }>().accessToken}`
    expect((await bench.call('GET', `/api/reservations/${reservation.id}`, { as })).json()).toMatchObject({
      ...{ names, terms: { url }, email: 'mai@example.com' },
    })
  })

  it('[B201] free seats are no exception; an event that asks for nothing sells as before', async () => {
    const free = await bench.sale(OPEN_FLOOR, {
      totalSeats: 3,
      checkout: { terms: { label: 'House rules', url: TERMS } },
    })
    const buyer = await Buyer.admitted(bench, free)
    const event = (await bench.call('GET', free)).json<{ seatTypes: { id: string }[]; checkout: object }>()
    expect(event.checkout).toEqual({
      ...{ names: false, questions: [], marketing: false, terms: { label: 'House rules', url: TERMS } },
    })
    const reservation = await buyer.reserved({ seatTypeId: event.seatTypes[0]?.id, quantity: 1 })
    expectError(await cashier.pay(buyer, reservation.id), 400, 'TERMS_NEEDED')
    await buyer.sayEmail(reservation.id, { acceptTerms: true })
    expect((await cashier.pay(buyer, reservation.id)).statusCode).toBe(201)
  })

  it('[E30] ids of questions survive edits, and edits keep the parts that they do not name', async () => {
    const asked = { kind: 'text', label: 'Why?', per: 'order' }
    const where = await bench.sale(OPEN_FLOOR, { checkout: { questions: [asked], marketing: true } })
    const idOf = (answer: Answer) =>
      answer.json<{ checkout: { questions: { id: string }[] } }>().checkout.questions[0]?.id
    const before = idOf(await bench.call('GET', where))
    const edit = (checkout: object) =>
      bench.call('PATCH', where, { as: bench.organizer.authorization, body: { checkout } })
    const edited = await edit({ questions: [{ ...asked, required: true }] })
    expect(idOf(edited)).toBe(before)
    expect(edited.json()).toMatchObject({ checkout: { marketing: true, questions: [{ required: true }] } })
    expect(idOf(await edit({ questions: [{ ...asked, id: before, label: 'Why not?' }] }))).toBe(before)
    for (const bad of [
      { questions: Array.from({ length: 11 }, (_, index) => ({ ...asked, label: `Q${index}` })) },
      { questions: [{ ...asked, label: 'x'.repeat(201) }] },
      { questions: [{ ...asked, id: '__proto__' }] },
      { questions: [{ ...asked, kind: 'number' }] },
      { terms: { url: 'ftp://example.com' } },
      { colour: 'red' },
    ]) {
      expectError(await edit(bad), 400, 'BAD_REQUEST')
    }
  })
})
