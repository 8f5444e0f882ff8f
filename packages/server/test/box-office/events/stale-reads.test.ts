import { type Ledger, LedgerUnreachable } from '@seatwise/ledger'
import { forEachLedger } from '@seatwise/testbench'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { App } from '../../../src/http/http-server.ts'
import { Pulse } from '../../../src/kit/pulse.ts'
import { openTestApp, registerWithRole, type TestServices, type Visitor } from '../../support/accounts.ts'
import { get, patch, post, shortEvent, type WireEvent } from '../../support/events.ts'
import { expectError } from '../../support/kernel.ts'

forEachLedger('reads while the ledger is away', (open) => {
  let ledger: Ledger
  let app: App
  let services: TestServices
  let organizer: Visitor
  /** The probes of the ledger that are under way; answering them brings it back. */
  const probes: (() => void)[] = []
  const pulse = new Pulse({
    probe: () => new Promise<void>((resolve) => probes.push(resolve)),
    ...{ onAway: () => undefined, onReturn: () => undefined },
  })
  beforeAll(async () => {
    ledger = await open()
    ;({ app, services } = await openTestApp(ledger, { env: { SEATWISE_RATE_LIMITS: 'off' }, pulse }))
    organizer = await registerWithRole(app, ledger, 'organizer')
  })
  beforeEach(() => comeBack())
  afterAll(async () => {
    await app.close()
    pulse.close()
    await services.rooms.close()
  })

  const goAway = () =>
    expect(pulse.ask(() => Promise.reject(new LedgerUnreachable('unplugged')))).rejects.toThrow('unplugged')
  async function comeBack(): Promise<void> {
    while (pulse.isAway) {
      for (const answer of probes.splice(0)) answer()
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  const create = async (): Promise<WireEvent> =>
    (await post(app, organizer.authorization, shortEvent())).json<WireEvent>()
  const stale = (answer: { headers: Record<string, unknown> }) => answer.headers['seatwise-stale']

  it('[C10] an event, its seats, the list, a search asked before and their pages come from copies that tell their age', async () => {
    const { id } = await create()
    const paths = [
      ...[`/api/events/${id}`, `/api/events/${id}/seats`, '/api/events', '/api/events/search?q=aurora'],
      ...['/', '/?q=aurora', `/events/${id}`],
    ]
    for (const path of paths) expect((await get(app, path)).statusCode).toBe(200)
    await goAway()
    services.clock.nowMs += 4_000
    for (const path of paths) {
      const answer = await get(app, path)
      expect([path, answer.statusCode, stale(answer)]).toEqual([path, 200, undefined])
    }
    services.clock.nowMs += 3_500
    for (const path of paths) {
      const answer = await get(app, path)
      expect([path, answer.statusCode, String(stale(answer))]).toEqual([path, 200, '7'])
    }
    const { etag } = (await get(app, `/api/events/${id}`)).headers
    const unchanged = await get(app, `/api/events/${id}`, { 'if-none-match': String(etag) })
    expect([unchanged.statusCode, String(stale(unchanged))]).toEqual([304, '7'])
    expectError(await get(app, '/api/events/search?q=never'), 503, 'UNAVAILABLE')
    await comeBack()
    for (const path of paths) expect(stale(await get(app, path))).toBeUndefined()
  })

  it.each([
    ['en', 'a few minutes old'],
    ['ko', '몇 분 전'],
    ['vi', 'cũ vài phút'],
  ])('[C10] a page made from an old copy says so in %s, and no other page does', async (language, notice) => {
    const { id } = await create()
    const page = () => get(app, `/events/${id}`, { 'accept-language': language })
    expect((await page()).body).not.toContain(notice)
    await goAway()
    services.clock.nowMs += 6_000
    expect((await page()).body).toContain(notice)
  })

  it('[C12] a program with the token of an editor is refused instead of reading a copy', async () => {
    const { id } = await create()
    await get(app, `/api/events/${id}`)
    await goAway()
    services.clock.nowMs += 1_000
    const own = { authorization: organizer.authorization }
    expectError(await get(app, `/api/events/${id}`, own), 503, 'UNAVAILABLE')
    expect((await get(app, `/api/events/${id}`)).statusCode).toBe(200)
  })

  it('[C10] an organiser who looks with a browser is answered like a stranger while the session cannot be checked', async () => {
    const { id } = await create()
    const cookie = `seatwise-session=${organizer.authorization.replace('Bearer ', '')}`
    const look = (path: string) => get(app, path, { cookie })
    const paths = [`/api/events/${id}`, '/api/events', '/', `/events/${id}`]
    for (const path of paths) await get(app, path)
    expect((await look('/')).body).toContain('/console')
    await goAway()
    services.clock.nowMs += 6_000
    for (const path of paths) {
      const answer = await look(path)
      expect([path, answer.statusCode, String(stale(answer))]).toEqual([path, 200, '6'])
    }
    expect((await look('/')).body).not.toContain('/console')
  })

  it('[C12] an outage right after a write never brings back what was written over', async () => {
    const { id } = await create()
    const name = async () => (await get(app, `/api/events/${id}`)).json<WireEvent>().name
    expect(await name()).toBe('Aurora Live')
    await patch(app, organizer.authorization, id, { name: 'Changed' })
    expect(await name()).toBe('Changed')
    await goAway()
    services.clock.nowMs += 10_000
    expect(await name()).toBe('Changed')
  })
})
