import { createHmac } from 'node:crypto'
import { handOutNews } from '@seatwise/ledger'
import { openScratchLedger } from '@seatwise/testbench'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { App } from '../../src/http/http-server.ts'
import { openTestApp, registerVisitor, registerWithRole, type TestServices, type Visitor } from '../support/accounts.ts'
import type { Answer } from '../support/events.ts'
import { buy, organizationOf, Receiver } from '../support/news.ts'
import { Mails } from '../support/sign-in-mail.ts'

const FORM = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' }

let app: App
let services: TestServices
let owner: Visitor
let base: string
beforeAll(async () => {
  const ledger = await openScratchLedger()
  ;({ app, services } = await openTestApp(ledger, {
    env: { SEATWISE_RATE_LIMITS: 'off', SEATWISE_PRIVATE_WEBHOOKS: 'on' },
  }))
  services.clock.nowMs = Date.now()
  owner = await registerWithRole(app, ledger, 'organizer')
  base = `/console/organizations/${await organizationOf(ledger, owner.id)}`
})
afterAll(async () => {
  await app.close()
  await services.rooms.close()
  await services.ledger.close()
})

const open = (path: string, who = owner): Promise<Answer> =>
  app.inject({ url: path, headers: { authorization: who.authorization } })
const send = (path: string, fields: Record<string, string> = {}, who = owner): Promise<Answer> => {
  const payload = new URLSearchParams(fields).toString()
  return app.inject({ method: 'POST', url: path, headers: { ...FORM, authorization: who.authorization }, payload })
}
/** What the page says after a form, following where it leads. */
const follow = async (answer: Answer, who = owner): Promise<string> => {
  expect([answer.statusCode, answer.body.slice(0, 200)]).toEqual([303, ''])
  return (await open(String(answer.headers.location), who)).body
}
const verified = async (): Promise<Visitor> => {
  const visitor = await registerVisitor(app)
  await services.ledger.db.updateTable('users').set({ verified_at: new Date() }).where('id', '=', visitor.id).execute()
  return visitor
}

it('[W186] a member is invited, gets another role, and is no member any more', async () => {
  const known = await verified()
  expect(await follow(await send(`${base}/team`, { email: known.email, role: 'door' }))).toContain('it is a member now')
  const [invited, page] = ['new-face@example.com', `${base}/team`]
  expect(await follow(await send(page, { email: invited, role: 'viewer' }))).toContain('The invitation is on its way')
  const shown = (await open(page)).body
  expect(shown).toContain(known.email)
  const withdraw = /action="([^"]+\/withdraw)"/.exec(shown)?.[1] ?? ''
  const after = await follow(await send(withdraw))
  expect(after).toContain('The invitation is withdrawn')
  expect(after).not.toContain(invited)

  expect((await open(base, known)).statusCode).toBe(200)
  expect((await open(page, known)).statusCode).toBe(403)
  expect(await follow(await send(`${page}/members/${known.id}/role`, { role: 'owner' }))).toContain('Saved')
  expect((await open(page, known)).statusCode).toBe(200)
  expect(await follow(await send(`${page}/members/${known.id}/end`))).toContain('The membership has ended')
  expect((await open(page, known)).statusCode).toBe(404)
})

it('[W186] what is refused says so and changes nothing', async () => {
  const page = `${base}/team`
  const wrong = await send(page, { email: 'no address', role: 'viewer' })
  expect([wrong.statusCode, wrong.body.includes('value="no address"')]).toEqual([422, true])
  expect(wrong.body).toContain('That is not an email address')
  for (const [path, fields] of [
    [`${page}/members/${owner.id}/role`, { role: 'viewer' }],
    [`${page}/members/${owner.id}/end`, {}],
  ] as const) {
    const refused = await send(path, fields)
    expect([refused.statusCode, refused.body.includes('An organization needs an owner')]).toEqual([422, true])
  }
  expect((await send(`${page}/members/no-id/end`)).body).toContain('no longer there')
  expect((await send(`${page}/invitations/no-id/withdraw`)).body).toContain('no longer there')
  expect((await open(page)).statusCode).toBe(200)
})

it('[W187] a key is made after a fresh sign-in, shown once, used and revoked', async () => {
  const page = `${base}/keys`
  const wish = { name: 'Till <1>', role: 'viewer', days: '30' }
  const mails = new Mails({ app, services })
  await mails.age(owner.email)
  const asked = await send(page, wish)
  const next = new URL(String(asked.headers.location), 'http://localhost').searchParams.get('next') ?? ''
  expect([asked.statusCode, next]).toEqual([303, `${page}?${new URLSearchParams(wish)}`])
  const filledIn = (await open(next)).body
  expect(filledIn).toContain('value="Till &lt;1&gt;"')
  expect(filledIn).toMatch(/value="viewer" selected/)
  expect(filledIn).toMatch(/value="30" selected/)

  await send('/sign-in/again', { password: 'nine green bottles', next })
  const made = await send(page, wish)
  const key = /value="(swk_\w+)"/.exec(made.body)?.[1] ?? ''
  expect([made.statusCode, made.headers['cache-control'], key.length]).toEqual([200, 'no-store', 42])
  const use = () => app.inject({ url: '/api/organizations', headers: { authorization: `Bearer ${key}` } })
  expect((await use()).statusCode).toBe(200)
  await services.identity.teams.tidy()
  const listed = (await open(page)).body
  expect(listed).not.toContain(key)
  expect(listed).toContain(`ends with ${key.slice(-4)}`)
  expect(listed).toContain('Last used')
  const revoke = /action="([^"]+\/revoke)"/.exec(listed)?.[1] ?? ''
  expect(await follow(await send(revoke))).toContain('The key is revoked')
  expect((await use()).statusCode).toBe(401)
  expect((await send(revoke)).body).toContain('no longer there')
})

it('[W187] a key that is over says so', async () => {
  const page = `${base}/keys`
  await send(page, { name: 'Short', role: 'door', days: '30' })
  expect((await open(page)).body).not.toContain('Expired')
  const past = { expires_at: new Date(services.clock.nowMs - 1) }
  await services.ledger.db.updateTable('api_keys').set(past).where('name', '=', 'Short').execute()
  expect((await open(page)).body).toContain('Expired')
})

it('[W189] a webhook is added, called by hand, and tells what was sent and why it failed; a call is made again', async () => {
  const receiver = await Receiver.open()
  const all = `${base}/webhooks`
  const made = (await send(all, { url: receiver.url, 'purchase.paid': 'on' })).body
  const secret = /value="whsec_([^"]+)"/.exec(made)?.[1] ?? ''
  const page = /href="(\/console\/webhooks\/[^"]+)"/.exec(made)?.[1] ?? ''
  expect((await open(all)).body).not.toContain('whsec_')
  expect((await open(all)).body).toContain(`href="${page}"`)

  expect((await send(`${page}/test`)).body).toContain('It answered 2xx')
  const [call] = receiver.calls
  const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signature } = call?.headers ?? {}
  const mac = createHmac('sha256', Buffer.from(secret, 'base64')).update(`${id}.${at}.${call?.body}`).digest('base64')
  expect([call?.type, signature]).toEqual(['test', `v1,${mac}`])
  receiver.answer((response) => response.writeHead(503).end())
  const failed = await send(`${page}/test`)
  expect(failed.statusCode).toBe(422)
  expect(failed.body).toMatch(/It did not work: 127\.0\.0\.1:\d+ answered 503/)
  await receiver.close()
  expect((await send(`${page}/test`)).body).toContain('ECONNREFUSED')

  const { db } = services.ledger
  await buy(services.ledger, { organizerId: owner.id })
  await handOutNews(db, { newsMax: 100, mailTypes: [] })
  await db.updateTable('deliveries').set({ attempts: 12, given_up_at: new Date(), problem: 'answered <500>' }).execute()
  const log = (await open(page)).body
  expect(log).toContain('answered &lt;500&gt;')
  expect(log).toContain('Given up')
  const delivery = /name="delivery" value="([^"]+)"/.exec(log)?.[1] ?? ''
  expect(await follow(await send(`${page}/resend`, { delivery }))).toContain('Next attempt')
  expect((await send(`${page}/resend`, { delivery })).body).toContain('It is on its way already')
  const calls = await app.inject({
    url: `/api${page.replace('/console', '')}/deliveries`,
    headers: { authorization: owner.authorization },
  })
  expect(calls.json()).toMatchObject({ items: [{ id: delivery, state: 'waiting', attempts: 0 }], nextCursor: null })
  await db.updateTable('deliveries').set({ delivered_at: new Date() }).execute()
  expect((await open(page)).body).toContain('Delivered')
  expect((await send(`${page}/resend`, { delivery })).statusCode).toBe(303)

  const stranger = await registerWithRole(app, services.ledger, 'organizer')
  expect((await send(`${page}/test`, {}, stranger)).statusCode).toBe(404)
  expect(await follow(await send(`${page}/delete`))).toContain('The webhook is deleted')
  expect((await open(page)).statusCode).toBe(404)
})

it('[W189] an address that cannot be called is refused with what was typed, and a stale sign-in comes back to it', async () => {
  const all = `${base}/webhooks`
  const refused = await send(all, { url: 'ftp://shop.example/', 'offer.made': 'on' })
  expect([refused.statusCode, refused.body.includes('value="ftp://shop.example/"')]).toEqual([422, true])
  expect(refused.body).toMatch(/name="offer\.made" checked/)
  await new Mails({ app, services }).age(owner.email)
  const asked = await send(all, { url: 'https://shop.example/', 'offer.made': 'on' })
  const next = new URL(String(asked.headers.location), 'http://localhost').searchParams.get('next') ?? ''
  expect((await open(next)).body).toMatch(/name="offer\.made" checked/)
})

it('[W188] settings are the owner’s to change; every member sees what they may open, switches and leaves', async () => {
  const edited = await send(base, { name: 'Opera <b>', address: 'Ring 1\r\nWien', taxNumber: 'ATU 1' })
  const page = await follow(edited)
  expect(page).toContain('Opera &lt;b&gt;')
  expect(page).toContain('Ring 1\nWien</textarea>')
  expect((await send(base, { name: '   ', address: '', taxNumber: '' })).statusCode).toBe(400)

  const seller = await verified()
  await send(`${base}/team`, { email: seller.email, role: 'box_office' })
  const theirs = (await open(base, seller)).body
  expect(theirs).toContain('Only owners change this')
  expect(theirs).not.toContain(`${base}/team`)
  expect(theirs).not.toContain(`${base}/keys`)
  expect(theirs).not.toContain('action="/console/organization"')
  expect((await send(base, { name: 'Mine' }, seller)).statusCode).toBe(403)
  expect((await open('/console/organization', seller)).headers.location).toBe(base)

  const admin = await registerWithRole(app, services.ledger, 'admin')
  const made = String((await send('/console/organizations', { name: 'Second' }, admin)).headers.location)
  expect((await open(made, admin)).body).toContain('action="/console/organization"')
  const other = made.split('/').at(-1) ?? ''
  expect((await open(`/console/organization?id=${other}`, admin)).headers.location).toBe(made)
  expect((await send('/console/organizations', { name: 'Mine' }, seller)).statusCode).toBe(403)

  expect((await send(`${base}/leave`, {}, seller)).headers.location).toBe('/')
  expect((await open(base, seller)).statusCode).toBe(404)
  const last = await send(`${base}/leave`)
  expect([last.statusCode, last.body.includes('An organization needs an owner')]).toEqual([422, true])
})

const FLOOR = [
  [0, 0],
  [8, 0],
  [8, 4],
]

it('[E86][W191] an event is duplicated as a draft with everything but what belongs to its sale, and published by a button', async () => {
  const rows = [{ label: 'A', seats: 4, blocked: [1], accessible: [2], x: 3, y: 4 }]
  const variants = [
    { name: 'Adult', price: 9_000 },
    { name: 'Child', price: 4_500 },
  ]
  const made = await app.inject({
    ...{ method: 'POST', url: '/api/events', headers: { authorization: owner.authorization } },
    payload: {
      ...{ name: 'Aurora', code: 'AURORA', location: 'Hà Nội', timeZone: 'Asia/Ho_Chi_Minh', ageMin: 16, taxRate: 19 },
      ...{ salesStartAt: '2030-01-01T10:00:00Z', salesEndAt: '2030-01-02T10:00:00Z', additionalInfo: { hall: 2 } },
      shapes: [{ kind: 'stage', label: 'Bühne', outline: FLOOR }],
      fees: [{ name: 'Booking', perTicket: 150 }],
      seatTypes: [
        { name: 'Stalls', price: 9_000, currency: 'EUR', reservedSeating: true, variants, rows },
        { name: 'Standing', price: 4_500, currency: 'EUR', totalQuantity: 7, hidden: true, area: FLOOR },
      ],
      checkout: { names: true, questions: [{ kind: 'choice', label: 'Menu', choices: ['a', 'b'], per: 'ticket' }] },
      room: { capacity: 7, ratePerMinute: 70, message: undefined, guests: false },
    },
  })
  expect([made.statusCode, made.body.slice(0, 200)]).toEqual([201, expect.any(String)])
  const { id } = made.json<{ id: string }>()
  const console = `/console/events/${id}`
  const answer = await send(`${console}/duplicate`)
  const copyPage = String(answer.headers.location).replace('/edit', '')
  expect(copyPage).toMatch(/^\/console\/events\//)
  expect(copyPage).not.toBe(console)
  const read = async (path: string) => (await open(path.replace('/console', '/api'))).json<Record<string, unknown>>()
  const [original, copy] = [await read(console), await read(copyPage)]
  const own = new Set(['id', 'roomId', 'code', 'state', 'createdAt', 'updatedAt'])
  const facts = (event: Record<string, unknown>): unknown =>
    JSON.parse(
      JSON.stringify(Object.fromEntries(Object.entries(event).filter(([field]) => !own.has(field)))).replaceAll(
        /"id":"[^"]+"/g,
        '"id":"-"',
      ),
    )
  expect(facts(copy)).toEqual(facts(original))
  expect([copy.state, copy.code, copy.roomId === original.roomId]).toEqual(['draft', null, false])

  expect((await open(copyPage)).body).toContain('A draft: only your team sees it')
  expect((await open('/console')).body).toContain('>Draft</span>')
  expect((await app.inject({ url: copyPage.replace('/console', '') })).statusCode).toBe(404)
  expect((await send(`${copyPage}/publish`)).headers.location).toBe(copyPage)
  expect((await app.inject({ url: copyPage.replace('/console', '') })).statusCode).toBe(200)
  expect((await open(copyPage)).body).not.toContain('/publish"')
})
