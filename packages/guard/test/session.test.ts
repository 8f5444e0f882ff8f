import { beforeEach, describe, expect, it } from 'vitest'
import type { Guard } from '../src/index.ts'
import { answerOf, browse, enter, enterWith, RoomStandIn, SECRET } from './room-stand-in.ts'

let room: RoomStandIn
let guard: Guard
beforeEach(async () => {
  room = await RoomStandIn.open()
  guard = room.guard()
})

const isIn = async (cookie: string, by = guard): Promise<boolean> =>
  (await by.check(browse('/drop', { cookie }))).kind === 'let-in'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** The same text with some bits of one base64url character turned. */
function respelled(text: string, at: number, bits: number): string {
  return text.slice(0, at) + ALPHABET[ALPHABET.indexOf(text[at] ?? '') ^ bits] + text.slice(at + 1)
}

describe('the session cookie', () => {
  it('[G24] it is for the browser only, and ends with the pass', async () => {
    const whole = answerOf(await guard.check(enterWith(await room.pass()))).header('set-cookie')
    expect(whole).toMatch(
      /^__Host-seatwise-guard-0198f2a1=[\w.-]+; Max-Age=300; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
    )
    const plain = room.guard({ site: 'http://localhost:8080' })
    const insecure = answerOf(await plain.check(enterWith(await room.pass()))).header('set-cookie')
    expect(insecure).toMatch(/^seatwise-guard-0198f2a1=[\w.-]+; Max-Age=300; Path=\/; HttpOnly; SameSite=Lax$/)
    const cookie = whole.split(';', 1)[0] ?? ''
    expect(await isIn(cookie)).toBe(true)
    room.now += 299_999
    expect(await isIn(cookie)).toBe(true)
    room.now += 1
    expect(await isIn(cookie)).toBe(false)
  })

  it('[G24] an altered one counts for nothing, whatever was altered', async () => {
    const cookie = await enter(guard, await room.pass())
    const fresh = room.guard()
    const start = cookie.indexOf('=') + 1
    for (let at = start; at < cookie.length; at += 7) {
      const other = cookie[at] === 'A' ? 'B' : 'A'
      expect(await isIn(cookie.slice(0, at) + other + cookie.slice(at + 1), fresh), `at ${at}`).toBe(false)
    }
    // The last character of a signature has bits that a decoder ignores.
    for (const ignored of [1, 2]) {
      expect(await isIn(respelled(cookie, cookie.length - 1, ignored), fresh), `bit ${ignored}`).toBe(false)
    }
    const [name = '', value = ''] = cookie.split('=')
    for (const bad of ['', '.', '..', 'a', value.slice(1), value.slice(0, -1), `${value}.`, `.${value}`, `${value}a`]) {
      expect(await isIn(`${name}=${bad}`, fresh), bad).toBe(false)
    }
    for (const bad of [value, `x${name}=${value}`, `${name.slice(2)}=${value}`, `a=${name}=${value}`]) {
      expect(await isIn(bad, fresh), bad).toBe(false)
    }
    expect(await isIn(cookie, fresh)).toBe(true)
  })

  it('[G23] a pass is traded only as it was issued: no character of it can be another one', async () => {
    const pass = await room.pass()
    const door = room.guard()
    for (let at = 0; at < pass.length; at += 1) {
      if (pass[at] === '.') continue
      const decision = await door.check(enterWith(respelled(pass, at, 1)))
      expect(decision.kind === 'answer' && decision.answer.status, `at ${at}`).toBe(403)
    }
    expect(answerOf(await door.check(enterWith(pass))).header('set-cookie')).toContain('seatwise-guard')
  })

  it('[G24] it is found among others, also behind one that a parent domain has set', async () => {
    const cookie = await enter(guard, await room.pass())
    const [name = ''] = cookie.split('=')
    expect(await isIn(`a=b; ${name}=forged; ${cookie}; c=d`)).toBe(true)
    expect(await isIn(`a=b;${cookie}`)).toBe(true)
    const many = Array.from({ length: 10 }, () => `${name}=forged`).join('; ')
    expect(await isIn(`${many}; ${cookie}`)).toBe(false)
  })

  it('[G24] another room, another secret: another door; an older secret still verifies', async () => {
    const cookie = await enter(guard, await room.pass())
    const newer = btoa('another secret of the guard, as long as it')
    expect(await isIn(cookie, room.guard({ secret: [newer, SECRET] }))).toBe(true)
    expect(await isIn(cookie, room.guard({ secret: newer }))).toBe(false)
    const elsewhere = room.guard({ room: '0198f2a1-1111-7222-8333-000000000000' })
    expect(await isIn(cookie, elsewhere)).toBe(false)
  })

  it('[G30] when it ended, the visitor is sent to wait and comes back with a newer pass', async () => {
    const cookie = await enter(guard, await room.pass())
    room.now += 300_000
    const answer = answerOf(await guard.check(browse('/drop', { cookie })))
    expect(answer.status).toBe(303)
    expect(answer.header('set-cookie')).toContain('Max-Age=0')
    const api = answerOf(await guard.check(browse('/api', { cookie, method: 'PUT', accept: undefined })))
    expect([api.status, JSON.parse(api.body).code]).toEqual([403, 'PASS_ENDED'])
    expect(await isIn(await enter(guard, await room.pass()))).toBe(true)
  })
})

describe('what it costs the room', () => {
  it('[G26] ten thousand checks of a hundred visitors in a minute: keys once, and a poll every two seconds', async () => {
    const cookies = await Promise.all(
      Array.from({ length: 100 }, async (_, index) => await enter(guard, await room.pass({ sub: `tkt_${index}` }))),
    )
    for (let step = 0; step < 100; step += 1) {
      const verdicts = await Promise.all(cookies.map((cookie) => guard.check(browse('/drop', { cookie }))))
      expect(verdicts.every(({ kind }) => kind === 'let-in')).toBe(true)
      room.now += 600
    }
    expect(room.calls.filter((call) => call !== 'revoked')).toEqual(['jwks.json'])
    expect(room.calls.length).toBeLessThanOrEqual(1 + 60 / 2 + 1)
  })
})

describe('revoked passes', () => {
  const until = '2099-01-01T00:00:00.000Z'

  it('[G27] they count no more as soon as the room tells, and newer ones do', async () => {
    const cookie = await enter(guard, await room.pass({ fence: 7 }))
    room.revoked.push({ ticketId: 'tkt_0198f2a11', fence: 7, until })
    room.now += 3_000
    expect(await isIn(cookie)).toBe(false)
    expect(answerOf(await guard.check(enterWith(await room.pass({ fence: 7 })))).status).toBe(403)
    expect(await isIn(await enter(guard, await room.pass({ fence: 8 })))).toBe(true)
  })

  it('[G27] a revoked pass takes the older ones of its ticket along', async () => {
    const cookie = await enter(guard, await room.pass({ fence: 7 }))
    room.revoked.push({ ticketId: 'tkt_0198f2a11', fence: 8, until })
    room.now += 3_000
    expect(await isIn(cookie)).toBe(false)
    expect(answerOf(await guard.check(enterWith(await room.pass({ fence: 7 })))).status).toBe(403)
  })

  it('[G27] no visitor is judged by an answer older than three seconds, also after a quiet time', async () => {
    const cookie = await enter(guard, await room.pass())
    for (const quietMs of [3_000, 60_000]) {
      room.now += quietMs
      expect(await isIn(cookie)).toBe(true)
    }
    room.revoked.push({ ticketId: 'tkt_0198f2a11', fence: 7, until })
    room.now += 200_000
    expect(await isIn(cookie)).toBe(false)
  })

  it('[G27] news is as old as the question, however long the answer takes', async () => {
    let answerMs = 0
    const slow = room.guard({
      fetch: async (input: unknown, init?: RequestInit) => {
        const answer = await room.fetch(input, init)
        if (String(input).includes('/revoked')) room.now += answerMs
        return answer
      },
    })
    answerMs = 2_900
    const cookie = await enter(slow, await room.pass())
    answerMs = 0
    room.revoked.push({ ticketId: 'tkt_0198f2a11', fence: 7, until })
    room.now += 200
    expect(await isIn(cookie, slow)).toBe(false)
  })

  it('[G27] a guard that starts late reads all pages', async () => {
    const cookie = await enter(guard, await room.pass())
    room.revoked = Array.from({ length: 2_500 }, (_, index) => ({ ticketId: `tkt_${index}`, fence: 3, until }))
    room.revoked.push({ ticketId: 'tkt_0198f2a11', fence: 7, until })
    expect(await isIn(cookie, room.guard())).toBe(false)
  })

  it('[G27] a pass opens one browser: the one that entered last', async () => {
    const pass = await room.pass()
    const first = await enter(guard, pass)
    room.now += 10
    const second = await enter(guard, pass)
    expect([await isIn(first), await isIn(second)]).toEqual([false, true])
    // Another process that has seen neither learns it from the cookies.
    const other = room.guard()
    expect([await isIn(first, other), await isIn(second, other), await isIn(first, other)]).toEqual([true, true, false])
  })
})
