import { beforeAll, describe, expect, it } from 'vitest'
import { expectError } from './kernel-support.ts'
import { forEachMode, type RoomBench } from './room-support.ts'

forEachMode('the room’s cookie', (open) => {
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
    it('[R27] joining sets it for scripts to leave alone, and it suffices for a request of the site itself', async () => {
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
      const id = room.split('/').at(-1) ?? ''
      const renamed = cookie.replace(id, elsewhere.split('/').at(-1) ?? '')
      expectError(await status({ cookie: renamed }, elsewhere), 403, 'FOREIGN_TICKET')
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
