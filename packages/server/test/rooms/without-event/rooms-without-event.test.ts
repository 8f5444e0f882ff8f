import { randomUUID } from 'node:crypto'
import { waitUntil } from '@seatwise/testbench'
import { beforeAll, expect, it } from 'vitest'
import { registerWithRole } from '../../support/accounts.ts'
import { expectError } from '../../support/kernel.ts'
import { forEachMode, type RoomBench } from '../../support/room.ts'

const WANTED = { name: 'Sneaker drop', target: 'https://shop.example.com/drop', burst: 5, ratePerMinute: 60_000 }

forEachMode('rooms without an event', (open) => {
  let bench: RoomBench
  beforeAll(async () => {
    bench = await open()
  })
  const make = (body: object, as = bench.organizer.authorization) => bench.call('POST', '/api/rooms', { as, body })
  const makeRoom = async (more: object = {}): Promise<string> => {
    const answer = await make({ ...WANTED, ...more })
    expect(answer.statusCode).toBe(201)
    return `/api/rooms/${answer.json<{ id: string }>().id}`
  }

  it('[R24] an organiser makes one, and all visitors can read it', async () => {
    const made = await make({ ...WANTED, capacity: 3, message: 'Soon' })
    const { id } = made.json<{ id: string }>()
    expect(made.headers.location).toBe(`/api/rooms/${id}`)
    const read = await bench.call('GET', `/api/rooms/${id}`)
    expect(read.json()).toMatchObject({ ...WANTED, id, capacity: 3, paused: false, message: 'Soon', eventId: null })
    expect(read.json()).toEqual(made.json())
    expect(read.body).not.toContain(bench.organizer.id)
    expect(read.headers.etag).toBeDefined()
    expectError(await bench.call('GET', `/api/rooms/${randomUUID()}`), 404, 'NOT_FOUND')
    expectError(await bench.call('GET', '/api/rooms/x'), 404, 'NOT_FOUND')
    expectError(await bench.call('GET', `/api/rooms/${randomUUID()}/queue/now`), 404, 'NOT_FOUND')
  })

  it('[R24] invalid settings are refused', async () => {
    for (const body of [
      { target: WANTED.target },
      { name: 'Drop' },
      { ...WANTED, name: ' ' },
      { ...WANTED, target: 'ftp://example.com' },
      { ...WANTED, target: 'javascript:alert(1)' },
      { ...WANTED, target: 'https://user:secret@example.com' },
      { ...WANTED, target: 'not an address' },
      { ...WANTED, capacity: 0 },
      { ...WANTED, message: 'a\0b' },
      { ...WANTED, totalSeats: 5 },
    ]) {
      expectError(await make(body), 400, 'BAD_REQUEST')
    }
    expectError(await make(WANTED, bench.buyer()), 403, 'FORBIDDEN')
    expectError(await bench.call('POST', '/api/rooms', { body: WANTED }), 401, 'UNAUTHORIZED')
  })

  it('[R145] it may open and close at times of its own, which an operator moves', async () => {
    const inMs = (ms: number) => new Date(Date.now() + ms).toISOString()
    const [opensAt, closesAt] = [inMs(3_600_000), inMs(7_200_000)]
    const room = await makeRoom({ opensAt, closesAt, challenge: 'off' })
    expect((await bench.call('GET', room)).json()).toMatchObject({ opensAt, closesAt })
    const join = () => bench.call('POST', `${room}/queue/join`, { as: bench.buyer(), body: {} })
    expectError(await join(), 400, 'SALES_NOT_STARTED')
    expect((await bench.call('GET', `${room}/queue/now`)).json()).toMatchObject({ phase: 'before', opensAt })
    expect((await bench.call('GET', `${room.replace('/api', '')}/wait`)).body).toContain('data-state="before"')
    const edit = (body: object) => bench.call('PATCH', room, { as: bench.organizer.authorization, body })
    expectError(await edit({ closesAt: opensAt }), 400, 'BAD_REQUEST')
    expect((await edit({ opensAt: inMs(-1_000) })).statusCode).toBe(200)
    expect((await join()).statusCode).toBe(200)
    expect((await edit({ opensAt: null, closesAt: inMs(-500) })).json()).toMatchObject({ opensAt: null })
    expectError(await join(), 400, 'SALES_ENDED')
    const event = await bench.sale()
    const { roomId } = (await bench.call('GET', event)).json<{ roomId: string }>()
    const other = { as: bench.organizer.authorization, body: { opensAt } }
    expectError(await bench.call('PATCH', `/api/rooms/${roomId}`, other), 400, 'BAD_REQUEST')
  })

  it('[R145] with an opening it has a pre-queue and a draw, as an event’s', async () => {
    const inMs = (ms: number) => new Date(Date.now() + ms).toISOString()
    const drawn = { preQueueAt: inMs(-60_000), draw: 'commit', challenge: 'off' }
    expectError(await make({ ...WANTED, ...drawn }), 400, 'BAD_REQUEST')
    const room = await makeRoom({ ...drawn, opensAt: inMs(3_600_000) })
    const edit = (body: object) => bench.call('PATCH', room, { as: bench.organizer.authorization, body })
    const first = await bench.join(room)
    const second = await bench.join(room)
    expect(first).toMatchObject({ phase: 'pre', place: null })
    expectError(await edit({ opensAt: null }), 400, 'BAD_REQUEST')
    expectError(await edit({ draw: 'none' }), 409, 'LINE_STARTED')
    const opensAt = inMs(1_000)
    expect((await edit({ opensAt })).json()).toMatchObject({ opensAt })
    await waitUntil('the drawn line is open', async () => {
      const now = await bench.call('GET', `${room}/queue/now`)
      return now.json<{ phase: string }>().phase === 'open'
    })
    const places = await Promise.all([first, second].map(({ ticketToken }) => bench.status(room, ticketToken)))
    expect(places.map(({ place }) => place).toSorted()).toEqual([1, 2])
    expectError(await edit({ opensAt: inMs(3_600_000) }), 409, 'LINE_STARTED')
  })

  it('[R24] its line works like an event’s', async () => {
    const room = await makeRoom({ capacity: 1, guests: true })
    const first = await bench.join(room, '', { name: 'Guest' })
    const second = await bench.join(room)
    await waitUntil(
      'the first is let in',
      async () => (await bench.status(room, first.ticketToken)).status === 'admitted',
    )
    expect(await bench.status(room, second.ticketToken)).toMatchObject({ status: 'waiting', position: 1 })
    const claim = await bench.call('POST', `${room}/queue/claim`, { ticket: first.ticketToken })
    const { activeToken: pass } = claim.json<{ activeToken: string }>()
    expect((await bench.call('POST', `${room}/queue/complete`, { pass })).json()).toEqual({ status: 'completed' })
    // An operator who got no answer repeats the request.
    expect((await bench.call('POST', `${room}/queue/complete`, { pass })).json()).toEqual({ status: 'completed' })
    await waitUntil(
      'the second is let in',
      async () => (await bench.status(room, second.ticketToken)).status === 'admitted',
    )
    const now = await bench.call('GET', `${room}/queue/now`)
    expect(now.json()).toMatchObject({ phase: 'open', capacity: 1, remainingSeats: null })
    expect((await bench.call('GET', `${room}/queue/audit`)).statusCode).toBe(200)
    expect((await bench.call('GET', `${room}/queue/revoked`)).statusCode).toBe(200)
  })

  it('[R24] its owner changes it, and the line follows', async () => {
    const room = await makeRoom({ paused: true })
    const { ticketToken } = await bench.join(room)
    const other = await registerWithRole(bench.server.app, bench.server.ledger, 'organizer')
    const change = (body: object, as = bench.organizer.authorization) => bench.call('PATCH', room, { as, body })
    expectError(await change({ paused: false }, other.authorization), 403, 'FORBIDDEN')
    expectError(await change({}), 400, 'BAD_REQUEST')
    expectError(await change({ name: 'Other', target: 'ftp://x' }), 400, 'BAD_REQUEST')
    const changed = await change({ name: 'Later drop', paused: false, capacity: 9, target: 'http://example.com/' })
    expect(changed.json()).toMatchObject({
      name: 'Later drop',
      paused: false,
      capacity: 9,
      target: 'http://example.com/',
    })
    expect((await bench.call('GET', room)).json()).toEqual(changed.json())
    await waitUntil('the line moves', async () => (await bench.status(room, ticketToken)).status === 'admitted')
  })

  it('[R24] a list has one’s own rooms, newest first, page by page; an admin sees all', async () => {
    const owner = await registerWithRole(bench.server.app, bench.server.ledger, 'organizer')
    const ids = []
    for (const name of ['one', 'two', 'three']) {
      ids.push((await make({ ...WANTED, name }, owner.authorization)).json<{ id: string }>().id)
    }
    type Page = { items: { id: string }[]; nextCursor: string | null }
    const list = async (query: string, as = owner.authorization) =>
      (await bench.call('GET', `/api/rooms${query}`, { as })).json<Page>()
    const first = await list('?limit=2')
    const rest = await list(`?limit=2&cursor=${first.nextCursor}`)
    // Ids grow with time, by the millisecond; rooms of one millisecond have an order of their own.
    expect([...first.items, ...rest.items].map(({ id }) => id)).toEqual(ids.toSorted().reverse())
    expect(rest.nextCursor).toBeNull()
    expect((await list('?limit=100', bench.admin.authorization)).items.map(({ id }) => id)).toEqual(
      expect.arrayContaining(ids),
    )
    expectError(await bench.call('GET', '/api/rooms'), 401, 'UNAUTHORIZED')
    expectError(await bench.call('GET', '/api/rooms', { as: bench.buyer() }), 403, 'FORBIDDEN')
  })

  it('[R24] the room of an event is reached by its own address, but keeps the event’s name', async () => {
    const event = await bench.sale({ paused: true })
    const { roomId } = (await bench.call('GET', event)).json<{ roomId: string }>()
    const { ticketToken } = await bench.join(event)
    expect((await bench.status(`/api/rooms/${roomId}`, ticketToken)).status).toBe('waiting')
    const as = bench.organizer.authorization
    expectError(await bench.call('PATCH', `/api/rooms/${roomId}`, { as, body: { name: 'x' } }), 400, 'BAD_REQUEST')
    expect((await bench.call('PATCH', `/api/rooms/${roomId}`, { as, body: { capacity: 2 } })).statusCode).toBe(200)
  })
})
