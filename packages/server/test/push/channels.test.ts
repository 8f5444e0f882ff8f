import { waitUntil } from '@seatwise/testbench'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  addressOf,
  type Ear,
  EventClient,
  listen,
  PushClient,
  privateOf,
  publicOf,
  type Wishes,
} from '../support/realtime.ts'
import { forEachMode, type JoinAnswer, type RoomBench } from '../support/room.ts'

forEachMode('push', (open) => {
  let bench: RoomBench
  let url: string
  const clients: { close(): void }[] = []

  beforeAll(async () => {
    bench = await open()
    url = await listen(bench)
  })
  afterEach(() => {
    for (const client of clients.splice(0)) client.close()
  })

  const connect = async (headers: Record<string, string> = {}): Promise<PushClient> => {
    const client = await PushClient.open(url, headers)
    clients.push(client)
    return client
  }
  const watch = async (room: string, wishes: Wishes = {}): Promise<PushClient> =>
    (await connect()).subscribed([publicOf(room)], wishes)
  const hold = async (room: string, ticket: JoinAnswer): Promise<PushClient> =>
    (await connect()).subscribed([privateOf(room, ticket)], { ticketToken: ticket.ticketToken })
  const events = async (channels: string[], headers: Record<string, string> = {}, query = ''): Promise<EventClient> => {
    const client = await EventClient.open(url, channels, headers, query)
    clients.push(client)
    return client
  }
  /** A listener that hears it has heard everything from before. */
  const mark = async (room: string, text: string, ...ears: Ear[]): Promise<void> => {
    await bench.operate(room, { message: text })
    for (const ear of ears) await ear.hear('MESSAGE', (message) => message.text === text)
  }
  const leave = (room: string, { ticketToken }: JoinAnswer) =>
    bench.call('DELETE', `${room}/queue`, { ticket: ticketToken })

  describe('who hears what', () => {
    it('[U1] a private channel opens only with its own ticket’s token, and the other channels in the message open', async () => {
      const room = await bench.sale({ paused: true })
      const elsewhere = await bench.sale({ paused: true })
      const [ada, bob, far] = [await bench.join(room), await bench.join(room), await bench.join(elsewhere)]
      const wanted = [publicOf(room), privateOf(room, ada)]
      const altered = `${ada.ticketToken.slice(0, -2)}${ada.ticketToken.endsWith('AA') ? 'BB' : 'AA'}`
      for (const ticketToken of [undefined, bob.ticketToken, far.ticketToken, altered, '']) {
        const client = await connect()
        client.subscribe(wanted, ticketToken === undefined ? {} : { ticketToken })
        const refused = await client.hear('ERROR')
        expect(refused).toMatchObject({ code: 'FORBIDDEN_CHANNEL', channel: privateOf(room, ada) })
        expect((await client.hear('SUBSCRIBED')).channels).toEqual([publicOf(room)])
        await leave(room, await bench.join(room))
        await mark(room, `not for ${ticketToken}`, client)
        expect(client.heard.filter(({ channel }) => channel === privateOf(room, ada))).toEqual([refused])
      }
      const own = await connect()
      await own.subscribed(wanted, { ticketToken: ada.ticketToken })
      expect(await own.hear('POSITION')).toMatchObject({ rank: 0, position: 1, channel: privateOf(room, ada) })
    })

    it('[U1 control] with the token in the header the same channel opens', async () => {
      const room = await bench.sale({ paused: true })
      const ada = await bench.join(room)
      const client = await connect({ 'seatwise-ticket': ada.ticketToken })
      await client.subscribed([privateOf(room, ada)])
      await client.hear('POSITION')
    })

    it('[U1] an unknown channel and an unknown room are not found', async () => {
      const client = await connect()
      const room = publicOf(await bench.sale())
      const strange = ['event:x:public', `${room}x`, 'event:00000000-0000-4000-8000-000000000000:public']
      client.subscribe([...strange, room])
      expect((await client.hear('SUBSCRIBED')).channels).toEqual([room])
      expect(client.of('ERROR').map(({ code, channel }) => [code, channel])).toEqual(
        strange.map((name) => ['NOT_FOUND', name]),
      )
    })

    it('[U2] access ends with the ticket: the client is told, then unsubscribed', async () => {
      const room = await bench.sale({ paused: true })
      const ada = await bench.join(room)
      const client = await hold(room, ada)
      await leave(room, ada)
      await client.hear('UNSUBSCRIBED', ({ code }) => code === 'TICKET_ENDED')
      expect(client.heard.map(({ type }) => type).slice(-2)).toEqual(['ENDED', 'UNSUBSCRIBED'])
      expect(await client.hear('ENDED')).toMatchObject({ status: 'expired', reason: 'cancelled' })
      client.subscribe([privateOf(room, ada)], { ticketToken: ada.ticketToken })
      expect(await client.hear('ERROR')).toMatchObject({ code: 'TICKET_ENDED' })
    })

    it('[U2] after a hand-over the old device is unsubscribed and the new one hears', async () => {
      const room = await bench.sale({ paused: true, capacity: 1 })
      const ada = await bench.join(room)
      const old = await hold(room, ada)
      const handover = await bench.call('POST', `${room}/queue/handover`, { ticket: ada.ticketToken })
      const { code } = handover.json<{ code: string }>()
      const phone = (await bench.call('POST', `${room}/queue/handover/accept`, { body: { code } })).json<JoinAnswer>()
      expect(await old.hear('UNSUBSCRIBED')).toMatchObject({ code: 'TICKET_MOVED', channel: privateOf(room, ada) })
      const fresh = await hold(room, phone)
      await bench.operate(room, { paused: false })
      await fresh.hear('ACTIVE')
      expect(old.of('ACTIVE')).toEqual([])
      old.subscribe([privateOf(room, ada)], { ticketToken: ada.ticketToken })
      expect(await old.hear('ERROR')).toMatchObject({ code: 'TICKET_MOVED' })
    })

    it('[U3] rooms without an event have the same channels under their own id', async () => {
      const made = await bench.call('POST', '/api/rooms', {
        as: bench.organizer.authorization,
        body: { name: 'Shop', target: 'https://shop.example.com/', capacity: 1 },
      })
      const room = `/api/rooms/${made.json<{ id: string }>().id}`
      const ada = await bench.join(room)
      const client = await connect()
      await client.subscribed([publicOf(room), privateOf(room, ada)], { ticketToken: ada.ticketToken })
      expect(addressOf(room)).toMatch(/^room:/)
      expect(await client.hear('SNAPSHOT')).toMatchObject({ channel: publicOf(room), capacity: 1 })
      expect(await client.hear('ACTIVE')).toMatchObject({ channel: privateOf(room, ada) })
    })

    it('[U4] a WebSocket and a stream of events carry the same messages', async () => {
      const room = await bench.sale({ paused: true, capacity: 1 })
      const ada = await bench.join(room)
      const channels = [publicOf(room), privateOf(room, ada)]
      const socket = await connect()
      await socket.subscribed(channels, { ticketToken: ada.ticketToken, without: ['OCCUPANCY', 'SNAPSHOT'] })
      const stream = await events(channels, { 'seatwise-ticket': ada.ticketToken }, '&without=OCCUPANCY,SNAPSHOT')
      await stream.hear('SUBSCRIBED')
      expect(stream.response.headers['content-type']).toBe('text/event-stream; charset=utf-8')
      await leave(room, await bench.join(room))
      await bench.operate(room, { paused: false })
      for (const ear of [socket, stream]) await ear.hear('ACTIVE')
      await mark(room, 'the end', socket, stream)
      const told = (ear: Ear) => ear.heard.filter(({ type }) => ['ACTIVE', 'MESSAGE', 'QUEUE_MOVE'].includes(type))
      expect(told(stream)).toEqual(told(socket))
      expect(stream.ids.at(-1)).toMatch(/^\d+-\d+$/)
    })

    it('[U5] the ticket cookie opens the private channel for the site itself, and for no other site', async () => {
      const room = await bench.sale({ paused: true })
      const answer = await bench.call('POST', `${room}/queue/join`, { as: bench.buyer(), body: {} })
      const ada = answer.json<JoinAnswer>()
      const cookie = String(answer.headers['set-cookie']).split(';', 1)[0] ?? ''
      const channel = privateOf(room, ada)
      const site = await events([channel], { cookie, origin: url, 'sec-fetch-site': 'same-origin' })
      expect(await site.hear('POSITION')).toMatchObject({ rank: 0 })
      const foreign = await events([channel], { cookie, 'sec-fetch-site': 'cross-site' })
      expect(await foreign.hear('ERROR')).toMatchObject({ code: 'FORBIDDEN_CHANNEL' })
      const socket = await connect({ cookie, origin: url })
      await socket.subscribed([channel])
    })
  })

  describe('what is told', () => {
    it('[U6] an admitted visitor hears ACTIVE, with and without a claim window', async () => {
      for (const claimSeconds of [60, 0]) {
        const room = await bench.sale({ paused: true, capacity: 1, claimSeconds })
        const [ada, bob] = [await bench.join(room), await bench.join(room)]
        const [first, second] = [await hold(room, ada), await hold(room, bob)]
        await bench.operate(room, { paused: false })
        const turn = await first.hear('ACTIVE')
        const { expiresAt, status } = await bench.status(room, ada.ticketToken)
        expect(turn).toMatchObject({ claim: true, expiresAt, status })
        await leave(room, ada)
        await second.hear('ACTIVE')
      }
    })

    it('[U6] in a room that reserves on admission, no visitor hears it before they have a seat', async () => {
      const room = await bench.sale({ paused: true, capacity: 1, reserveOnAdmit: true })
      const ada = await bench.join(room)
      const client = await hold(room, ada)
      await bench.operate(room, { paused: false })
      await client.hear('ACTIVE', ({ status }) => status === 'active')
      const types = client.heard.map(({ type }) => type)
      expect(types.indexOf('RESERVATION_CREATED')).toBeGreaterThan(-1)
      expect(types.indexOf('RESERVATION_CREATED')).toBeLessThan(types.indexOf('ACTIVE'))
    })

    it('[U8] a SNAPSHOT comes at once and periodically, and contains the public document', async () => {
      const room = await bench.sale({ paused: true, capacity: 7 })
      await bench.join(room)
      const client = await watch(room)
      const first = await client.hear('SNAPSHOT')
      expect(first).toMatchObject({ capacity: 7, phase: 'paused', waiting: 1, headCount: 1 })
      const now = (await bench.call('GET', `${room}/queue/now`)).json<object>()
      expect(Object.keys(first)).toEqual(expect.arrayContaining(Object.keys(now)))
      await client.hear('SNAPSHOT', (message) => message !== first)
    })

    it('[U9] near the head every exact position is sent', async () => {
      const room = await bench.sale({ paused: true })
      const line = []
      for (let index = 0; index < 5; index += 1) line.push(await bench.join(room))
      const [ada, bob, cleo, dan, eve] = line as [JoinAnswer, JoinAnswer, JoinAnswer, JoinAnswer, JoinAnswer]
      const client = await hold(room, eve)
      expect(await client.hear('POSITION')).toMatchObject({ rank: 4, position: 5 })
      for (const [index, gone] of [cleo, ada, dan, bob].entries()) {
        await leave(room, gone)
        await client.hear('POSITION', ({ rank }) => rank === 3 - index)
      }
      const { rank, seq } = await bench.status(room, eve.ticketToken)
      expect(client.of('POSITION').at(-1)).toMatchObject({ rank, seq })
    })

    it('[U9] visitors who join while the line moves also end with their exact position', async () => {
      const room = await bench.sale({ paused: true })
      const line = await Promise.all([...Array(40).keys()].map(() => bench.join(room)))
      const [leaving, staying] = [line.slice(0, 20), line.slice(20)]
      const [ears] = await Promise.all([
        Promise.all(staying.map((ticket) => hold(room, ticket))),
        Promise.all(leaving.map((ticket) => leave(room, ticket))),
      ])
      const truth = await Promise.all(staying.map((ticket) => bench.status(room, ticket.ticketToken)))
      await waitUntil('all have heard where they stand', () =>
        ears.every((ear, index) => ear.of('POSITION').at(-1)?.rank === truth[index]?.rank),
      )
    })

    it('[U11] a message of the operator and the end of all seats come at once', async () => {
      const room = await bench.sale({ capacity: 1, keepLineWhenSoldOut: false }, { totalSeats: 1 })
      const client = await watch(room)
      await bench.operate(room, { message: 'Doors open at 7' })
      expect(await client.hear('MESSAGE')).toMatchObject({ text: 'Doors open at 7' })
      await bench.operate(room, { message: null })
      await client.hear('MESSAGE', ({ text }) => text === null)
      await bench.server.services.boxOffice.tell(room.split('/').at(-1) ?? '', {
        version: 1_000,
        counts: { available: 0, held: 0, sold: 1, blocked: 0 },
        offered: 0,
        changes: [],
      })
      await client.hear('SOLD_OUT')
    })

    it('[U14] a room with presence sends the names of visitors who agreed to clients that ask', async () => {
      const room = await bench.sale({ paused: true, presence: true })
      await bench.join(room, bench.buyer('Ada'), { showMe: true })
      const secret = await bench.join(room, bench.buyer('Bob'))
      const [curious, incurious] = [await watch(room, { presence: true }), await watch(room)]
      const { present } = await curious.hear('PRESENCE')
      expect(present).toMatchObject([{ name: 'Ada' }])
      const cleo = await bench.join(room, bench.buyer('Cleo'), { showMe: true })
      await curious.hear('PRESENCE', ({ joined }) => JSON.stringify(joined ?? []).includes('Cleo'))
      await leave(room, secret)
      await leave(room, cleo)
      await curious.hear('PRESENCE', ({ left }) => JSON.stringify(left ?? []).includes(cleo.ticketId))
      await mark(room, 'all heard', curious, incurious)
      expect(incurious.of('PRESENCE')).toEqual([])
      expect(JSON.stringify(curious.heard)).not.toContain('Bob')
      expect(JSON.stringify(curious.heard)).not.toContain(secret.ticketId)
    })

    it('[U14] what a visitor said last about being shown counts', async () => {
      const room = await bench.sale({ paused: true, presence: true })
      const [ada, bob] = [
        await bench.join(room, bench.buyer('Ada'), { showMe: true }),
        await bench.join(room, bench.buyer('Bob')),
      ]
      const show = (ticket: JoinAnswer, body: object) => () =>
        bench
          .call('POST', `${room}/queue/shown`, { ticket: ticket.ticketToken, body })
          .then(({ statusCode }) => statusCode)
      await expect.poll(show(ada, { showMe: false }), { timeout: 20_000 }).toBe(200)
      await expect.poll(show(bob, { showMe: true, name: 'Robert' }), { timeout: 20_000 }).toBe(200)
      const { present } = await (await watch(room, { presence: true })).hear('PRESENCE')
      expect(present).toEqual([{ ticketId: bob.ticketId, name: 'Robert', avatar: null }])
    })

    it('[U14 control] a room without presence sends no names', async () => {
      const room = await bench.sale({ paused: true })
      const client = await watch(room, { presence: true })
      await bench.join(room, bench.buyer('Ada'), { showMe: true })
      await mark(room, 'all heard', client)
      expect(client.of('PRESENCE')).toEqual([])
    })
  })

  describe('missing nothing', () => {
    it('[U16] a client that comes back with its last position gets what it missed', async () => {
      const room = await bench.sale({ paused: true })
      const line = [await bench.join(room), await bench.join(room), await bench.join(room)]
      const steady = await watch(room)
      const { epoch = 0, seq = 0 } = await steady.hear('SNAPSHOT')
      const gone = line[0] as JoinAnswer
      await leave(room, gone)
      await mark(room, 'missed', steady)
      const back = await watch(room, { since: { epoch, seq } })
      await mark(room, 'not missed', steady, back)
      const kept = (ear: Ear) => ear.heard.filter(({ type }) => type === 'QUEUE_MOVE' || type === 'MESSAGE')
      expect(kept(back)).toEqual(kept(steady))
      expect(back.heard.map(({ type }) => type).slice(0, 2)).toEqual(['SUBSCRIBED', 'QUEUE_MOVE'])
      expect(await back.hear('QUEUE_MOVE')).toMatchObject({ departedRank: 0, waiting: 2, moves: [[0, -1]] })
    })

    it('[U16] a client with a position of another epoch, or older than the buffer, gets a SNAPSHOT', async () => {
      const room = await bench.sale({ paused: true })
      for (const since of [
        { epoch: 999, seq: 1 },
        { epoch: 1, seq: 0 },
      ]) {
        const client = await watch(room, { since })
        await client.hear('SNAPSHOT')
        expect(client.heard.map(({ type }) => type).slice(0, 2)).toEqual(['SUBSCRIBED', 'SNAPSHOT'])
      }
    })

    it('[U16] an event stream resumes from the id that the browser sends', async () => {
      const room = await bench.sale({ paused: true })
      const stream = await events([publicOf(room)])
      await stream.hear('SNAPSHOT')
      const id = stream.ids.at(-1) ?? ''
      await mark(room, 'meanwhile', stream)
      const back = await events([publicOf(room)], { 'last-event-id': id })
      await back.hear('MESSAGE', ({ text }) => text === 'meanwhile')
      expect(back.of('SNAPSHOT')).toEqual([])
    })

    it('[U15] the messages of a channel never go back in order', async () => {
      const room = await bench.sale({ paused: true, capacity: 3 })
      const line = []
      for (let index = 0; index < 20; index += 1) line.push(await bench.join(room))
      const last = line.at(-1) as JoinAnswer
      const client = await connect()
      await client.subscribed([publicOf(room), privateOf(room, last)], { ticketToken: last.ticketToken })
      await bench.operate(room, { paused: false })
      for (const [index, ticket] of line.slice(0, -1).entries()) {
        await leave(room, ticket)
        // Slowly enough for several messages.
        if (index === 5 || index === 11) await client.hear('POSITION', ({ rank }) => rank === 15 - index)
      }
      await client.hear('ACTIVE')
      await mark(room, 'the end', client)
      for (const name of [publicOf(room), privateOf(room, last)]) {
        const seqs = client.heard.filter(({ channel }) => channel === name).map(({ seq }) => seq ?? 0)
        expect(seqs.length).toBeGreaterThan(2)
        expect(seqs).toEqual(seqs.toSorted((one, other) => one - other))
      }
    })

    it('[U19] an open private connection is a heartbeat; a closed one is not', async () => {
      const room = await bench.sale({ paused: true, capacity: 1, heartbeatTimeoutSeconds: 2, graceSeconds: 60 })
      const [ada, bob] = [await bench.join(room), await bench.join(room)]
      const absent = await hold(room, ada)
      const present = await hold(room, bob)
      absent.close()
      const joinedAt = Date.parse(String(bob.joinedAt))
      await waitUntil('a disconnected visitor counts as absent', () => Date.now() - joinedAt > 3_000)
      await bench.operate(room, { paused: false })
      await present.hear('ACTIVE')
      expect(await bench.status(room, ada.ticketToken)).toMatchObject({ status: 'waiting' })
    })
  })

  it('[U20] answers tell whether to open a connection: all visitors in a small room, and all those on the floor', async () => {
    const room = await bench.sale({ paused: true, capacity: 1 })
    const ada = await bench.join(room)
    expect(ada.push).toBe(true)
    expect((await bench.status(room, ada.ticketToken)).push).toBe(true)
    const now = (await bench.call('GET', `${room}/queue/now`)).json<{ poll: { pushRank: number } }>()
    expect(now.poll.pushRank).toBeGreaterThanOrEqual(1_000)
    await leave(room, ada)
    expect((await bench.status(room, ada.ticketToken)).push).toBe(false)
  })
})
