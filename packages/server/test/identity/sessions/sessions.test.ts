import { randomBytes, randomUUID } from 'node:crypto'
import { endGuest, type Ledger } from '@seatwise/ledger'
import { decodePart, forEachLedger, waitUntil } from '@seatwise/testbench'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { App } from '../../../src/http/http-server.ts'
import { AVATAR_LENGTH_MAX, NAME_LENGTH_MAX } from '../../../src/identity/accounts/profile-fields.ts'
import {
  newEmail,
  openTestApp,
  PASSWORD,
  registerVisitor,
  registerWithRole,
  signInHeader,
  type TestServices,
  type Visitor,
} from '../../support/accounts.ts'

const NEW_PASSWORD = 'ten brown bottles'
/** What every server promises (A32); these run in one process on a machine that is busy with other tests. */
const ENDED_WITHIN_MS = 2_000

interface Server {
  readonly app: App
  readonly services: TestServices
}

forEachLedger('sessions', (open) => {
  let ledger: Ledger
  let here: Server
  let there: Server
  beforeAll(async () => {
    ledger = await open()
    const options = { secrets: [randomBytes(32)], env: { SEATWISE_RATE_LIMITS: 'off' } }
    here = await openTestApp(ledger, options)
    there = await openTestApp(ledger, options)
  })
  afterAll(async () => {
    await here.app.close()
    await there.app.close()
  })

  const me = async ({ app }: Server, authorization: string) =>
    (await app.inject({ url: '/api/auth/me', headers: { authorization } })).statusCode
  const change = ({ app }: Server, authorization: string, payload: object = {}) =>
    app.inject({ method: 'PATCH', url: '/api/auth/me', headers: { authorization }, payload })
  const replace = ({ app }: Server, authorization: string, payload: object, remoteAddress = '127.0.0.1') =>
    app.inject({ method: 'PUT', url: '/api/auth/password', headers: { authorization }, payload, remoteAddress })
  const post = ({ app }: Server, url: string, authorization: string) =>
    app.inject({ method: 'POST', url, headers: { authorization } })
  const giveRole = async ({ id }: Visitor, role: string) => {
    const { authorization } = await registerWithRole(here.app, ledger, 'admin')
    const given = await here.app.inject({
      ...{ method: 'PATCH', url: `/api/users/${id}`, headers: { authorization }, payload: { role } },
    })
    expect(given.statusCode).toBe(200)
  }

  /** Refused where it was ended at once, and on the other server soon. */
  async function expectEnded(authorization: string): Promise<void> {
    expect(await me(here, authorization)).toBe(401)
    await waitUntil('the other server refuses it', async () => (await me(there, authorization)) === 401, {
      timeoutMs: ENDED_WITHIN_MS,
    })
  }

  it('[A32] signing out ends the session on two servers within 2 s, and no other session of the account', async () => {
    const { email, authorization } = await registerVisitor(here.app)
    const other = await signInHeader(there.app, email)
    // Met before by both, so that both remember the token as verified.
    expect([await me(here, authorization), await me(there, authorization)]).toEqual([200, 200])
    expect((await post(here, '/api/auth/logout', authorization)).statusCode).toBe(204)
    await expectEnded(authorization)
    expect([await me(here, other), await me(there, other)]).toEqual([200, 200])
    expect((await post(here, '/api/auth/logout', authorization)).statusCode).toBe(401)
  })

  it('[A32] signing out everywhere ends all sessions, and the next sign-in is good', async () => {
    const { email, authorization } = await registerVisitor(here.app)
    const other = await signInHeader(there.app, email)
    expect((await post(here, '/api/auth/logout-everywhere', authorization)).statusCode).toBe(204)
    await expectEnded(authorization)
    await expectEnded(other)
    expect(await me(there, await signInHeader(there.app, email))).toBe(200)
  })

  it('[A33] a new password ends every other session, not the one that set it, and the old password is wrong', async () => {
    const { email, authorization } = await registerVisitor(here.app)
    const other = await signInHeader(there.app, email)
    const replaced = await replace(here, authorization, { password: NEW_PASSWORD, current: PASSWORD })
    expect([replaced.statusCode, replaced.body]).toEqual([204, ''])
    await expectEnded(other)
    expect([await me(here, authorization), await me(there, authorization)]).toEqual([200, 200])
    const payload = { email, password: PASSWORD }
    expect((await here.app.inject({ method: 'POST', url: '/api/auth/login', payload })).statusCode).toBe(401)
    expect(await me(there, await signInHeader(there.app, email, NEW_PASSWORD))).toBe(200)
    // A token for the same session that is issued later lives and ends with it.
    const again = `Bearer ${(await change(here, authorization)).json<{ accessToken: string }>().accessToken}`
    expect(await me(there, again)).toBe(200)
    await post(here, '/api/auth/logout-everywhere', again)
    await expectEnded(again)
    await expectEnded(authorization)
  })

  it('[A33] without the current password nothing changes, and guessing it is slowed down like signing in', async () => {
    const limited = await openTestApp(ledger, { secrets: here.services.secrets })
    const { email, authorization } = await registerVisitor(limited.app)
    const guess = async (current: string) =>
      (await replace(limited, authorization, { password: NEW_PASSWORD, current }, '198.51.100.7')).statusCode
    for (let failure = 0; failure < 5; failure += 1) expect(await guess(`wrong ${failure}`)).toBe(401)
    expect(await guess(PASSWORD)).toBe(429)
    limited.services.clock.nowMs += 60_000
    expect((await replace(limited, authorization, { password: NEW_PASSWORD })).statusCode).toBe(403)
    expect((await replace(limited, authorization, { password: 'password', current: PASSWORD })).statusCode).toBe(400)
    expect(await me(limited, await signInHeader(limited.app, email))).toBe(200)
    await limited.app.close()
  })

  it('[A33] of two requests that replace a password at once one succeeds, and the other loses its session', async () => {
    const { email, authorization } = await registerVisitor(here.app)
    const other = await signInHeader(there.app, email)
    const answers = await Promise.all([
      replace(here, authorization, { password: 'first of two bottles', current: PASSWORD }),
      replace(there, other, { password: 'second of two bottles', current: PASSWORD }),
    ])
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([204, 401])
  })

  it('[A34] changing a profile returns a token with the same session, role and expiry, however often it is changed', async () => {
    const { authorization } = await registerVisitor(here.app)
    const first = claimsOf(authorization)
    here.services.clock.nowMs += 3_600_000
    let token = authorization
    for (const name of ['Ada King', 'Ada Lovelace']) {
      const changed = (await change(here, token, { name })).json<{ accessToken: string; expiresIn: number }>()
      expect(changed.expiresIn).toBe(12 * 3_600 - 3_600)
      token = `Bearer ${changed.accessToken}`
      const { exp, sid, ver, sub, role } = first
      expect(claimsOf(token)).toMatchObject({ exp, sid, ver, sub, role, name })
    }
    here.services.clock.nowMs += 11 * 3_600_000
    expect([await me(here, authorization), await me(here, token)]).toEqual([401, 401])
    here.services.clock.nowMs -= 12 * 3_600_000
  })

  it('[A34] a buyer who was made an admin gets no admin’s token by changing the profile, before and after the promotion is known', async () => {
    const buyer = await registerVisitor(here.app)
    // Directly in the database, so that nothing ends the session: a new token must still give no more than the one shown.
    await ledger.db.updateTable('users').set({ role: 'admin' }).where('id', '=', buyer.id).execute()
    const changed = await change(here, buyer.authorization)
    const fresh = `Bearer ${changed.json<{ accessToken?: string }>().accessToken}`
    for (const authorization of [buyer.authorization, fresh]) {
      const answer = await here.app.inject({ url: '/api/users', headers: { authorization } })
      expect([401, 403]).toContain(answer.statusCode)
    }
    expect(claimsOf(fresh).role).toBe('buyer')
  })

  it('[A34] staff promoted to admin in the database get admin rights only after signing in again', async () => {
    const staff = await registerWithRole(here.app, ledger, 'staff')
    await ledger.db.updateTable('users').set({ role: 'admin' }).where('id', '=', staff.id).execute()
    const list = async (authorization: string) =>
      (await here.app.inject({ url: '/api/users', headers: { authorization } })).statusCode
    expect(await list(staff.authorization)).toBe(401)
    expect(await list(await signInHeader(here.app, staff.email))).toBe(200)
  })

  it.each(['staff', 'admin'] as const)('[A19][A30] a buyer’s sessions end when the role %s is given', async (role) => {
    const buyer = await registerVisitor(here.app)
    await giveRole(buyer, role)
    await expectEnded(buyer.authorization)
    expect((await change(here, buyer.authorization)).statusCode).toBe(401)
    expect(claimsOf(await signInHeader(there.app, buyer.email)).role).toBe(role)
  })

  it('[A19] giving a role that the account has already ends nothing', async () => {
    const staff = await registerWithRole(here.app, ledger, 'staff')
    await giveRole(staff, 'staff')
    expect([await me(here, staff.authorization), await me(there, staff.authorization)]).toEqual([200, 200])
  })

  it('[A37] a guest is refused on two servers within 2 s after an account adopted the guest’s data, also where signing in is optional', async () => {
    const guest = { id: randomUUID(), role: 'guest' } as const
    const authorization = `Bearer ${here.services.identity.tokens.issue(guest).accessToken}`
    const reservations = async ({ app }: Server) =>
      (await app.inject({ url: '/api/reservations', headers: { authorization } })).statusCode
    expect([await reservations(here), await reservations(there)]).toEqual([200, 200])
    await endGuest(ledger.db, guest.id, 3_600)
    for (const server of [here, there]) {
      await waitUntil('the guest is refused', async () => (await reservations(server)) === 401, {
        timeoutMs: ENDED_WITHIN_MS,
      })
    }
  })

  it('[A32] a server that starts later refuses sessions that ended before', async () => {
    const { authorization } = await registerVisitor(here.app)
    await post(here, '/api/auth/logout', authorization)
    const later = await openTestApp(ledger, { secrets: here.services.secrets })
    expect(await me(later, authorization)).toBe(401)
    await later.app.close()
  })

  it('[A32] a token without a session is valid, and signing out with it ends all sessions of the account', async () => {
    const { id, authorization } = await registerVisitor(here.app)
    const old = `Bearer ${here.services.identity.tokens.issue({ id, role: 'buyer' }).accessToken}`
    expect(await me(here, old)).toBe(200)
    expect((await post(here, '/api/auth/logout', old)).statusCode).toBe(204)
    await expectEnded(old)
    await expectEnded(authorization)
  })

  it('[A32] guests have no session to end', async () => {
    const { accessToken } = here.services.identity.tokens.issue({ id: randomUUID(), role: 'guest' })
    for (const url of ['/api/auth/logout', '/api/auth/logout-everywhere']) {
      expect((await post(here, url, `Bearer ${accessToken}`)).statusCode).toBe(403)
    }
  })

  it('[A32] signing out on a page ends the session on the server, not only the cookie', async () => {
    const { authorization } = await registerVisitor(here.app)
    const token = authorization.slice('Bearer '.length)
    const headers = { cookie: `seatwise-session=${token}`, 'sec-fetch-site': 'same-origin' }
    const left = await here.app.inject({ method: 'POST', url: '/sign-out', headers })
    expect([left.statusCode, left.headers.location]).toEqual([303, '/'])
    expect(String(left.headers['set-cookie'])).toMatch(/seatwise-session=;.*Max-Age=0/)
    await expectEnded(authorization)
  })

  it('[A35] while the list of ended sessions cannot be read, privileged calls are 503 after 2 s, and buyers and guests go on', async () => {
    const [buyer, staff] = [await registerVisitor(here.app), await registerWithRole(here.app, ledger, 'staff')]
    const guest = `Bearer ${here.services.identity.tokens.issue({ id: randomUUID(), role: 'guest' }).accessToken}`
    const list = async (authorization: string) =>
      (await here.app.inject({ url: '/api/reservations', headers: { authorization } })).statusCode
    expect(await list(staff.authorization)).toBe(200)
    await ledger.db.schema.alterTable('ended_identities').renameTo('ended_identities_away').execute()
    try {
      here.services.clock.nowMs += 2_001
      expect(await list(staff.authorization)).toBe(503)
      expect([await list(buyer.authorization), await list(guest)]).toEqual([200, 200])
    } finally {
      await ledger.db.schema.alterTable('ended_identities_away').renameTo('ended_identities').execute()
    }
    expect(await list(staff.authorization)).toBe(200)
  })

  it('[A16] the token of an account with the longest name and avatar is accepted', async () => {
    const { authorization } = await registerVisitor(here.app, newEmail())
    const avatar = `https://example.com/${'a'.repeat(AVATAR_LENGTH_MAX - 'https://example.com/'.length)}`
    const changed = await change(here, authorization, { name: '🎭'.repeat(NAME_LENGTH_MAX), avatar })
    expect(await me(here, `Bearer ${changed.json<{ accessToken: string }>().accessToken}`)).toBe(200)
  })
})

function claimsOf(authorization: string): Record<string, unknown> {
  return decodePart(authorization.split('.')[1])
}
