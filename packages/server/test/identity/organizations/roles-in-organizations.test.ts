import { randomBytes, randomUUID } from 'node:crypto'
import { createApiKey, HOUSE_ID, type Ledger, listMembers, revokeApiKey, setMember } from '@seatwise/ledger'
import { forEachLedger } from '@seatwise/testbench'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { App } from '../../../src/http/http-server.ts'
import { makeApiKey } from '../../../src/identity/organizations/api-key.ts'
import {
  openTestApp,
  registerVisitor,
  registerWithRole,
  signInHeader,
  type TestServices,
} from '../../support/accounts.ts'
import { patch, post, shortEvent } from '../../support/events.ts'
import { expectError } from '../../support/kernel.ts'
import { organizationOf } from '../../support/news.ts'

interface Opened {
  readonly app: App
  readonly services: TestServices
}

forEachLedger('roles in organizations', (open) => {
  let ledger: Ledger
  let first: Opened
  let second: Opened

  beforeAll(async () => {
    ledger = await open()
    const options = { env: { SEATWISE_RATE_LIMITS: 'off' }, secrets: [randomBytes(32)] }
    first = await openTestApp(ledger, options)
    second = await openTestApp(ledger, options)
  })
  afterAll(async () => {
    for (const { app, services } of [first, second]) {
      await app.close()
      await services.rooms.close()
    }
  })

  const organizer = () => registerWithRole(first.app, ledger, 'organizer')
  const makeEvent = async (as: string, more: object = {}) => (await post(first.app, as, shortEvent(more))).json()
  const ownOf = async (id: string): Promise<string> => (await organizationOf(ledger, id)) ?? ''
  const sums = (app: App, eventId: string, authorization: string) =>
    app.inject({ url: `/api/events/${eventId}/sales`, headers: { authorization } })
  const changeRole = (id: string, role: string, by: string) =>
    first.app.inject({ method: 'PATCH', url: `/api/users/${id}`, headers: { authorization: by }, payload: { role } })

  it('[Q1] an event belongs to the named organization, else to the first that its maker joined, for admins the house', async () => {
    const { id, authorization } = await organizer()
    const own = await ownOf(id)
    expect(await makeEvent(authorization)).toMatchObject({ organizationId: own })
    const other = await ownOf((await organizer()).id)
    expectError(await post(first.app, authorization, shortEvent({ organizationId: other })), 404, 'NOT_FOUND')
    await setMember(ledger.db, { organizationId: other, userId: id, role: 'viewer' }, id)
    await first.services.identity.teams.refresh()
    expectError(await post(first.app, authorization, shortEvent({ organizationId: other })), 403, 'FORBIDDEN')
    await setMember(ledger.db, { organizationId: other, userId: id, role: 'manager' }, id)
    await first.services.identity.teams.refresh()
    expect(await makeEvent(authorization, { organizationId: other })).toMatchObject({ organizationId: other })
    expect(await makeEvent(authorization)).toMatchObject({ organizationId: own })
    const admin = await registerWithRole(first.app, ledger, 'admin')
    expect(await makeEvent(admin.authorization)).toMatchObject({ organizationId: HOUSE_ID })
  })

  it('[Q1] webhooks and rooms likewise; an admin’s webhook hears of every organization', async () => {
    const { id, authorization } = await organizer()
    const own = await ownOf(id)
    const make = async (url: string, as: string, payload: object) =>
      (await first.app.inject({ method: 'POST', url, headers: { authorization: as }, payload })).json()
    const hook = { url: 'https://hooks.example/' }
    const room = { name: 'Drop', target: 'https://shop.example/' }
    expect(await make('/api/webhooks', authorization, hook)).toMatchObject({ organizationId: own })
    expect(await make('/api/rooms', authorization, room)).toMatchObject({ organizationId: own })
    const admin = await registerWithRole(first.app, ledger, 'admin')
    expect(await make('/api/webhooks', admin.authorization, hook)).toMatchObject({ organizationId: null })
    expect(await make('/api/rooms', admin.authorization, { ...room, organizationId: own })).toMatchObject({
      organizationId: own,
    })
  })

  it('[Q2] having made an event gives no power over it: the role in its organization does', async () => {
    const { id, authorization } = await organizer()
    const event = await makeEvent(authorization)
    const { id: successor } = await registerVisitor(first.app)
    const organizationId = await ownOf(id)
    await setMember(ledger.db, { organizationId, userId: successor, role: 'owner' }, id)
    await setMember(ledger.db, { organizationId, userId: id, role: 'viewer' }, successor)
    await first.services.identity.teams.refresh()
    expectError(await patch(first.app, authorization, event.id, { name: 'Mine' }), 403, 'FORBIDDEN')
    expect((await sums(first.app, event.id, authorization)).statusCode).toBe(200)
  })

  it('[Q4] a role of the house brings its membership, and a lower one takes all of them away', async () => {
    const admin = await registerWithRole(first.app, ledger, 'admin')
    const { id, email } = await registerVisitor(first.app)
    const roleInHouse = async () => (await listMembers(ledger.db, HOUSE_ID)).find(({ userId }) => userId === id)?.role
    await changeRole(id, 'staff', admin.authorization)
    expect(await roleInHouse()).toBe('box_office')
    await changeRole(id, 'organizer', admin.authorization)
    const own = await ownOf(id)
    expect(own).not.toBe('')
    const authorization = await signInHeader(first.app, email)
    const event = await makeEvent(authorization)
    expect(event).toMatchObject({ organizationId: own })
    await changeRole(id, 'buyer', admin.authorization)
    expect(await roleInHouse()).toBe(undefined)
    const again = await signInHeader(first.app, email)
    expectError(await patch(first.app, again, event.id, { name: 'Mine' }), 403, 'FORBIDDEN')
    expectError(await post(first.app, again, shortEvent()), 403, 'FORBIDDEN')
    await changeRole(id, 'admin', admin.authorization)
    expect(await roleInHouse()).toBe('owner')
  })

  it('[Q5] a role that is taken away is gone here at once and elsewhere within 2 s; a new one counts everywhere at once', async () => {
    const { id, authorization } = await organizer()
    const organizationId = await ownOf(id)
    const event = await makeEvent(authorization)
    const member = await registerVisitor(first.app)
    const edit = async ({ app }: Opened) =>
      (await patch(app, member.authorization, event.id, { name: 'New' })).statusCode
    expect([await edit(first), await edit(second)]).toEqual([403, 403])
    await setMember(ledger.db, { organizationId, userId: member.id, role: 'manager' }, id)
    expect([await edit(first), await edit(second)]).toEqual([200, 200])
    await setMember(ledger.db, { organizationId, userId: member.id, role: 'viewer' }, id)
    for (const { services } of [first, second]) services.clock.nowMs += 2_001
    expect([await edit(first), await edit(second)]).toEqual([403, 403])
  })

  it('[Q5] a revoked key is 401 within 2 s on another server; a new one counts there at once', async () => {
    const { id, authorization } = await organizer()
    const event = await makeEvent(authorization)
    const { key, hash, ending } = makeApiKey()
    const facts = { id: randomUUID(), organizationId: await ownOf(id), name: 'Till', role: 'viewer' as const }
    expect(await createApiKey(ledger.db, { ...facts, hash, ending, madeBy: id, expiresAt: null }, 10)).toBe(true)
    const ask = async ({ app }: Opened) => (await sums(app, event.id, `Bearer ${key}`)).statusCode
    expect([await ask(first), await ask(second)]).toEqual([200, 200])
    await revokeApiKey(ledger.db, { ...facts, by: id })
    for (const { services } of [first, second]) services.clock.nowMs += 2_001
    expect([await ask(first), await ask(second)]).toEqual([401, 401])
  })

  it('[Q6] while the lists cannot be read, calls that ask for an act are 503 after 2 s', async () => {
    const { authorization } = await organizer()
    const event = await makeEvent(authorization)
    const { teams } = second.services.identity
    const member = { ...second.services.identity, teams: { ...teams, recent: () => Promise.reject(new Error('away')) } }
    const away = await openTestApp(ledger, {
      env: { SEATWISE_RATE_LIMITS: 'off' },
      secrets: second.services.secrets,
      identity: member,
    })
    expectError(await sums(away.app, event.id, authorization), 503, 'UNAVAILABLE')
    const seats = await away.app.inject({ url: `/api/events/${event.id}`, headers: { authorization } })
    expect(seats.statusCode).toBe(503)
    const buyer = await registerVisitor(first.app)
    const asBuyer = { authorization: buyer.authorization }
    expect((await away.app.inject({ url: `/api/events/${event.id}`, headers: asBuyer })).statusCode).toBe(200)
    expect((await away.app.inject({ url: '/api/reservations', headers: asBuyer })).statusCode).toBe(200)
    expectError(await sums(away.app, event.id, buyer.authorization), 503, 'UNAVAILABLE')
    await away.app.close()
    await away.services.rooms.close()
  })
})
