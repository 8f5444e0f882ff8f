import { beforeEach, describe, expect, it } from 'vitest'
import type { Guard } from '../src/index.ts'
import { answerOf, browse, enter, enterWith, RoomStandIn } from './room-stand-in.ts'

let room: RoomStandIn
beforeEach(async () => {
  room = await RoomStandIn.open()
})

/** Lets the guard notice that the room does not answer. */
async function goAway(guard: Guard): Promise<void> {
  room.away = Number.POSITIVE_INFINITY
  room.now += 11_000
  await guard.check(browse('/drop'))
}

describe('a room that cannot be reached', () => {
  it('[G32] fails closed: 503 for pages and programs, sessions go on', async () => {
    const problems: string[] = []
    const guard = room.guard({ failOpen: false, onProblem: (problem) => problems.push(problem) })
    const cookie = await enter(guard, await room.pass())
    const late = await room.pass({ sub: 'tkt_late' })
    await goAway(guard)
    const page = answerOf(await guard.check(browse('/drop')))
    expect([page.status, page.header('retry-after')]).toEqual([503, '5'])
    const api = answerOf(await guard.check(browse('/api', { fetchMode: 'cors', accept: '*/*' })))
    expect(JSON.parse(api.body)).toMatchObject({ statusCode: 503, code: 'ROOM_UNREACHABLE' })
    expect((await guard.check(browse('/drop', { cookie }))).kind).toBe('let-in')
    // A visitor with a pass is still let in: the keys are known.
    expect(answerOf(await guard.check(enterWith(late))).status).toBe(303)
    expect(problems).toEqual([expect.stringMatching(/^The waiting room cannot be reached/)])

    room.away = 0
    room.now += 2_000
    await guard.check(browse('/drop'))
    await guard.settled()
    expect(answerOf(await guard.check(browse('/drop'))).status).toBe(303)
    expect(problems.at(-1)).toBe('The waiting room can be reached again.')
  })

  it('[G32] fails open: all visitors are let in until it is back, without a session', async () => {
    const guard = room.guard({ failOpen: true })
    expect(answerOf(await guard.check(browse('/drop'))).status).toBe(303)
    await goAway(guard)
    expect(await guard.check(browse('/drop'))).toEqual({ kind: 'let-in', why: 'room-unreachable', session: null })
    room.away = 0
    room.now += 2_000
    await guard.check(browse('/drop'))
    await guard.settled()
    expect(answerOf(await guard.check(browse('/drop'))).status).toBe(303)
  })

  it('[G32] a guard that never reached it decides the same way', async () => {
    room.away = Number.POSITIVE_INFINITY
    const pass = await room.pass()
    expect(answerOf(await room.guard({ failOpen: false }).check(browse('/drop'))).status).toBe(503)
    expect(answerOf(await room.guard({ failOpen: false }).check(enterWith(pass))).status).toBe(503)
    expect((await room.guard({ failOpen: true }).check(browse('/drop'))).kind).toBe('let-in')
    const entered = answerOf(await room.guard({ failOpen: true }).check(enterWith(pass, '/drop')))
    expect([entered.status, entered.header('location'), entered.header('set-cookie')]).toEqual([
      ...[303, 'https://shop.example.com/drop', ''],
    ])
  })

  it('[G32] one lost answer turns no visitor away', async () => {
    const guard = room.guard({ failOpen: false })
    await guard.check(browse('/drop'))
    room.away = 1
    room.now += 3_000
    expect(answerOf(await guard.check(browse('/drop'))).status).toBe(303)
  })
})

describe('freeing a slot', () => {
  it('[G31] a session that is completed counts no more at once, and the room hears of it', async () => {
    const guard = room.guard()
    const pass = await room.pass()
    const cookie = await enter(guard, pass)
    const done = answerOf(await guard.check(browse('/.seatwise/complete', { cookie, method: 'POST' })))
    expect([done.status, done.header('set-cookie')]).toEqual([204, expect.stringContaining('Max-Age=0')])
    expect((await guard.check(browse('/drop', { cookie }))).kind).toBe('answer')
    await guard.settled()
    expect(room.completed).toEqual([pass])
    const again = await guard.check(browse('/.seatwise/complete', { cookie, method: 'POST' }))
    expect(answerOf(again).status).toBe(401)
  })

  it('[G31] only the visitor’s own page can do it', async () => {
    const guard = room.guard()
    const cookie = await enter(guard, await room.pass())
    const ask = async (more: object) => answerOf(await guard.check(browse('/.seatwise/complete', { cookie, ...more })))
    expect((await ask({ method: 'GET' })).status).toBe(405)
    expect((await ask({ method: 'POST', origin: 'https://evil.example' })).status).toBe(401)
    expect((await ask({ method: 'POST', cookie: undefined })).status).toBe(401)
    expect(room.completed).toEqual([])
  })

  it('[G31] while the room is away it is tried again', async () => {
    const guard = room.guard()
    const verdict = await guard.check(browse('/', { cookie: await enter(guard, await room.pass()) }))
    if (verdict.kind !== 'let-in' || verdict.session === null) throw new Error('Not let in')
    room.away = 1
    guard.complete(verdict.session)
    await guard.settled()
    expect(room.completed).toHaveLength(1)
    expect(room.calls.filter((call) => call === 'complete')).toHaveLength(2)
  })
})

describe('what needs no pass', () => {
  it('[G28] listed paths, and what is below listed folders', async () => {
    const guard = room.guard({ ignore: ['/favicon.ico', '/assets/', '/.well-known/'] })
    const needsNone = async (url: string): Promise<boolean> => (await guard.check(browse(url))).kind === 'let-in'
    for (const url of ['/favicon.ico', '/favicon.ico?v=2', '/assets/', '/assets/a/b.css', '/.well-known/x']) {
      expect(await needsNone(url), url).toBe(true)
    }
    for (const url of [
      ...['/favicon.ico/', '/FAVICON.ICO', '/assets', '/assetsx', '/x/assets/', '/', ''],
      ...['/assets/../drop', '/assets/..', '/assets/./x', '/assets//x', '//assets/x', '/assets/%2e%2e/drop'],
      ...['/assets/..%2fdrop', '/assets%2f..%2fdrop', '/assets/..\\drop', '/assets/..;/drop', '/assets/;/../drop'],
      ...['/assets/%252e%252e/drop', '/assets/\u0000', '/assets/%00', '/assets/ x', 'https://evil.example/assets/x'],
      ...['/?/assets/x', '/#/assets/x', '/drop?/favicon.ico', '/drop#/favicon.ico', '/drop%3f/favicon.ico'],
    ]) {
      expect(await needsNone(url), url).toBe(false)
    }
    expect(room.calls).toEqual(['revoked'])
  })
})
