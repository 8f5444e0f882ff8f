import { createHash } from 'node:crypto'
import { waitUntil } from '@seatwise/testbench'
import { beforeAll, describe, expect, it } from 'vitest'
import { registerWithRole } from '../../support/accounts.ts'
import type { Answer } from '../../support/events.ts'
import { openVisitor } from '../../support/group-buyers.ts'
import { expectError } from '../../support/kernel.ts'
import { forEachMode, type RoomBench } from '../../support/room.ts'

const OURS = 'https://queue.example.com'
const SHOP = 'https://shop.example.com'
const WANTED = { name: 'Sneaker “drop” <1>', target: `${SHOP}/drop`, burst: 50, ratePerMinute: 60_000, guests: true }

interface Made {
  readonly id: string
  readonly cookie: string
  readonly ticket: string
}

forEachMode('the way back to a site', (open) => {
  let bench: RoomBench
  beforeAll(async () => {
    bench = await open({ env: { SEATWISE_PUBLIC_URL: OURS } })
  })

  const makeRoom = async (more: object = {}): Promise<string> => {
    const as = bench.organizer.authorization
    const answer = await bench.call('POST', '/api/rooms', { as, body: { ...WANTED, ...more } })
    expect(answer.statusCode).toBe(201)
    return answer.json<{ id: string }>().id
  }

  const join = async (id: string): Promise<Made> => {
    const answer = await bench.call('POST', `/api/rooms/${id}/queue/join`, { as: bench.buyer(), body: {} })
    const cookie = String(answer.headers['set-cookie']).split(';', 1)[0] ?? ''
    return { id, cookie, ticket: answer.json<{ ticketToken: string }>().ticketToken }
  }

  const letIn = async (id: string): Promise<Made> => {
    const made = await join(id)
    await waitUntil('they are let in', async () => {
      const { status } = await bench.status(`/api/rooms/${id}`, made.ticket)
      return status === 'admitted' || status === 'active'
    })
    return made
  }

  /** As a browser sends the form of the waiting page. */
  const goBack = ({ id, cookie }: Made, to?: string, headers: Record<string, string> = {}): Promise<Answer> => {
    const query = to === undefined ? '' : `?to=${encodeURIComponent(to)}`
    const form = { 'content-type': 'application/x-www-form-urlencoded', origin: OURS, cookie, ...headers }
    return bench.call('POST', `/rooms/${id}/return${query}`, { headers: form })
  }

  /** What the page's form would post, and where. */
  const formIn = (page: string): { action: string; pass: string; to: string } => {
    const plain = (text: string): string =>
      text.replaceAll('&lt;', '<').replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&')
    const found = (pattern: RegExp): string => plain(pattern.exec(page)?.[1] ?? '')
    return {
      action: found(/<form method="post" action="([^"]*)">/),
      pass: found(/name="pass" value="([^"]*)"/),
      to: found(/name="to" value="([^"]*)"/),
    }
  }

  const linkIn = (page: string): string => /<a href="([^"]*)"/.exec(page)?.[1]?.replaceAll('&amp;', '&') ?? ''

  describe('as a safety net', () => {
    it('[G81] a visitor who is admitted at once never sees the waiting page, one who has to wait does', async () => {
      const id = await makeRoom({ claimSeconds: 0, challenge: 'off', guestsPerDevice: 0, ratePerMinute: 1, burst: 1 })
      const page = `/rooms/${id}/wait?to=${encodeURIComponent('/drop?size=42')}`
      // The bucket of a new room is empty: its first token comes after a minute.
      const early = await openVisitor(bench, page)
      expect(early.page).toContain('data-state=')
      await bench.call('PATCH', `/api/rooms/${id}`, {
        ...{ as: bench.organizer.authorization, body: { ratePerMinute: 60_000, burst: 1_000 } },
      })
      await waitUntil('the first visitor is in', async () => /data-state="floor"/.test(await early.get(page)))
      const passed = await openVisitor(bench, page)
      expect(formIn(passed.page)).toMatchObject({ action: `${SHOP}/.seatwise/enter`, to: '/drop?size=42' })
      expect(formIn(passed.page).pass).not.toBe('')
      expect(await passed.get(page)).toContain('data-state="floor"')
      const claimed = await makeRoom({ claimSeconds: 60, challenge: 'off' })
      expect((await openVisitor(bench, `/rooms/${claimed}/wait`)).page).toContain('data-state=')
    })
  })

  describe('with a guard', () => {
    it('[G34] a visitor on the floor gets a page that posts the pass to the guard', async () => {
      const made = await letIn(await makeRoom())
      const page = await goBack(made, '/drop?size=42&x="><script>')
      expect(page.statusCode).toBe(200)
      expect(page.headers['cache-control']).toBe('no-store')
      const { action, pass, to } = formIn(page.body)
      expect([action, to]).toEqual([`${SHOP}/.seatwise/enter`, '/drop?size=42&x=%22%3E%3Cscript%3E'])
      expect(page.body).toContain('<title>Sneaker “drop” &lt;1&gt;</title>')
      const status = await bench.status(`/api/rooms/${made.id}`, made.ticket)
      expect(status).toMatchObject({ status: 'active', activeToken: pass })
      expect(formIn((await goBack(made)).body)).toEqual({ action, pass, to: '/drop' })
      const completed = await bench.call('POST', `/api/rooms/${made.id}/queue/complete`, { pass })
      expect(completed.statusCode).toBe(200)
    })

    it('[G34] the page runs its one script and nothing else', async () => {
      const page = await goBack(await letIn(await makeRoom()))
      const script = /<script>(.*?)<\/script>/.exec(page.body)?.[1] ?? ''
      const hash = createHash('sha256').update(script).digest('base64')
      expect(script).toBe('document.forms[0].submit()')
      expect(page.headers['content-security-policy']).toContain(`script-src 'sha256-${hash}'`)
      expect(page.headers['content-security-policy']).toMatch(/^default-src 'none'/)
      expect(page.body).toContain('<button>Go in</button>')
    })

    it('[G34] any other visitor goes back to the waiting page', async () => {
      const id = await makeRoom({ paused: true })
      const waits = await join(id)
      const wait = `/rooms/${id}/wait?to=%2Fdrop%3Fa`
      const expectBack = async (answer: Promise<Answer>): Promise<void> => {
        const { statusCode, headers, body } = await answer
        expect([statusCode, headers.location]).toEqual([303, wait])
        expect(body).not.toContain('pass')
      }
      await expectBack(goBack(waits, '/drop?a'))
      await expectBack(goBack({ ...waits, cookie: '' }, '/drop?a'))
      await expectBack(goBack({ ...waits, cookie: `${waits.cookie}x` }, '/drop?a'))
      const floor = await letIn(await makeRoom())
      const renamed = floor.cookie.replace(floor.id, id)
      await expectBack(goBack({ ...floor, id, cookie: renamed }, '/drop?a'))
      // Another site cannot make a browser fetch its visitor's pass.
      for (const headers of [
        { origin: 'https://evil.example' },
        { origin: 'null' },
        { 'sec-fetch-site': 'cross-site' },
      ]) {
        expectError(await goBack(floor, undefined, headers), 403, 'FOREIGN_ORIGIN')
      }
      await bench.call('DELETE', `/api/rooms/${floor.id}/queue`, { ticket: floor.ticket })
      expect((await goBack(floor)).statusCode).toBe(303)
      expectError(await bench.call('POST', '/rooms/x/return'), 404, 'NOT_FOUND')
    })

    it('[G35] the way leads to the target’s origin, whatever was asked for', async () => {
      const made = await letIn(await makeRoom())
      for (const to of [
        ...['https://evil.example/x', '//evil.example', '/\\evil.example', 'https://shop.example.com@evil.example'],
        ...['https://shop.example.com.evil.example', 'http://shop.example.com/x', 'javascript:alert(1)', 'http://['],
      ]) {
        const form = formIn((await goBack(made, to)).body)
        expect([form.action, form.to], to).toEqual([`${SHOP}/.seatwise/enter`, '/drop'])
      }
      expect(formIn((await goBack(made, 'https://shop.example.com/b?c#d')).body).to).toBe('/b?c#d')
      expectError(await goBack(made, 'x'.repeat(4_097)), 400, 'BAD_REQUEST')
      await bench.call('PATCH', `/api/rooms/${made.id}`, {
        as: bench.organizer.authorization,
        body: { target: 'https://other.example.com/' },
      })
      expect(formIn((await goBack(made)).body).action).toBe('https://other.example.com/.seatwise/enter')
    })

    it('[G34] a visitor admitted to an event’s room goes to its seats', async () => {
      const event = await bench.sale({ burst: 50, ratePerMinute: 60_000 })
      const { id, roomId } = (await bench.call('GET', event)).json<{ id: string; roomId: string }>()
      const made = await letIn(roomId)
      expect(linkIn((await goBack(made, 'https://evil.example')).body)).toBe(`/events/${id}/seats`)
    })
  })

  describe('with a connector', () => {
    const put = (id: string, body: object, as = bench.organizer.authorization) =>
      bench.server.app.inject({
        method: 'PUT',
        url: `/api/rooms/${id}/connector`,
        headers: { authorization: as },
        payload: body,
      })
    const named = (eventId: string) => ({ kind: 'known-user-v3', customerId: 'acme', eventId })

    it('[G36] an organiser adds a connector to a room; its key is generated and shown once', async () => {
      const id = await makeRoom()
      const url = `/api/rooms/${id}/connector`
      const as = bench.organizer.authorization
      expectError(await bench.call('GET', url, { as }), 404, 'NOT_FOUND')
      const saved = await put(id, named('drop1'))
      const { secretKey } = saved.json<{ secretKey: string }>()
      expect(secretKey).toMatch(/^[0-9a-f]{72}$/)
      expect((await bench.call('GET', url, { as })).json()).toEqual(named('drop1'))
      const own = 'a key that the shop has already'.replaceAll(' ', '-')
      expect((await put(id, { ...named('drop1b'), secretKey: own })).json()).toEqual(named('drop1b'))
      const row = await bench.server.ledger.db.selectFrom('connectors').selectAll().where('room_id', '=', id).execute()
      expect(JSON.stringify(row)).not.toContain(own)
      expect((await bench.call('GET', `/api/rooms/${id}`)).body).not.toContain('drop1b')
      expect((await bench.call('DELETE', url, { as })).statusCode).toBe(204)
      expect((await bench.call('DELETE', url, { as })).statusCode).toBe(204)
      expectError(await bench.call('GET', url, { as }), 404, 'NOT_FOUND')
    })

    it('[G36] invalid settings, and another organiser’s room, are refused', async () => {
      const id = await makeRoom()
      for (const body of [
        ...[{}, { ...named('x'), kind: 'v2' }, named('a_b'), named('a~b'), named(''), { ...named('x'), more: 1 }],
        ...[
          { ...named('x'), secretKey: 'short' },
          { ...named('x'), secretKey: `${'a'.repeat(20)} b` },
        ],
      ]) {
        expectError(await put(id, body), 400, 'BAD_REQUEST')
      }
      await put(id, named('drop2'))
      expectError(await put(await makeRoom(), named('drop2')), 409, 'CONNECTOR_TAKEN')
      const stranger = await registerWithRole(bench.server.app, bench.server.ledger, 'organizer')
      expectError(await put(id, named('drop3'), stranger.authorization), 403, 'FORBIDDEN')
      expectError(await put(id, named('drop3'), bench.buyer()), 403, 'FORBIDDEN')
      const { roomId } = (await bench.call('GET', await bench.sale())).json<{ roomId: string }>()
      expectError(await put(roomId, named('drop3')), 400, 'BAD_REQUEST')
    })

    it('[G37] an admitted visitor goes to the target with a token in the query, as the vendor does it', async () => {
      const id = await makeRoom()
      await put(id, named('drop4'))
      const page = await goBack(await letIn(id), `${SHOP}/drop?size=42#top`)
      const link = new URL(linkIn(page.body))
      expect(page.body).toContain(`<meta http-equiv="refresh" content="0; url=${link.href.replaceAll('&', '&amp;')}">`)
      expect([link.origin, link.pathname, link.searchParams.get('size'), link.hash]).toEqual([
        SHOP,
        '/drop',
        '42',
        '#top',
      ])
      expect(link.searchParams.get('queueittoken')).toMatch(
        /^e_drop4~q_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}~ts_\d{10}~ce_false~cv_\d+~rt_queue~h_[0-9a-f]{64}$/,
      )
      expect(page.body).not.toContain('eyJ')
    })

    it('[G38] the addresses a connector redirects to lead to the waiting page', async () => {
      const id = await makeRoom()
      await put(id, named('drop5'))
      const target = `${SHOP}/drop?size=42`
      const query = `c=acme&e=drop5&ver=javascript-5.0.1&cver=3&man=x&t=${encodeURIComponent(target)}`
      const wait = `/rooms/${id}/wait?to=${encodeURIComponent(target)}`
      const locationOf = async (url: string) => (await bench.call('GET', url)).headers.location
      expect(await locationOf(`/?${query}`)).toBe(wait)
      expect(await locationOf('/?c=acme&e=drop5')).toBe(`/rooms/${id}/wait`)
      expect(await locationOf(`/error/timestamp/?${query}`)).toBe(wait)
      expect(await locationOf(`/?${query.replace('drop5', 'nobody')}`)).toBeUndefined()
      expect(await locationOf('/?c=acme')).toBeUndefined()
    })

    it('[G38] a token that stays invalid causes no redirect loop', async () => {
      const id = await makeRoom()
      await put(id, named('drop6'))
      const query = `c=acme&e=drop6&t=${encodeURIComponent(SHOP)}`
      const page = await bench.call('GET', `/error/hash/?${query}&queueittoken=e_x`)
      expect([page.statusCode, page.headers.location]).toEqual([400, undefined])
      expect(linkIn(page.body)).toBe(`/rooms/${id}/wait?to=${encodeURIComponent(SHOP)}`)
      expect((await bench.call('GET', '/error/%3Cscript%3E?c=a&e=b')).body).toContain('&lt;script&gt;')
    })
  })
})
