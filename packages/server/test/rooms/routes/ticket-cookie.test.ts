import { beforeAll, describe, expect, it } from 'vitest'
import { TICKETS_PER_BROWSER_MAX } from '../../../src/rooms/routes/ticket-cookie.ts'
import type { Answer } from '../../support/events.ts'
import { expectError } from '../../support/kernel.ts'
import { forEachMode, type RoomBench } from '../../support/room.ts'

forEachMode('the ticket cookie', (open) => {
  let bench: RoomBench
  beforeAll(async () => {
    bench = await open({ env: { SEATWISE_PUBLIC_URL: 'https://tickets.example.com' } })
  })

  const joinForCookie = async (): Promise<{ room: string; cookie: string; whole: string }> => {
    const room = await bench.sale({ paused: true })
    const answer = await bench.call('POST', `${room}/queue/join`, { as: bench.buyer(), body: {} })
    const whole = String(answer.headers['set-cookie'])
    return { room, whole, cookie: whole.split(';', 1)[0] ?? '' }
  }

  describe('reading it', () => {
    it('[R27] joining sets it as HttpOnly, and it suffices for a request of the site itself', async () => {
      const { room, cookie, whole } = await joinForCookie()
      expect(whole).toMatch(/; Path=\/; HttpOnly; SameSite=Lax; Secure$/)
      const status = (headers: Record<string, string>) =>
        bench.call('GET', `${room}/queue/status`, { headers: { cookie, ...headers } })
      expect((await status({})).statusCode).toBe(200)
      expect((await status({ 'sec-fetch-site': 'same-origin' })).statusCode).toBe(200)
      expect((await status({ 'sec-fetch-site': 'none' })).statusCode).toBe(200)
      expect((await status({ origin: 'https://tickets.example.com' })).statusCode).toBe(200)
      expect((await status({ cookie: `a=b; ${cookie}; c=d` })).statusCode).toBe(200)
    })

    it('[R27] it does not count for other sites, other rooms, or when it was altered', async () => {
      const { room, cookie } = await joinForCookie()
      const elsewhere = await bench.sale({ paused: true })
      const status = (headers: Record<string, string>, at = room) =>
        bench.call('GET', `${at}/queue/status`, { headers: { cookie, ...headers } })
      for (const headers of [
        { origin: 'https://evil.example.com' },
        { origin: 'null' },
        { origin: 'http://tickets.example.com' },
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site' },
        { cookie: `${cookie}x` },
        { cookie: 'a=b' },
      ]) {
        expectError(await status(headers), 401, 'BAD_TICKET')
      }
      expectError(await status({}, elsewhere), 401, 'BAD_TICKET')
    })
  })

  describe('holding many tickets', () => {
    it('[X16] one cookie has the tickets of all rooms, newest first, and drops the oldest beyond the limit', async () => {
      const as = bench.buyer()
      const rooms: string[] = []
      let cookie = ''
      for (let index = 0; index <= TICKETS_PER_BROWSER_MAX; index += 1) {
        const room = await bench.sale({ paused: true })
        const answer = await bench.call('POST', `${room}/queue/join`, { as, body: {}, headers: { cookie } })
        cookie = String(answer.headers['set-cookie']).split(';', 1)[0] ?? ''
        rooms.push(room)
      }
      const statuses = rooms.map((room) => bench.call('GET', `${room}/queue/status`, { headers: { cookie } }))
      const [oldest, ...others] = await Promise.all(statuses)
      expectError(oldest as Answer, 401, 'BAD_TICKET')
      expect(others.map(({ statusCode }) => statusCode)).toEqual(others.map(() => 200))
      // Far below the 16 KB of all headers, and the 4 KB that browsers keep of one cookie.
      expect(cookie.length).toBeLessThan(2_048)
    })

    it('[X16] joining again replaces the ticket of that room and keeps those of others', async () => {
      const { room, cookie } = await joinForCookie()
      const elsewhere = await bench.sale({ paused: true })
      const join = async (at: string, held: string, as: string) => {
        const answer = await bench.call('POST', `${at}/queue/join`, { as, body: {}, headers: { cookie: held } })
        return String(answer.headers['set-cookie']).split(';', 1)[0] ?? ''
      }
      const both = await join(elsewhere, `${cookie}.forged`, bench.buyer())
      const replaced = await join(room, both, bench.buyer())
      expect(replaced.length).toBe(both.length)
      expect(replaced).not.toContain(cookie.slice(cookie.indexOf('=') + 1))
      expect((await bench.call('GET', `${room}/queue/status`, { headers: { cookie: replaced } })).statusCode).toBe(200)
      const other = await bench.call('GET', `${elsewhere}/queue/status`, { headers: { cookie: replaced } })
      expect(other.statusCode).toBe(200)
    })
  })

  describe('on https', () => {
    it('[X17] its name has the prefix __Host-, and without it no cookie counts', async () => {
      const { room, cookie, whole } = await joinForCookie()
      expect(whole).toMatch(/^__Host-seatwise-tickets=[\w.-]+; Path=\/; HttpOnly; SameSite=Lax; Secure$/)
      const unprefixed = cookie.replace('__Host-', '')
      const answer = await bench.call('GET', `${room}/queue/status`, { headers: { cookie: unprefixed } })
      expectError(answer, 401, 'BAD_TICKET')
    })

    it('[X17] neither does a session cookie without the prefix, and every cookie that is set has it', async () => {
      const session = bench.buyer().replace('Bearer ', '')
      const me = (name: string) => bench.call('GET', '/reservations', { headers: { cookie: `${name}=${session}` } })
      expect((await me('__Host-seatwise-session')).statusCode).toBe(200)
      const refused = await me('seatwise-session')
      expect(refused.headers.location).toMatch(/^\/sign-in/)
      const language = await bench.call('GET', '/?lang=ko')
      for (const cookie of [refused.headers['set-cookie'], language.headers['set-cookie']].flat()) {
        expect(cookie).toMatch(/^__Host-seatwise-[a-z]+=[^;]*; Path=\/; HttpOnly; SameSite=Lax; .*Secure$/)
      }
    })
  })

  describe('acting with it', () => {
    it('[R27] it changes something only when the browser says that our own page asks', async () => {
      const { room, cookie } = await joinForCookie()
      const leave = (headers: Record<string, string>) =>
        bench.call('DELETE', `${room}/queue`, { headers: { cookie, ...headers } })
      expectError(await leave({}), 401, 'BAD_TICKET')
      expectError(await leave({ 'sec-fetch-site': 'none' }), 401, 'BAD_TICKET')
      expectError(await leave({ origin: 'https://evil.example.com' }), 401, 'BAD_TICKET')
      const ticket = cookie.slice(cookie.indexOf('=') + 1)
      expect((await bench.status(room, ticket)).status).toBe('waiting')
      expect((await leave({ origin: 'https://tickets.example.com' })).statusCode).toBe(204)
      const again = await bench.call('POST', `${room}/queue/join`, { as: bench.buyer(), body: {} })
      const fresh = String(again.headers['set-cookie']).split(';', 1)[0] ?? ''
      expect((await leave({ cookie: fresh, 'sec-fetch-site': 'same-origin' })).statusCode).toBe(204)
    })
  })
})
