import { openScratchLedger } from '@seatwise/testbench'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isOwnMethod } from '../security/security-world.ts'
import type { Answer } from '../support/events.ts'
import { expectError } from '../support/kernel.ts'
import { openRoomServer, RoomBench } from '../support/room.ts'

/** What a browser says when a visitor follows a link on another site. */
const LINK = {
  'sec-fetch-site': 'cross-site',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
  'sec-fetch-user': '?1',
}
const { 'sec-fetch-user': _user, ...SCRIPTED_NAVIGATION } = LINK
const IMAGE = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' }

let bench: RoomBench
let close: () => Promise<void>
beforeAll(async () => {
  const ledger = await openScratchLedger()
  const server = await openRoomServer(ledger)
  bench = await RoomBench.open(server)
  close = async () => {
    await server.close()
    await ledger.close()
  }
})
afterAll(() => close())

/** Room for one guest of this address: a ticket drawn by another site takes it from the visitor. */
const sale = (): Promise<string> => bench.sale({ guests: true, guestsPerAddress: 1, paused: true })
const pageOf = (room: string): string => `${room.replace('/api', '')}/wait`
const ask = (method: 'GET' | 'HEAD', room: string, headers: Record<string, string>): Promise<Answer> =>
  bench.server.app.inject({ method, url: pageOf(room), headers })

describe('opening the waiting page', () => {
  it.each([
    ['GET', 'an image of another site', IMAGE],
    ['HEAD', 'another site', IMAGE],
    ['HEAD', 'a followed link', LINK],
    ['GET', 'a frame of another site', { ...LINK, 'sec-fetch-dest': 'iframe' }],
    ['GET', 'a frame of this site', { ...LINK, 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'iframe' }],
    ['GET', 'a script of another site that navigates', SCRIPTED_NAVIGATION],
    ['GET', 'a fetch of this site', { ...IMAGE, 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'empty' }],
    ['GET', 'a prefetch', { ...LINK, 'sec-purpose': 'prefetch' }],
    ['GET', 'a prerender', { ...LINK, 'sec-fetch-site': 'none', 'sec-purpose': 'prefetch;prerender' }],
    ['GET', 'a prefetch of older browsers', { ...LINK, purpose: 'prefetch' }],
    ['GET', 'a browser without fetch metadata', {}],
  ] as const)('[X18] %s by %s draws no ticket and uses up no guest place', async (method, _by, headers) => {
    const room = await sale()
    const answer = await ask(method, room, headers)
    expect([answer.statusCode, answer.headers['set-cookie']]).toEqual([200, undefined])
    expect((await bench.join(room, '')).rank).toBe(0)
  })

  it.each([
    ['a link on another site', LINK],
    ['the address bar', { ...LINK, 'sec-fetch-site': 'none' }],
    ['a redirect within the site', { ...SCRIPTED_NAVIGATION, 'sec-fetch-site': 'same-origin' }],
    ['a page of a sibling domain', { ...SCRIPTED_NAVIGATION, 'sec-fetch-site': 'same-site' }],
  ])('[X18 control] opened by %s it joins', async (_by, headers) => {
    const room = await sale()
    expect(String((await ask('GET', room, headers)).headers['set-cookie'])).toContain('seatwise-tickets=')
    const second = await bench.call('POST', `${room}/queue/join`, { body: {} })
    expectError(second, 409, 'TOO_MANY_GUESTS')
  })

  it('[W34] a visitor who did not join by opening the page joins by a button, a plain form that works without a script', async () => {
    const room = await sale()
    const page = await ask('GET', room, {})
    const action = /<form method="post" action="([^"]+)" data-action="join">/.exec(page.body)?.[1] ?? ''
    expect(action).toBe(`${pageOf(room)}/join`)
    const joined = await bench.server.app.inject({
      method: 'POST',
      url: action,
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'http://localhost:80' },
      payload: '',
    })
    expect([joined.statusCode, joined.headers.location]).toEqual([303, pageOf(room)])
    const cookie = [joined.headers['set-cookie']].flat().map((line) => String(line).split(';', 1)[0])
    expect((await ask('GET', room, { cookie: cookie.join('; ') })).body).not.toContain('data-action="join"')
  })

  it('[W34] where joining is not possible the page says so instead of showing the button', async () => {
    const late = { salesStartAt: '2026-01-01T00:00:00Z', salesEndAt: '2026-01-02T00:00:00Z' }
    const early = { salesStartAt: '2098-01-01T00:00:00Z', salesEndAt: '2099-01-02T00:00:00Z' }
    for (const [room, state] of [
      [await bench.sale({ guests: true }, late), 'ended'],
      [await bench.sale({ guests: true }, early), 'before'],
      [await bench.sale({ guests: false }), 'sign-in'],
    ] as const) {
      const { body } = await ask('GET', room, {})
      expect([state, body.includes(`data-state="${state}"`)]).toEqual([state, true])
      expect([state, body.includes('data-action="join"')]).toEqual([state, false])
    }
  })
})

it('[X19] a page of another site changes nothing on any route, not even with requests that need no permission', async () => {
  const room = await sale()
  const taken = []
  const rules = bench.server.app.accessRules.filter((rule) => isOwnMethod(rule) && rule.method !== 'GET')
  expect(rules.length).toBeGreaterThan(40)
  for (const { method, url } of rules) {
    const address = url.replace(/:\w+/, room.split('/').at(-1) ?? '').replace(/:\w+/g, '1')
    for (const headers of [
      { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
      { 'sec-fetch-site': 'same-site', origin: 'https://evil.localhost' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
    ]) {
      const answer = await bench.server.app.inject({ method: method as 'POST', url: address, headers })
      const isSentToSignIn = String(answer.headers.location).startsWith('/sign-in')
      if (![401, 403].includes(answer.statusCode) && !isSentToSignIn) taken.push(`${method} ${address}`)
    }
  }
  expect(taken).toEqual([])
  expect((await bench.join(room, '')).rank).toBe(0)
})

it('[X19] an API client, and a page of this site, change what they may', async () => {
  const join = async (headers: Record<string, string>) =>
    (await bench.call('POST', `${await sale()}/queue/join`, { headers, body: {} })).statusCode
  expect(await join({})).toBe(200)
  expect(await join({ 'sec-fetch-site': 'same-origin', origin: 'null' })).toBe(200)
  expect(await join({ origin: 'http://localhost:80' })).toBe(200)
  expect(await join({ origin: 'capacitor://localhost', authorization: bench.buyer() })).toBe(200)
})
