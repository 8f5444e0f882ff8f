import { randomBytes } from 'node:crypto'
import { beforeAll, expect, it, test } from 'vitest'
import { createWaits } from '../../../src/rooms/challenge/waits.ts'
import { createVisitorIdentities } from '../../../src/rooms/tokens/visitor-identity.ts'
import type { Answer } from '../../support/events.ts'
import { forEachMode, type RoomBench } from '../../support/room.ts'

const ROOM = { id: 'a-room', epoch: 1 }
const HOME = '203.0.113.7'

test('[R86] a wait counts after 20 seconds, for five minutes, at its address, in its room and epoch', () => {
  let now = 1_800_000_000_000
  const identities = createVisitorIdentities(randomBytes(32))
  const waits = createWaits([randomBytes(32)], identities, () => now)
  const { token, seconds } = waits.begin(ROOM, HOME)
  expect(seconds).toBe(20)
  expect(waits.read(ROOM, HOME, token)).toBeNull()
  now += 19_999
  expect(waits.read(ROOM, HOME, token)).toBeNull()
  expect(waits.resume(ROOM, HOME, token)).toEqual({ token, seconds: 1 })
  now += 1
  expect(waits.read(ROOM, HOME, token)).not.toBeNull()
  expect(waits.read(ROOM, '203.0.113.8', token)).toBeNull()
  expect(waits.read({ ...ROOM, id: 'another' }, HOME, token)).toBeNull()
  expect(waits.read({ ...ROOM, epoch: 2 }, HOME, token)).toBeNull()
  expect(waits.read(ROOM, HOME, token.replace(/^\d+/, String(now - 60_000)))).toBeNull()
  for (const bad of ['', '1.2', 'x', token.slice(0, -1)]) expect(waits.resume(ROOM, HOME, bad)).toBeNull()
  now += 280_000
  expect(waits.read(ROOM, HOME, token)).toBeNull()
})

const VISIT = {
  'sec-fetch-site': 'same-origin',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-user': '?1',
  'sec-fetch-dest': 'document',
}

forEachMode('a waiting page without a script', (open) => {
  let bench: RoomBench
  beforeAll(async () => {
    bench = await open()
  })

  it('[R86] [W145] it waits 20 seconds instead of computing, one at a time for an address', async () => {
    const sale = await bench.sale({ challenge: 'always', paused: true })
    const page = sale.replace('/api', '')
    const get = (query = '') => bench.server.app.inject({ url: `${page}/wait${query}`, headers: VISIT })
    const shown = await get()
    expect(shown.statusCode).toBe(200)
    expect(shown.body).toContain('data-state="challenge"')
    const token = /name="waited" value="([^"]+)"/.exec(shown.body)?.[1] ?? ''
    expect(shown.body).toMatch(/http-equiv="refresh" content="2[01]; url=[^"]*\/wait\?waited=/)
    // Too early: the same wait goes on.
    const early = await get(`?waited=${encodeURIComponent(token)}`)
    expect(early.body).toContain(`value="${token}"`)

    const { roomTokens, rooms } = bench.server.services
    const room = await rooms.ofEvent(sale.split('/').at(-1) ?? '')
    const before = (ms: number) =>
      createWaits(bench.server.secrets, roomTokens.identities, () => Date.now() - ms).begin(room, '127.0.0.1').token
    const [first, second] = [before(30_000), before(25_000)]
    const post = (waited: string): Promise<Answer> =>
      bench.server.app.inject({
        ...{ method: 'POST', url: `${page}/wait/join`, payload: new URLSearchParams({ waited }).toString() },
        headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' },
      })
    expect((await post(first)).statusCode).toBe(303)
    for (const again of [first, second]) {
      const refused = await post(again)
      expect(refused.statusCode).toBe(200)
      expect(refused.body).toContain('data-state="challenge"')
      expect(refused.body).not.toContain(`value="${again}"`)
    }
    expect((await room.freshNow()).document.waiting).toBe(1)
  })
})
