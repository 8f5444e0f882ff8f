import { randomBytes } from 'node:crypto'
import type { Ledger } from '@seatwise/ledger'
import { forEachLedger } from '@seatwise/testbench'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { newEmail, openTestApp, PASSWORD, registerVisitor, signInHeader } from '../../support/accounts.ts'
import { expectError } from '../../support/kernel.ts'
import { Mails, type Server } from '../../support/sign-in-mail.ts'

forEachLedger('signing in by mail', (open) => {
  let ledger: Ledger
  let here: Server
  let mails: Mails
  const secrets = [randomBytes(32)]
  beforeAll(async () => {
    ledger = await open()
    here = await openTestApp(ledger, { secrets, env: { SEATWISE_RATE_LIMITS: 'off' } })
    mails = new Mails(here)
  })
  afterAll(async () => await here.app.close())

  const me = async (authorization: string) =>
    (await here.app.inject({ url: '/api/auth/me', headers: { authorization } })).statusCode

  it('[A60][A61] a code signs in and makes the account; it is good once, with blanks in it too', async () => {
    const email = newEmail()
    const asked = await mails.ask(email)
    expect(asked.statusCode).toBe(202)
    const { code } = await mails.last(email)
    expect(code).toMatch(/^\d{8}$/)
    const answer = await mails.redeem(email, ` ${code.slice(0, 4)} ${code.slice(4)}`)
    expect(answer.statusCode).toBe(200)
    const { user, accessToken, expiresIn } = answer.json()
    expect(user).toMatchObject({ email, role: 'buyer', name: email.split('@')[0] })
    expect(expiresIn).toBeGreaterThan(0)
    expect(await me(`Bearer ${accessToken}`)).toBe(200)
    expectError(await mails.redeem(email, code), 401, 'CODE_WRONG')
  })

  it('[A60][A61] known and unknown addresses get the same bytes, for asking and for a wrong code', async () => {
    const { email: known } = await registerVisitor(here.app)
    const asked = [await mails.ask(known), await mails.ask(newEmail())]
    expect(asked.map(({ statusCode }) => statusCode)).toEqual([202, 202])
    expect(asked[0]?.body).toBe(asked[1]?.body)
    const wrong = [
      await mails.redeem(known, '00000000'),
      await mails.redeem(newEmail(), '00000000'),
      await mails.redeem('no address', '1'),
    ]
    const bodies = wrong.map(({ body }) => ({ ...JSON.parse(body), timestamp: null }))
    expect(bodies[0]).toEqual(bodies[1])
    expect(bodies[0]).toEqual(bodies[2])
    expect(bodies[0]).toMatchObject({ statusCode: 401, code: 'CODE_WRONG' })
  })

  it('[A61] after five tries of one sender the right code is wrong from there, but not from elsewhere', async () => {
    const email = newEmail()
    await mails.ask(email)
    const { code } = await mails.last(email)
    for (let count = 1; count <= 5; count += 1)
      expectError(await mails.redeem(email, 'wrong', '192.0.2.1'), 401, 'CODE_WRONG')
    expectError(await mails.redeem(email, code, '192.0.2.1'), 401, 'CODE_WRONG')
    expect((await mails.redeem(email, code, '192.0.2.2')).statusCode).toBe(200)
  })

  it('[A61] the fifth try may be the right one; after fifty in all no sender’s is', async () => {
    const [email, tried] = [newEmail(), newEmail()]
    await mails.ask(email)
    const { code } = await mails.last(email)
    for (let count = 1; count <= 4; count += 1) await mails.redeem(email, 'wrong', '192.0.2.1')
    expect((await mails.redeem(email, code, '192.0.2.1')).statusCode).toBe(200)
    await mails.ask(tried)
    const other = await mails.last(tried)
    for (let count = 0; count < 50; count += 1) await mails.redeem(tried, 'wrong', `198.51.100.${count}`)
    expectError(await mails.redeem(tried, other.code, '203.0.113.9'), 401, 'CODE_WRONG')
  })

  it('[A61] a code is over after 15 minutes, and so is its link', async () => {
    const email = newEmail()
    await mails.ask(email)
    const { code, path } = await mails.last(email)
    await ledger.db
      .updateTable('sign_in_codes')
      .set({ expires_at: new Date(Date.now() - 1_000) })
      .where('email', '=', email)
      .execute()
    expectError(await mails.redeem(email, code), 401, 'CODE_WRONG')
    expect((await mails.open(path)).statusCode).toBe(410)
  })

  it('[A62] codes and links are stored as keyed hashes, and any secret of the list verifies them', async () => {
    const email = newEmail()
    await mails.ask(email)
    const { code, path } = await mails.last(email)
    const row = await ledger.db
      .selectFrom('sign_in_codes')
      .selectAll()
      .where('email', '=', email)
      .executeTakeFirstOrThrow()
    expect(JSON.stringify(row)).not.toContain(code)
    expect(JSON.stringify(row)).not.toContain(path.slice(-43))
    const rotated = await openTestApp(ledger, { secrets: [randomBytes(32), ...secrets] })
    expect((await new Mails(rotated).redeem(email, code)).statusCode).toBe(200)
    await rotated.app.close()
  })

  it('[A63] the first sign-in by mail takes an address back from whoever registered it, and later ones do not', async () => {
    const { email, id, authorization } = await registerVisitor(here.app)
    const token = await mails.signIn(email)
    expect(await me(authorization)).toBe(401)
    const login = { method: 'POST', url: '/api/auth/login', payload: { email, password: PASSWORD } } as const
    expectError(await here.app.inject(login), 401, 'BAD_CREDENTIALS')
    const headers = { authorization: `Bearer ${token}` }
    const own = await here.app.inject({ url: '/api/auth/me', headers })
    expect(own.json()).toMatchObject({ id, email })
    const payload = { password: 'ten brown bottles' }
    const set = await here.app.inject({ method: 'PUT', url: '/api/auth/password', headers, payload })
    expect(set.statusCode).toBe(204)
    const again = await mails.signIn(email)
    expect(await me(`Bearer ${token}`)).toBe(200)
    expect(await me(`Bearer ${again}`)).toBe(200)
    expect(await me(await signInHeader(here.app, email, 'ten brown bottles'))).toBe(200)
  })

  it('[A63] of twenty sign-ins with one code at once exactly one succeeds', async () => {
    const email = newEmail()
    await mails.ask(email)
    const { code } = await mails.last(email)
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => mails.redeem(email, code, `192.0.2.${index}`)),
    )
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
    const rows = await ledger.db.selectFrom('users').select('id').where('email', '=', email).execute()
    expect(rows).toHaveLength(1)
  })

  it('[A60] one address gets five mails, and the limit does not tell whether it has an account', async () => {
    const limited = await openTestApp(ledger)
    const asking = new Mails(limited)
    const { email: known } = await registerVisitor(limited.app)
    for (const email of [known, newEmail()]) {
      for (let count = 1; count <= 5; count += 1) expect((await asking.ask(email)).statusCode).toBe(202)
      const answer = await asking.ask(email)
      expectError(answer, 429, 'TOO_MANY_REQUESTS')
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
    }
    await limited.app.close()
  })

  it('[A33] soon after signing in by mail the password can be set without the old one; later it cannot', async () => {
    const { email } = await registerVisitor(here.app)
    await mails.signIn(email)
    const headers = { authorization: `Bearer ${await mails.signIn(email)}` }
    const set = (payload: object) => here.app.inject({ method: 'PUT', url: '/api/auth/password', headers, payload })
    expect((await set({ password: 'ten brown bottles' })).statusCode).toBe(204)
    await mails.age(email)
    expectError(await set({ password: 'six blue bottles' }), 403, 'FRESH_SIGN_IN_NEEDED')
    expectError(await set({ password: 'six blue bottles', current: 'wrong one' }), 401, 'BAD_CREDENTIALS')
    expect((await set({ password: 'six blue bottles', current: 'ten brown bottles' })).statusCode).toBe(204)
    const byPassword = { authorization: await signInHeader(here.app, email, 'six blue bottles') }
    const payload = { password: 'ten brown bottles' }
    const answer = await here.app.inject({ method: 'PUT', url: '/api/auth/password', headers: byPassword, payload })
    expectError(answer, 403, 'FRESH_SIGN_IN_NEEDED')
  })
})
