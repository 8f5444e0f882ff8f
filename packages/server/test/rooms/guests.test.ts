import { decodePart } from '@seatwise/testbench'
import { beforeAll, expect, it } from 'vitest'
import { newEmail, PASSWORD, registerVisitor } from '../support/accounts.ts'
import { expectError } from '../support/kernel.ts'
import { until } from '../support/reservation.ts'
import { forEachMode, type RoomBench } from '../support/room.ts'

interface Session {
  accessToken: string
  user: { id: string }
  tickets?: { roomId: string; ticketId: string; ticketToken: string }[]
}

interface OpenApi {
  paths: Record<
    string,
    Record<string, { requestBody?: { content: Record<string, { schema: { properties: object } }> } }>
  >
}

const GUESTS = { guests: true, guestsPerAddress: 10, paused: true }

forEachMode('guests who sign in', (open) => {
  let bench: RoomBench
  beforeAll(async () => {
    bench = await open()
  })
  const register = async (guest: string, email = newEmail()): Promise<Session> => {
    const body = { email, password: PASSWORD, name: 'Ada' }
    const headers = { 'seatwise-guest': guest }
    return (await bench.call('POST', '/api/auth/register', { body, headers })).json<Session>()
  }
  const signIn = async (email: string, guest: string): Promise<Session> => {
    const headers = { 'seatwise-guest': guest }
    return (
      await bench.call('POST', '/api/auth/login', { body: { email, password: PASSWORD }, headers })
    ).json<Session>()
  }

  it('[R4] a new account takes over the guest’s tickets in every room', async () => {
    const [first, second] = [await bench.sale(GUESTS), await bench.sale(GUESTS)]
    await bench.join(first)
    const guest = await bench.join(first, '')
    const elsewhere = await bench.join(second, `Bearer ${guest.accessToken}`)
    const session = await register(guest.accessToken ?? '')
    expect(session.tickets?.map(({ ticketId }) => ticketId).sort()).toEqual([guest.ticketId, elsewhere.ticketId].sort())
    const moved = session.tickets?.find(({ ticketId }) => ticketId === guest.ticketId)
    expect(await bench.status(first, moved?.ticketToken ?? '')).toMatchObject({ status: 'waiting', rank: 1 })
    expect(await bench.join(first, `Bearer ${session.accessToken}`)).toMatchObject({
      ticketId: guest.ticketId,
      rank: 1,
    })
    // The guest's own token proves nothing any more. Until the ledger has copied the adoption, the answer is 503.
    const asGuest = () => bench.call('GET', `${first}/queue/status`, { ticket: guest.ticketToken })
    await until(async () => (await asGuest()).statusCode !== 503)
    expectError(await asGuest(), 401, 'BAD_TICKET')
    const again = { as: `Bearer ${guest.accessToken}`, body: {} }
    expectError(await bench.call('POST', `${first}/queue/join`, again), 401, 'UNAUTHORIZED')
  })

  const expiryOf = (token = '') => Number(decodePart(token.split('.')[1]).exp)
  const DAY_SECONDS = 86_400

  it('[A67] a guest’s token lasts until a day after the event, or its sale, and a later event prolongs it', async () => {
    const inDays = (days: number) => new Date(Date.now() + days * DAY_SECONDS * 1_000).toISOString()
    const sales = { salesEndAt: inDays(10) }
    const [withEnd, without] = [
      await bench.sale(GUESTS, { ...sales, startsAt: inDays(20), endsAt: inDays(21) }),
      await bench.sale(GUESTS, sales),
    ]
    const guest = await bench.join(without, '')
    expect(expiryOf(guest.accessToken)).toBe(Math.floor(Date.parse(sales.salesEndAt) / 1_000) + DAY_SECONDS)
    const later = await bench.join(withEnd, `Bearer ${guest.accessToken}`)
    expect(Math.abs(expiryOf(later.accessToken) - Date.parse(inDays(22)) / 1_000)).toBeLessThan(60)
    expect((await bench.join(without, `Bearer ${later.accessToken}`)).ticketId).toBe(guest.ticketId)
    // Seconds of such a time do not fit into 31 bits.
    await bench.join(await bench.sale(GUESTS, { salesEndAt: '2199-01-01T00:00:00Z' }), `Bearer ${later.accessToken}`)
    // An adopted guest is refused for as long.
    await register(guest.accessToken ?? '')
    const again = { as: `Bearer ${later.accessToken}`, body: {} }
    expectError(await bench.call('POST', `${without}/queue/join`, again), 401, 'UNAUTHORIZED')
    const rows = await bench.server.ledger.db.selectFrom('ended_identities').select('forget_at').execute()
    const forgetAt = Math.max(...rows.map(({ forget_at }) => forget_at.getTime()))
    expect(forgetAt).toBeGreaterThan(expiryOf(later.accessToken) * 1_000)
  })

  it('[R40] a room without guest settings takes guests, a hundred of one address', async () => {
    const room = await bench.sale({ paused: true })
    await bench.join(room, '')
    await Promise.all(Array.from({ length: 99 }, () => bench.join(room, '')))
    expectError(await bench.call('POST', `${room}/queue/join`, { body: {} }), 409, 'TOO_MANY_GUESTS')
    expect(await bench.join(room)).toMatchObject({ status: 'waiting', position: 101 })
    const made = await bench.call('POST', '/api/rooms', {
      as: bench.organizer.authorization,
      body: { name: 'Shop', target: 'https://shop.example/' },
    })
    expect(made.json()).toMatchObject({ guests: true, guestsPerAddress: 100 })
  })

  it('[R40] with a limit of 0 any number of guests of one address join', async () => {
    const room = await bench.sale({ paused: true, guestsPerAddress: 0 })
    const tickets = await Promise.all(Array.from({ length: 120 }, () => bench.join(room, '')))
    expect(new Set(tickets.map(({ ticketId }) => ticketId)).size).toBe(120)
    await bench.operate(room, { guestsPerAddress: 120 })
    expectError(await bench.call('POST', `${room}/queue/join`, { body: {} }), 409, 'TOO_MANY_GUESTS')
  })

  it('[R40] the API’s description states the defaults', async () => {
    const { paths } = (await bench.call('GET', '/openapi.json')).json<OpenApi>()
    const room = paths['/api/rooms/{id}/room']?.patch?.requestBody?.content['application/json']?.schema.properties ?? {}
    expect(room).toMatchObject({
      guests: { description: 'true where a new room does not say' },
      guestsPerAddress: { description: '0 sets no limit; 100 where a new room does not say', minimum: 0 },
    })
  })

  it('[R29] a guest who lost the answer asks again with the same key, and gets the same ticket', async () => {
    const room = await bench.sale({ ...GUESTS, guestsPerAddress: 1 })
    const join = (key: string) =>
      bench.call('POST', `${room}/queue/join`, { body: {}, headers: { 'idempotency-key': key } })
    const first = (await join('a key of the first guest')).json<{ ticketId: string; accessToken: string }>()
    const again = (await join('a key of the first guest')).json<{ ticketId: string; accessToken: string }>()
    expect(again.ticketId).toBe(first.ticketId)
    expect((await bench.join(room, `Bearer ${again.accessToken}`)).ticketId).toBe(first.ticketId)
    expectError(await join('a key of another guest'), 409, 'TOO_MANY_GUESTS')
  })

  it('[R29] a key that could be guessed makes another guest each time', async () => {
    const room = await bench.sale(GUESTS)
    const join = () => bench.call('POST', `${room}/queue/join`, { body: {}, headers: { 'idempotency-key': '1' } })
    const [one, other] = [(await join()).json<{ ticketId: string }>(), (await join()).json<{ ticketId: string }>()]
    expect(other.ticketId).not.toBe(one.ticketId)
  })

  it('[R4][L52] an account that has its own ticket keeps it, and the guest’s ends', async () => {
    const room = await bench.sale(GUESTS)
    const account = await registerVisitor(bench.server.app)
    const own = await bench.join(room, account.authorization)
    const guest = await bench.join(room, '')
    const session = await signIn(account.email, guest.accessToken ?? '')
    expect(session.tickets).toEqual([])
    expect(await bench.status(room, own.ticketToken)).toMatchObject({ status: 'waiting', rank: 0 })
    expect(await bench.status(room, guest.ticketToken)).toMatchObject({ status: 'expired', reason: 'cancelled' })
  })

  it('[R4] the ledger then has the ticket as the account’s', async () => {
    const room = await bench.sale(GUESTS)
    const guest = await bench.join(room, '')
    const account = await registerVisitor(bench.server.app)
    const session = await signIn(account.email, guest.accessToken ?? '')
    expect(session.tickets).toHaveLength(1)
    const { db } = bench.server.ledger
    await expect
      .poll(() =>
        db.selectFrom('queue_entries').select(['limit_key', 'state']).where('user_id', '=', account.id).execute(),
      )
      .toEqual([{ limit_key: null, state: 'waiting' }])
    const audit = await bench.call('GET', `${room}/queue/audit`)
    expect(audit.body).not.toContain(account.id)
  })

  it('[R4] a token that is not a guest’s changes nothing and does not keep the visitor from signing in', async () => {
    const room = await bench.sale(GUESTS)
    const other = bench.buyer()
    await bench.join(room, other)
    for (const token of ['forged', other.slice('Bearer '.length), 'x'.repeat(3_000)]) {
      const session = await register(token)
      expect(session.accessToken).toBeDefined()
      expect(session.tickets).toBeUndefined()
    }
    expect(await bench.join(room, other)).toMatchObject({ rank: 0 })
  })
})
