import { randomBytes, randomUUIDv7 } from 'node:crypto'
import type { Ledger } from '@seatwise/ledger'
import { forEachLedger } from '@seatwise/testbench'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { App } from '../../../src/http/http-server.ts'
import { ensureFirstOperator } from '../../../src/identity/accounts/first-operator.ts'
import {
  newEmail,
  openTestApp,
  openTestServices,
  PASSWORD,
  registerVisitor,
  registerWithRole,
  signInHeader,
  type Visitor,
} from '../../support/accounts.ts'

const off = { SEATWISE_RATE_LIMITS: 'off' }

async function adminsOf(ledger: Ledger) {
  return await ledger.db.selectFrom('users').selectAll().where('role', '=', 'admin').execute()
}

forEachLedger('roles', (open) => {
  let ledger: Ledger
  let app: App
  beforeAll(async () => {
    ledger = await open()
    ;({ app } = await openTestApp(ledger, { env: off }))
  })
  afterAll(async () => await app.close())

  it('[A30] admins find accounts and give roles, which count after signing in again', async () => {
    const admin = await registerWithRole(app, ledger, 'admin')
    const { id, email, authorization } = await registerVisitor(app)
    const headers = { authorization: admin.authorization }
    const found = await app.inject({ url: '/api/users', query: { email: email.toUpperCase() }, headers })
    expect(found.json()).toMatchObject({ items: [{ id, email, role: 'buyer' }], nextCursor: null })
    const given = await app.inject({ method: 'PATCH', url: `/api/users/${id}`, headers, payload: { role: 'admin' } })
    expect(given.json()).toMatchObject({ id, role: 'admin' })
    expect((await app.inject({ url: '/api/users', headers: { authorization } })).statusCode).toBe(401)
    const again = await signInHeader(app, email)
    expect((await app.inject({ url: '/api/users', headers: { authorization: again } })).statusCode).toBe(200)
  })

  it('[A30] the list goes page by page, newest first, each account once', async () => {
    const admin = await registerWithRole(app, ledger, 'admin')
    const headers = { authorization: admin.authorization }
    const ids: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const query: Record<string, string> = cursor === '' ? { limit: '7' } : { limit: '7', cursor }
      const page = (await app.inject({ url: '/api/users', query, headers })).json<{
        items: { id: string }[]
        nextCursor: string | null
      }>()
      ids.push(...page.items.map(({ id }) => id))
      cursor = page.nextCursor
    }
    expect(ids).toHaveLength((await ledger.db.selectFrom('users').select('id').execute()).length)
    expect(ids).toEqual([...ids].sort().reverse())
    expect(new Set(ids).size).toBe(ids.length)
  })

  it.each([
    ['an unknown account', 'PATCH', `/api/users/${randomUUIDv7()}`, { role: 'staff' }, 404],
    ['no account', 'PATCH', '/api/users/1', { role: 'staff' }, 400],
    ['the role guest', 'PATCH', `/api/users/${randomUUIDv7()}`, { role: 'guest' }, 400],
    ['no role', 'PATCH', `/api/users/${randomUUIDv7()}`, {}, 400],
    ['a bad cursor', 'GET', '/api/users?cursor=1', undefined, 400],
    ['a huge page', 'GET', '/api/users?limit=100000', undefined, 400],
    ['an unknown question', 'GET', '/api/users?password=x', undefined, 400],
  ] as const)('[A30] %s is refused', async (_name, method, url, payload, status) => {
    const { authorization } = await registerWithRole(app, ledger, 'admin')
    const answer = await app.inject({
      method,
      url,
      headers: { authorization },
      ...(payload === undefined ? {} : { payload }),
    })
    expect(answer.statusCode).toBe(status)
  })

  it('[A30] the last admin stays, also when the last two demote each other at the same moment', async () => {
    await ledger.db.updateTable('users').set({ role: 'buyer' }).where('role', '=', 'admin').execute()
    const [one, other] = [await registerWithRole(app, ledger, 'admin'), await registerWithRole(app, ledger, 'admin')]
    const demote = (by: Visitor, target: Visitor) =>
      app.inject({
        method: 'PATCH',
        url: `/api/users/${target.id}`,
        headers: { authorization: by.authorization },
        payload: { role: 'buyer' },
      })
    const answers = await Promise.all([demote(one, other), demote(other, one)])
    const statuses = answers.map(({ statusCode }) => statusCode)
    const admins = await ledger.db.selectFrom('users').select('id').where('role', '=', 'admin').execute()
    expect(admins).toHaveLength(1)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    const [left] = [one, other].filter(({ id }) => admins.some((admin) => admin.id === id))
    if (left === undefined) return expect.unreachable('no admin left')
    const last = await demote(left, left)
    return expect(last.json()).toMatchObject({ statusCode: 409, code: 'LAST_ADMIN' })
  })

  it('[A30 control] counting the admins without locking them, both demotions go through', async () => {
    await ledger.db.updateTable('users').set({ role: 'buyer' }).where('role', '=', 'admin').execute()
    const pair = [await registerWithRole(app, ledger, 'admin'), await registerWithRole(app, ledger, 'admin')]
    const counts = await Promise.all(pair.map(async () => (await adminsOf(ledger)).length))
    for (const [index, { id }] of pair.entries()) {
      if ((counts[index] ?? 0) < 2) continue
      await ledger.db.updateTable('users').set({ role: 'buyer' }).where('id', '=', id).execute()
    }
    expect(await adminsOf(ledger)).toHaveLength(0)
  })
})

forEachLedger('the first operator', (open) => {
  let ledger: Ledger
  beforeAll(async () => {
    ledger = await open()
  })
  beforeEach(async () => {
    await ledger.db.deleteFrom('users').execute()
  })

  const settings = (email: string, password: string) => ({
    ...off,
    SEATWISE_ADMIN_EMAIL: email,
    SEATWISE_ADMIN_PASSWORD: password,
  })

  it('[A29] credentials are generated when there is no admin, shown once, and valid for signing in', async () => {
    const { app, services } = await openTestApp(ledger, { env: off })
    const made = await ensureFirstOperator(services)
    if (made === null) return expect.unreachable('no admin was created')
    expect(made.password.length).toBeGreaterThanOrEqual(20)
    expect(await ensureFirstOperator(services)).toBe(null)
    const authorization = await signInHeader(app, made.email, made.password)
    expect((await app.inject({ url: '/api/users', headers: { authorization } })).statusCode).toBe(200)
    await app.close()
    return undefined
  })

  it('[A29] the first admin gets another address when an account has the usual one', async () => {
    const { app, services } = await openTestApp(ledger, { env: off })
    const squatter = await registerVisitor(app, 'admin@seatwise.local')
    const made = await ensureFirstOperator(services)
    expect(made?.email).not.toBe(squatter.email)
    expect((await adminsOf(ledger)).map(({ email }) => email)).toEqual([made?.email])
    await app.close()
  })

  it('[A29] ten servers that start together create one admin', async () => {
    const secrets = [randomBytes(32)]
    const servers = await Promise.all(Array.from({ length: 10 }, () => openTestServices(ledger, { env: off, secrets })))
    const made = await Promise.all(servers.map((services) => ensureFirstOperator(services)))
    expect(made.filter((credentials) => credentials !== null)).toHaveLength(1)
    expect(await adminsOf(ledger)).toHaveLength(1)
  })

  it('[A29 control] ten servers that only look for an admin would each create one', async () => {
    const found = await Promise.all(Array.from({ length: 10 }, () => adminsOf(ledger)))
    expect(found.filter((admins) => admins.length === 0)).toHaveLength(10)
  })

  it('[A29] the settings create an admin, nothing is printed, and a second start changes nothing', async () => {
    const email = newEmail()
    const { app, services } = await openTestApp(ledger, { env: settings(email, PASSWORD) })
    expect(await ensureFirstOperator(services)).toBe(null)
    const first = await adminsOf(ledger)
    expect(await ensureFirstOperator(services)).toBe(null)
    expect(await adminsOf(ledger)).toEqual(first)
    const authorization = await signInHeader(app, email)
    expect((await app.inject({ url: '/api/auth/me', headers: { authorization } })).json()).toMatchObject({
      role: 'admin',
    })
    await app.close()
  })

  it('[A29] the settings apply beside an existing admin, and when the password is changed', async () => {
    const plain = await openTestServices(ledger, { env: off })
    await ensureFirstOperator(plain)
    const email = newEmail()
    for (const password of [PASSWORD, 'another nine bottles']) {
      const { app, services } = await openTestApp(ledger, { env: settings(email, password) })
      await ensureFirstOperator(services)
      expect(await signInHeader(app, email, password)).not.toContain('undefined')
      await app.close()
    }
    expect(await adminsOf(ledger)).toHaveLength(2)
  })

  it('[A29] replacing the operator’s password by the settings ends the sessions that the old one opened', async () => {
    const email = newEmail()
    const secrets = [randomBytes(32)]
    const first = await openTestApp(ledger, { env: settings(email, PASSWORD), secrets })
    await ensureFirstOperator(first.services)
    const authorization = await signInHeader(first.app, email)
    const list = async (app: App) => (await app.inject({ url: '/api/users', headers: { authorization } })).statusCode
    expect(await list(first.app)).toBe(200)
    const second = await openTestApp(ledger, { env: settings(email, 'another nine bottles'), secrets })
    await ensureFirstOperator(second.services)
    expect(await list(second.app)).toBe(401)
    first.services.clock.nowMs += 2_001
    expect(await list(first.app)).toBe(401)
    await first.app.close()
    await second.app.close()
  })

  it.each(['buyer', 'staff', 'organizer'] as const)(
    '[A36] an address that belongs to a %s already is not promoted: the server does not start and says what to do',
    async (role) => {
      const email = newEmail()
      const { app, services } = await openTestApp(ledger, { env: settings(email, 'the real operator') })
      const visitor = await registerVisitor(app, email.toUpperCase())
      await ledger.db.updateTable('users').set({ role }).where('id', '=', visitor.id).execute()
      await expect(ensureFirstOperator(services)).rejects.toThrow(/SEATWISE_ADMIN_EMAIL.*Choose another address/)
      expect(await adminsOf(ledger)).toEqual([])
      // Nothing about the account has changed: neither what it may do nor its password.
      const { authorization } = { authorization: await signInHeader(app, email) }
      const me = await app.inject({ url: '/api/auth/me', headers: { authorization } })
      expect(me.json()).toMatchObject({ id: visitor.id, role })
      const changed = await app.inject({
        method: 'PATCH',
        url: '/api/auth/me',
        headers: { authorization },
        payload: {},
      })
      expect(changed.json()).toMatchObject({ role })
      await app.close()
    },
  )
})
