import { randomUUID } from 'node:crypto'
import { beforeAll, expect, it } from 'vitest'
import { codesOf, HALL, typesOf } from '../box-office/codes/codes-kit.ts'
import type { Answer } from '../support/events.ts'
import { forEachMode, OPEN_FLOOR, until } from '../support/reservation.ts'
import type { RoomBench } from '../support/room.ts'

const FORM = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' }
/** What a browser sends when a visitor follows a link on our pages. */
const VISIT = {
  'sec-fetch-site': 'same-origin',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-user': '?1',
  'sec-fetch-dest': 'document',
}

/** A browser without a script: it keeps cookies, sends forms, and follows where they lead. */
class PlainBrowser {
  readonly #bench: RoomBench
  readonly #cookies = new Map<string, string>()

  constructor(bench: RoomBench) {
    this.#bench = bench
  }

  async get(url: string): Promise<Answer> {
    return this.#keep(await this.#bench.server.app.inject({ url, headers: { ...VISIT, ...this.#sent() } }))
  }

  async post(url: string, fields: Record<string, string>): Promise<Answer> {
    const payload = new URLSearchParams(fields).toString()
    const headers = { ...FORM, ...this.#sent() }
    const answer = this.#keep(await this.#bench.server.app.inject({ method: 'POST', url, headers, payload }))
    return answer.statusCode === 303 ? await this.get(String(answer.headers.location)) : answer
  }

  /** Joins the line, and waits for the turn: joining only queues a visitor, also where the floor has room for all. */
  async enter(page: string): Promise<void> {
    await this.get(`${page}/wait`)
    await until(async () => (await this.get(`${page}/seats`)).statusCode === 200)
  }

  #sent(): Record<string, string> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    return cookie === '' ? {} : { cookie }
  }

  #keep(answer: Answer): Answer {
    for (const written of [answer.headers['set-cookie'] ?? []].flat()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(written) ?? []
      this.#cookies.set(name, value)
    }
    return answer
  }
}

forEachMode('the field for codes', (open) => {
  let bench: RoomBench
  beforeAll(async () => {
    bench = await open()
  })

  async function openHall(event: object = {}) {
    const sale = await bench.sale({ ...OPEN_FLOOR, guests: true }, { ...HALL, ...event })
    const browser = new PlainBrowser(bench)
    const page = sale.replace('/api', '')
    return { sale, page, browser, codes: codesOf(bench, sale), types: await typesOf(bench, sale) }
  }

  const keyIn = ({ body }: Answer): string => /name="key" value="([^"]+)"/.exec(body)?.[1] ?? randomUUID()

  it('[W110] one field on the event, waiting, seats and checkout pages takes a code and says what it does, without a script', async () => {
    const { page, browser, codes, types } = await openHall()
    await codes.post({ code: 'SPRING', percent: 10 })
    for (const at of [page, `${page}/wait`, `${page}/seats`]) {
      if (at.endsWith('/seats')) await browser.enter(page)
      const { body } = await browser.get(at)
      expect(body, at).toContain(`action="${page}/code"`)
      const wrong = await browser.post(`${page}/code`, { code: 'WRONG', next: at })
      expect(wrong.body, at).toContain('This code is not valid for this event.')
    }
    const applied = await browser.post(`${page}/code`, { code: ' spring', next: `${page}/seats` })
    expect(applied.body).toContain('SPRING: 10 % off')
    expect((await browser.get(`${page}/wait`)).body).toContain('SPRING: 10 % off')
    const wish = { choice: types.Standing ?? '', quantity: '2', key: keyIn(applied) }
    const checkout = await browser.post(`${page}/seats`, wish)
    expect(checkout.body).toContain('SPRING')
    expect(checkout.body).toContain('€81.00')
    const removed = await browser.post(`${page}/code`, { code: '', next: `${page}/seats` })
    expect(removed.body).not.toContain('SPRING: 10 % off')
  })

  it('[W110] no form leads away, and none stores what is no code', async () => {
    const { page, browser } = await openHall()
    const away = await browser.post(`${page}/code`, { code: '', next: 'https://elsewhere.example' })
    expect(away.body).not.toContain('elsewhere')
    const script = await browser.post(`${page}/code`, { code: '<script>alert(1)</script>', next: page })
    expect(script.body).not.toContain('<script>alert')
    const long = await browser.post(`${page}/code`, { code: 'x'.repeat(301), next: page })
    expect(long.statusCode).toBe(400)
  })

  it('[W110] a priority code in the same field counts when the visitor joins', async () => {
    const { sale, page, browser } = await openHall({ room: { ...OPEN_FLOOR, guests: true, paused: true } })
    const body = { class: 2, count: 1, expiresAt: new Date(Date.now() + 3_600_000).toISOString() }
    const made = await bench.call('POST', `${sale}/priority-codes`, { as: bench.organizer.authorization, body })
    const [priority = ''] = made.json<{ codes: string[] }>().codes
    const kept = await browser.post(`${page}/code`, { code: priority, next: page })
    expect(kept.body).toContain('Your code is saved')
    await new PlainBrowser(bench).get(`${page}/wait`)
    const joined = await browser.get(`${page}/wait`)
    expect(joined.body).toContain('You are already in line. A priority code counts only when you join.')
    const { items } = (await bench.call('GET', `${sale}/queue/front`, { as: bench.organizer.authorization })).json<{
      items: { class: number }[]
    }>()
    expect(items.map((item) => item.class)).toEqual([2, 0])
    // Another browser that has the same code joins without it.
    const second = new PlainBrowser(bench)
    await second.post(`${page}/code`, { code: priority, next: page })
    expect((await second.get(`${page}/wait`)).statusCode).toBe(200)
  })

  it('[W245] the waiting page takes an address for a mail at the turn, by a plain form, and says what is wrong with it', async () => {
    const { page, browser } = await openHall({ room: { ...OPEN_FLOOR, guests: true, paused: true } })
    const { body } = await browser.get(`${page}/wait`)
    expect(body).toContain(`action="${page}/wait/mail"`)
    const wrong = await browser.post(`${page}/wait/mail`, { email: 'nowhere' })
    expect([wrong.statusCode, wrong.body.includes('This is not an email address.')]).toEqual([422, true])
    const asked = await browser.post(`${page}/wait/mail`, { email: 'Ada@Example.com' })
    expect(asked.body).toContain('We will email you when it’s your turn.')
    expect(asked.body).not.toContain('/wait/mail')
    const rows = await bench.server.ledger.db
      .selectFrom('turn_mails')
      .select(['email', 'language', 'told_at'])
      .execute()
    expect(rows).toEqual([{ email: 'Ada@Example.com', language: 'en', told_at: null }])
    const stranger = new PlainBrowser(bench)
    expect((await stranger.post(`${page}/wait/mail`, { email: 'a@example.com' })).statusCode).toBe(401)
  })

  it('[W111] an access code shows the hidden types it opens on the seats page, and opens the presale', async () => {
    const at = (ms: number) => new Date(Date.now() + ms).toISOString()
    const times = { presaleStartAt: at(-60_000), salesStartAt: at(3_600_000), salesEndAt: at(7_200_000) }
    const { page, browser, codes, types } = await openHall(times)
    await codes.post({ code: 'FRIEND', access: true, seatTypeIds: [types.Friends, types.Stalls] })
    expect((await browser.get(`${page}/seats`)).statusCode).toBe(403)
    const before = await browser.post(`${page}/wait/join`, {})
    expect(before.body).toContain('data-state="before"')
    await browser.post(`${page}/code`, { code: 'friend', next: `${page}/wait` })
    await browser.enter(page)
    const seats = await browser.get(`${page}/seats`)
    expect(seats.statusCode).toBe(200)
    expect(seats.body).toContain('Friends')
    expect(seats.body).not.toContain('>Box')
    expect(seats.body).toContain('FRIEND opens tickets that are not on public sale.')
    const checkout = await browser.post(`${page}/seats`, {
      choice: types.Friends ?? '',
      quantity: '1',
      key: keyIn(seats),
    })
    expect(checkout.body).toContain('€10.00')
    expect(checkout.body).toContain('Friends')
    const stranger = await new PlainBrowser(bench).get(page)
    for (const name of ['Friends', '>Box']) expect(stranger.body).not.toContain(name)
  })

  it('[W112] a code at checkout changes the price of the same seats, or says why not', async () => {
    const { sale, page, browser, codes, types } = await openHall()
    await codes.post({ code: 'HALF', percent: 50 })
    await codes.post({ code: 'STALLS', percent: 50, seatTypeIds: [types.Stalls] })
    await browser.enter(page)
    const seats = await browser.get(`${page}/seats`)
    const checkout = await browser.post(`${page}/seats`, {
      choice: types.Standing ?? '',
      quantity: '2',
      key: keyIn(seats),
    })
    const idIn = ({ body }: Answer): string => /action="\/checkout\/([^/]+)\/code"/.exec(body)?.[1] ?? ''
    const first = idIn(checkout)
    const refused = await browser.post(`/checkout/${first}/code`, { code: 'STALLS', next: '/' })
    expect(refused.body).toContain('This code is not for these seats.')
    const unknown = await browser.post(`/checkout/${first}/code`, { code: 'NONE', next: '/' })
    expect(unknown.body).toContain('This code is not valid for this event.')
    const repriced = await browser.post(`/checkout/${first}/code`, { code: 'half', next: '/' })
    expect(repriced.body).toContain('€45.00')
    const { db } = bench.server.ledger
    const rows = await db
      .selectFrom('reservations')
      .innerJoin('reservation_items', 'reservation_items.reservation_id', 'reservations.id')
      .select(['reservations.id', 'status', 'seat_id'])
      .where('event_id', '=', sale.split('/').at(-1) ?? '')
      .execute()
    const seatsOf = (id: string) =>
      rows
        .filter((row) => row.id === id)
        .map(({ seat_id }) => seat_id)
        .sort()
    expect(seatsOf(idIn(repriced))).toEqual(seatsOf(first))
    expect(new Set(rows.map(({ id, status }) => `${id === first} ${status}`))).toEqual(
      new Set(['true CANCELED', 'false PENDING_PAYMENT']),
    )
  })
})
