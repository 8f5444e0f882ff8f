import { randomUUIDv7 } from 'node:crypto'
import type { Ledger } from '@seatwise/ledger'
import { forEachLedger } from '@seatwise/testbench'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { App } from '../../../src/http/http-server.ts'
import { parseEmail } from '../../../src/identity/accounts/email-address.ts'
import { createPasswordHasher } from '../../../src/identity/accounts/password-hash.ts'
import {
  CHEAP,
  newEmail,
  openTestApp,
  PASSWORD,
  registerVisitor,
  registerWithRole,
  type TestServices,
} from '../../support/accounts.ts'

const off = { env: { SEATWISE_RATE_LIMITS: 'off' } }

forEachLedger('accounts', (open) => {
  let ledger: Ledger
  let app: App
  let services: TestServices
  beforeAll(async () => {
    ledger = await open()
    ;({ app, services } = await openTestApp(ledger, off))
  })
  afterAll(async () => await app.close())

  const post = (where: App, url: string, payload: object, from = '127.0.0.1') =>
    where.inject({ method: 'POST', url, payload, remoteAddress: from })
  const login = (where: App, email: string, password: string, from?: string) =>
    post(where, '/api/auth/login', { email, password }, from)
  const countUsers = async () => {
    const { count } = await ledger.db
      .selectFrom('users')
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .executeTakeFirstOrThrow()
    return Number(count)
  }

  it('[A1] registering returns the account and a token that identifies it', async () => {
    const email = newEmail()
    const answer = await post(app, '/api/auth/register', { email, password: PASSWORD, name: '  Ada Lovelace ' })
    expect(answer.statusCode).toBe(201)
    const session = answer.json<{ user: { id: string }; accessToken: string; expiresIn: number }>()
    expect(session).toEqual({
      user: { id: expect.any(String), email, name: 'Ada Lovelace', role: 'buyer' },
      accessToken: expect.any(String),
      expiresIn: 43_200,
    })
    const me = await app.inject({ url: '/api/auth/me', headers: { authorization: `Bearer ${session.accessToken}` } })
    expect(me.json()).toEqual({ ...session.user, avatar: null })
  })

  it('[A1] signing in returns the same account', async () => {
    const { id, email } = await registerVisitor(app)
    const answer = await login(app, email.toUpperCase(), PASSWORD)
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toMatchObject({ user: { id, email }, expiresIn: 43_200 })
  })

  it('[A2] another spelling of the same address is taken', async () => {
    const { email } = await registerVisitor(app)
    for (const spelling of [email, email.toUpperCase(), email.replace('visitor', 'ｖisitor')]) {
      const answer = await post(app, '/api/auth/register', { email: spelling, password: PASSWORD, name: 'Eve' })
      expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([409, 'EMAIL_TAKEN'])
    }
  })

  it('[A2] of twenty who register one address at the same moment exactly one succeeds', async () => {
    const email = newEmail()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => post(app, '/api/auth/register', { email, password: PASSWORD, name: 'Ada' })),
    )
    const statuses = answers.map(({ statusCode }) => statusCode).sort()
    expect(statuses).toEqual([201, ...Array.from({ length: 19 }, () => 409)])
  })

  it('[A2 control] without the unique key the same race makes several accounts', async () => {
    const email = newEmail()
    const unguarded = Array.from({ length: 20 }, async () => {
      const taken = await ledger.db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst()
      if (taken !== undefined) return
      await services.identity.passwords.hash(PASSWORD)
      const row = { id: randomUUIDv7(), email, email_key: randomUUIDv7(), password_hash: 'x', name: 'Ada' }
      await ledger.db
        .insertInto('users')
        .values({ ...row, role: 'buyer' })
        .execute()
    })
    await Promise.all(unguarded)
    const rows = await ledger.db.selectFrom('users').select('id').where('email', '=', email).execute()
    expect(rows.length).toBeGreaterThan(1)
    await ledger.db.deleteFrom('users').where('email', '=', email).execute()
  })

  it('[A3] a weak password is refused with a sentence that says why, and nothing is stored', async () => {
    const before = await countUsers()
    const answer = await post(app, '/api/auth/register', { email: newEmail(), password: 'Password123!', name: 'Ada' })
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toMatchObject({
      code: 'WEAK_PASSWORD',
      message: expect.stringContaining('anybody would try'),
    })
    expect(await countUsers()).toBe(before)
  })

  it('[A4] what is stored is a hash', async () => {
    const { id } = await registerVisitor(app)
    const row = await ledger.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    expect(row.password_hash).toMatch(/^\$argon2id\$/)
    expect(JSON.stringify(row)).not.toContain(PASSWORD)
  })

  it('[A5] a request beyond the limit of waiting ones is answered 503 with Retry-After', async () => {
    const passwords = createPasswordHasher(CHEAP, { runningMax: 0, waitingMax: 0 })
    const busy = await openTestApp(ledger, { ...off, passwords })
    const registration = { email: newEmail(), password: PASSWORD, name: 'Ada' }
    const answers = [
      await login(busy.app, newEmail(), PASSWORD),
      await post(busy.app, '/api/auth/register', registration),
    ]
    for (const answer of answers) {
      expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '2'])
      expect(answer.json()).toMatchObject({ code: 'OVERLOADED' })
    }
    await busy.app.close()
  })

  it('[A6] signing in replaces a hash that was cheaper', async () => {
    const { id, email } = await registerVisitor(app)
    const costly = await openTestApp(ledger, { ...off, passwords: createPasswordHasher({ ...CHEAP, passes: 2 }) })
    const hashOf = async () =>
      (await ledger.db.selectFrom('users').select('password_hash').where('id', '=', id).executeTakeFirstOrThrow())
        .password_hash
    expect((await login(costly.app, email, 'wrong one')).statusCode).toBe(401)
    expect(await hashOf()).toContain('t=1')
    expect((await login(costly.app, email, PASSWORD)).statusCode).toBe(200)
    const replaced = await hashOf()
    expect(replaced).toContain('t=2')
    expect((await login(costly.app, email, PASSWORD)).statusCode).toBe(200)
    expect(await hashOf()).toBe(replaced)
    await costly.app.close()
  })

  it('[A7] a wrong password and an unknown account get the same answer after the same work', async () => {
    const { email } = await registerVisitor(app)
    const bodies = []
    for (const unknown of [email, newEmail(), 'not an address', '"@example.com']) {
      const before = services.identity.passwords.verifications
      const answer = await login(app, unknown, 'wrong one')
      expect(services.identity.passwords.verifications).toBe(before + 1)
      const { timestamp, ...body } = answer.json<{ timestamp: string }>()
      bodies.push(body)
    }
    expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1)
    expect(bodies[0]).toMatchObject({ statusCode: 401, code: 'BAD_CREDENTIALS' })
  })

  it('[A8] after some wrong passwords 429 with Retry-After, even for the right one, until the wait is over', async () => {
    const slow = await openTestApp(ledger)
    const { email } = await registerVisitor(slow.app)
    for (let failure = 0; failure < 5; failure += 1) {
      expect((await login(slow.app, email, 'wrong one')).statusCode).toBe(401)
    }
    const before = slow.services.identity.passwords.verifications
    const refused = await login(slow.app, email, PASSWORD)
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '1'])
    expect(refused.json()).toMatchObject({ code: 'TOO_MANY_REQUESTS' })
    expect(slow.services.identity.passwords.verifications).toBe(before)
    slow.services.clock.nowMs += 1_000
    expect((await login(slow.app, email, PASSWORD)).statusCode).toBe(200)
    expect((await login(slow.app, email, 'wrong one')).statusCode).toBe(401)
    await slow.app.close()
  })

  it('[A9] while one sender is slowed down another signs in to the same account', async () => {
    const slow = await openTestApp(ledger)
    const { email } = await registerVisitor(slow.app)
    for (let failure = 0; failure < 6; failure += 1) await login(slow.app, email, 'wrong one', '198.51.100.7')
    expect((await login(slow.app, email, PASSWORD, '198.51.100.7')).statusCode).toBe(429)
    expect((await login(slow.app, email, PASSWORD, '198.51.100.8')).statusCode).toBe(200)
    await slow.app.close()
  })

  it('[A11] a forwarded address is accepted only from a trusted proxy', async () => {
    const env = { SEATWISE_TRUST_PROXY: '10.0.0.0/8' }
    const slow = await openTestApp(ledger, { env })
    const { email } = await registerVisitor(slow.app)
    const through = (remoteAddress: string, forwarded: string) =>
      slow.app.inject({
        method: 'POST',
        url: '/api/auth/login',
        remoteAddress,
        headers: { 'x-forwarded-for': forwarded },
        payload: { email, password: 'wrong one' },
      })
    const statuses = async (remoteAddress: string) => {
      const answers = []
      for (let index = 0; index < 7; index += 1)
        answers.push((await through(remoteAddress, `203.0.113.${index}`)).statusCode)
      return answers
    }
    expect(await statuses('10.0.0.1')).toEqual([401, 401, 401, 401, 401, 401, 401])
    expect(await statuses('198.51.100.7')).toEqual([401, 401, 401, 401, 401, 429, 429])
    await slow.app.close()
  })

  it('[A25] registering is limited by itself, and the setting turns all limits off', async () => {
    const limited = await openTestApp(ledger)
    const spam = (where: App) => post(where, '/api/auth/register', { email: 'no', password: 'no', name: 'no' })
    for (let count = 0; count < 300; count += 1) expect((await spam(limited.app)).statusCode).toBe(400)
    expect((await spam(limited.app)).statusCode).toBe(429)
    expect((await limited.app.inject('/.well-known/jwks.json')).statusCode).toBe(200)
    for (let count = 0; count < 302; count += 1) expect((await spam(app)).statusCode).toBe(400)
    const { email } = await registerVisitor(app)
    for (let failure = 0; failure < 8; failure += 1) expect((await login(app, email, 'no')).statusCode).toBe(401)
    await limited.app.close()
  })

  it('[A13] name and avatar can be changed, alone or together, and the avatar removed', async () => {
    const { authorization } = await registerVisitor(app)
    const change = async (payload: object) =>
      (await app.inject({ method: 'PATCH', url: '/api/auth/me', headers: { authorization }, payload })).json<object>()
    expect(await change({ name: 'Nguyễn Thị Ánh' })).toMatchObject({ name: 'Nguyễn Thị Ánh', avatar: null })
    expect(await change({ avatar: 'https://images.example/ánh.png' })).toMatchObject({
      name: 'Nguyễn Thị Ánh',
      avatar: 'https://images.example/%C3%A1nh.png',
    })
    expect(await change({})).toMatchObject({ avatar: 'https://images.example/%C3%A1nh.png' })
    expect(await change({ avatar: null })).toMatchObject({ avatar: null })
    const me = await app.inject({ url: '/api/auth/me', headers: { authorization } })
    expect(me.json()).toMatchObject({ name: 'Nguyễn Thị Ánh', avatar: null, role: 'buyer' })
  })

  it('[A13] a guest has no profile, and neither has an account that is gone', async () => {
    const guest = services.identity.tokens.issue({ id: 'guest', role: 'guest' }).accessToken
    const asGuest = await app.inject({ url: '/api/auth/me', headers: { authorization: `Bearer ${guest}` } })
    expect(asGuest.statusCode).toBe(403)
    const { id, authorization } = await registerVisitor(app)
    await ledger.db.deleteFrom('users').where('id', '=', id).execute()
    for (const method of ['GET', 'PATCH'] as const) {
      const asGone = await app.inject({
        method,
        url: '/api/auth/me',
        headers: { authorization },
        ...(method === 'PATCH' ? { payload: {} } : {}),
      })
      expect(asGone.statusCode).toBe(401)
    }
  })

  it.each([
    ['no body', undefined],
    ['a list', []],
    ['no email', { password: PASSWORD, name: 'Ada' }],
    ['an email that is none', { email: 'ada', password: PASSWORD, name: 'Ada' }],
    ['two emails in one', { email: 'a@b.example, c@d.example', password: PASSWORD, name: 'Ada' }],
    ['a header in the email', { email: 'a@b.example\r\nBcc: c', password: PASSWORD, name: 'Ada' }],
    ['an email with a zero', { email: 'a\u0000@b.example', password: PASSWORD, name: 'Ada' }],
    ['a long email', { email: `${'a'.repeat(250)}@b.example`, password: PASSWORD, name: 'Ada' }],
    ['a number as password', { email: 'a@b.example', password: 1234567890, name: 'Ada' }],
    ['a huge password', { email: 'a@b.example', password: 'x y z'.repeat(1_000), name: 'Ada' }],
    ['an empty name', { email: 'a@b.example', password: PASSWORD, name: '   ' }],
    ['a long name', { email: 'a@b.example', password: PASSWORD, name: 'a'.repeat(101) }],
    ['a name with a zero', { email: 'a@b.example', password: PASSWORD, name: 'A\u0000da' }],
    ['a name that turns text around', { email: 'a@b.example', password: PASSWORD, name: 'A\u202eda' }],
    ['half a character', { email: 'a@b.example', password: PASSWORD, name: 'A\ud800da' }],
    ['a role', { email: 'a@b.example', password: PASSWORD, name: 'Ada', role: 'admin' }],
    ['a null name', { email: 'a@b.example', password: PASSWORD, name: null }],
  ])('[A14] registering with %s is 400 and stores nothing', async (_name, payload) => {
    const before = await countUsers()
    const answer = await app.inject({
      method: 'POST',
      url: '/api/auth/register',
      ...(payload === undefined ? {} : { payload }),
    })
    expect([answer.statusCode, answer.json<{ statusCode: number }>().statusCode]).toEqual([400, 400])
    expect(await countUsers()).toBe(before)
  })

  it.each([
    ['plain http', { avatar: 'http://images.example/ada.png' }],
    ['a script', { avatar: 'javascript:alert(1)' }],
    ['data', { avatar: 'data:image/png;base64,AAAA' }],
    ['credentials', { avatar: 'https://ada:secret@images.example/ada.png' }],
    ['no address', { avatar: 'ada.png' }],
    ['a long address', { avatar: `https://images.example/${'é'.repeat(2_000)}` }],
    ['a number', { avatar: 5 }],
    ['an email', { email: 'eve@example.com' }],
    ['a role', { role: 'admin' }],
    ['an empty name', { name: '' }],
  ])('[A14] changing one’s profile with %s is 400 and changes nothing', async (_name, payload) => {
    const { authorization } = await registerVisitor(app)
    const read = async () => (await app.inject({ url: '/api/auth/me', headers: { authorization } })).json<object>()
    const before = await read()
    const answer = await app.inject({ method: 'PATCH', url: '/api/auth/me', headers: { authorization }, payload })
    expect(answer.statusCode).toBe(400)
    expect(await read()).toEqual(before)
  })

  it('[A14] prototype keys are refused', async () => {
    const payload = '{"email":"a@b.example","password":"nine green bottles","name":"Ada","__proto__":{"role":"admin"}}'
    const headers = { 'content-type': 'application/json' }
    const answer = await app.inject({ method: 'POST', url: '/api/auth/register', headers, payload })
    expect(answer.statusCode).toBe(400)
  })

  it('[A15] answers about accounts are not stored by caches and contain no secrets', async () => {
    const admin = await registerWithRole(app, ledger, 'admin')
    const headers = { authorization: admin.authorization }
    const answers = [
      await post(app, '/api/auth/register', { email: newEmail(), password: PASSWORD, name: 'Ada' }),
      await login(app, admin.email, PASSWORD),
      await login(app, admin.email, 'wrong one'),
      await app.inject({ url: '/api/auth/me', headers }),
      await app.inject({ url: '/api/users', headers }),
    ]
    for (const answer of answers) {
      expect(answer.headers['cache-control']).toBe('no-store')
      expect(answer.body).not.toMatch(/argon2|password_hash|nine green/)
    }
  })
})

describe('addresses', () => {
  it.each([
    ['Ada@Example.COM', 'ada@example.com'],
    ['ada+tickets@example.com', 'ada+tickets@example.com'],
    ['ada@localhost', 'ada@localhost'],
    ['ánh@ví-dụ.vn', 'ánh@ví-dụ.vn'],
    ['ａda@example.com', 'ada@example.com'],
  ])('[A2] %s is the account %s', (text, key) => {
    expect(parseEmail(text)?.key).toBe(key)
  })

  it.each([
    '',
    '@',
    'a@',
    '@b',
    'a@b@c',
    'a b@c',
    'a@b..c',
    '.a@b',
    'a.@b',
    '<a@b>',
    '"a b"@c',
    'a@b\n',
    'a\u200b@b',
    'a＠b@c',
  ])('[A14] %j is no address', (text) => {
    expect(parseEmail(text)).toBe(null)
  })
})
