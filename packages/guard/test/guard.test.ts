import { decodePart } from '@seatwise/testbench'
import { beforeEach, describe, expect, it } from 'vitest'
import { createGuard, type Guard, type GuardOptions } from '../src/index.ts'
import {
  answerOf,
  browse,
  enter,
  enterWith,
  ROOM,
  ROOM_URL,
  RoomKey,
  RoomStandIn,
  SECRET,
  SITE,
} from './room-stand-in.ts'

const WAIT = `${ROOM_URL}/rooms/${ROOM}/wait`

let room: RoomStandIn
let guard: Guard
beforeEach(async () => {
  room = await RoomStandIn.open()
  guard = room.guard()
})

const isIn = async (cookie: string, by = guard): Promise<boolean> =>
  (await by.check(browse('/drop', { cookie }))).kind === 'let-in'

describe('starting', () => {
  const GOOD: GuardOptions = { roomUrl: ROOM_URL, room: ROOM, site: SITE, failOpen: true, secret: SECRET }
  /** As a site in plain JavaScript does: no compiler refuses wrong options there. */
  const createUntyped = (options: object) => createGuard(options as GuardOptions)

  it('[G21] a guard that does not know what to do without the room does not start', () => {
    expect(() => createGuard(GOOD)).not.toThrow()
    const { failOpen: _, ...undecided } = GOOD
    expect(() => createUntyped(undecided)).toThrow(/failOpen must be true or false/)
    expect(() => createUntyped({ ...GOOD, failOpen: 'yes' })).toThrow(/failOpen/)
  })

  it('[G21] everything that is wrong is said at once', () => {
    const bad = {
      roomUrl: 'queue.example.com',
      room: 'x',
      site: `${SITE}/shop`,
      secret: 'short',
      ignore: ['a', '/a/../b'],
    }
    const told = (): string => {
      try {
        createUntyped(bad)
        return ''
      } catch (error) {
        return String(error)
      }
    }
    for (const name of ['roomUrl', 'room must', 'site', 'failOpen', 'secret', '"a"', '"/a/../b"']) {
      expect(told()).toContain(name)
    }
    expect(() => createUntyped({})).toThrow(/roomUrl[\s\S]*site/)
  })
})

describe('people without a session', () => {
  it('[G22] a page is answered with the way to the waiting page and back', async () => {
    const answer = answerOf(await guard.check(browse('/drop?size=42&x=%2F')))
    expect(answer.status).toBe(303)
    expect(answer.header('location')).toBe(`${WAIT}?to=${encodeURIComponent('/drop?size=42&x=%2F')}`)
    expect(answer.header('cache-control')).toBe('no-store')
    expect(answerOf(await guard.check(browse('/'))).header('location')).toBe(WAIT)
    expect(answerOf(await guard.check(browse(`/${'a'.repeat(3_000)}`))).header('location')).toBe(WAIT)
    expect(answerOf(await guard.check(browse('https://evil.example/x'))).header('location')).toBe(WAIT)
    const old = browse('/drop', { fetchMode: undefined })
    expect(answerOf(await guard.check(old)).status).toBe(303)
  })

  it.each([
    { method: 'POST' },
    { method: 'DELETE', accept: undefined },
    { fetchMode: 'cors', accept: 'application/json' },
    { fetchMode: undefined, accept: '*/*' },
    { fetchMode: undefined, accept: undefined },
    { method: 'OPTIONS', fetchMode: undefined, accept: undefined },
  ])('[G22] a program is told where to wait: %j', async (more) => {
    const answer = answerOf(await guard.check(browse('/api/cart', { accept: 'application/json', ...more })))
    expect(answer.status).toBe(401)
    expect(JSON.parse(answer.body)).toEqual({
      ...{ statusCode: 401, error: 'Unauthorized', code: 'PASS_REQUIRED', path: '/api/cart', waitingPage: WAIT },
      message: expect.any(String),
      timestamp: new Date(room.now).toISOString(),
    })
  })
})

describe('passes', () => {
  it('[G23] a pass of the room opens the door, and the room is asked for its keys once', async () => {
    for (const fence of [7, 8, 9]) {
      const cookie = await enter(guard, await room.pass({ fence }))
      expect(await isIn(cookie)).toBe(true)
    }
    expect(room.calls.filter((call) => call === 'jwks.json')).toHaveLength(1)
  })

  it('[G23] what is not a pass of this room opens nothing', async () => {
    const stranger = await RoomKey.make('first')
    const good = await room.pass()
    const [header = '', payload = '', signature = ''] = good.split('.')
    const json = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
    const claims = decodePart(payload)
    const forgeries = [
      '',
      'a.b.c',
      good.slice(0, -1),
      `${good}.x`,
      `${good}x`,
      `${header}.${payload}.`,
      `${header}.${payload}`,
      `${json({ alg: 'none', typ: 'seatwise-pass+jwt', kid: 'first' })}.${payload}.`,
      `${json({ alg: 'none', typ: 'seatwise-pass+jwt', kid: 'first' })}.${payload}.${signature}`,
      `${header}.${json({ ...claims, exp: 9_999_999_999 })}.${signature}`,
      `${header}.${json({ ...claims, sub: 'tkt_0198f2a12' })}.${signature}`,
      await room.pass({}, {}, stranger),
      await room.pass({}, { alg: 'HS256' }),
      await room.pass({}, { typ: 'seatwise-eticket+jwt' }),
      await room.pass({}, { typ: 'JWT' }),
      await room.pass({}, { typ: undefined }),
      await room.pass({}, { kid: 'second' }),
      await room.pass({}, { kid: undefined }),
      await room.pass({}, { crit: ['exp'] }),
      await room.pass({ aud: '0198f2a1-1111-7222-8333-000000000000' }),
      await room.pass({ aud: [ROOM] }),
      await room.pass({ aud: undefined }),
      await room.pass({ iss: 'somebody' }),
      await room.pass({ sub: undefined }),
      await room.pass({ sub: '' }),
      await room.pass({ fence: '7' }),
      await room.pass({ fence: -1 }),
      await room.pass({ exp: undefined }),
      await room.pass({ exp: `${room.now / 1_000 + 300}` }),
      await room.pass({ exp: room.now / 1_000 }),
      await room.pass({ exp: room.now / 1_000 - 1 }),
      await room.pass({ padding: 'x'.repeat(1_000) }),
    ]
    for (const pass of forgeries) {
      const answer = answerOf(await guard.check(enterWith(pass, '/drop')))
      expect([answer.status, answer.header('set-cookie'), answer.header('location')], pass).toEqual([403, '', ''])
      expect(answer.body).toContain(`${WAIT}?to=%2Fdrop`)
    }
    expect(answerOf(await guard.check(enterWith(good))).status).toBe(303)
  })

  it('[G23] a pass counts only in the form of the room’s own page', async () => {
    const pass = await room.pass()
    for (const origin of ['https://evil.example', 'null', SITE, 'http://queue.example.com']) {
      expect(answerOf(await guard.check(enterWith(pass, '/', { origin }))).status).toBe(403)
    }
    expect(answerOf(await guard.check(enterWith(pass, '/', { method: 'GET' }))).status).toBe(405)
    expect(answerOf(await guard.check(enterWith(pass, '/', { readBody: async () => null }))).status).toBe(403)
    expect(await isIn(`seatwise-pass=${pass}`)).toBe(false)
    const inUrl = await guard.check(browse(`/drop?pass=${pass}&seatwise-pass=${pass}`))
    expect(answerOf(inUrl).status).toBe(303)
  })

  it('[G23] keys rotate without an interruption, and made-up ones do not make the guard call', async () => {
    const cookie = await enter(guard, await room.pass())
    const next = await RoomKey.make('second')
    room.published = [room.key, next]
    room.now += 10_000
    expect(await isIn(await enter(guard, await room.pass({ fence: 8 }, {}, next)))).toBe(true)
    expect(await isIn(cookie)).toBe(false) // The newer one is the same visitor's.
    room.now += 10_000
    const calls = room.calls.length
    const strange = await room.pass({}, { kid: 'made-up' })
    for (let times = 0; times < 50; times += 1) await guard.check(enterWith(strange))
    expect(room.calls.slice(calls).filter((call) => call === 'jwks.json')).toHaveLength(1)
  })

  it('[G23] while keys are fetched again, those that are known go on', async () => {
    await enter(guard, await room.pass())
    room.now += 3_601_000
    room.published = []
    expect(answerOf(await guard.check(enterWith(await room.pass({ fence: 8 })))).status).toBe(303)
    await guard.settled()
    room.now += 10_000
    expect(answerOf(await guard.check(enterWith(await room.pass({ fence: 9 })))).status).toBe(403)
  })
})

describe('the way to the site', () => {
  it('[G25] entering leads to what was wanted, and to no other host', async () => {
    const where = async (to: string): Promise<string> =>
      answerOf(await guard.check(enterWith(await room.pass(), to))).header('location')
    expect(await where('/drop?size=42#top')).toBe(`${SITE}/drop?size=42#top`)
    expect(await where(`${SITE}/drop`)).toBe(`${SITE}/drop`)
    for (const to of [
      '',
      '//evil.example',
      '/\\evil.example',
      '\\\\evil.example',
      '/\t/evil.example',
      '/.//evil.example/..//',
      'https://evil.example/',
      'https://shop.example.com.evil.example/',
      'https://shop.example.com@evil.example/',
      'http://shop.example.com/',
      'javascript:alert(1)',
      'data:text/html,x',
      '/x\r\nset-cookie: a=b',
      `/${'a'.repeat(3_000)}`,
    ]) {
      const location = await where(to)
      expect(new URL(location).origin, to).toBe(SITE)
      expect(location.startsWith(`${SITE}/`)).toBe(true)
      expect(location).not.toMatch(/[\r\n\t]/)
    }
  })
})
