import { randomBytes } from 'node:crypto'
import { keepPasskey, type Ledger, noteStrong, setMember } from '@seatwise/ledger'
import { openScratchLedger } from '@seatwise/testbench'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readConfig } from '../../../src/config/config.ts'
import {
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
import type { Server } from '../../support/sign-in-mail.ts'

let ledger: Ledger
let strict: Server & { readonly services: TestServices }
let lax: Server & { readonly services: TestServices }
beforeAll(async () => {
  ledger = await openScratchLedger()
  const secrets = [randomBytes(32)]
  const env = { SEATWISE_RATE_LIMITS: 'off' }
  strict = await openTestApp(ledger, { secrets, env: { ...env, SEATWISE_STRONG_SIGN_IN: 'required' } })
  lax = await openTestApp(ledger, { secrets, env })
})
afterAll(async () => {
  for (const { app, services } of [strict, lax]) {
    await app.close()
    await services.rooms.close()
  }
  await ledger.close()
})

type Method = 'GET' | 'POST' | 'DELETE'
const ask = (authorization: string, url: string, method: Method = 'GET', payload?: object) =>
  strict.app.inject({ method, url, headers: { authorization }, ...(payload && { payload }) })

/** As showing a passkey does; a browser's authenticator does it in tests/browser/staff. */
async function strengthen({ id }: Visitor): Promise<void> {
  const sessions = await ledger.db.selectFrom('sessions').select('id').where('user_id', '=', id).execute()
  for (const session of sessions) await noteStrong(ledger.db, session.id)
}

const givePasskey = ({ id }: Visitor): Promise<unknown> =>
  keepPasskey(
    ledger.db,
    { id: `key-${id}`, userId: id, name: 'Phone', publicKey: 'cose', counter: 0, transports: [] },
    20,
  )

it('[A115] an admin with a password alone keeps the rights of a buyer, and gets the others back with a passkey', async () => {
  const admin = await registerWithRole(strict.app, ledger, 'admin')
  expectError(await ask(admin.authorization, '/api/users?email=a'), 403, 'STRONG_SIGN_IN_NEEDED')
  expectError(await post(strict.app, admin.authorization, shortEvent()), 403, 'STRONG_SIGN_IN_NEEDED')
  expectError(await ask(admin.authorization, '/api/organizations'), 403, 'STRONG_SIGN_IN_NEEDED')
  expectError(await ask(admin.authorization, '/api/organizations', 'POST', { name: 'Another' }), 403, 'FORBIDDEN')
  for (const url of ['/api/auth/me', '/api/reservations', '/api/auth/sessions', '/api/events']) {
    expect((await ask(admin.authorization, url)).statusCode).toBe(200)
  }
  await strengthen(admin)
  expect((await ask(admin.authorization, '/api/users?email=a')).statusCode).toBe(200)
  expect((await post(strict.app, admin.authorization, shortEvent())).statusCode).toBe(201)
})

it('[A115] managers and owners of any organization likewise; box office, door and viewers are not asked', async () => {
  const owner = await registerWithRole(strict.app, ledger, 'organizer')
  const organizationId = (await organizationOf(ledger, owner.id)) ?? ''
  expectError(await post(strict.app, owner.authorization, shortEvent()), 403, 'STRONG_SIGN_IN_NEEDED')
  const { id } = (await post(lax.app, owner.authorization, shortEvent({ state: 'draft' }))).json<{ id: string }>()
  // A draft is not there for a caller who may not use the right to see it.
  expectError(await ask(owner.authorization, `/api/events/${id}`), 404, 'NOT_FOUND')
  for (const role of ['manager', 'box_office', 'door', 'viewer'] as const) {
    const member = await registerVisitor(strict.app)
    await setMember(ledger.db, { organizationId, userId: member.id, role }, owner.id)
    // Not in this server's list yet: the refusal that a fresh list turns around must not turn around this one.
    const answer = await ask(member.authorization, `/api/events/${id}/sales`)
    if (role === 'manager') expectError(answer, 403, 'STRONG_SIGN_IN_NEEDED')
    else expect(answer.statusCode).toBe(200)
    if (role === 'box_office') expectError(await patch(strict.app, member.authorization, id, {}), 403, 'FORBIDDEN')
  }
  await strengthen(owner)
  expect((await ask(owner.authorization, `/api/events/${id}`)).statusCode).toBe(200)
})

it('[A115] what one’s rights would not allow is refused as ever, and nothing tells a stranger of the setting', async () => {
  const [mine, theirs] = [
    await registerWithRole(strict.app, ledger, 'organizer'),
    await registerWithRole(strict.app, ledger, 'organizer'),
  ]
  const draft = await post(lax.app, theirs.authorization, shortEvent({ state: 'draft' }))
  const { id } = draft.json<{ id: string }>()
  expectError(await patch(strict.app, mine.authorization, id, { name: 'Mine' }), 404, 'NOT_FOUND')
  const buyer = await registerVisitor(strict.app)
  expectError(await post(strict.app, buyer.authorization, shortEvent()), 403, 'FORBIDDEN')
})

it('[A116] with a password alone the first passkey may be made, and none once the account has one', async () => {
  const admin = await registerWithRole(strict.app, ledger, 'admin')
  const options = () => ask(admin.authorization, '/api/auth/passkeys/options', 'POST')
  expect((await options()).statusCode).toBe(200)
  await givePasskey(admin)
  expectError(await options(), 403, 'STRONG_SIGN_IN_NEEDED')
  const key = encodeURIComponent(`key-${admin.id}`)
  expectError(await ask(admin.authorization, `/api/auth/passkeys/${key}`, 'DELETE'), 403, 'STRONG_SIGN_IN_NEEDED')
  expectError(await ask(admin.authorization, '/api/auth/recovery-codes', 'POST'), 403, 'STRONG_SIGN_IN_NEEDED')
  await strengthen(admin)
  const made = await ask(admin.authorization, '/api/auth/recovery-codes', 'POST')
  expect(made.statusCode).toBe(201)
  expect((await ask(admin.authorization, `/api/auth/passkeys/${key}`, 'DELETE')).statusCode).toBe(204)
  // The passkey is lost: a password alone is not enough, a recovery code is.
  const [code] = made.json<{ codes: string[] }>().codes
  const login = await strict.app.inject({
    method: 'POST',
    url: '/api/auth/login',
    payload: { email: admin.email, password: PASSWORD },
  })
  const weak = `Bearer ${login.json<{ accessToken: string }>().accessToken}`
  expectError(await ask(weak, '/api/auth/passkeys/options', 'POST'), 403, 'STRONG_SIGN_IN_NEEDED')
  const payload = { email: admin.email, code }
  const recovered = await strict.app.inject({ method: 'POST', url: '/api/auth/recovery', payload })
  const strong = `Bearer ${recovered.json<{ accessToken: string }>().accessToken}`
  expect((await ask(strong, '/api/users?email=a')).statusCode).toBe(200)
  expect((await ask(strong, '/api/auth/passkeys/options', 'POST')).statusCode).toBe(200)
})

it('[A117] pages of the console lead to the page that asks for a passkey, and from there back', async () => {
  const admin = await registerWithRole(strict.app, ledger, 'admin')
  const open = (url: string) => strict.app.inject({ url, headers: { authorization: admin.authorization } })
  const answer = await open('/console/organizations')
  expect([answer.statusCode, answer.headers.location]).toEqual([303, '/sign-in/strong?next=%2Fconsole%2Forganizations'])
  const first = await open(String(answer.headers.location))
  expect(first.statusCode).toBe(200)
  expect(first.body).toContain('data-passkey="make"')
  expect(first.body).toContain('name="next" value="/console/organizations"')
  await givePasskey(admin)
  const again = await open(String(answer.headers.location))
  expect(again.body).toContain('data-passkey="use"')
  expect(again.body).not.toContain('data-passkey="make"')
  expect(again.body).toContain('href="/sign-in/recovery?next=%2Fconsole%2Forganizations"')
  // Any other page offers the way to the console.
  expect((await open('/')).body).toContain('href="/console"')
  await strengthen(admin)
  expect((await open(String(answer.headers.location))).headers.location).toBe('/console/organizations')
  expect((await open('/console/organizations')).statusCode).toBe(200)
})

it('[A117] switched off, the setting asks no user: the way back for the last admin who lost everything', async () => {
  const admin = await registerWithRole(lax.app, ledger, 'admin')
  await givePasskey(admin)
  const as = { authorization: admin.authorization }
  expect((await lax.app.inject({ url: '/api/users?email=a', headers: as })).statusCode).toBe(200)
  const url = `/api/auth/passkeys/${encodeURIComponent(`key-${admin.id}`)}`
  expect((await lax.app.inject({ method: 'DELETE', url, headers: as })).statusCode).toBe(204)
})

it('[A117] the setting is refused where browsers make no passkeys', () => {
  const on = { SEATWISE_STRONG_SIGN_IN: 'required' }
  const problem = /SEATWISE_STRONG_SIGN_IN=required needs a SEATWISE_PUBLIC_URL/
  expect(() => readConfig({ ...on, SEATWISE_PUBLIC_URL: 'http://tickets.example' })).toThrow(problem)
  expect(() => readConfig({ SEATWISE_STRONG_SIGN_IN: 'yes' })).toThrow('must be one of off, required')
  for (const url of ['https://tickets.example', 'http://localhost:3000', '']) {
    expect(readConfig({ ...on, SEATWISE_PUBLIC_URL: url }).strongSignIn).toBe(true)
  }
})
