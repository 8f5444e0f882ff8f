import { joinLine, type Place, type PlaceState } from '@seatwise/client'
import { type Server, seededRandom, startServer, waitUntil } from '@seatwise/testbench'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buyerToken, PushSale } from './push-world.ts'

const SEED = Number(process.env.SEED ?? 20_261_115)
const VISITORS = 30
const TERMINATED = 3

/** What a client uses of a WebSocket. */
interface Socket {
  send(text: string): void
  close(): void
  onopen: (() => void) | null
  onmessage: ((event: { data: unknown }) => void) | null
  onclose: ((event: { code: number }) => void) | null
}

/** A socket that loses a share of what the server says, and counts what it lets through. */
function lossySocket(url: string, loses: () => boolean, heard: string[]): Socket {
  const socket = new WebSocket(url)
  const outer: Socket = {
    send: (text) => socket.send(text),
    close: () => socket.close(),
    onopen: null,
    onmessage: null,
    onclose: null,
  }
  socket.onopen = () => outer.onopen?.()
  socket.onclose = ({ code }) => outer.onclose?.({ code })
  socket.onmessage = ({ data }) => {
    if (loses()) return
    heard.push(String(data))
    outer.onmessage?.({ data })
  }
  return outer
}

/** A visitor who takes their turn whenever it comes, and finishes. */
async function seeItThrough(place: Place): Promise<PlaceState> {
  for await (const state of place) {
    if (state.status === 'admitted') await place.claim()
    else if (state.status === 'active') await place.complete()
    else if (state.status !== 'waiting') return state
  }
  return place.state
}

describe.each(['embedded', 'distributed'] as const)('push that loses messages, %s', (mode) => {
  let server: Server
  const places: Place[] = []

  beforeAll(async () => {
    server = await startServer({ mode })
  })
  afterAll(async () => {
    for (const place of places) place.close()
    await server?.discard()
  })

  const enter = async (
    sale: PushSale,
    loses: () => boolean,
    heard: string[],
    fetched: string[] = [],
  ): Promise<Place> => {
    const place = await joinLine({
      ...{ url: server.url, eventId: sale.eventId, accessToken: buyerToken() },
      environment: {
        openSocket: (url) => lossySocket(url, loses, heard),
        fetch: async (input, init) => {
          fetched.push(String(input))
          return await fetch(input, init)
        },
      },
    })
    places.push(place)
    return place
  }

  it('[U17] with 30 % and with all of the messages lost, every client ends in the right state', async () => {
    const runs = [0.3, 1].map(async (loss) => {
      const random = seededRandom(SEED)
      // Absent after 3 s, so that visitors poll every second.
      const room = { capacity: 10, ratePerMinute: 60_000, burst: 1_000, heartbeatTimeoutSeconds: 3, paused: true }
      const sale = await PushSale.open([server], room)
      const heard: string[] = []
      const crowd = await Promise.all([...Array(VISITORS).keys()].map(() => enter(sale, () => random() < loss, heard)))
      for (const { state } of crowd.slice(0, TERMINATED)) await sale.terminate(state.ticketId)
      await sale.operate({ paused: false })
      const endings = await Promise.all(crowd.map(seeItThrough))
      const told = endings.map((state) => (state.status === 'expired' ? state.reason : state.status))
      expect(told.slice(0, TERMINATED)).toEqual(Array(TERMINATED).fill('terminated'))
      expect(told.slice(TERMINATED)).toEqual(Array(VISITORS - TERMINATED).fill('completed'))
      return heard.length
    })
    const [some, none] = await Promise.all(runs)
    // Otherwise nothing would have been lost, or nothing could have been.
    expect(some).toBeGreaterThan(VISITORS)
    expect(none).toBe(0)
  })

  it('[U18] a broadcast that every client hears makes no client ask the server', async () => {
    const sale = await PushSale.open([server], { paused: true })
    const heard: string[] = []
    const fetched: string[] = []
    const crowd = await Promise.all([...Array(VISITORS).keys()].map(() => enter(sale, () => false, heard, fetched)))
    const hearers = (sign: string) => heard.filter((text) => text.includes(sign)).length
    await waitUntil('all listen', () => hearers('"SUBSCRIBED"') >= VISITORS && hearers('"POSITION"') >= VISITORS)
    for (const change of [{ message: 'Doors open at seven' }, { capacity: 77 }]) {
      const asked = fetched.length
      const before = hearers('"MESSAGE"') + hearers('"capacity":77')
      await sale.operate(change)
      await waitUntil('all have heard it', () => hearers('"MESSAGE"') + hearers('"capacity":77') >= before + VISITORS)
      // They go on polling, each at its own time: some may have done so by chance, not all of them.
      expect(fetched.length - asked).toBeLessThan(VISITORS / 3)
    }
    expect(
      crowd.every(({ state }) => state.status === 'waiting' && state.room?.message === 'Doors open at seven'),
    ).toBe(true)
  })
})
