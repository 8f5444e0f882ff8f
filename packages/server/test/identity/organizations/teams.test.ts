import { keepMailLink, type Ledger, noteKeysUsed } from '@seatwise/ledger'
import { forEachLedger } from '@seatwise/testbench'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { App } from '../../../src/http/http-server.ts'
import { makeApiKey, readApiKey } from '../../../src/identity/organizations/api-key.ts'
import {
  newEmail,
  openTestApp,
  PASSWORD,
  registerVisitor,
  registerWithRole,
  type TestServices,
  type Visitor,
} from '../../support/accounts.ts'
import { patch, post, shortEvent } from '../../support/events.ts'
import { expectError } from '../../support/kernel.ts'
import { organizationOf } from '../../support/news.ts'

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

forEachLedger('teams', (open) => {
  let ledger: Ledger
  let app: App
  let services: TestServices
  let owner: Visitor
  let organizationId: string

  beforeAll(async () => {
    ledger = await open()
    ;({ app, services } = await openTestApp(ledger, { env: { SEATWISE_RATE_LIMITS: 'off' } }))
    owner = await registerWithRole(app, ledger, 'organizer')
    organizationId = (await organizationOf(ledger, owner.id)) ?? ''
  })
  afterAll(async () => {
    await app.close()
    await services.rooms.close()
  })

  const call = (method: Method, url: string, as: string, payload?: object) =>
    app.inject({ method, url, headers: { authorization: as }, ...(payload === undefined ? {} : { payload }) })
  const team = (path = '', id = organizationId) => `/api/organizations/${id}/members${path}`
  const verified = async (): Promise<Visitor> => {
    const visitor = await registerVisitor(app)
    await ledger.db.updateTable('users').set({ verified_at: new Date() }).where('id', '=', visitor.id).execute()
    return visitor
  }
  const add = (email: string, role: string, as = owner.authorization) => call('POST', team(), as, { email, role })
  const linkOf = async (id: string) => await keepMailLink(ledger.db, { kind: 'invitation', subjectId: id })
  const accept = (token: string) => app.inject({ method: 'POST', url: `/api/invitations/${token}/accept` })

  it('[Q8] only admins make organizations, unless the house is open to all; the list has the caller’s role', async () => {
    const admin = await registerWithRole(app, ledger, 'admin')
    const made = await call('POST', '/api/organizations', admin.authorization, { name: 'Opera' })
    expect(made.statusCode).toBe(201)
    const { id } = made.json<{ id: string }>()
    expect(made.json()).toEqual({ id, name: 'Opera' })
    expectError(await call('POST', '/api/organizations', owner.authorization, { name: 'Mine' }), 403, 'FORBIDDEN')
    const opened = await openTestApp(ledger, {
      env: { SEATWISE_RATE_LIMITS: 'off', SEATWISE_SIGNUP: 'open' },
      secrets: services.secrets,
    })
    const anybody = await registerVisitor(opened.app)
    const headers = { authorization: anybody.authorization }
    const makeOne = () =>
      opened.app.inject({ method: 'POST', url: '/api/organizations', headers, payload: { name: 'Mine' } })
    expect((await makeOne()).statusCode).toBe(201)
    const listed = (await opened.app.inject({ url: '/api/organizations', headers })).json<{ items: object[] }>()
    expect(listed.items).toMatchObject([{ name: 'Mine', role: 'owner' }])
    for (let count = 1; count < 10; count += 1) expect((await makeOne()).statusCode).toBe(201)
    expectError(await makeOne(), 409, 'TEAM_LIMIT')
    await opened.app.close()
    await opened.services.rooms.close()
  })

  it('[Q9] an account with a verified address is a member at once', async () => {
    const visitor = await verified()
    const added = await add(visitor.email.toUpperCase(), 'viewer')
    expect(added.statusCode).toBe(201)
    expect(added.json()).toMatchObject({ userId: visitor.id, email: visitor.email, role: 'viewer' })
    const list = (await call('GET', team(), owner.authorization)).json<{ items: { userId: string; role: string }[] }>()
    expect(list.items[0]).toMatchObject({ userId: owner.id, role: 'owner' })
    expect(list.items).toContainEqual(expect.objectContaining({ userId: visitor.id, role: 'viewer' }))
    expectError(await call('GET', team(), visitor.authorization), 403, 'FORBIDDEN')
    for (const bad of [{}, { email: 'nonsense', role: 'door' }, { email: visitor.email, role: 'admin' }]) {
      expectError(await call('POST', team(), owner.authorization, bad), 400, 'BAD_REQUEST')
    }
  })

  it('[Q9] every other address is invited, by mail, and is a member when the link was used: once', async () => {
    const email = newEmail()
    const invited = await add(email, 'manager')
    expect(invited.statusCode).toBe(202)
    const { id } = invited.json<{ id: string }>()
    const letters = ledger.db.selectFrom('outbox').select('type').where('aggregateid', '=', id)
    expect(await letters.execute()).toEqual([{ type: 'member.invited' }])
    const token = await linkOf(id)
    const seen = await app.inject({ url: `/api/invitations/${token}` })
    expect(seen.json()).toMatchObject({ organizationId, email, role: 'manager' })
    expect(seen.body).not.toContain(owner.id)
    const list = (await call('GET', team(), owner.authorization)).json<{ invitations: object[]; items: object[] }>()
    expect(list.invitations).toContainEqual(expect.objectContaining({ id, email }))
    expect(JSON.stringify(list.items)).not.toContain(email)
    const page = await app.inject({ url: `/invitations/${token}` })
    expect(page.statusCode).toBe(200)
    expect(page.body).toContain(`<form method="post" action="/invitations/${token}">`)
    const accepted = await Promise.all([accept(token), accept(token), accept(token)])
    expect(accepted.map(({ statusCode }) => statusCode).filter((status) => status === 200)).toHaveLength(1)
    const after = (await call('GET', team(), owner.authorization)).json<{ items: object[] }>()
    expect(after.items).toContainEqual(expect.objectContaining({ email, role: 'manager' }))
    expect((await app.inject({ url: `/invitations/${token}` })).statusCode).toBe(404)
    expectError(await accept(token), 404, 'NOT_FOUND')
    expectError(await accept('nonsense'), 404, 'NOT_FOUND')
  })

  it('[Q9] an invitation that was withdrawn or replaced is over', async () => {
    const email = newEmail()
    const first = await linkOf((await add(email, 'owner')).json<{ id: string }>().id)
    const { id } = (await add(email, 'door')).json<{ id: string }>()
    expectError(await accept(first), 404, 'NOT_FOUND')
    const path = `/api/organizations/${organizationId}/invitations/${id}`
    expect((await call('DELETE', path, owner.authorization)).statusCode).toBe(204)
    expectError(await accept(await linkOf(id)), 404, 'NOT_FOUND')
    expectError(await call('DELETE', path, owner.authorization), 404, 'NOT_FOUND')
  })

  it('[Q10] who registered the address of another gains nothing by the other’s accepting', async () => {
    const squatter = await registerVisitor(app)
    const { id } = (await add(squatter.email, 'manager')).json<{ id: string }>()
    expect((await accept(await linkOf(id))).statusCode).toBe(200)
    expectError(await post(app, squatter.authorization, shortEvent()), 401, 'UNAUTHORIZED')
    const credentials = { email: squatter.email, password: PASSWORD }
    const again = await app.inject({ method: 'POST', url: '/api/auth/login', payload: credentials })
    expect(again.statusCode).toBe(401)
  })

  it('[Q11] the last owner stays, also when two owners leave at once; others may leave', async () => {
    const admin = await registerWithRole(app, ledger, 'admin')
    const { id } = (await call('POST', '/api/organizations', admin.authorization, { name: 'Two' })).json<{
      id: string
    }>()
    const [one, two, door] = [await verified(), await verified(), await verified()]
    for (const [{ email }, role] of [
      [one, 'owner'],
      [two, 'owner'],
      [door, 'door'],
    ] as const) {
      expect((await call('POST', team('', id), admin.authorization, { email, role })).statusCode).toBe(201)
    }
    expect((await call('DELETE', team(`/${admin.id}`, id), admin.authorization)).statusCode).toBe(204)
    expectError(await call('DELETE', team(`/${one.id}`, id), door.authorization), 404, 'NOT_FOUND')
    expect((await call('DELETE', team(`/${door.id}`, id), door.authorization)).statusCode).toBe(204)
    const left = await Promise.all([one, two].map((who) => call('DELETE', team(`/${who.id}`, id), who.authorization)))
    expect(left.map(({ statusCode }) => statusCode).sort()).toEqual([204, 409])
    const last = left[0]?.statusCode === 409 ? one : two
    expectError(await call('PATCH', team(`/${last.id}`, id), last.authorization, { role: 'viewer' }), 409, 'LAST_OWNER')
  })

  describe('API keys', () => {
    const keys = (path = '') => `/api/organizations/${organizationId}/keys${path}`
    const make = async (body: object) => await call('POST', keys(), owner.authorization, { name: 'Till', ...body })

    it('[Q12] a key is shown once, known by its form, and its role is at most manager', async () => {
      const made = await make({ role: 'manager' })
      expect(made.statusCode).toBe(201)
      const { id, key } = made.json<{ id: string; key: string }>()
      expect(key).toMatch(/^swk_[0-9A-Za-z]{38}$/)
      expect(readApiKey(`${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}`)).toBe(null)
      const listed = await call('GET', keys(), owner.authorization)
      expect(listed.json<{ items: object[] }>().items).toContainEqual(
        expect.objectContaining({ id, name: 'Till', role: 'manager', ending: key.slice(-4), lastUsedAt: null }),
      )
      expect(listed.body).not.toContain(key)
      const rows = await ledger.db.selectFrom('api_keys').selectAll().where('id', '=', id).execute()
      expect(JSON.stringify(rows)).not.toContain(key.slice(4, 30))
      for (const bad of [{ role: 'owner' }, { role: 'manager', expiresAt: '2020-01-01T00:00:00Z' }, {}]) {
        expectError(await make(bad), 400, 'BAD_REQUEST')
      }
    })

    it('[Q12] a key that is over, revoked, mistyped or made up is 401', async () => {
      const { id, key } = (await make({ role: 'viewer' })).json<{ id: string; key: string }>()
      const soon = new Date(services.clock.nowMs + 60_000).toISOString()
      const timed = (await make({ role: 'viewer', expiresAt: soon })).json<{ key: string }>()
      const list = async (token: string) => (await call('GET', '/api/console/sales', `Bearer ${token}`)).statusCode
      expect([await list(key), await list(timed.key)]).toEqual([200, 200])
      services.clock.nowMs += 60_001
      expect([await list(key), await list(timed.key)]).toEqual([200, 401])
      expect((await call('DELETE', keys(`/${id}`), owner.authorization)).statusCode).toBe(204)
      expect([await list(key), await list(makeApiKey().key), await list('swk_short')]).toEqual([401, 401, 401])
      expectError(await call('DELETE', keys(`/${id}`), owner.authorization), 404, 'NOT_FOUND')
    })

    it('[Q13] a key acts with its role and never joins, reserves, pays or manages; the trail names it', async () => {
      const { id, key } = (await make({ role: 'manager', name: 'Importer' })).json<{ id: string; key: string }>()
      const as = `Bearer ${key}`
      const made = await post(app, as, shortEvent({ state: 'draft' }))
      expect(made.json()).toMatchObject({ organizationId, organizerId: owner.id })
      const event = made.json<{ id: string }>()
      expect((await patch(app, as, event.id, { name: 'Renamed' })).statusCode).toBe(200)
      expect((await call('GET', `/api/events/${event.id}`, as)).statusCode).toBe(200)
      const trail = (await call('GET', `/api/events/${event.id}/trail`, owner.authorization)).json<{
        items: object[]
      }>()
      expect(trail.items).toMatchObject([{ actorId: id, actorName: 'Importer' }, { actorId: id }])
      const refused = [
        ['POST', `/api/events/${event.id}/queue/join`],
        ['POST', `/api/events/${event.id}/reservations`],
        ['POST', '/api/purchases'],
        ['GET', '/api/auth/me'],
        ['GET', keys()],
        ['POST', team()],
      ] as const
      for (const [method, url] of refused)
        expectError(await call(method, url, as, method === 'GET' ? undefined : {}), 403, 'FORBIDDEN')
      await services.identity.teams.tidy()
      const listed = (await call('GET', keys(), owner.authorization)).json<{
        items: { id: string; lastUsedAt: string | null }[]
      }>()
      expect(listed.items.find((one) => one.id === id)?.lastUsedAt).not.toBe(null)
      const before = await ledger.db.selectFrom('api_keys').select('last_used_at').where('id', '=', id).execute()
      await noteKeysUsed(ledger.db, [id])
      expect(await ledger.db.selectFrom('api_keys').select('last_used_at').where('id', '=', id).execute()).toEqual(
        before,
      )
    })
  })
})
