import { randomUUID } from 'node:crypto'
import { type PublicItem, verifyDraw, waitUntil } from '@seatwise/testbench'
import { WORDS } from '@seatwise/web'
import { beforeAll, expect, it } from 'vitest'
import { listen, openVisitor, reserve } from '../support/group-buyers.ts'
import { expectError } from '../support/kernel.ts'
import { OPEN_FLOOR } from '../support/reservation.ts'
import { forEachMode, type JoinAnswer, type RoomBench } from '../support/room.ts'

forEachMode('groups', (open) => {
  let bench: RoomBench
  beforeAll(async () => {
    bench = await open()
  })
  const invite = async (room: string, ticket: string) => await bench.call('POST', `${room}/queue/groups`, { ticket })
  const codeOf = async (room: string, { ticketToken }: JoinAnswer): Promise<string> =>
    (await invite(room, ticketToken)).json<{ code: string }>().code
  const leave = async (room: string, { ticketToken }: JoinAnswer) =>
    (await bench.call('DELETE', `${room}/queue`, { ticket: ticketToken })).statusCode
  /** A room whose line stands still, with a group of two behind one visitor. */
  const pair = async (settings: object = {}) => {
    const room = await bench.sale({ paused: true, challenge: 'off', ...settings })
    const [adaBuyer, bobBuyer] = [bench.buyer('Ada'), bench.buyer('Bob')]
    const ada = await bench.join(room, adaBuyer)
    const eve = await bench.join(room, bench.buyer('Eve'))
    const code = await codeOf(room, ada)
    const bob = await bench.join(room, bobBuyer, { group: code })
    return { room, ada, adaBuyer, bob, bobBuyer, eve, code }
  }
  const auditOf = async (room: string): Promise<PublicItem[]> =>
    (await bench.call('GET', `${room}/queue/audit?after=0&limit=1000`)).json<{ items: PublicItem[] }>().items

  it('[R140] two visitors stand together as one ticket at the place of the later one, and see it at once', async () => {
    const { room, ada, adaBuyer, bob, eve, code } = await pair()
    const together = {
      position: 2,
      rank: 1,
      place: 3,
      number: 3,
      queueLength: 2,
      ticketId: bob.ticketId,
      group: { people: 2 },
    }
    expect(bob).toMatchObject({ status: 'waiting', ...together, name: 'Bob' })
    expect(await bench.status(room, ada.ticketToken)).toMatchObject({ ...together, name: 'Ada' })
    expect(await bench.status(room, eve.ticketToken)).toMatchObject({ position: 1, queueLength: 2 })
    expect(await bench.join(room, adaBuyer)).toMatchObject(together)
    // Typed in another way, by a third one, whose name others of the group see nothing of.
    const typed = ` ${code.toLowerCase().slice(0, 4)}-${code.slice(4)} `
    expect(await bench.join(room, bench.buyer('Carl'), { group: typed })).toMatchObject({ group: { people: 3 } })
    expect((await invite(room, ada.ticketToken)).json()).toEqual({ code, people: 3, peopleMax: 6 })
    await waitUntil('the ledger has the groups', async () => (await groupsIn(await auditOf(room))).length === 2)
    expect(groupsIn(await auditOf(room))).toMatchObject([
      { number: 3, members: [1, 3] },
      { number: 4, members: [1, 3, 4] },
    ])
    await waitUntil('the statistics count a group as one', async () => {
      const stats = await bench.call('GET', `${room}/queue/stats`, { as: bench.organizer.authorization })
      const { waiting, expired } = stats.json<{ waiting: number; expired: number }>()
      return waiting === 2 && expired === 0
    })
  })

  it('[R140] a refused join draws no ticket, and says why', async () => {
    const { room, ada, bob, eve, code } = await pair({ groupMax: 2 })
    const join = (group: string, as = bench.buyer()) =>
      bench.call('POST', `${room}/queue/join`, { as, body: { group } })
    expectError(await join(code), 409, 'GROUP_FULL')
    expectError(await join('00000000A'), 400, 'BAD_CODE')
    expectError(await join(await codeOf(await bench.sale({ paused: true }), eve).catch(() => 'none')), 400, 'BAD_CODE')
    expect(await leave(room, bob)).toBe(204)
    expect(await leave(room, ada)).toBe(204)
    expectError(await join(code), 409, 'GROUP_OVER')
    const alone = await bench.sale({ paused: true, groupMax: 1 })
    expectError(await invite(alone, (await bench.join(alone)).ticketToken), 409, 'GROUP_FULL')
    expect(await bench.status(room, eve.ticketToken)).toMatchObject({ queueLength: 1 })
    expect((await bench.join(room)).number).toBe(4)
  })

  it('[R140] wrong codes are limited for each sender', async () => {
    const room = await bench.sale({ paused: true })
    const wrong = () => bench.call('POST', `${room}/queue/join`, { as: bench.buyer(), body: { group: '12345678A' } })
    const answers = await Promise.all(Array.from({ length: 31 }, wrong))
    const codes = answers.map(({ statusCode }) => statusCode)
    expect(codes.filter((code) => code === 400)).toHaveLength(bench.server.services.config.rateLimits ? 30 : 31)
  })

  it('[R141] [B290] any of them claims, with one pass, and together they reserve seats for each of them', async () => {
    const { room, ada, adaBuyer, bob, bobBuyer } = await pair({ ...OPEN_FLOOR, claimSeconds: 60, maxSeatsPerBuyer: 2 })
    await bench.operate(room, { paused: false })
    const claimed = await waitUntil('the group is admitted', async () => {
      const answer = await bench.call('POST', `${room}/queue/claim`, { ticket: ada.ticketToken })
      return answer.statusCode === 200 ? answer.json<{ activeToken: string }>().activeToken : null
    })
    expect(await bench.status(room, bob.ticketToken)).toMatchObject({ status: 'active', activeToken: claimed })
    const asAda = { room, as: adaBuyer, pass: claimed }
    expect((await reserve(bench, { ...asAda, as: bench.buyer(), quantity: 1 })).statusCode).toBe(403)
    await waitUntil('the ledger has the group', async () => (await groupsIn(await auditOf(room))).length === 1)
    expectError(await reserve(bench, { ...asAda, quantity: 5 }), 409, 'LIMIT_REACHED')
    expect((await reserve(bench, { ...asAda, quantity: 3 })).statusCode).toBe(201)
    expectError(await reserve(bench, { ...asAda, as: bobBuyer, quantity: 1 }), 409, 'GROUP_RESERVED')
    const four = await reserve(bench, { ...asAda, quantity: 4 })
    expect(four.statusCode).toBe(201)
    const { id: reservationId } = four.json<{ id: string }>()
    const addressee = { as: adaBuyer, body: { email: 'ada@example.org' } }
    expect((await bench.call('PATCH', `/api/reservations/${reservationId}`, addressee)).statusCode).toBe(200)
    const paid = await bench.call('POST', '/api/purchases', {
      ...{ as: adaBuyer, headers: { 'idempotency-key': randomUUID() } },
      body: { reservationId, paymentMethod: 'sandbox_ok' },
    })
    expect(paid.statusCode).toBe(201)
    await waitUntil('the visit of both is over', async () =>
      (await bench.status(room, bob.ticketToken)).status === 'completed' ? true : null,
    )
    expect(await bench.status(room, ada.ticketToken)).toMatchObject({ status: 'completed' })
  })

  it('[R142] who leaves loses the place, the others keep it, also over a lost line', async () => {
    const { room, ada, bob, bobBuyer, eve, code } = await pair()
    const carl = await bench.join(room, bench.buyer('Carl'), { group: code })
    expect(await leave(room, carl)).toBe(204)
    const kept = { status: 'waiting', position: 2, number: carl.number, group: { people: 2 } }
    expect(await bench.status(room, ada.ticketToken)).toMatchObject(kept)
    await waitUntil('the ledger has it', async () => (await groupsIn(await auditOf(room))).length === 3)
    expect(await leave(room, carl)).toBe(204)
    expect(await bench.status(room, carl.ticketToken)).toMatchObject({ status: 'expired', reason: 'cancelled' })
    const { roomId } = (await bench.call('GET', room)).json<{ roomId: string }>()
    await bench.server.line.drop(roomId)
    await waitUntil('the line is there again', async () =>
      (await bench.call('GET', `${room}/queue/status`, { ticket: ada.ticketToken })).statusCode === 200 ? true : null,
    )
    expect(await bench.status(room, ada.ticketToken)).toMatchObject(kept)
    expect(await bench.status(room, bob.ticketToken)).toMatchObject(kept)
    expect(await bench.join(room, bobBuyer)).toMatchObject(kept)
    expect(await leave(room, ada)).toBe(204)
    expect(await bench.status(room, ada.ticketToken)).toMatchObject({ status: 'expired', reason: 'cancelled' })
    expect(await bench.status(room, bob.ticketToken)).toMatchObject({ position: 2, group: { people: 1 } })
    expect(await leave(room, bob)).toBe(204)
    expect(await bench.status(room, eve.ticketToken)).toMatchObject({ queueLength: 1 })
  })

  it('[R142] a guest of a group who signs in stays in it', async () => {
    const room = await bench.sale({ paused: true, challenge: 'off' })
    const ada = await bench.join(room, '')
    const bob = await bench.join(room, '', { group: await codeOf(room, ada) })
    const body = { email: `ada-${Date.now()}@example.org`, password: 'nine green bottles', name: 'Ada' }
    const signedIn = await bench.call('POST', '/api/auth/register', {
      body,
      headers: { 'seatwise-guest': ada.accessToken ?? '' },
    })
    expect(signedIn.statusCode).toBe(201)
    const as = `Bearer ${signedIn.json<{ accessToken: string }>().accessToken}`
    const again = await bench.join(room, as)
    expect(again).toMatchObject({ number: bob.number, group: { people: 2 } })
    expect(await bench.status(room, again.ticketToken)).toMatchObject({ position: 1 })
  })

  it('[R141] every ticket of a group hears what happens to it, on its own channel and on the group’s', async () => {
    const { room, ada, bob } = await pair({ ...OPEN_FLOOR, claimSeconds: 60 })
    const channels = [ada, bob].map(({ ticketId }) => `${room.replace('/api/events/', 'event:')}:private:${ticketId}`)
    const heard = await listen(bench, { ticket: ada.ticketToken, channels })
    await bench.operate(room, { paused: false })
    await waitUntil('both channels tell the turn', () => channels.every((channel) => heard.turns().includes(channel)))
    heard.close()
  })

  it('[R144] the page invites, joins by a link, asks a visitor who has a place, and says why a code leads nowhere', async () => {
    const room = await bench.sale({ paused: true, challenge: 'off' })
    const wait = `${room.replace('/api', '')}/wait`
    const ada = await openVisitor(bench, wait)
    const invited = await ada.post(`${wait}/invite`)
    const [link = ''] = /\/events\/[^"]+\?group=[0-9A-Z]+/.exec(invited) ?? []
    expect(link).toContain(wait)
    const bob = await openVisitor(bench, link)
    expect(bob.page).toContain('2 people in all')
    const eve = await openVisitor(bench, wait)
    const asked = await eve.get(link)
    expect(asked).toContain(link.split('=')[1] ?? 'the code')
    expect(asked).not.toContain('3 people in all')
    expect(await eve.post(`${wait}/group`, { group: link.split('=')[1] ?? '' })).toContain('3 people in all')
    expect(await eve.post(`${wait}/group`, { group: '00000000A' })).toContain(WORDS.en.together.unknown)
    const late = await openVisitor(bench, `${wait}?group=00000000A`)
    expect(late.page).toContain(WORDS.en.together.unknown)
    const none = await bench.sale({ paused: true, challenge: 'off', groupMax: 1 })
    expect((await openVisitor(bench, `${none.replace('/api', '')}/wait`)).page).not.toContain(WORDS.en.together.ask)
  })

  it('[R143] a group has one lot in a draw', async () => {
    const start = new Date(Date.now() + 600_000).toISOString()
    const past = new Date(Date.now() - 60_000).toISOString()
    const room = await bench.sale({ preQueueAt: past, draw: 'commit', challenge: 'off' }, { salesStartAt: start })
    const ada = await bench.join(room)
    for (let count = 0; count < 4; count += 1) await bench.join(room)
    const bob = await bench.join(room, bench.buyer(), { group: await codeOf(room, ada) })
    expect(bob).toMatchObject({ number: 6, place: null, queueLength: 5, group: { people: 2 } })
    const soon = { salesStartAt: new Date(Date.now() + 1_000).toISOString() }
    await bench.call('PATCH', room, { as: bench.organizer.authorization, body: soon })
    await waitUntil('the drawn line is open, and the ledger has it', async () => {
      const now = await bench.call('GET', `${room}/queue/now`)
      const draw = await bench.call('GET', `${room}/queue/draw`)
      return now.json<{ phase: string }>().phase === 'open' && draw.json<{ state: string }>().state === 'revealed'
    })
    const items = await auditOf(room)
    const { roomId } = (await bench.call('GET', room)).json<{ roomId: string }>()
    const { problems, order } = verifyDraw(roomId, items)
    expect(problems).toEqual([])
    expect(order).toHaveLength(5)
    expect(order).toContain(6)
    expect(await bench.status(room, ada.ticketToken)).toMatchObject({ number: 6, place: order.indexOf(6) + 1 })
  })
})

function groupsIn(items: readonly PublicItem[]): { number: number; members: number[] }[] {
  return items.map(({ canonical }) => JSON.parse(canonical)).filter(({ kind }) => kind === 'grouped')
}
