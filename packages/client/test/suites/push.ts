import { seededRandom, testSeed, waitUntil } from '@seatwise/testbench'
import { afterEach, expect, it } from 'vitest'
import { platform } from '../../src/device/environment.ts'
import { type Environment, joinLine, type Place, type PlaceOptions, type Socket } from '../../src/index.ts'
import { memoryStorage } from '../support/memory-storage.ts'
import { theHouse } from '../support/the-house.ts'
import { VirtualTime } from '../support/virtual-time.ts'

const open: Place[] = []
afterEach(() => {
  for (const place of open.splice(0)) place.close()
  heard.clear()
})

async function join(eventId: string, environment: Partial<Environment>, more: Partial<PlaceOptions> = {}) {
  const options = { url: theHouse().url, eventId, storage: memoryStorage(), ...more, environment } as PlaceOptions
  const place = await joinLine(options)
  open.push(place)
  const types: string[] = []
  heard.set(place, types)
  place.onMessage(({ type }) => types.push(type))
  return place
}

/** What was pushed to each place since it joined. */
const heard = new Map<Place, string[]>()
const untilAllListen = (places: readonly Place[]) =>
  waitUntil('all listen', () => places.every((place) => heard.get(place)?.includes('SUBSCRIBED')))

/** The platform's own socket, that loses a share of what it is told. */
class LeakySocket implements Socket {
  readonly #socket: Socket
  onopen: Socket['onopen'] = null
  onmessage: Socket['onmessage'] = null
  onclose: Socket['onclose'] = null

  constructor(url: string, share: number, random: () => number) {
    this.#socket = platform().openSocket(url)
    this.#socket.onopen = () => this.onopen?.()
    this.#socket.onclose = (event) => this.onclose?.(event)
    this.#socket.onmessage = (event) => {
      if (random() >= share) this.onmessage?.(event)
    }
  }

  send(text: string): void {
    this.#socket.send(text)
  }

  close(): void {
    this.#socket.close()
  }
}

/** Goes in when called, and finishes. */
async function seeThrough(place: Place): Promise<string> {
  for await (const state of place) {
    if (state.status === 'admitted') await place.claim()
    else if (state.status === 'active') await place.complete()
  }
  return place.state.status
}

it.each([0, 0.3, 1])('[K13] with %f of all push messages lost every client ends in the right state', async (share) => {
  const random = seededRandom(testSeed())
  // Polls come about once a second, so that losing everything still fits into a test.
  const room = { capacity: 2, ratePerMinute: 6_000, burst: 10, heartbeatTimeoutSeconds: 3, graceSeconds: 60 }
  const sale = await theHouse().openSale({ ...room, paused: true })
  const openSocket = (url: string) => new LeakySocket(url, share, random)
  const environment = { openSocket, tabs: null, page: null }
  const places = await Promise.all(Array.from({ length: 8 }, () => join(sale.eventId, environment)))
  expect(places.map(({ state }) => state.status === 'waiting' && state.rank).sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
  await sale.change({ paused: false })
  const ends = await Promise.all(places.map((place) => seeThrough(place)))
  expect(ends).toEqual(places.map(() => 'completed'))
})

it('[K14] a public message makes no client poll; a private one makes only its client poll', async () => {
  const sale = await theHouse().openSale({ capacity: 1, claimSeconds: 1_000, paused: true })
  const times = Array.from({ length: 10 }, () => new VirtualTime())
  const { openSocket } = platform()
  const places = await Promise.all(times.map((time) => join(sale.eventId, time.environment({ openSocket }))))
  await untilAllListen(places)
  await Promise.all(times.map((time) => time.settle()))
  const asked = () => times.map((time) => time.asked(/status$/).length)

  const before = asked()
  await sale.change({ message: 'Doors are open' })
  await waitUntil('all heard it', () => places.every(({ state }) => state.room?.message === 'Doors are open'))
  // Longer than a private message may take, shorter than until the next poll of a listening client.
  for (const time of times) await time.advance(1_000)
  expect(asked()).toEqual(before)

  const last = places.find(({ state }) => state.status === 'waiting' && state.rank === 9)
  if (last === undefined) throw new Error('No client is last')
  await sale.terminate(last.state.ticketId)
  await waitUntil('it is told', () => last.state.status === 'expired')
  await sale.change({ paused: false })
  const first = await waitUntil('the first is called', () => places.find(({ state }) => state.status === 'admitted'))
  expect(first.state).toMatchObject({ status: 'admitted' })
  for (const time of times) await time.advance(1_000)
  // Both were told all of it: no client had to poll.
  expect(asked()).toEqual(before)
})

it('[K14] only the client that needs a pass asks for it', async () => {
  const sale = await theHouse().openSale({ capacity: 1, claimSeconds: 0, paused: true })
  const times = Array.from({ length: 4 }, () => new VirtualTime())
  const { openSocket } = platform()
  const places = await Promise.all(times.map((time) => join(sale.eventId, time.environment({ openSocket }))))
  await untilAllListen(places)
  const before = times.map((time) => time.asked(/status$/).length)
  await sale.change({ paused: false })
  const isCalled = (place: Place) => heard.get(place)?.includes('ACTIVE') === true
  await waitUntil('one is called', () => places.some(isCalled))
  for (const time of times) await time.advance(500)
  const after = times.map((time, index) => time.asked(/status$/).length - (before[index] ?? 0))
  expect(after).toEqual(places.map((place) => (isCalled(place) ? 1 : 0)))
  expect(places.filter(({ state }) => state.status === 'active')).toEqual(places.filter(isCalled))
})

it('[K10] positions follow the line by what is pushed, exactly, without asking', async () => {
  const sale = await theHouse().openSale({ capacity: 1, paused: true })
  const times = Array.from({ length: 5 }, () => new VirtualTime())
  const { openSocket } = platform()
  const places: Place[] = []
  for (const time of times) places.push(await join(sale.eventId, time.environment({ openSocket })))
  await untilAllListen(places)
  const [, , third, fourth, fifth] = places
  const asked = times.map((time) => time.asked(/status$/).length)
  await third?.leave()
  await waitUntil('those behind moved up', () => {
    const ranks = [fourth, fifth].map((place) => place?.state.status === 'waiting' && place.state.rank)
    return ranks[0] === 2 && ranks[1] === 3
  })
  expect(places[1]?.state).toMatchObject({ status: 'waiting', rank: 1 })
  expect(times.map((time) => time.asked(/status$/).length)).toEqual(asked)
})
