import { waitUntil } from '@seatwise/testbench'
import { afterEach, expect, it } from 'vitest'
import { acceptPlace, joinLine, type Place, type PlaceState, resumePlace } from '../../src/index.ts'
import { memoryStorage } from '../support/memory-storage.ts'
import { theHouse } from '../support/the-house.ts'
import { TestPage, VirtualTime } from '../support/virtual-time.ts'

const open: Place[] = []
afterEach(() => {
  for (const place of open.splice(0)) place.close()
})

function keep<Found extends Place | null>(place: Found): Found {
  if (place !== null) open.push(place)
  return place
}

/** No visitor goes in until the test says so. */
const CLOSED = { capacity: 1, ratePerMinute: 600, paused: true }

async function joinAt(eventId: string, time = new VirtualTime(), more: object = {}): Promise<[Place, VirtualTime]> {
  const page = new TestPage()
  const environment = time.environment({ page })
  const options = { url: theHouse().url, eventId, push: 'off', storage: memoryStorage(), environment, ...more } as const
  return [keep(await joinLine(options)), time]
}

/** Asks until the state is there: admission runs on the server's clock, not on ours. */
async function untilStatus(place: Place, status: PlaceState['status']): Promise<PlaceState> {
  await waitUntil(`the place is ${status}`, async () => (await place.refresh()).status === status, { everyMs: 30 })
  return place.state
}

it('[K1] joining gives a place, again the same one, and after it ended another at the back', async () => {
  const { eventId } = await theHouse().openSale(CLOSED)
  const storage = memoryStorage()
  const [first] = await joinAt(eventId, undefined, { storage })
  expect(first.state).toMatchObject({ status: 'waiting', rank: 0, position: 1, reach: 'ok' })
  const [again] = await joinAt(eventId, undefined, { storage })
  expect(again.state.ticketId).toBe(first.state.ticketId)
  await joinAt(eventId)
  expect(await again.leave()).toMatchObject({ status: 'expired', reason: 'cancelled' })
  const [anew] = await joinAt(eventId, undefined, { storage })
  expect(anew.state).toMatchObject({ status: 'waiting', rank: 1 })
  expect(anew.state.ticketId).not.toBe(first.state.ticketId)
})

it('[K42] joining solves the challenge of a room that asks for proofs', async () => {
  const { eventId } = await theHouse().openSale({ ...CLOSED, challenge: 'always' })
  const parts: number[] = []
  const [place] = await joinAt(eventId, undefined, { onSolving: (part: number) => parts.push(part) })
  expect(place.state).toMatchObject({ status: 'waiting', position: 1 })
  expect(parts[0]).toBe(0)
  const [other] = await joinAt(eventId)
  expect(other.state).toMatchObject({ position: 2 })
})

it('[K1] what waiting cannot cure is thrown with its code; a busy server is waited for', async () => {
  const start = new Date(Date.now() + 60_000).toISOString()
  const { eventId } = await theHouse().openSale({}, { salesStartAt: start })
  await expect(joinAt(eventId)).rejects.toMatchObject({ name: 'LineError', code: 'SALES_NOT_STARTED', status: 400 })

  const sale = await theHouse().openSale(CLOSED)
  const time = new VirtualTime()
  let refusals = 0
  const environment = time.environment({
    fetch: async (url, request) => {
      if (refusals++ < 3) return new Response('{"code":"OVERLOADED"}', { status: 503, headers: { 'retry-after': '7' } })
      return await (time.environment().fetch ?? fetch)(url, request)
    },
  })
  const joining = joinLine({ url: theHouse().url, eventId: sale.eventId, push: 'off', environment })
  await time.advance(20_000)
  expect(refusals).toBe(3)
  await time.advance(40_000)
  expect(keep(await joining).state.status).toBe('waiting')
})

it('[K3] a poll that was asked before something was done does not undo it', async () => {
  const sale = await theHouse().openSale({ ...CLOSED, paused: false })
  const time = new VirtualTime()
  const direct = time.environment().fetch ?? fetch
  let passOn = Promise.resolve()
  const late: typeof fetch = async (url, request) => {
    const answer = await direct(url, request)
    if (String(url).endsWith('/queue/status')) await passOn
    return answer
  }
  const [place] = await joinAt(sale.eventId, time, { environment: time.environment({ fetch: late }) })
  await untilStatus(place, 'admitted')
  const states: string[] = []
  place.on(({ status }) => states.push(status))
  // Its answer says "admitted", and comes after the claim's.
  const claimed = Promise.withResolvers<void>()
  passOn = claimed.promise
  const polling = place.refresh()
  await place.claim()
  claimed.resolve()
  await polling
  await time.settle()
  expect(place.state).toMatchObject({ status: 'active', activeToken: expect.stringMatching(/^ey/) })
  expect(states.filter((status) => status === 'admitted')).toEqual([])
})

it('[K4] iterating gives the present state, then the latest, and ends with the place', async () => {
  const sale = await theHouse().openSale(CLOSED)
  const [place] = await joinAt(sale.eventId)
  const seen: string[] = []
  const reading = (async () => {
    for await (const { status } of place) seen.push(status)
  })()
  await waitUntil('the present state was read', () => seen.length > 0)
  await sale.change({ paused: false })
  await untilStatus(place, 'admitted')
  await place.claim()
  await place.complete()
  await reading
  expect(seen[0]).toBe('waiting')
  expect(seen.at(-1)).toBe('completed')
  const late: string[] = []
  for await (const { status } of place) late.push(status)
  expect(late).toEqual(['completed'])
})

it('[K5] closing stops every timer and leaves the place alone', async () => {
  const { eventId } = await theHouse().openSale(CLOSED)
  const storage = memoryStorage()
  const [place, time] = await joinAt(eventId, undefined, { storage })
  await time.advance(10_000)
  place.close()
  await time.settle()
  expect(time.timers).toBe(0)
  const asked = time.requests.length
  await time.advance(600_000)
  expect(time.requests.length).toBe(asked)
  const [found] = await joinAt(eventId, undefined, { storage })
  expect(found.state.ticketId).toBe(place.state.ticketId)

  // An answer that comes after closing is told to no listener, neither here nor in other tabs.
  const openChannel = (name: string) => new BroadcastChannel(name)
  const environment = new VirtualTime().environment({ tabs: { locks: navigator.locks, openChannel } })
  const [shared] = await joinAt(eventId, undefined, { storage, environment })
  const last = shared.refresh()
  shared.close()
  expect(await last).toBe(shared.state)
})

it('[K6] asks as often as the server wished, and reads the public document in between', async () => {
  const { eventId } = await theHouse().openSale(CLOSED)
  const [place, time] = await joinAt(eventId)
  await time.advance(30_000)
  const asked = time.asked(/status$/)
  const gaps = asked.slice(1).map((at, index) => at - (asked[index] ?? 0))
  // Near the head: 2 s, jittered by a fifth on the server.
  expect(asked.length).toBeGreaterThan(10)
  for (const gap of gaps) {
    expect(gap).toBeGreaterThanOrEqual(1_600)
    expect(gap).toBeLessThanOrEqual(2_400)
  }
  expect(time.asked(/now$/).length).toBeGreaterThan(3)
  expect(place.state.room).toMatchObject({ phase: 'paused', capacity: 1 })
})

it('[K7] a hidden tab sends heartbeats only, and catches up at once on return', async () => {
  const { eventId } = await theHouse().openSale({ ...CLOSED, heartbeatTimeoutSeconds: 90 })
  const page = new TestPage()
  const time = new VirtualTime()
  const environment = time.environment({ page })
  const place = keep(await joinLine({ url: theHouse().url, eventId, push: 'off', environment }))
  await time.advance(5_000)
  page.hide(true)
  await time.advance(1)
  const before = time.requests.length
  await time.advance(120_000)
  const hidden = time.requests.slice(before)
  // Near the head and without a socket: three times in the 30 s that presence alone would need.
  expect(hidden.every(({ path }) => path.endsWith('/status'))).toBe(true)
  expect(hidden.length).toBeGreaterThanOrEqual(9)
  expect(hidden.length).toBeLessThanOrEqual(13)
  const returnedAt = time.now + 5_000
  await time.advance(5_000)
  page.hide(false)
  await time.advance(0)
  expect(time.asked(/status$/).at(-1)).toBe(returnedAt)
  expect(place.state.reach).toBe('ok')
})

it('[K16] a reload finds the place again; where there is none it says so', async () => {
  const { eventId } = await theHouse().openSale(CLOSED)
  const storage = memoryStorage()
  const [place] = await joinAt(eventId, undefined, { storage })
  const { ticketId } = place.state
  place.close()
  const options = { url: theHouse().url, eventId, push: 'off', environment: new VirtualTime().environment() } as const
  const found = keep(await resumePlace({ ...options, storage }))
  expect(found?.state).toMatchObject({ status: 'waiting', ticketId })
  expect(await resumePlace({ ...options, storage: memoryStorage() })).toBeNull()
  const forged = memoryStorage()
  for (const [key] of storage.items) forged.setItem(key, JSON.stringify({ ticketToken: 'forged' }))
  expect(await resumePlace({ ...options, storage: forged })).toBeNull()
})

it('[K18] after a sleep the place is asked for at once', async () => {
  const { eventId } = await theHouse().openSale(CLOSED)
  const [place, time] = await joinAt(eventId)
  await time.advance(3_000)
  const before = time.asked(/status$/).length
  await time.sleep(3 * 3_600_000)
  expect(time.asked(/status$/).length).toBe(before + 1)
  expect(place.state).toMatchObject({ status: 'waiting', reach: 'ok' })
})

it('[K8] [K19] without a network the place says so, asks less and less often, and catches up', async () => {
  const { eventId } = await theHouse().openSale(CLOSED)
  const time = new VirtualTime()
  const page = new TestPage()
  const options = { url: theHouse().url, eventId, push: 'off', environment: time.environment({ page }) } as const
  const place = keep(await joinLine(options))
  time.lose = () => {
    throw new TypeError('fetch failed')
  }
  await time.advance(3_000)
  expect(place.state).toMatchObject({ status: 'waiting', reach: 'retrying', position: 1 })
  page.goOnline(false)
  expect(place.state.reach).toBe('offline')
  const from = time.asked(/status$/).length
  await time.advance(120_000)
  expect(place.state).toMatchObject({ status: 'waiting', reach: 'offline' })
  const asked = time.asked(/status$/).slice(from)
  const gaps = asked.slice(1).map((at, index) => at - (asked[index] ?? 0))
  expect(asked.length).toBeLessThan(12)
  expect(Math.max(...gaps)).toBeLessThanOrEqual(30_000)
  expect(gaps.toSorted((a, b) => a - b)).toEqual(gaps)
  time.lose = () => undefined
  page.goOnline(true)
  await time.advance(1_000)
  expect(place.state.reach).toBe('ok')
})

it('[K20] where storage is forbidden or full everything works', async () => {
  const { eventId } = await theHouse().openSale({ ...CLOSED, paused: false })
  const refuse = () => {
    throw new DOMException('denied', 'SecurityError')
  }
  for (const storage of [
    { getItem: refuse, setItem: refuse, removeItem: refuse },
    { getItem: () => null, setItem: refuse, removeItem: refuse },
  ]) {
    const [place] = await joinAt(eventId, undefined, { storage })
    await untilStatus(place, 'admitted')
    expect(await place.claim()).toMatchObject({ status: 'active' })
    expect(await place.complete()).toMatchObject({ status: 'completed' })
  }
})

it('[K21] a place goes to another device by a code, and the old one knows', async () => {
  const { eventId } = await theHouse().openSale(CLOSED)
  const [laptop] = await joinAt(eventId)
  const { code, expiresAt } = await laptop.handOver()
  expect(Date.parse(expiresAt)).toBeGreaterThan(Date.now())
  const time = new VirtualTime()
  const options = { url: theHouse().url, eventId, push: 'off', environment: time.environment() } as const
  // The answer is lost once: the code does not look used for that.
  let losses = 0
  time.lose = () => (losses++ === 0 ? 'answer' : undefined)
  const accepting = acceptPlace({ ...options, code })
  await time.advance(5_000)
  const phone = keep(await accepting)
  expect(phone.state).toMatchObject({ status: 'waiting', ticketId: laptop.state.ticketId, rank: 0 })
  expect(await laptop.refresh()).toMatchObject({ status: 'moved' })
  await expect(acceptPlace({ ...options, code })).rejects.toMatchObject({ code: 'BAD_CODE' })
})

it('[K2] a ticket that the operator ended is over, with its reason', async () => {
  const sale = await theHouse().openSale(CLOSED)
  const [place] = await joinAt(sale.eventId)
  await sale.terminate(place.state.ticketId)
  expect(await untilStatus(place, 'expired')).toMatchObject({ reason: 'terminated' })
})

it('[K12] the end of a time on the floor is told on a clock that is an hour wrong', async () => {
  const sale = await theHouse().openSale({ ...CLOSED, paused: false, sessionSeconds: 60 })
  const time = new VirtualTime()
  time.now -= 3_600_000
  const [place] = await joinAt(sale.eventId, time)
  await untilStatus(place, 'admitted')
  const state = await place.claim()
  if (state.status !== 'active') throw new Error('It must be active')
  const left = state.endsAt - time.now
  expect(left).toBeGreaterThan(55_000)
  expect(left).toBeLessThan(61_000)
})
