import { randomBytes, randomUUID } from 'node:crypto'
import { endSession, type Ledger } from '@seatwise/ledger'
import { openScratchLedger } from '@seatwise/testbench'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAccessTokens } from '../../../src/identity/sessions/access-token.ts'
import { createTicketTokens } from '../../../src/rooms/tokens/ticket-token.ts'
import { openRoomServer, RoomBench } from '../../support/room.ts'

const [older, newer] = [randomBytes(32), randomBytes(32)]
const ofOlder = { access: createAccessTokens([older], Date.now), tickets: createTicketTokens([older]) }
const ofNewer = { access: createAccessTokens([newer], Date.now), tickets: createTicketTokens([newer]) }
const fromOwnPage = { 'sec-fetch-site': 'same-origin' }

describe('tokens of an older secret', () => {
  let ledger: Ledger
  let bench: RoomBench
  let sale: string
  let guestToken: string
  let ticketToken: string
  beforeAll(async () => {
    ledger = await openScratchLedger()
    bench = await RoomBench.open(await openRoomServer(ledger, { secrets: [newer, older] }))
    sale = await bench.sale({ paused: true, guests: true })
    const joined = await bench.join(sale, '')
    const { services } = bench.server
    const claims = services.roomTokens.tickets.read(joined.ticketToken)
    const guest = services.identity.tokens.read(joined.accessToken ?? '')
    if (claims === null || guest === null) throw new Error('Not joined')
    ticketToken = ofOlder.tickets.issue(claims)
    guestToken = ofOlder.access.issue(guest).accessToken
  })
  afterAll(async () => {
    await bench.server.close()
    await ledger.close()
  })

  const cookies = () => ({ cookie: `seatwise-session=${guestToken}; seatwise-tickets=${ticketToken}`, ...fromOwnPage })
  /** The last one of each name is what a browser keeps. */
  const cookiesIn = (answer: { headers: Record<string, unknown> }): Map<string, string> =>
    new Map(
      [answer.headers['set-cookie'] ?? []].flat().map((cookie) => {
        const [name = '', value = ''] = String(cookie).split(';', 1)[0]?.split('=') ?? []
        return [name, value] as const
      }),
    )

  it('[A39] an API client gets the renewed ticket and access token in response headers, valid without the older secret', async () => {
    const looked = await bench.call('GET', `${sale}/queue/status`, { ticket: ticketToken })
    const ticket = String(looked.headers['seatwise-renewed-ticket'])
    expect(ofNewer.tickets.read(ticket)).toEqual(ofOlder.tickets.read(ticketToken))
    const listed = await bench.call('GET', '/api/reservations', { as: `Bearer ${guestToken}` })
    const access = String(listed.headers['seatwise-renewed-access'])
    expect(ofNewer.access.read(access)).toEqual(ofOlder.access.read(guestToken))
    const again = await bench.call('GET', `${sale}/queue/status`, { ticket })
    expect(again.headers).not.toHaveProperty('seatwise-renewed-ticket')
  })

  it('[A39] a browser gets both in its cookies, from pages and from polls', async () => {
    const page = `${sale.replace('/api', '')}/wait`
    for (const url of [page, `${sale}/queue/status`]) {
      const answer = await bench.call('GET', url, { headers: cookies() })
      expect(answer.statusCode).toBe(200)
      const kept = cookiesIn(answer)
      expect(ofNewer.tickets.read(kept.get('seatwise-tickets') ?? '')?.room).toBeDefined()
      expect(ofNewer.access.read(kept.get('seatwise-session') ?? '')?.role).toBe('guest')
      expect(answer.headers).not.toHaveProperty('seatwise-renewed-access')
    }
  })

  it('[A39] where joining sets the cookie itself, its tickets are what the browser keeps, all of the first secret', async () => {
    const other = await bench.sale({ paused: true, guests: true })
    const answer = await bench.call('POST', `${other}/queue/join`, { headers: cookies(), body: {} })
    expect(answer.statusCode).toBe(200)
    const held = (cookiesIn(answer).get('seatwise-tickets') ?? '').split('.')
    const rooms = held.map((token) => ofNewer.tickets.read(token)?.room)
    expect([held.length, new Set(rooms).size, rooms.includes(undefined)]).toEqual([2, 2, false])
  })

  it('[A39] no token is renewed in a response that caches may share, for other sites, or when it ended or was forged', async () => {
    const session = { id: randomUUID(), version: 1 }
    const ended = ofOlder.access.issue({ id: randomUUID(), role: 'buyer', session }).accessToken
    await endSession(ledger.db, session.id, 3_600)
    await bench.server.services.identity.ended.refresh()
    const answers = [
      await bench.call('GET', sale, { as: `Bearer ${guestToken}`, headers: cookies() }),
      await bench.call('GET', `${sale}/queue/now`, { as: `Bearer ${guestToken}`, headers: cookies() }),
      await bench.call('GET', `${sale}/queue/status`, { headers: { ...cookies(), 'sec-fetch-site': 'cross-site' } }),
      await bench.call('GET', '/api/reservations', { as: `Bearer ${ended}` }),
      await bench.call('GET', '/api/reservations', { as: `Bearer ${guestToken}x` }),
      await bench.call('GET', `${sale}/queue/status`, { ticket: `${ticketToken}x` }),
    ]
    for (const { headers } of answers) {
      const names = Object.keys(headers).filter((name) => name.startsWith('seatwise-renewed') || name === 'set-cookie')
      expect(names).toEqual([])
    }
  })
})
