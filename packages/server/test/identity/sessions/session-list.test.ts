import { randomBytes, randomUUID } from 'node:crypto'
import type { Ledger } from '@seatwise/ledger'
import { forEachLedger, waitUntil } from '@seatwise/testbench'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { App } from '../../../src/http/http-server.ts'
import { describeDevice } from '../../../src/identity/sessions/device.ts'
import { openTestApp, PASSWORD, registerVisitor, type TestServices } from '../../support/accounts.ts'
import { expectError, openKernel } from '../../support/kernel.ts'
import { Mails, type Server } from '../../support/sign-in-mail.ts'

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
/** What every server promises (A32). */
const ENDED_WITHIN_MS = 2_000

forEachLedger('listed sessions', (open) => {
  let ledger: Ledger
  let here: Server & { readonly services: TestServices }
  let there: Server
  let guarded: App
  beforeAll(async () => {
    ledger = await open()
    const options = { secrets: [randomBytes(32)], env: { SEATWISE_RATE_LIMITS: 'off' } }
    here = await openTestApp(ledger, options)
    there = await openTestApp(ledger, options)
    guarded = await openKernel(ledger, {
      services: { identity: here.services.identity },
      routes: (app) => app.get('/dangerous', { config: { access: ['buyer'], fresh: true } }, async () => 'done'),
    })
  }, 60_000)
  afterAll(async () => {
    await here.app.close()
    await there.app.close()
    await guarded.close()
  })

  const signIn = async (email: string, userAgent = FIREFOX): Promise<string> => {
    const headers = { 'user-agent': userAgent }
    const payload = { email, password: PASSWORD }
    const answer = await here.app.inject({ method: 'POST', url: '/api/auth/login', headers, payload })
    return `Bearer ${answer.json<{ accessToken: string }>().accessToken}`
  }
  const list = async (authorization: string) => {
    const answer = await here.app.inject({ url: '/api/auth/sessions', headers: { authorization } })
    return answer.json<{ items: { id: string; current: boolean; method: string; device: string }[] }>().items
  }
  const end = (authorization: string, id: string) =>
    here.app.inject({ method: 'DELETE', url: `/api/auth/sessions/${id}`, headers: { authorization } })
  const me = async ({ app }: Server, authorization: string) =>
    (await app.inject({ url: '/api/auth/me', headers: { authorization } })).statusCode

  it('[A65] sessions are listed with their device, and one that is ended is refused on a second server within 2 s', async () => {
    const { email, authorization } = await registerVisitor(here.app)
    const other = await signIn(email)
    const sessions = await list(authorization)
    expect(sessions).toHaveLength(2)
    const [ofOther] = sessions.filter(({ current }) => !current)
    expect(ofOther).toMatchObject({ method: 'password', device: 'Firefox · Linux' })
    expect(await me(there, other)).toBe(200)
    expect((await end(authorization, ofOther?.id ?? '')).statusCode).toBe(204)
    expect(await me(here, other)).toBe(401)
    await waitUntil('the other server refuses it', async () => (await me(there, other)) === 401, {
      timeoutMs: ENDED_WITHIN_MS,
    })
    expect(await me(there, authorization)).toBe(200)
    expect(await list(authorization)).toHaveLength(1)
    expectError(await end(authorization, ofOther?.id ?? ''), 404, 'NOT_FOUND')
  })

  it('[A65] nobody ends or sees the session of another account', async () => {
    const [mine, theirs] = [await registerVisitor(here.app), await registerVisitor(here.app)]
    const [session] = await list(theirs.authorization)
    expectError(await end(mine.authorization, session?.id ?? ''), 404, 'NOT_FOUND')
    expectError(await end(mine.authorization, randomUUID()), 404, 'NOT_FOUND')
    expect(await me(here, theirs.authorization)).toBe(200)
  })

  it('[A65] signing out, everywhere too, leaves nothing in the list, and a new password only the own session', async () => {
    const { email, authorization, id } = await registerVisitor(here.app)
    const out = await signIn(email)
    await here.app.inject({ method: 'POST', url: '/api/auth/logout', headers: { authorization: out } })
    expect(await list(authorization)).toHaveLength(1)
    await signIn(email)
    const payload = { password: 'ten brown bottles', current: PASSWORD }
    await here.app.inject({ method: 'PUT', url: '/api/auth/password', headers: { authorization }, payload })
    expect((await list(authorization)).map(({ current }) => current)).toEqual([true])
    await here.app.inject({ method: 'POST', url: '/api/auth/logout-everywhere', headers: { authorization } })
    const rows = await ledger.db.selectFrom('sessions').select('id').where('user_id', '=', id).execute()
    expect(rows).toEqual([])
  })

  it('[A65] use is noted a quarter of an hour after the last note, in batches', async () => {
    const { authorization, id } = await registerVisitor(here.app)
    const usedAt = async () =>
      (
        await ledger.db.selectFrom('sessions').select('used_at').where('user_id', '=', id).executeTakeFirstOrThrow()
      ).used_at.getTime()
    const before = await usedAt()
    await me(here, authorization)
    await here.services.identity.uses.write()
    expect(await usedAt()).toBe(before)
    here.services.clock.nowMs += 16 * 60_000
    await me(here, authorization)
    await here.services.identity.uses.write()
    expect(await usedAt()).toBeGreaterThan(before)
  })

  it('[A66] a dangerous call needs a fresh session; password or code confirm it, a wrong one does not', async () => {
    const { email, authorization } = await registerVisitor(here.app)
    const mails = new Mails(here)
    const act = () => guarded.inject({ url: '/dangerous', headers: { authorization } })
    const confirm = (payload: object) =>
      here.app.inject({ method: 'POST', url: '/api/auth/confirm', headers: { authorization }, payload })
    expect((await act()).statusCode).toBe(200)
    await mails.age(email)
    expectError(await act(), 403, 'FRESH_SIGN_IN_NEEDED')
    expectError(await confirm({ password: 'wrong one' }), 401, 'BAD_CREDENTIALS')
    expectError(await confirm({ code: '00000000' }), 401, 'CODE_WRONG')
    expectError(await act(), 403, 'FRESH_SIGN_IN_NEEDED')
    expect((await confirm({ password: PASSWORD })).statusCode).toBe(204)
    expect((await act()).statusCode).toBe(200)
    await mails.age(email)
    await mails.ask(email)
    const { code } = await mails.last(email)
    expect((await confirm({ code })).statusCode).toBe(204)
    expect((await act()).statusCode).toBe(200)
    expectError(await confirm({ code }), 401, 'CODE_WRONG')
  })

  it('[A66] a token without a session is never fresh', async () => {
    const token = here.services.identity.tokens.issue({ id: randomUUID(), role: 'buyer' }).accessToken
    const headers = { authorization: `Bearer ${token}` }
    expectError(await guarded.inject({ url: '/dangerous', headers }), 403, 'FRESH_SIGN_IN_NEEDED')
  })
})

it.each([
  [FIREFOX, 'Firefox · Linux'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15 Version/26.0 Safari/604.1',
    'Safari · iPhone',
  ],
  ['Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 Chrome/142.0 Mobile Safari/537.36', 'Chrome · Android'],
  ['Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/142.0 Safari/537.36 Edg/142.0', 'Edge · Windows'],
  ['curl/8.5.0', 'curl'],
  ['<script>', ''],
  [undefined, ''],
])('[A65] %s is shown as %s', (userAgent, device) => {
  expect(describeDevice(userAgent)).toBe(device)
})
