import { HOUSE_ID, type Ledger } from '@seatwise/ledger'
import { openScratchLedger } from '@seatwise/testbench'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestApp, PASSWORD, registerVisitor, registerWithRole, type TestServices } from '../support/accounts.ts'
import { Mails, type Server } from '../support/sign-in-mail.ts'

let ledger: Ledger
let here: Server & { readonly services: TestServices }
let mails: Mails
beforeAll(async () => {
  ledger = await openScratchLedger()
  here = await openTestApp(ledger, { env: { SEATWISE_RATE_LIMITS: 'off' } })
  mails = new Mails(here)
})
afterAll(async () => {
  await here.app.close()
  await here.services.rooms.close()
  await ledger.close()
})

/** A browser without script, signed in. */
function browserOf(authorization: string) {
  const cookie = `seatwise-session=${authorization.replace('Bearer ', '')}`
  return {
    open: (url: string) => here.app.inject({ url, headers: { cookie, 'sec-fetch-mode': 'navigate' } }),
    submit: (url: string, fields: Record<string, string> = {}) =>
      here.app.inject({
        ...{ method: 'POST', url, payload: new URLSearchParams(fields).toString() },
        headers: {
          ...{ cookie, 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded' },
          referer: `http://localhost:80${url}`,
        },
      }),
  }
}

it('[W166] the account’s page offers one’s data, and deletes the account after asking for a fresh sign-in and once more', async () => {
  const { email, id, authorization } = await registerVisitor(here.app)
  const { open, submit } = browserOf(authorization)
  const account = await open('/account')
  expect(account.body).toContain('href="/api/auth/me/export"')
  expect(account.body).toContain('href="/account/delete"')
  await mails.age(email)
  const again = '/sign-in/again?next=%2Faccount%2Fdelete'
  expect((await open('/account/delete')).headers.location).toBe(again)
  // Also between the page and its button.
  expect((await submit('/account/delete')).headers.location).toBe(again)
  const confirmed = await submit('/sign-in/again', { password: PASSWORD, next: '/account/delete' })
  expect(confirmed.headers.location).toBe('/account/delete')
  const question = await open('/account/delete')
  expect(question.body).toContain('action="/account/delete"')
  expect(question.body).toContain(email)
  const before = await ledger.db.selectFrom('users').select('deleted_at').where('id', '=', id).executeTakeFirst()
  expect(before).toEqual({ deleted_at: null })

  const deleted = await submit('/account/delete')
  expect(deleted.statusCode).toBe(200)
  expect(deleted.body).toContain('Your account is deleted')
  expect(String(deleted.headers['set-cookie'])).toMatch(/seatwise-session=; .*Max-Age=0/)
  expect((await open('/account')).headers.location).toContain('/sign-in')
  const after = await ledger.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  expect(after).toMatchObject({ name: '-', deleted_at: expect.any(Date) })
})

it('[W166] one’s data comes as a file after a fresh sign-in, and the way back is to the account', async () => {
  const { email, authorization } = await registerVisitor(here.app)
  const { open, submit } = browserOf(authorization)
  await mails.age(email)
  const again = '/sign-in/again?next=%2Fapi%2Fauth%2Fme%2Fexport'
  expect((await open('/api/auth/me/export')).headers.location).toBe(again)
  const confirmed = await submit('/sign-in/again', { password: PASSWORD, next: '/api/auth/me/export' })
  expect(confirmed.body).toContain('content="0; url=/api/auth/me/export"')
  expect(confirmed.body).toContain('href="/account"')
  const file = await open('/api/auth/me/export')
  expect(file.headers['content-disposition']).toBe('attachment; filename="account.json"')
  expect(file.body).toContain(email)
})

it('[W166] the page says why an account cannot be deleted now', async () => {
  const admin = await registerWithRole(here.app, ledger, 'admin')
  const { submit } = browserOf(admin.authorization)
  const refused = await submit('/account/delete')
  expect(refused.statusCode).toBe(409)
  expect(refused.body).toContain('You are the last admin')
  const other = await registerVisitor(here.app)
  await ledger.db.updateTable('users').set({ role: 'admin' }).where('id', '=', other.id).execute()
  const owner = await submit('/account/delete')
  expect(owner.body).toContain('You are the only owner')
  await ledger.db
    .insertInto('members')
    .values({ organization_id: HOUSE_ID, user_id: other.id, role: 'owner' })
    .execute()
  expect((await submit('/account/delete')).statusCode).toBe(200)
})
