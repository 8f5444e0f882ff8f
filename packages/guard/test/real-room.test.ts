import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expectFields, expectRecord, type Server, shape, startServer, waitUntil } from '@seatwise/testbench'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { forFetch } from '../src/index.ts'
import { connectorSuite } from './connector-suite.ts'
import {
  type Counter,
  GUARDED,
  guardOf,
  openCounter,
  openExpress,
  openFastify,
  openNginx,
  origin,
  type Site,
} from './guarded-sites.ts'
import { openPage, type Page, sendRaw } from './raw-request.ts'
import { generateTricks, type Loot, type Trick } from './tricks.ts'
import { Visitor } from './visitor.ts'

let server: Server
let admin: string
let counter: Counter
const sites: Site[] = []

async function makeRoom(target: string): Promise<string> {
  const limits = { burst: 1_000, ratePerMinute: 60_000, capacity: 1_000, guests: true, guestsPerAddress: 1_000 }
  const answer = await fetch(`${server.url}/api/rooms`, {
    method: 'POST',
    headers: { authorization: `Bearer ${admin}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'A guarded site', target, ...limits }),
  })
  return expectFields(await answer.json(), { id: shape.text }).id
}

beforeAll(async () => {
  server = await startServer({ mode: 'embedded' })
  admin = await server.adminToken()
  counter = await openCounter(server.url)
  const parts = { server, counter, makeRoom }
  sites.push(await openExpress(parts), await openFastify(parts), await openNginx(parts))
})
afterAll(async () => {
  for (const site of sites) await site.close()
  await counter?.close()
  await server?.discard()
})

const siteNamed = (name: string): Site => {
  const site = sites.find((candidate) => candidate.name === name)
  if (site === undefined) throw new Error(`There is no site ${name}`)
  return site
}
const visit = (site: Site, cookie: string, path = '/drop'): Promise<Page> => openPage(site.url + path, cookie)
const isIn = async (site: Site, cookie: string): Promise<boolean> => (await visit(site, cookie)).body === GUARDED

describe.each(['Express', 'Fastify', 'nginx'])('a guarded %s', (name) => {
  it('[G22][G24][G25] sends a visitor to wait, and lets them in to where they wanted to go', async () => {
    const site = siteNamed(name)
    const sent = await openPage(`${site.url}/drop?size=42`)
    const wait = `${server.url}/rooms/${site.room}/wait?to=%2Fdrop%3Fsize%3D42`
    expect([sent.status, sent.location]).toEqual([303, wait])
    const told = await fetch(`${site.url}/api/cart`, { method: 'PUT', body: 'x' })
    expect([told.status, expectRecord(await told.json()).code]).toEqual([401, 'PASS_REQUIRED'])
    const visitor = await Visitor.join(server.url, site.room)
    const { location, cookie } = await visitor.enter('/drop?size=42')
    expect(location).toBe(`${site.url}/drop?size=42`)
    expect(await isIn(site, cookie)).toBe(true)
    expect(await (await fetch(`${site.url}/assets/app.css`)).text()).toBe('open to all')
  })

  it('[G26] asks the room nothing about visitors who are in', async () => {
    const site = siteNamed(name)
    const { cookie } = await (await Visitor.join(server.url, site.room)).enter()
    await visit(site, cookie)
    const [before, startedAt] = [counter.calls.length, Date.now()]
    for (let times = 0; times < 20; times += 1) {
      const answers = await Promise.all(Array.from({ length: 10 }, () => isIn(site, cookie)))
      expect(answers).not.toContain(false)
    }
    const asked = counter.calls.slice(before)
    expect(asked.filter((call) => call !== 'GET revoked')).toEqual([])
    expect(asked.length).toBeLessThanOrEqual((Date.now() - startedAt) / 2_000 + 1)
  })

  it('[G27] learns that a pass was revoked', async () => {
    const site = siteNamed(name)
    const visitor = await Visitor.join(server.url, site.room)
    const { cookie } = await visitor.enter()
    expect(await isIn(site, cookie)).toBe(true)
    await terminate(visitor)
    await waitUntil('the guard knows', async () => !(await isIn(site, cookie)))
    expect((await visit(site, cookie)).setCookie).toContain('Max-Age=0')
  })

  it('[G29] none of 200 tricks gets through without a valid pass', async () => {
    const site = siteNamed(name)
    const tricks = generateTricks(await lootOf(site))
    expect(tricks.length).toBeGreaterThanOrEqual(200)
    const through: string[] = []
    for (let at = 0; at < tricks.length; at += 20) {
      await Promise.all(
        tricks.slice(at, at + 20).map(async (trick) => {
          if (reached(await sendRaw(site.url, trick))) through.push(trick.name)
        }),
      )
    }
    expect(through).toEqual([])
    // And it was the guard: a visitor with a session gets through.
    expect(await isIn(site, (await (await Visitor.join(server.url, site.room)).enter()).cookie)).toBe(true)
  })
})

describe('a site without a guard', () => {
  it('[G29 control] is reached by most of the same tricks', async () => {
    const bare = createServer(origin).listen(0, '127.0.0.1')
    await once(bare, 'listening')
    const url = `http://127.0.0.1:${(bare.address() as AddressInfo).port}`
    const tricks: Trick[] = generateTricks(await lootOf(siteNamed('Express')))
    const answers = await Promise.all(tricks.map((trick) => sendRaw(url, trick)))
    bare.close()
    expect(answers.filter(reached).length).toBeGreaterThan(150)
  })
})

describe('renewal', () => {
  it('[G30] more time given by the room is more time at the site, by the way of the waiting page', async () => {
    const site = siteNamed('Express')
    const visitor = await Visitor.join(server.url, site.room)
    const first = await visitor.enter()
    await fetch(`${server.url}/api/rooms/${site.room}/queue/extend`, {
      method: 'POST',
      headers: { 'seatwise-ticket': visitor.ticket },
    })
    const second = await visitor.enter('/cart')
    expect(second.location).toBe(`${site.url}/cart`)
    expect(second.maxAge - first.maxAge).toBeGreaterThan(250)
    expect([await isIn(site, first.cookie), await isIn(site, second.cookie)]).toEqual([false, true])
  })
})

describe('leaving', () => {
  it.each(['Express', 'Fastify'])('[G31] %s frees the slot by a header of its answer', async (name) => {
    const site = siteNamed(name)
    const visitor = await Visitor.join(server.url, site.room)
    const { cookie } = await visitor.enter()
    const thanks = await visit(site, cookie, '/thanks')
    expect(thanks.body).toBe(GUARDED)
    expect(thanks.headers['seatwise-complete']).toBeUndefined()
    expect(thanks.setCookie).toContain('Max-Age=0')
    expect(await isIn(site, cookie)).toBe(false)
    await waitUntil('the slot is free', async () => (await visitor.status()).status === 'completed')
  })

  it('[G31] a page behind nginx frees it by asking the guard', async () => {
    const site = siteNamed('nginx')
    const visitor = await Visitor.join(server.url, site.room)
    const { cookie } = await visitor.enter()
    const done = await fetch(`${site.url}/.seatwise/complete`, {
      method: 'POST',
      headers: { cookie, origin: site.url },
    })
    expect(done.status).toBe(204)
    await waitUntil('the slot is free', async () => (await visitor.status()).status === 'completed')
    expect(await isIn(site, cookie)).toBe(false)
  })
})

describe('our own box office on another host', () => {
  it('[G29] stands behind a guard like any other site', async () => {
    const shop = 'https://tickets.example.com'
    const room = await makeRoom(shop)
    const guarded = forFetch(guardOf({ server, counter, makeRoom }, shop, room))
    const ask = (path: string, init: RequestInit = {}) =>
      guarded(new Request(shop + path, init), (request) => fetch(server.url + path, { headers: request.headers }))
    expect((await ask('/api/events')).status).toBe(401)
    const page = await (await Visitor.join(server.url, room)).goBack('/api/events')
    expect(page).toContain(`action="${shop}/.seatwise/enter"`)
    const pass = /name="pass" value="([^"]*)"/.exec(page)?.[1] ?? ''
    const body = new URLSearchParams({ pass, to: '/api/events' })
    const entered = await ask('/.seatwise/enter', { method: 'POST', body, headers: { origin: server.url } })
    expect([entered.status, entered.headers.get('location')]).toEqual([303, `${shop}/api/events`])
    const cookie = entered.headers.get('set-cookie')?.split(';', 1)[0] ?? ''
    expect(cookie).toMatch(/^__Host-/)
    expect(await (await ask('/api/events', { headers: { cookie } })).json()).toMatchObject({ items: [] })
  })
})

connectorSuite(() => server)

/** The visitor saw the page, or only its headers. */
function reached(answer: string): boolean {
  return answer.includes(GUARDED) || /^x-reached: guarded/im.test(answer)
}

async function terminate(visitor: Visitor): Promise<void> {
  const { ticketId } = await visitor.status()
  const answer = await fetch(`${server.url}/api/rooms/${visitor.room}/queue/terminate`, {
    method: 'POST',
    headers: { authorization: `Bearer ${admin}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ticketId }),
  })
  expect(answer.status).toBe(200)
}

const loot = new Map<Site, Promise<Loot>>()

function lootOf(site: Site): Promise<Loot> {
  const collected = loot.get(site) ?? collectLoot(site)
  loot.set(site, collected)
  return collected
}

/** Sessions and passes that look real and must not count here: ended ones, and those of other rooms. */
async function collectLoot(site: Site): Promise<Loot> {
  const ended = await Visitor.join(server.url, site.room)
  const { cookie, pass } = await ended.enter()
  await terminate(ended)
  await waitUntil('the session has ended', async () => !(await isIn(site, cookie)))
  const others = sites.filter((other) => other !== site)
  const foreign = await Promise.all(others.map(async (other) => (await Visitor.join(server.url, other.room)).enter()))
  const foreignPass = foreign[0]?.pass ?? ''
  return { endedCookie: cookie, endedPass: pass, foreignPass, foreignCookies: foreign.map((entered) => entered.cookie) }
}
