import { waitUntil } from '@seatwise/testbench'
import { afterEach, expect, it } from 'vitest'
import { joinLine, type LogHead, type Place, resumePlace } from '../../src/index.ts'
import { memoryStorage } from '../support/memory-storage.ts'
import { theHouse } from '../support/the-house.ts'
import { VirtualTime } from '../support/virtual-time.ts'

const open: Place[] = []
afterEach(() => {
  for (const place of open.splice(0)) place.close()
})

const CLOSED = { capacity: 1, ratePerMinute: 600, paused: true }
const MINUTE = 60_000

/** What a proxy between client and server makes of the heads that it passes on, and of other answers by their address. */
type Lie = (head: LogHead) => LogHead
type Forgery = (address: string) => object | null

/** A client whose way to the server leads through a proxy that may lie about the log. */
async function joinThrough(lie: Lie, eventId: string, forge: Forgery | null = null) {
  const time = new VirtualTime()
  const storage = memoryStorage()
  const straight = time.environment().fetch ?? fetch
  const through: typeof fetch = async (url, request) => {
    const forged = forge?.(String(url)) ?? null
    if (forged !== null) return Response.json(forged)
    const answer = await straight(url, request)
    if (!String(url).endsWith('/queue/now')) return answer
    const now = (await answer.json()) as { head: LogHead | null }
    return Response.json({ ...now, head: now.head && lie(now.head) })
  }
  const environment = time.environment({ fetch: through })
  const options = { url: theHouse().url, eventId, push: 'off', storage, environment } as const
  const place = await joinLine(options)
  open.push(place)
  const kept = () => JSON.parse([...storage.items.values()][0] ?? '{}').log as { head: LogHead } | undefined
  return { place, time, options, kept }
}

/** Lets time pass, a minute at a time, until something is so: hashing takes no time of this clock. */
function passUntil(what: string, time: VirtualTime, isSo: () => boolean): Promise<true> {
  return waitUntil(what, async () => {
    await time.advance(MINUTE)
    return isSo() ? true : null
  })
}

const honest: Lie = (head) => head

it('[K93] the receipt is fetched once, within a minute where it can be, and kept over a reload', async () => {
  const { eventId } = await theHouse().openSale(CLOSED)
  const { place, time, options, kept } = await joinThrough(honest, eventId)
  expect(time.asked(/receipt$/)).toEqual([])
  await passUntil('the receipt is kept', time, () => kept() !== undefined)
  const asked = time.asked(/receipt$/).length
  place.close()
  const again = await resumePlace(options)
  if (again !== null) open.push(again)
  await time.advance(5 * MINUTE)
  expect(time.asked(/receipt$/)).toHaveLength(asked)
  expect(time.asked(/consistency$/), 'ten minutes are not over').toEqual([])
})

it('[K93] later heads are compared at most every ten minutes, and an honest server is never accused', async () => {
  const { eventId } = await theHouse().openSale(CLOSED)
  const { place, time, kept } = await joinThrough(honest, eventId)
  await passUntil('the receipt is kept', time, () => kept() !== undefined)
  const size = kept()?.head.size ?? 0
  await joinThrough(honest, eventId)
  await passUntil('a later head was compared', time, () => (kept()?.head.size ?? 0) > size)
  const compared = time.asked(/consistency$/)
  expect(compared.length).toBeGreaterThan(0)
  for (const [index, at] of compared.entries())
    if (index > 0) expect(at - (compared[index - 1] ?? 0)).toBeGreaterThanOrEqual(10 * MINUTE)
  expect(place.state.logConflict).toBeUndefined()
  expect(time.asked(/reports$/)).toEqual([])
})

it('[K94] a head that does not extend the one that was kept is told to the visitor and reported once', async () => {
  const { eventId } = await theHouse().openSale(CLOSED)
  const another: Lie = (head) => ({ ...head, root: 'ab'.repeat(32) })
  const longer: Lie = (head) => ({ ...head, size: head.size, root: 'cd'.repeat(32) })
  for (const lie of [another, longer]) {
    const { place, time, options } = await joinThrough(lie, eventId)
    await passUntil('the visitor is told', time, () => place.state.logConflict !== undefined)
    const roots = place.state.logConflict?.heads.map(({ root }) => root)
    expect(roots).toContain(lie({ size: 1, root: '', at: '', kid: '', checkpoint: '' }).root)
    await waitUntil('it is reported', () => Promise.resolve(time.asked(/head\/reports$/).length > 0))
    place.close()
    const again = await resumePlace(options)
    if (again === null) throw new Error('The place is gone')
    open.push(again)
    await passUntil('it is told after a reload, too', time, () => again.state.logConflict !== undefined)
    expect(time.asked(/head\/reports$/)).toHaveLength(1)
  }
})

it('[K94] a longer head is told and reported that a made-up proof connects with the one that was kept', async () => {
  const { eventId } = await theHouse().openSale(CLOSED)
  const longer: Lie = (head) => ({ ...head, size: head.size + 50, root: 'cd'.repeat(32) })
  const proof: Forgery = (address) => (address.includes('/queue/consistency') ? { hashes: ['ef'.repeat(32)] } : null)
  const { place, time } = await joinThrough(longer, eventId, proof)
  await passUntil('the visitor is told', time, () => place.state.logConflict !== undefined)
  const [kept, told] = place.state.logConflict?.heads ?? []
  expect(told?.size).toBe((kept?.size ?? 0) + 50)
  await waitUntil('it is reported', () => Promise.resolve(time.asked(/head\/reports$/).length > 0))
})
