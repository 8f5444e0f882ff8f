import { AblyStandIn, type House, openHouse, waitUntil } from '@seatwise/testbench'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import {
  type Environment,
  joinLine,
  type Place,
  type PlaceOptions,
  type PushMessage,
  throughAbly,
} from '../src/index.ts'
import type { AblyAccess } from '../src/network/ably-types.ts'
import { memoryStorage } from './support/memory-storage.ts'
import { VirtualTime } from './support/virtual-time.ts'

let ably: AblyStandIn
let house: House
beforeAll(async () => {
  ably = await AblyStandIn.start()
  house = await openHouse(ably.env)
}, 60_000)
afterAll(async () => {
  await house.close()
  await ably.stop()
})

const open: Place[] = []
afterEach(async () => {
  for (const place of open.splice(0)) place.close()
  ably.isDown = false
  ably.opensAfter = Promise.resolve()
  ably.realtime.isForgetful = false
  await waitUntil('all connections are closed', () => ably.realtime.connections === 0)
})

interface Asked {
  readonly path: string
  /** How long the answer asks to wait until the next poll. */
  pollAfterMs: number
}

interface Listener {
  readonly place: Place
  readonly heard: PushMessage[]
  /** Requests to the server. */
  readonly asked: Asked[]
  /** From now on the server cannot be reached. */
  cut(): void
  tokenOf(): Promise<AblyAccess>
  of(type: string): PushMessage[]
}

async function join(
  eventId: string,
  more: Partial<PlaceOptions> & { join?: object } = {},
  time: VirtualTime | null = null,
): Promise<Listener> {
  const asked: Asked[] = []
  let isCut = false
  const given = time?.environment()
  const environment: Partial<Environment> = {
    ...given,
    tabs: null,
    page: null,
    fetch: async (url, request) => {
      if (isCut) throw new TypeError('The network is cut')
      const exchange = { path: new URL(String(url)).pathname, pollAfterMs: 0 }
      asked.push(exchange)
      const headers: [string, string][] = [...new Headers(request?.headers), ['connection', 'close']]
      const answer = await (given?.fetch ?? fetch)(url, { ...request, headers })
      const text = await answer.clone().text()
      exchange.pollAfterMs = text === '' ? 0 : Number(JSON.parse(text).pollAfterMs ?? 0)
      return answer
    },
  }
  const listen = throughAbly(() => import('ably'))
  const storage = memoryStorage()
  const options = { url: house.url, eventId, storage, listen, environment, ...more } as PlaceOptions
  const place = await joinLine(options)
  open.push(place)
  const heard: PushMessage[] = []
  place.onMessage((message) => heard.push(message))
  return {
    ...{ place, heard, asked },
    cut: () => {
      isCut = true
    },
    async tokenOf() {
      const ticketToken = JSON.parse([...storage.items.values()][0] ?? '{}').ticketToken
      const url = `${house.url}/api/events/${eventId}/queue/realtime-token?presence=true`
      const headers = { 'seatwise-ticket': ticketToken, connection: 'close' }
      return (await fetch(url, { headers })).json()
    },
    of: (type) => heard.filter((message) => message.type === type),
  }
}

const listens = (listener: Listener, times = 1) =>
  waitUntil('it listens', () => listener.of('SUBSCRIBED').length === times)
const polls = ({ asked }: Listener) => asked.filter(({ path }) => path.endsWith('/status')).length
const tokens = ({ asked }: Listener) => asked.filter(({ path }) => path.endsWith('/realtime-token')).length
const rankOf = ({ place }: Listener) => (place.state.status === 'waiting' ? place.state.rank : null)

it('[K25] a place listens to its two channels through Ably’s SDK and hears what the server’s own socket would say', async () => {
  const sale = await house.openSale({ capacity: 1, claimSeconds: 600, paused: true })
  const [ada, bob, cyd] = [await join(sale.eventId), await join(sale.eventId), await join(sale.eventId)]
  for (const one of [ada, bob, cyd]) await listens(one)
  const { ticketId } = ada.place.state
  expect(ada.of('SUBSCRIBED')[0]?.channels).toEqual([
    `event:${sale.eventId}:public`,
    `event:${sale.eventId}:private:${ticketId}`,
  ])
  await waitUntil('they are counted', () => ada.place.state.viewers === 3)
  await sale.change({ message: 'Doors are open' })
  await waitUntil('all heard it', () =>
    [ada, bob, cyd].every(({ place }) => place.state.room?.message === 'Doors are open'),
  )
  await bob.place.leave()
  await waitUntil('those behind moved up', () => rankOf(cyd) === 1)
  // A status poll may tell the new rank before the message does.
  await waitUntil('the message came too', () => cyd.of('QUEUE_MOVE').length > 0)
  await sale.change({ paused: false })
  await waitUntil('it is her turn', () => ada.place.state.status === 'admitted')
  expect(ada.of('ACTIVE')).toMatchObject([{ status: 'admitted', claim: true }])
  expect(cyd.of('ACTIVE')).toEqual([])
  expect(ably.realtime.denied).toEqual([])
  await ada.place.claim()
  await ada.place.complete()
  await waitUntil('the next one is called', () => cyd.place.state.status === 'admitted')
})

it('[K25] where the server publishes by itself, the server’s own socket is opened and Ably’s module is not loaded', async () => {
  const plain = await openHouse()
  try {
    const sale = await plain.openSale({ paused: true })
    let loads = 0
    const listen = throughAbly(() => {
      loads += 1
      return import('ably')
    })
    const visitor = await join(sale.eventId, { url: plain.url, listen })
    await listens(visitor)
    await waitUntil('it hears', () => visitor.of('SNAPSHOT').length > 0)
    expect(loads).toBe(0)
    visitor.place.close()
  } finally {
    await plain.close()
  }
})

it('[K26] a connection that breaks resumes: what was published meanwhile is heard afterwards', async () => {
  const sale = await house.openSale({ paused: true })
  const visitor = await join(sale.eventId)
  await listens(visitor)
  await waitUntil('the gap before it listened is repaired', () => polls(visitor) > 0)
  const { resumes } = ably.realtime
  const absence = Promise.withResolvers<void>()
  ably.opensAfter = absence.promise
  ably.realtime.drop()
  await waitUntil('it knows', () => visitor.of('UNSUBSCRIBED').length === 1)
  await sale.change({ message: 'Still here' })
  await waitUntil('it is said', () => ably.on(`event:${sale.eventId}:public`).some(({ name }) => name === 'MESSAGE'))
  absence.resolve()
  await listens(visitor, 2)
  await waitUntil('it heard', () => visitor.place.state.room?.message === 'Still here')
  expect(ably.realtime.resumes).toBe(resumes + 2)
})

it('[K26] what may have been missed is repaired by a poll, when the server allows it and not before', async () => {
  const sale = await house.openSale({ capacity: 1, claimSeconds: 600, paused: true })
  const time = new VirtualTime()
  const visitor = await join(sale.eventId, {}, time)
  const asked = () => time.asked(/\/(join|status)$/)
  /** Not before the server allows it, and not a second later. */
  const nextPoll = async () => {
    const before = asked()
    const { pollAfterMs = 0 } = visitor.asked.findLast((one) => one.pollAfterMs > 0) ?? {}
    await time.advance((before.at(-1) ?? 0) + pollAfterMs - time.now)
    expect(asked()).toEqual(before)
    await time.advance(1_000)
    expect(asked()).toHaveLength(before.length + 1)
  }
  await listens(visitor)
  await nextPoll()
  // Admitted while Ably forgets its connection and every message.
  const absence = Promise.withResolvers<void>()
  ably.opensAfter = absence.promise
  ably.realtime.isForgetful = true
  ably.realtime.drop()
  await waitUntil('it knows', () => visitor.of('UNSUBSCRIBED').length === 1)
  await sale.change({ paused: false })
  await waitUntil(
    'it is said',
    () => ably.on(`event:${sale.eventId}:private:${visitor.place.state.ticketId}`).length > 0,
  )
  absence.resolve()
  await listens(visitor, 2)
  expect(visitor.place.state.status).toBe('waiting')
  await nextPoll()
  expect(visitor.place.state.status).toBe('admitted')
})

it('[K26] while Ably is away a place polls as without push, and ends in the right state', async () => {
  ably.isDown = true
  const sale = await house.openSale({ capacity: 1, claimSeconds: 600, heartbeatTimeoutSeconds: 6 })
  const visitor = await join(sale.eventId)
  await waitUntil('it tried', () => tokens(visitor) > 0 && ably.asked.includes('socket'))
  await waitUntil('it is its turn', () => visitor.place.state.status === 'admitted')
  expect(visitor.of('SUBSCRIBED')).toEqual([])
  await visitor.place.claim()
  expect((await visitor.place.complete()).status).toBe('completed')
})

it('[K27] a token is renewed when Ably asks for it and when it has expired, without a gap in what is heard', async () => {
  const sale = await house.openSale({ paused: true })
  const visitor = await join(sale.eventId)
  await listens(visitor)
  expect(tokens(visitor)).toBe(1)
  ably.realtime.askForTokens()
  await waitUntil('it fetched another', () => tokens(visitor) === 2)
  ably.realtime.expire()
  await waitUntil('it fetched a third', () => tokens(visitor) === 3)
  await listens(visitor, 2)
  await sale.change({ message: 'Renewed' })
  await waitUntil('it heard', () => visitor.place.state.room?.message === 'Renewed')
})

it('[K27] a token that no longer allows the channels is answered by polling', async () => {
  const sale = await house.openSale({ paused: true, heartbeatTimeoutSeconds: 6 })
  const visitor = await join(sale.eventId)
  await listens(visitor)
  ably.realtime.isForgetful = true
  ably.realtime.deniedChannels = /:private:/
  ably.realtime.drop()
  await waitUntil('it was refused', () =>
    ably.realtime.denied.some((one) => one.includes(visitor.place.state.ticketId)),
  )
  const before = polls(visitor)
  await waitUntil('it polls', () => polls(visitor) > before + 1)
  ably.realtime.deniedChannels = null
  ably.realtime.denied.length = 0
  expect(visitor.place.state).toMatchObject({ status: 'waiting', reach: 'ok' })
})

it('[K28] a visitor who listens through Ably stays present: polls carry the heartbeats that a socket would', async () => {
  const sale = await house.openSale({
    capacity: 1,
    claimSeconds: 600,
    graceSeconds: 1,
    paused: true,
    heartbeatTimeoutSeconds: 3,
  })
  const [ada, bob] = [await join(sale.eventId), await join(sale.eventId)]
  for (const one of [ada, bob]) await listens(one)
  const since = performance.now()
  await waitUntil('longer than the room waits for absentees', () => performance.now() - since > 7_000, { everyMs: 100 })
  await sale.change({ paused: false })
  await waitUntil('the first is called', () => ada.place.state.status === 'admitted')
  await waitUntil('the second is the first now', () => rankOf(bob) === 0)
  expect(bob.place.state).toMatchObject({ status: 'waiting', away: false })
})

it('[K28 control] one who listens and does not poll is absent when the turn comes', async () => {
  const room = { capacity: 1, claimSeconds: 600, graceSeconds: 600, paused: true, heartbeatTimeoutSeconds: 3 }
  const sale = await house.openSale(room)
  const [ada, bob] = [await join(sale.eventId), await join(sale.eventId)]
  for (const one of [ada, bob]) await listens(one)
  ada.cut()
  const since = performance.now()
  await waitUntil('longer than the room waits for absentees', () => performance.now() - since > 5_000, { everyMs: 100 })
  await sale.change({ paused: false })
  await waitUntil('the second is called', () => bob.place.state.status === 'admitted')
  expect(ada.place.state.status).toBe('waiting')
})

it('[K29] in a room with presence, those who agreed are seen by those who ask, from coming to going', async () => {
  const sale = await house.openSale({ capacity: 1, claimSeconds: 600, paused: true, presence: true })
  const channel = `event:${sale.eventId}:public`
  const ada = await join(sale.eventId, { presence: true, join: { name: 'Ada', showMe: true } })
  await waitUntil('she is there', () => ably.realtime.members(channel).length === 1)
  const bob = await join(sale.eventId, { presence: true })
  const cyd = await join(sale.eventId)
  for (const one of [ada, bob, cyd]) await listens(one)
  const { ticketId } = ada.place.state
  await waitUntil('he sees her', () => bob.of('PRESENCE').length === 1)
  expect(bob.of('PRESENCE')).toMatchObject([{ present: [{ ticketId, name: 'Ada', avatar: null }] }])
  await bob.place.showAs('Bob')
  await waitUntil('she sees him', () =>
    ada.of('PRESENCE').some((message) => JSON.stringify(message.joined)?.includes('Bob')),
  )
  await bob.place.showAs(null)
  await waitUntil('and no longer', () =>
    ada.of('PRESENCE').some((message) => JSON.stringify(message.left)?.includes(bob.place.state.ticketId)),
  )
  await sale.change({ paused: false })
  await waitUntil('she went in', () =>
    bob.of('PRESENCE').some((message) => JSON.stringify(message.left)?.includes(ticketId)),
  )
  expect(cyd.of('PRESENCE')).toEqual([])
  expect(ably.published.filter(({ name }) => name === 'PRESENCE')).toEqual([])
  expect(ably.realtime.denied).toEqual([])
})

it('[K29] what others enter with is cut to what a name can be: the server does not check it', async () => {
  const sale = await house.openSale({ paused: true, presence: true })
  const watcher = await join(sale.eventId, { presence: true })
  await listens(watcher)
  await waitUntil('it asked who is there', () => watcher.of('PRESENCE').length === 1)
  const mallory = await join(sale.eventId, { push: 'off', join: { name: 'Mallory', showMe: true } })
  const realtime = await enterBy(mallory, `event:${sale.eventId}`)
  const seen = () => watcher.of('PRESENCE').flatMap(({ joined }) => (joined ?? []) as { name: string }[])
  try {
    for (const data of [
      'Mallory',
      { name: 7 },
      { name: '' },
      { name: 'x'.repeat(999), avatar: 'javascript:alert(1)' },
    ]) {
      await realtime.update(data)
    }
    await waitUntil('the last one is seen', () => seen().length > 0)
    expect(seen()).toEqual([{ ticketId: mallory.place.state.ticketId, name: 'x'.repeat(100), avatar: null }])
  } finally {
    realtime.close()
  }
})

/** Enters with Ably's SDK alone, past our client. */
async function enterBy({ place, tokenOf }: Listener, address: string) {
  const { default: Ably } = await import('ably')
  const { channels, tokenRequest, clientOptions } = await tokenOf()
  expect(channels[1]).toBe(`${address}:private:${place.state.ticketId}`)
  const client = new Ably.Realtime({
    ...clientOptions,
    useBinaryProtocol: false,
    authCallback: (_parameters, callback) => callback(null, tokenRequest),
  })
  const { presence } = client.channels.get(channels[0])
  return { update: (data: unknown) => presence.update(data), close: () => client.close() }
}

it('[K29 control] a room without presence lets none enter, and shows no names', async () => {
  const sale = await house.openSale({ paused: true })
  const ada = await join(sale.eventId, { presence: true, join: { name: 'Ada', showMe: true } })
  await listens(ada)
  await waitUntil('it asked who is there', () => ada.of('PRESENCE').length === 1)
  expect(ada.of('PRESENCE')).toEqual([{ type: 'PRESENCE', present: [] }])
  expect(ably.realtime.members(`event:${sale.eventId}:public`)).toEqual([])
})
