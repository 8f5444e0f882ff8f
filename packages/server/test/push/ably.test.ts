import { AblyStandIn, expectFields, shape, waitUntil } from '@seatwise/testbench'
import Ably from 'ably'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AblyClient } from '../../src/push/ably/ably-client.ts'
import { ABLY_HOSTS, listeningOrigins } from '../../src/push/ably/ably-hosts.ts'
import { Publisher } from '../../src/push/ably/publisher.ts'
import { RoomPublication } from '../../src/push/ably/room-publication.ts'
import { sharedLease } from '../../src/rooms/log/lease.ts'
import { expectError } from '../support/kernel.ts'
import { privateOf, publicOf } from '../support/realtime.ts'
import { forEachMode, type JoinAnswer, type RoomBench } from '../support/room.ts'

forEachMode('push through Ably', (open) => {
  let bench: RoomBench
  let ably: AblyStandIn

  beforeAll(async () => {
    ably = await AblyStandIn.start()
    ably.connections = 1
    bench = await open({ env: ably.env })
  })
  afterAll(() => ably.stop())

  const leave = (room: string, { ticketToken }: JoinAnswer) =>
    bench.call('DELETE', `${room}/queue`, { ticket: ticketToken })
  const tokenOf = async (room: string, ticket: JoinAnswer) => {
    const answer = await bench.call('GET', `${room}/queue/realtime-token`, { ticket: ticket.ticketToken })
    return answer.json<{ provider: string; channels: string[]; tokenRequest: Ably.TokenRequest }>()
  }

  describe('tokens', () => {
    it('[U29] a token allows subscribing to the ticket’s own private channel and the public one, and nothing else', async () => {
      const room = await bench.sale({ paused: true })
      const [ada, bob] = [await bench.join(room), await bench.join(room)]
      const { provider, channels, tokenRequest } = await tokenOf(room, ada)
      expect(provider).toBe('ably')
      expect(channels).toEqual([publicOf(room), privateOf(room, ada)])
      expect(JSON.parse(tokenRequest.capability)).toEqual({
        [privateOf(room, ada)]: ['subscribe'],
        [publicOf(room)]: ['subscribe'],
      })
      expect(tokenRequest.clientId).toBe(ada.ticketId)
      const { port } = new URL(ably.url)
      const visitor = new Ably.Rest({
        ...{ endpoint: '127.0.0.1', port: Number(port), tls: false, useBinaryProtocol: false, logLevel: 0 },
        authCallback: (_params, callback) => callback(null, tokenRequest),
      })
      const details = await visitor.auth.authorize()
      expect(JSON.parse(details.capability)).toEqual(JSON.parse(tokenRequest.capability))
      for (const channel of [publicOf(room), privateOf(room, ada), privateOf(room, bob)]) {
        await expect(visitor.channels.get(channel).publish('ACTIVE', '{}')).rejects.toThrow()
      }
      expect(ably.published.filter(({ data }) => JSON.stringify(data) === '{}')).toEqual([])
    })

    it('[U29] no token without the ticket, with another room’s, or after the ticket is over', async () => {
      const [room, elsewhere] = [await bench.sale({ paused: true }), await bench.sale({ paused: true })]
      const [ada, far] = [await bench.join(room), await bench.join(elsewhere)]
      const ask = (ticket: string) => bench.call('GET', `${room}/queue/realtime-token`, { ticket })
      expectError(await bench.call('GET', `${room}/queue/realtime-token`), 401, 'BAD_TICKET')
      expectError(await ask(far.ticketToken), 403, 'FOREIGN_TICKET')
      await leave(room, ada)
      expectError(await ask(ada.ticketToken), 409, 'TICKET_ENDED')
    })

    it('[U29] entering the presence of the public channel is for those who agreed to be shown, in rooms with presence', async () => {
      const [room, quiet] = [await bench.sale({ paused: true, presence: true }), await bench.sale({ paused: true })]
      const access = async (sale: string, ticket: JoinAnswer, query = '?presence=true') => {
        const answer = await bench.call('GET', `${sale}/queue/realtime-token${query}`, { ticket: ticket.ticketToken })
        const { tokenRequest, shown } = answer.json<{ tokenRequest: Ably.TokenRequest; shown: object | null }>()
        return { shown, mayEnter: JSON.parse(tokenRequest.capability)[publicOf(sale)].includes('presence') }
      }
      const refused = { shown: null, mayEnter: false }
      const join = (sale: string, body: object = {}) => bench.join(sale, bench.buyer(), body)
      const agreed = { showMe: true, name: 'Ada' }
      const [ada, bob, cyd] = [await join(room, agreed), await join(room), await join(quiet, agreed)]
      expect(await access(room, ada)).toEqual({ shown: { name: 'Ada', avatar: null }, mayEnter: true })
      expect(await access(room, ada, '')).toEqual(refused)
      expect(await access(room, bob)).toEqual(refused)
      expect(await access(quiet, cyd)).toEqual(refused)
      const show = (body: object) => bench.call('POST', `${room}/queue/shown`, { ticket: ada.ticketToken, body })
      await waitUntil('the ledger knows her', async () => (await show({ showMe: false })).statusCode === 200)
      expect(await access(room, ada)).toEqual(refused)
      await show({ showMe: true, name: 'Countess' })
      expect(await access(room, ada)).toEqual({ shown: { name: 'Countess', avatar: null }, mayEnter: true })
    })

    it('[U29 control] the stand-in refuses a token request that was altered', async () => {
      const room = await bench.sale({ paused: true })
      const { tokenRequest } = await tokenOf(room, await bench.join(room))
      const trade = (request: object) =>
        fetch(`${ably.url}/keys/${tokenRequest.keyName}/requestToken`, {
          method: 'POST',
          body: JSON.stringify(request),
        })
      expect((await trade({ ...tokenRequest, capability: '{"*":["*"]}' })).status).toBe(400)
      expect((await trade({ ...tokenRequest, more: 1 })).status).toBe(400)
      expect((await trade(tokenRequest)).status).toBe(201)
    })
  })

  describe('publishing', () => {
    it('[U30] what happens is published on the channels of the contract, each once', async () => {
      const room = await bench.sale({ paused: true, capacity: 1 })
      const [ada, bob] = [await bench.join(room), await bench.join(room)]
      await waitUntil('the room is published', () => ably.on(publicOf(room)).length > 0)
      await bench.operate(room, { message: 'Doors open at seven', paused: false })
      const told = (ticket: JoinAnswer, type: string) =>
        waitUntil(`${type} is published`, () => ably.on(privateOf(room, ticket)).find(({ name }) => name === type))
      expect((await told(ada, 'ACTIVE')).data).toMatchObject({
        type: 'ACTIVE',
        claim: true,
        channel: privateOf(room, ada),
      })
      await leave(room, ada)
      expect((await told(ada, 'ENDED')).data).toMatchObject({ status: 'expired', reason: 'cancelled' })
      await told(bob, 'ACTIVE')
      await waitUntil('the public channel has it', () =>
        ['MESSAGE', 'QUEUE_MOVE', 'SNAPSHOT', 'OCCUPANCY'].every((type) =>
          ably.on(publicOf(room)).some(({ name }) => name === type),
        ),
      )
      expect(ably.on(privateOf(room, ada)).map(({ name }) => name)).toEqual(['ACTIVE', 'ENDED'])
      expect(
        ably.refused.filter((refusal) => !/publish is not in the capability|wrong mac|unknown: more/.test(refusal)),
      ).toEqual([])
    })

    it('[U14] names are not published: all listeners of the public channel would get them', async () => {
      const room = await bench.sale({ paused: true, presence: true })
      const ada = await bench.join(room, bench.buyer(), { showMe: true, name: 'Ada' })
      await waitUntil('the room is published', () => ably.on(publicOf(room)).length > 0)
      await leave(room, ada)
      await waitUntil('her end is published', () => ably.on(privateOf(room, ada)).length > 0)
      await bench.operate(room, { message: 'Later than her name' })
      await waitUntil('that is published', () => ably.on(publicOf(room)).some(({ name }) => name === 'MESSAGE'))
      expect(ably.on(publicOf(room)).filter((message) => JSON.stringify(message).includes('Ada'))).toEqual([])
    })

    it('[U31] while Ably is away visitors are still admitted, and the messages are published afterwards', async () => {
      const room = await bench.sale({ paused: true, capacity: 1 })
      const ada = await bench.join(room)
      ably.isDown = true
      await bench.operate(room, { paused: false })
      await waitUntil('it is her turn', async () => (await bench.status(room, ada.ticketToken)).status === 'admitted')
      expect(ably.on(privateOf(room, ada))).toEqual([])
      ably.isDown = false
      await waitUntil('it was told', () => ably.on(privateOf(room, ada)).length === 1)
    })
  })
})

forEachMode('several servers and Ably', (open) => {
  it('[U30] one server publishes at a time; the server that takes over repeats what may be missing, under the same ids', async () => {
    const bench = await open()
    const held = new Map<string, string>()
    const published: string[] = []
    const away = new Set<string>()
    const clientOf = (server: string): AblyClient => ({
      async publish(channel, { id, name }) {
        if (away.has(server)) throw new Error('away')
        published.push(`${channel.split(':').at(-1)} ${name} ${id}`)
      },
      tokenRequest: () => Promise.reject(new Error('not asked for')),
      occupancy: async () => 1,
    })
    const room = await bench.sale({ paused: true, capacity: 10, claimSeconds: 60 })
    const lines = [await bench.join(room), await bench.join(room)]
    const inside = await bench.server.services.rooms.ofEvent(room.split('/').at(-1) ?? '')
    const publish = (server: string) => {
      const client = clientOf(server)
      const publisher = new Publisher(client, pino({ level: 'silent' }), () => undefined)
      const lease = {
        async hold(id: string, progress: { epoch: number; seq: number } | null = null) {
          if ((held.get(id) ?? server) !== server) return null
          held.set(id, server)
          if (progress !== null) held.set(`${id} published`, `${progress.epoch}-${progress.seq}`)
          const [epoch, seq] = held.get(`${id} published`)?.split('-').map(Number) ?? []
          return { progress: epoch === undefined || seq === undefined ? null : { epoch, seq } }
        },
        release: async () => undefined,
      }
      const parts = { room: inside, client, publisher, lease, findReservation: null, seats: null, now: Date.now }
      return new RoomPublication({ ...parts, onError: () => undefined })
    }
    const [first, second] = [publish('first'), publish('second')]
    await waitUntil('the first has noted how far it is', () => held.has(`${inside.id} published`))
    expect(held.get(inside.id)).toBe('first')
    // The first server loses its connection to Ably, and then dies, in the middle of publishing.
    away.add('first')
    await bench.operate(room, { paused: false })
    await waitUntil(
      'all are in',
      async () => (await bench.status(room, lines[1]?.ticketToken ?? '')).status === 'admitted',
    )
    first.close()
    held.delete(inside.id)
    await waitUntil('both turns are told', () =>
      lines.every(({ ticketId }) => published.some((line) => line.startsWith(`${ticketId} ACTIVE`))),
    )
    expect(held.get(inside.id)).toBe('second')
    second.close()
  })
})

it('[U34] a page’s policy names the hosts that Ably’s SDK uses; another address replaces them, and without Ably there is none', () => {
  // What the SDK made of its options, which its types do not name.
  const { options } = expectFields(new Ably.Rest({ key: 'app.key:secret' }), {
    options: shape.fields({ primaryDomain: shape.text, fallbackHosts: shape.listOf(shape.text) }),
  })
  expect(ABLY_HOSTS).toEqual([options.primaryDomain, ...options.fallbackHosts])
  const settings = { provider: 'ably', key: 'app.key:secret' } as const
  const origins = listeningOrigins({ ...settings, url: null })
  expect(origins).toEqual(expect.arrayContaining(ABLY_HOSTS.flatMap((host) => [`https://${host}`, `wss://${host}`])))
  expect(origins.every((origin) => /^(https|wss):\/\/[a-z.-]+\.(ably\.net|ably-realtime\.com)$/.test(origin))).toBe(
    true,
  )
  expect(listeningOrigins({ ...settings, url: 'https://push.example:8443' })).toEqual([
    'https://push.example:8443',
    'wss://push.example:8443',
  ])
  expect(listeningOrigins({ provider: 'builtin' })).toEqual([])
})

it('[U30] a lease on Redis has one holder, and keeps what it has published', async () => {
  const { connectRedis, parseRedisUrl } = await import('@seatwise/line')
  const { redisUrl } = await import('@seatwise/testbench')
  const parsed = parseRedisUrl(redisUrl())
  if (parsed.status === 'bad') throw new Error(parsed.problem)
  const redis = await connectRedis(parsed.target, { onError: () => undefined })
  const leaseOf = (serverId: string) => sharedLease(redis, { name: 'publisher', serverId, leaseMs: 5_000 })
  const [one, other] = [leaseOf('one'), leaseOf('other')]
  const room = crypto.randomUUID()
  expect(await one.hold(room, null)).toEqual({ progress: null })
  expect(await other.hold(room, null)).toBeNull()
  expect(await one.hold(room, { epoch: 1, seq: 7 })).toEqual({ progress: { epoch: 1, seq: 7 } })
  await redis.send(`seatwise:{${room}}:publisher`, ['DEL', `seatwise:{${room}}:publisher`])
  expect(await other.hold(room, null)).toEqual({ progress: { epoch: 1, seq: 7 } })
  expect(await one.hold(room, { epoch: 1, seq: 9 })).toBeNull()
  // Only the holder can give it up.
  await one.release(room)
  expect(await one.hold(room)).toBeNull()
  await other.release(room)
  expect(await one.hold(room)).toEqual({ progress: { epoch: 1, seq: 7 } })
  await redis.close()
})
