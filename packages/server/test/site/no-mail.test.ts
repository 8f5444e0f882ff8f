import { randomBytes } from 'node:crypto'
import { parseSaleEvent } from '@seatwise/domain'
import type { Ledger } from '@seatwise/ledger'
import { openScratchLedger } from '@seatwise/testbench'
import { eventPage } from '@seatwise/web'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestApp, PASSWORD, registerVisitor, registerWithRole, type TestServices } from '../support/accounts.ts'
import { post, shortEvent } from '../support/events.ts'
import type { Server } from '../support/sign-in-mail.ts'

/** Distributed mode needs addresses to start; the test's own stores stand behind them. */
const STORES = { DATABASE_URL: 'postgres://db.example/x', REDIS_URL: 'redis://redis.example' }
const SECRET = randomBytes(32)

let ledger: Ledger
let without: Server & { readonly services: TestServices }
let withMail: Server & { readonly services: TestServices }
beforeAll(async () => {
  ledger = await openScratchLedger()
  const env = { ...STORES, SEATWISE_SECRET: SECRET.toString('base64'), SEATWISE_RATE_LIMITS: 'off' }
  const smtp = { SEATWISE_SMTP_URL: 'smtps://mail.example', SEATWISE_MAIL_FROM: 'tickets@example.com' }
  without = await openTestApp(ledger, { env, secrets: [SECRET] })
  withMail = await openTestApp(ledger, { env: { ...env, ...smtp }, secrets: [SECRET] })
})
afterAll(async () => {
  for (const { app, services } of [without, withMail]) {
    await app.close()
    await services.rooms.close()
  }
  await ledger.close()
})

const page = async ({ app }: Server, url: string, authorization?: string): Promise<string> => {
  const cookie = authorization === undefined ? '' : `seatwise-session=${authorization.replace('Bearer ', '')}`
  return (await app.inject({ url, headers: { cookie, 'sec-fetch-mode': 'navigate' } })).body
}

it('[W167] without a mail server signing in needs a password, and nothing of a mail is said', async () => {
  expect(await page(withMail, '/sign-in')).toContain('we email you a link')
  const shown = await page(without, '/sign-in')
  expect(shown).not.toMatch(/email you|optional/)
  expect(shown).toMatch(/name="password" type="password" required/)
  const { email } = await registerVisitor(without.app)
  const send = (password: string) =>
    without.app.inject({
      ...{ method: 'POST', url: '/sign-in', payload: new URLSearchParams({ email, password }).toString() },
      headers: { 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded' },
    })
  expect((await send('')).statusCode).toBe(422)
  const asked = await ledger.db.selectFrom('sign_in_codes').select('id').where('email', '=', email).execute()
  expect(asked).toEqual([])
  expect((await send(PASSWORD)).statusCode).toBe(303)
})

it('[W167] neither do the pages of the account and of confirming offer one', async () => {
  const { authorization } = await registerVisitor(without.app)
  expect(await page(withMail, '/sign-in/again', authorization)).toContain('action="/sign-in/again/mail"')
  const again = await page(without, '/sign-in/again', authorization)
  expect(again).not.toContain('/sign-in/again/mail')
  expect(again).toContain('type="password"')
  expect(await page(withMail, '/account', authorization)).toContain('Sign in by email first')
  expect(await page(without, '/account', authorization)).not.toContain('Sign in by email first')
})

it('[W167] a sold-out event has no returns list', async () => {
  const { authorization } = await registerWithRole(without.app, ledger, 'organizer')
  const rows = [{ label: 'A', seats: 1, blocked: [1] }]
  const seatTypes = [{ name: 'Stalls', price: 0, currency: 'EUR', reservedSeating: true, rows }]
  const open = { salesStartAt: '2026-01-01T00:00:00.000Z', totalSeats: undefined, seatTypes }
  const event = parseSaleEvent((await post(without.app, authorization, shortEvent(open))).body)
  const look = {
    accent: null,
    isSoldOut: true,
    isAsked: false,
    now: new Date(without.services.clock.nowMs),
    code: null,
    origin: 'https://tickets.example',
  }
  const shown = (hasMail: boolean) => eventPage('en', event, { ...look, hasMail }).body.text
  expect(shown(true)).toContain(`action="/events/${event.id}/returns"`)
  expect(shown(false)).not.toContain('/returns')
})
