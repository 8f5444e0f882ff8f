import { createServer } from 'node:http'
import { HOUSE_ID, type Ledger, listMembers } from '@seatwise/ledger'
import { OpenidProvider, openScratchLedger } from '@seatwise/testbench'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readConfig } from '../../../src/config/config.ts'
import { judgeProvider } from '../../../src/operators/doctor/judge-provider.ts'
import { newEmail, openTestApp, PASSWORD, registerVisitor, type TestServices } from '../../support/accounts.ts'
import type { Answer } from '../../support/events.ts'
import { expectError } from '../../support/kernel.ts'
import { Mails, type Server } from '../../support/sign-in-mail.ts'

const SITE = 'http://localhost:3999'

let ledger: Ledger
let provider: OpenidProvider
let env: Record<string, string>
let here: Server & { readonly services: TestServices }
beforeAll(async () => {
  ledger = await openScratchLedger()
  provider = await OpenidProvider.start()
  await provider.allow(`${SITE}/sign-in/openid/callback`)
  env = {
    ...{ ...provider.env, SEATWISE_RATE_LIMITS: 'off', SEATWISE_PUBLIC_URL: SITE },
    SEATWISE_OPENID_ROLES: 'box=box_office,leads=manager,chiefs=admin',
  }
  here = await openTestApp(ledger, { env })
})
afterAll(async () => {
  await here.app.close()
  await here.services.rooms.close()
  await provider.stop()
  await ledger.close()
})

const cookiesOf = (answer: Answer): string =>
  [answer.headers['set-cookie'] ?? []]
    .flat()
    .map((line) => String(line).split(';')[0])
    .join('; ')

/** Follows the button of the sign-in page. */
async function leave(more = ''): Promise<{ url: string; cookie: string; answer: Answer }> {
  const answer = await here.app.inject({ url: `/sign-in/openid?next=/reservations${more}` })
  return { url: String(answer.headers.location), cookie: cookiesOf(answer), answer }
}

const comeBack = (url: string, cookie: string): Promise<Answer> =>
  here.app.inject({ url: url.replace(SITE, ''), headers: { cookie, 'sec-fetch-mode': 'navigate' } })

async function signIn(person: string, cookie = ''): Promise<Answer> {
  const left = await leave()
  return await comeBack(await provider.signIn(left.url, person), `${left.cookie}; ${cookie}`)
}

/** The token in the cookie that signing in set. */
const tokenOf = (answer: Answer): string => `Bearer ${/seatwise-session=([^;]+)/.exec(cookiesOf(answer))?.[1] ?? ''}`

const me = async (authorization: string) =>
  (await here.app.inject({ url: '/api/auth/me', headers: { authorization } })).json<{ id: string; role: string }>()

const roleInHouse = async (id: string) =>
  (await listMembers(ledger.db, HOUSE_ID)).find(({ userId }) => userId === id)?.role

it('[A120] staff signs in by the provider with PKCE, state and nonce, and the session is one like every other', async () => {
  provider.know('ada', { email: 'Ada@house.example', name: 'Ada Lovelace' })
  const { url, answer } = await leave()
  expect(answer.statusCode).toBe(303)
  const asked = new URL(url).searchParams
  expect(asked.get('code_challenge_method')).toBe('S256')
  for (const name of ['state', 'nonce', 'code_challenge']) expect(asked.get(name)?.length).toBeGreaterThan(20)
  expect(asked.get('redirect_uri')).toBe(`${SITE}/sign-in/openid/callback`)
  expect(String(answer.headers['set-cookie'])).toMatch(/seatwise-openid=.*HttpOnly; SameSite=Lax; Max-Age=900/)

  const signed = await signIn('ada')
  expect([signed.statusCode, signed.headers.location]).toEqual([303, '/reservations'])
  const token = tokenOf(signed)
  expect(await me(token)).toMatchObject({ email: 'Ada@house.example', name: 'Ada Lovelace', role: 'buyer' })
  const sessions = await here.app.inject({ url: '/api/auth/sessions', headers: { authorization: token } })
  expect(sessions.json<{ items: object[] }>().items).toMatchObject([{ method: 'openid', current: true }])
  const out = await here.app.inject({ method: 'POST', url: '/api/auth/logout', headers: { authorization: token } })
  expect(out.statusCode).toBe(204)
  expectError(await here.app.inject({ url: '/api/auth/me', headers: { authorization: token } }), 401, 'UNAUTHORIZED')
})

it('[A120] an answer counts once, in the browser that asked, with its own state, nonce and proof', async () => {
  provider.know('eve', { email: 'eve@house.example' })
  const left = await leave()
  const back = await provider.signIn(left.url, 'eve')
  const flow = JSON.parse(Buffer.from(left.cookie.split('=')[1] ?? '', 'base64url').toString()) as object
  const changed = (change: object) =>
    `seatwise-openid=${Buffer.from(JSON.stringify({ ...flow, ...change })).toString('base64url')}`
  const refused = async (url: string, cookie: string) => {
    const answer = await comeBack(url, cookie)
    expect(answer.statusCode).toBe(422)
    expect(answer.body).toContain('did not work')
    expect(cookiesOf(answer)).not.toContain('seatwise-session=e')
  }
  // Another browser, a browser that asked for another sign-in, and what is no answer at all.
  await refused(back, '')
  await refused(back, 'seatwise-openid=bm90IGpzb24')
  await refused(back, changed({ state: 'another' }))
  await refused(`${SITE}/sign-in/openid/callback?error=access_denied&state=${Reflect.get(flow, 'state')}`, left.cookie)
  // The provider gives the code away once: each of these asks for it with an own one.
  for (const change of [{ nonce: 'another' }, { verifier: 'x'.repeat(43) }]) {
    const again = await leave()
    const own = JSON.parse(Buffer.from(again.cookie.split('=')[1] ?? '', 'base64url').toString()) as object
    const cookie = `seatwise-openid=${Buffer.from(JSON.stringify({ ...own, ...change })).toString('base64url')}`
    await refused(await provider.signIn(again.url, 'eve'), cookie)
  }
  expect((await comeBack(back, left.cookie)).statusCode).toBe(303)
  await refused(back, left.cookie)
})

it('[A121] only a verified address of an allowed domain signs in', async () => {
  provider.know('unproven', { email: 'boss@house.example', email_verified: false })
  provider.know('stranger', { email: 'boss@elsewhere.example' })
  provider.know('lookalike', { email: 'boss@house.example.evil.example' })
  for (const person of ['unproven', 'stranger', 'lookalike']) {
    const answer = await signIn(person)
    expect(answer.statusCode).toBe(422)
    expect(answer.body).toContain('no confirmed address')
  }
  const made = await ledger.db.selectFrom('users').select('id').where('email_key', 'like', 'boss@%').execute()
  expect(made).toEqual([])
})

it('[A121] an account with a proven address is linked and stays so when the address changes; one that a stranger registered is taken from the stranger', async () => {
  const mails = new Mails(here)
  const proven = await me(`Bearer ${await mails.signIn('grace@house.example')}`)
  provider.know('grace', { email: 'grace@house.example' })
  expect((await me(tokenOf(await signIn('grace')))).id).toBe(proven.id)
  provider.know('grace', { email: 'grace.hopper@house.example' })
  expect((await me(tokenOf(await signIn('grace')))).id).toBe(proven.id)

  const stranger = await registerVisitor(here.app, 'heidi@house.example')
  provider.know('heidi', { email: 'heidi@house.example' })
  expect((await me(tokenOf(await signIn('heidi')))).id).toBe(stranger.id)
  const old = { authorization: stranger.authorization }
  expectError(await here.app.inject({ url: '/api/auth/me', headers: old }), 401, 'UNAUTHORIZED')
  const payload = { email: 'heidi@house.example', password: PASSWORD }
  expectError(await here.app.inject({ method: 'POST', url: '/api/auth/login', payload }), 401, 'BAD_CREDENTIALS')
})

it('[A121] an address that another person of the provider has now does not lead into the former owner’s account', async () => {
  provider.know('first', { email: 'desk@house.example' })
  const former = await me(tokenOf(await signIn('first')))
  provider.know('second', { email: 'desk@house.example' })
  const answer = await signIn('second')
  expect(answer.statusCode).toBe(422)
  expect(answer.body).toContain('belongs to another person')
  const links = await ledger.db.selectFrom('outside_identities').selectAll().where('user_id', '=', former.id).execute()
  expect(links).toHaveLength(1)
})

it('[A121] two first sign-ins of one person at once make one account', async () => {
  provider.know('twin', { email: 'twin@house.example' })
  const [one, other] = [await leave(), await leave()]
  const backs = [await provider.signIn(one.url, 'twin'), await provider.signIn(other.url, 'twin')]
  const answers = await Promise.all([comeBack(backs[0] ?? '', one.cookie), comeBack(backs[1] ?? '', other.cookie)])
  const ids = await Promise.all(answers.map(async (answer) => (await me(tokenOf(answer))).id))
  expect(new Set(ids).size).toBe(1)
})

it('[A122] groups give roles of the house, and take away only what they gave', async () => {
  const email = 'ivan@house.example'
  const asMember = async (groups?: string[]) => {
    provider.know('ivan', { email, ...(groups && { groups }) })
    return await me(tokenOf(await signIn('ivan')))
  }
  const { id } = await asMember(['box', 'unknown'])
  expect(await roleInHouse(id)).toBe('box_office')
  expect(await asMember(['box', 'leads'])).toMatchObject({ role: 'buyer' })
  expect(await roleInHouse(id)).toBe('manager')
  expect(await asMember(['chiefs'])).toMatchObject({ role: 'admin' })
  expect(await roleInHouse(id)).toBe('owner')
  // The last admin and owner stays one.
  expect(await asMember([])).toMatchObject({ role: 'admin' })
  const { id: second } = await registerVisitor(here.app)
  await ledger.db.updateTable('users').set({ role: 'admin' }).where('id', '=', second).execute()
  await ledger.db.insertInto('members').values({ organization_id: HOUSE_ID, user_id: second, role: 'owner' }).execute()
  expect(await asMember([])).toMatchObject({ role: 'buyer' })
  expect(await roleInHouse(id)).toBe(undefined)
  // What an owner gave by hand stays while the groups do.
  await ledger.db
    .updateTable('members')
    .set({ role: 'viewer', ended_at: null })
    .where('user_id', '=', id)
    .where('organization_id', '=', HOUSE_ID)
    .execute()
  await asMember()
  expect(await roleInHouse(id)).toBe('viewer')
})

it('[A122] a session by the provider is strong, and confirming asks the provider for the password', async () => {
  const strict = await openTestApp(ledger, {
    env: { ...env, SEATWISE_STRONG_SIGN_IN: 'required' },
    secrets: here.services.secrets,
  })
  try {
    provider.know('judy', { email: 'judy@house.example', groups: ['leads'] })
    const authorization = tokenOf(await signIn('judy'))
    const answer = await strict.app.inject({ url: '/api/webhooks', headers: { authorization } })
    expect(answer.statusCode).toBe(200)
    const again = await here.app.inject({ url: '/sign-in/again?next=/console', headers: { authorization } })
    expect(again.body).toContain('href="/sign-in/openid?again=1&amp;next=%2Fconsole"')
    expect(new URL((await leave('&again=1')).url).searchParams.get('prompt')).toBe('login')
  } finally {
    await strict.app.close()
    await strict.services.rooms.close()
  }
})

it('[A123] while the provider is away signing in by it is 503 and says so; everything else goes on, and so does it on its return', async () => {
  provider.know('kim', { email: 'kim@house.example' })
  const [signed, left] = [await signIn('kim'), await leave()]
  const back = await provider.signIn(left.url, 'kim')
  await provider.stop()
  // Also a server that has not asked the provider for anything yet starts, and works.
  const fresh = await openTestApp(ledger, { env, secrets: here.services.secrets })
  try {
    const away = [await comeBack(back, left.cookie), await fresh.app.inject({ url: '/sign-in/openid' })]
    for (const answer of away) {
      expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '5'])
      expect(answer.body).toContain('does not answer')
      expect(answer.body).toContain('action="/sign-in"')
    }
    expect(await me(tokenOf(signed))).toMatchObject({ email: 'kim@house.example' })
    const email = newEmail()
    await registerVisitor(fresh.app, email)
    expect(await judgeProvider(readConfig(env))).toMatchObject([{ verdict: 'bad', problem: 'providerSilent' }])
    await provider.resume()
    expect((await comeBack(back, left.cookie)).statusCode).toBe(303)
    expect((await fresh.app.inject({ url: '/sign-in/openid' })).statusCode).toBe(303)
    expect(await judgeProvider(readConfig(env))).toMatchObject([{ verdict: 'good' }])
  } finally {
    await fresh.app.close()
    await fresh.services.rooms.close()
  }
})

it('[A123] what answers and is no provider counts as away, too', async () => {
  const other = createServer((_request, response) => response.end('hello'))
  await new Promise<void>((listening) => other.listen(0, 'localhost', listening))
  const address = other.address()
  const port = typeof address === 'object' ? address?.port : 0
  const fresh = await openTestApp(ledger, { env: { ...env, SEATWISE_OPENID_ISSUER: `http://localhost:${port}` } })
  try {
    expect((await fresh.app.inject({ url: '/sign-in/openid' })).statusCode).toBe(503)
  } finally {
    await fresh.app.close()
    await fresh.services.rooms.close()
    other.close()
  }
})

it('[A124] the button is on the sign-in page where there is a provider, and nowhere else', async () => {
  expect((await here.app.inject({ url: '/sign-in' })).body).toContain('href="/sign-in/openid?next=%2F"')
  const without = await openTestApp(ledger, { env: { SEATWISE_RATE_LIMITS: 'off' } })
  try {
    expect((await without.app.inject({ url: '/sign-in' })).body).not.toContain('/sign-in/openid')
    expect((await without.app.inject({ url: '/sign-in/openid' })).statusCode).toBe(404)
  } finally {
    await without.app.close()
    await without.services.rooms.close()
  }
})

it('[A124] settings that could let the wrong people in are refused together', () => {
  const problems = (change: Record<string, string>) => {
    try {
      readConfig({ ...env, ...change })
      return ''
    } catch (error) {
      return String(error)
    }
  }
  expect(problems({})).toBe('')
  expect(problems({ SEATWISE_OPENID_ISSUER: 'http://accounts.example' })).toContain('must be an https address')
  expect(problems({ SEATWISE_OPENID_DOMAINS: '' })).toContain('SEATWISE_OPENID_DOMAINS')
  expect(problems({ SEATWISE_OPENID_DOMAINS: '*' })).toContain('must list domains')
  expect(problems({ SEATWISE_OPENID_ROLES: 'chiefs=king' })).toContain('"chiefs=king" does not')
  expect(problems({ SEATWISE_OPENID_ISSUER: '' })).toContain('need SEATWISE_OPENID_ISSUER')
  const secret = env.SEATWISE_OPENID_CLIENT_SECRET ?? '-'
  expect(problems({ SEATWISE_OPENID_ROLES: 'x', SEATWISE_OPENID_ISSUER: 'ftp://x' })).not.toContain(secret)
})
