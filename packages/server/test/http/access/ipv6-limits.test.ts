import type { IncomingMessage } from 'node:http'
import { get } from 'node:http'
import type { Ledger } from '@seatwise/ledger'
import { openScratchLedger } from '@seatwise/testbench'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { senderOf } from '../../../src/http/access/address.ts'
import { REGISTRATION_LIMIT } from '../../../src/http/access/limit-rates.ts'
import { newEmail, openTestApp, PASSWORD, registerVisitor } from '../../support/accounts.ts'
import { openRoomServer, RoomBench } from '../../support/room.ts'

/** Two addresses of one network, and one of the network beside it. */
const [HERE, NEIGHBOUR, ELSEWHERE] = ['2001:db8:7:1::a', '2001:db8:7:1:ffff:ffff:ffff:ffff', '2001:db8:7:2::a']

describe('what counts as one sender', () => {
  it('[A11] all spellings of all addresses of a /64 are one sender, and those of another are not', () => {
    const group = fc.integer({ min: 0, max: 0xffff })
    const addresses = fc.record({
      network: fc.tuple(group, group, group, group),
      hosts: fc.array(group, { minLength: 8 }),
    })
    fc.assert(
      fc.property(addresses, fc.integer({ min: 1, max: 0xffff }), ({ network, hosts }, distance) => {
        // 0:0:0:0 is where IPv4 addresses are written as IPv6.
        fc.pre(network.some((part) => part !== 0))
        const one = [...network, ...hosts.slice(0, 4)].map((part) => part.toString(16))
        const other = [...network, ...hosts.slice(4, 8)].map((part) => part.toString(16).padStart(4, '0').toUpperCase())
        const short = new URL(`http://[${one.join(':')}]`).hostname.slice(1, -1)
        expect(new Set([one.join(':'), other.join(':'), short, `${short}%eth0`].map(senderOf)).size).toBe(1)
        const beside = [...one.slice(0, 3), (((network[3] ?? 0) + distance) % 0x10000).toString(16), ...one.slice(4)]
        if (distance !== 0x10000) expect(senderOf(beside.join(':'))).not.toBe(senderOf(one.join(':')))
      }),
      { seed: 20261118 },
    )
  })

  it('[A11] an IPv4 address is one sender, also when it is written as IPv6', () => {
    const spellings = ['192.0.2.7', '::ffff:192.0.2.7', '::FFFF:c000:207', '0:0:0:0:0:ffff:c000:0207']
    expect(new Set(spellings.map(senderOf))).toEqual(new Set(['192.0.2.7']))
    expect(senderOf('::ffff:192.0.2.8')).not.toBe(senderOf('192.0.2.7'))
  })
})

describe('limits by address count an IPv6 /64', () => {
  let ledger: Ledger
  beforeAll(async () => {
    ledger = await openScratchLedger()
  })
  afterAll(() => ledger.close())

  it('[A42][A25] rates: of every request, and of registrations', async () => {
    const { app } = await openTestApp(ledger)
    const ask = async (remoteAddress: string, url = '/api/events') =>
      (await app.inject({ url, remoteAddress, method: url === '/api/events' ? 'GET' : 'POST' })).statusCode
    // An empty body is refused after it was counted, and makes no account.
    await exhaust(REGISTRATION_LIMIT.burst, () => ask(HERE, '/api/auth/register'))
    expect([await ask(NEIGHBOUR, '/api/auth/register'), await ask(ELSEWHERE, '/api/auth/register')]).toEqual([429, 400])
    expect([await ask(NEIGHBOUR), await ask(ELSEWHERE)]).toEqual([200, 200])
    await exhaust(5_000, () => ask(HERE))
    expect([await ask(NEIGHBOUR), await ask(ELSEWHERE)]).toEqual([429, 200])
    await app.close()
  })

  it.each(['/api/auth/login', '/sign-in'])('[A42][A8] wrong passwords at %s', async (url) => {
    const { app } = await openTestApp(ledger)
    const { email } = await registerVisitor(app, newEmail())
    const isPage = url === '/sign-in'
    const signIn = async (remoteAddress: string, password: string) => {
      const form = new URLSearchParams({ email, password, next: '/' }).toString()
      const headers = isPage
        ? { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' }
        : { 'content-type': 'application/json' }
      const payload = isPage ? form : JSON.stringify({ email, password })
      const answer = await app.inject({ method: 'POST', url, remoteAddress, headers, payload })
      return answer.statusCode < 400
    }
    for (let failure = 0; failure < 5; failure += 1) expect(await signIn(HERE, 'wrong one')).toBe(false)
    expect([await signIn(NEIGHBOUR, PASSWORD), await signIn(ELSEWHERE, PASSWORD)]).toEqual([false, true])
    await app.close()
  })

  it('[A42][A33] wrong passwords at replacing one’s own', async () => {
    const { app } = await openTestApp(ledger)
    const { authorization } = await registerVisitor(app, newEmail())
    const replace = async (remoteAddress: string, current: string) => {
      const payload = { password: 'ten brown bottles', current }
      const call = {
        method: 'PUT',
        url: '/api/auth/password',
        headers: { authorization },
        payload,
        remoteAddress,
      } as const
      return (await app.inject(call)).statusCode
    }
    for (let failure = 0; failure < 5; failure += 1) expect(await replace(HERE, 'wrong one')).toBe(401)
    expect([await replace(NEIGHBOUR, PASSWORD), await replace(ELSEWHERE, PASSWORD)]).toEqual([429, 204])
    await app.close()
  })

  it('[A42] guests of one address in a line, by the API and by the waiting page', async () => {
    const bench = await RoomBench.open(await openRoomServer(ledger))
    const { app } = bench.server
    const sale = await bench.sale({ guests: true, guestsPerAddress: 2, paused: true })
    const join = async (remoteAddress: string) =>
      (await app.inject({ method: 'POST', url: `${sale}/queue/join`, payload: {}, remoteAddress })).statusCode
    expect([await join(HERE), await join(NEIGHBOUR), await join(NEIGHBOUR), await join(ELSEWHERE)]).toEqual([
      200, 200, 409, 200,
    ])
    const url = `${sale.replace('/api', '')}/wait/join`
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' }
    const wait = async (remoteAddress: string) =>
      (await app.inject({ method: 'POST', url, headers, payload: '', remoteAddress })).headers['set-cookie'] !==
      undefined
    expect([await wait(NEIGHBOUR), await wait(ELSEWHERE)]).toEqual([false, true])
    // A join that is sent again from another address of the network is the same guest.
    const again = async (remoteAddress: string) => {
      const call = { headers: { 'idempotency-key': 'a key of sixteen characters' }, payload: {}, remoteAddress }
      const answer = await app.inject({ method: 'POST', url: `${other}/queue/join`, ...call })
      return answer.json<{ ticketId: string }>().ticketId
    }
    const other = await bench.sale({ guests: true, guestsPerAddress: 2, paused: true })
    const first = await again(HERE)
    expect([await again(NEIGHBOUR), await again(ELSEWHERE)]).toEqual([first, expect.not.stringMatching(first)])
    await bench.server.close()
  })

  it('[A42] push connections of one address, by WebSocket and by SSE together', async () => {
    const env = { SEATWISE_RATE_LIMITS: 'on', SEATWISE_SOCKETS_PER_ADDRESS: '2', SEATWISE_TRUST_PROXY: '127.0.0.1' }
    const bench = await RoomBench.open(await openRoomServer(ledger, { env }))
    const sale = await bench.sale({ paused: true })
    const url = await bench.server.app.listen({ host: '127.0.0.1', port: 0 })
    const open: (() => void)[] = []
    const socket = (from: string) =>
      new Promise<number>((resolve, reject) => {
        const client = new WebSocket(`${url.replace('http', 'ws')}/realtime`, { headers: { 'x-forwarded-for': from } })
        client.once('open', () => resolve(101))
        client.once('unexpected-response', (request, answer) => {
          request.destroy()
          resolve(answer.statusCode ?? 0)
        })
        client.once('error', reject)
        open.push(() => client.terminate())
      })
    const channel = sale.replace('/api/events/', 'event:')
    const stream = (from: string) =>
      new Promise<number>((resolve, reject) => {
        const headers = { 'x-forwarded-for': from }
        const request = get(
          `${url}/realtime/sse?channels=${channel}:public`,
          { headers },
          (answer: IncomingMessage) => {
            answer.resume()
            resolve(answer.statusCode ?? 0)
          },
        )
        request.once('error', reject)
        open.push(() => request.destroy())
      })
    expect([await socket(HERE), await stream(NEIGHBOUR)]).toEqual([101, 200])
    expect([await socket(NEIGHBOUR), await stream(HERE)]).toEqual([429, 429])
    expect([await socket(ELSEWHERE), await stream(ELSEWHERE)]).toEqual([101, 200])
    for (const close of open) close()
    await bench.server.close()
  })
})

/** Asks until the burst is used up; the clock stands still, so that nothing is given back. */
async function exhaust(burst: number, ask: () => Promise<number>): Promise<void> {
  for (let asked = 0; asked <= burst; asked += 1) if ((await ask()) === 429) return
  throw new Error(`${burst} requests were not too many`)
}
