import { brotliDecompressSync } from 'node:zlib'
import type { Ledger } from '@seatwise/ledger'
import { forEachLedger } from '@seatwise/testbench'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { App } from '../../../src/http/http-server.ts'
import {
  openTestApp,
  registerVisitor,
  registerWithRole,
  type TestServices,
  type Visitor,
} from '../../support/accounts.ts'
import { get, patch, post, shortEvent, type WireEvent, type WirePage } from '../../support/events.ts'
import { expectError } from '../../support/kernel.ts'

forEachLedger('cached reads', (open) => {
  let ledger: Ledger
  let here: App
  let there: App
  let services: TestServices
  let elsewhere: TestServices
  let organizer: Visitor
  let buyer: Visitor
  beforeAll(async () => {
    ledger = await open()
    const env = { SEATWISE_RATE_LIMITS: 'off' }
    ;({ app: here, services } = await openTestApp(ledger, { env }))
    ;({ app: there, services: elsewhere } = await openTestApp(ledger, { env, secrets: services.secrets }))
    organizer = await registerWithRole(here, ledger, 'organizer')
    buyer = await registerVisitor(here)
  })
  afterAll(async () => {
    await here.close()
    await there.close()
    // Editing an event opens its room.
    await services.rooms.close()
    await elsewhere.rooms.close()
  })

  const create = async (more: object = {}): Promise<WireEvent> =>
    (await post(here, organizer.authorization, shortEvent(more))).json<WireEvent>()

  const loadsOf = async (cache: string): Promise<number> => {
    const metric = await services.metrics.getSingleMetric('seatwise_read_cache_loads_total')?.get()
    return metric?.values.find(({ labels }) => labels.cache === cache)?.value ?? 0
  }

  it.each([
    ['events', 10_000, ''],
    ['seat_maps', 1_000, '/seats'],
  ])('[C1] requests for cold %s by %i readers at once cause one load', async (cache, readers, path) => {
    const { id } = await create()
    const before = await loadsOf(cache)
    const answers = await Promise.all(Array.from({ length: readers }, () => get(here, `/api/events/${id}${path}`)))
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
    expect((await loadsOf(cache)) - before).toBe(1)
  })

  it('[C4] a write is visible at once where it was made', async () => {
    const { id } = await create()
    const name = async (): Promise<string> => (await get(here, `/api/events/${id}`)).json<WireEvent>().name
    const listed = async (): Promise<string | undefined> =>
      (await get(here, '/api/events?limit=100')).json<WirePage>().items.find((event) => event.id === id)?.name
    expect([await name(), await listed()]).toEqual(['Aurora Live', 'Aurora Live'])
    await patch(here, organizer.authorization, id, { name: 'Changed', totalSeats: 11 })
    expect([await name(), await listed()]).toEqual(['Changed', 'Changed'])
    const { seats } = (await get(here, `/api/events/${id}/seats`)).json<{ seats: unknown[] }>()
    expect(seats).toHaveLength(11)
  })

  it('[C4] on another server its author sees it at once, and other readers within a second', async () => {
    const { id } = await create()
    const url = `/api/events/${id}`
    const name = async (headers: Record<string, string> = {}): Promise<string> =>
      (await get(there, url, headers)).json<WireEvent>().name
    expect(await name()).toBe('Aurora Live')
    await patch(here, organizer.authorization, id, { name: 'Changed' })
    expect(await name()).toBe('Aurora Live')
    expect(await name({ authorization: organizer.authorization })).toBe('Changed')
    elsewhere.clock.nowMs += 1_000
    expect(await name()).toBe('Changed')
    elsewhere.clock.nowMs -= 1_000
  })

  it('[C7] a long seat list goes compressed to those who take it, once for all of them, and says the same', async () => {
    const { id } = await create({ totalSeats: 400 })
    const url = `/api/events/${id}/seats`
    const plain = await get(here, url)
    const brotli = { 'accept-encoding': 'gzip, br' }
    const [one, other] = await Promise.all([get(here, url, brotli), get(here, url, brotli)])
    expect(one.headers).toMatchObject({ 'content-encoding': 'br', vary: 'accept-encoding' })
    expect(one.headers.etag).toBe(`W/${plain.headers.etag}`)
    expect(brotliDecompressSync(one.rawPayload).toString()).toBe(plain.body)
    expect(other.rawPayload.equals(one.rawPayload)).toBe(true)
    expect(one.rawPayload.length).toBeLessThan(plain.body.length / 3)
    for (const known of [String(one.headers.etag), String(plain.headers.etag)]) {
      expect((await get(here, url, { ...brotli, 'if-none-match': known })).statusCode).toBe(304)
    }
    expect((await get(here, url, { 'accept-encoding': 'br;q=0' })).headers['content-encoding']).toBeUndefined()
    const short = await get(here, `/api/events/${(await create()).id}`, brotli)
    expect(short.headers['content-encoding']).toBeUndefined()
  })

  it('[C7] answers carry ETag and Cache-Control, and 304 to those who have them', async () => {
    const { id } = await create()
    for (const url of [`/api/events/${id}`, `/api/events/${id}/seats`, '/api/events', '/api/events/search?q=aurora']) {
      const first = await get(here, url)
      expect(first.headers['cache-control']).toBe('public, max-age=1')
      const etag = String(first.headers.etag)
      expect(etag).toMatch(/^"[\w-]+"$/)
      for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const again = await get(here, url, { 'if-none-match': known })
        expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', etag])
      }
      expect((await get(here, url, { 'if-none-match': '"other"' })).statusCode).toBe(200)
    }
  })

  it('[C7] the tag changes with what is said', async () => {
    const { id } = await create()
    const tag = async (path: string): Promise<unknown> => (await get(here, `/api/events/${id}${path}`)).headers.etag
    const before = [await tag(''), await tag('/seats')]
    await patch(here, organizer.authorization, id, { totalSeats: 9 })
    const after = [await tag(''), await tag('/seats')]
    expect(after[0]).not.toBe(before[0])
    expect(after[1]).not.toBe(before[1])
  })

  it('[C7] what an editor reads is theirs: no cache in between may keep it', async () => {
    const { id } = await create()
    const asEditor = await get(here, `/api/events/${id}`, { authorization: organizer.authorization })
    expect(asEditor.headers['cache-control']).toBe('private, no-cache')
    const asBuyer = await get(here, `/api/events/${id}`, { authorization: buyer.authorization })
    expect(asBuyer.headers['cache-control']).toBe('public, max-age=1')
  })

  it('[C5] an unknown id is asked for once', async () => {
    const before = await loadsOf('events')
    for (let index = 0; index < 50; index += 1) {
      expectError(await get(here, '/api/events/00000000-0000-4000-8000-000000000001'), 404, 'NOT_FOUND')
    }
    expect((await loadsOf('events')) - before).toBe(1)
  })

  it('[C8] an event that is made is known at once, also to those who asked for it before', async () => {
    const { id } = await create()
    expect((await get(here, `/api/events/${id}`)).statusCode).toBe(200)
    const page = (await get(here, '/api/events/search?q=aurora&limit=100')).json<WirePage>()
    expect(page.items.map((item) => item.id)).toContain(id)
  })

  it('[E10] a seat map that did not change is not built again', async () => {
    const { id } = await create()
    const first = await get(here, `/api/events/${id}/seats`)
    services.clock.nowMs += 1_000
    const second = await get(here, `/api/events/${id}/seats`)
    expect(second.headers.etag).toBe(first.headers.etag)
    expect(second.json()).toEqual(first.json())
  })
})
