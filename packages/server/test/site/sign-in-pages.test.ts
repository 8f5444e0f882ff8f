import { randomBytes } from 'node:crypto'
import type { Ledger } from '@seatwise/ledger'
import { forEachLedger } from '@seatwise/testbench'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { newEmail, openTestApp, PASSWORD, registerVisitor } from '../support/accounts.ts'
import type { Answer } from '../support/events.ts'
import { Mails, type Server } from '../support/sign-in-mail.ts'

const FORM = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' }

forEachLedger('pages of signing in', (open) => {
  let ledger: Ledger
  let here: Server
  let mails: Mails
  beforeAll(async () => {
    ledger = await open()
    here = await openTestApp(ledger, { secrets: [randomBytes(32)], env: { SEATWISE_RATE_LIMITS: 'off' } })
    mails = new Mails(here)
  })
  afterAll(async () => await here.app.close())

  /** A browser: it keeps cookies. */
  class Browser {
    readonly #cookies = new Map<string, string>()

    get cookie(): string {
      return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    }

    async open(url: string): Promise<Answer> {
      return this.#keep(await here.app.inject({ url, headers: { cookie: this.cookie, 'sec-fetch-mode': 'navigate' } }))
    }

    async send(url: string, fields: Record<string, string>): Promise<Answer> {
      const payload = new URLSearchParams(fields).toString()
      const headers = { ...FORM, cookie: this.cookie, referer: `http://localhost${url}` }
      return this.#keep(await here.app.inject({ method: 'POST', url, headers, payload }))
    }

    #keep(answer: Answer): Answer {
      for (const line of [answer.headers['set-cookie'] ?? []].flat()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
        if (value === '') this.#cookies.delete(name)
        else this.#cookies.set(name, value)
      }
      return answer
    }
  }

  const accounts = async (email: string) =>
    (await ledger.db.selectFrom('users').select('id').where('email', '=', email).execute()).length

  it('[A64] an address alone asks for a mail; the code signs in on the next page, and leads to where one wanted to go', async () => {
    const browser = new Browser()
    const email = newEmail()
    const asked = await browser.send('/sign-in', { email, password: '', next: '/reservations' })
    expect([asked.statusCode, asked.headers.location]).toEqual([303, '/sign-in/code'])
    const page = await browser.open('/sign-in/code')
    expect(page.body).toContain(email)
    const wrong = await browser.send('/sign-in/code', { email, code: '00000000', next: '/reservations' })
    expect(wrong.statusCode).toBe(422)
    expect(wrong.body).toContain('role="alert"')
    const { code } = await mails.last(email)
    const right = await browser.send('/sign-in/code', { email, code, next: '/reservations' })
    expect([right.statusCode, right.headers.location]).toEqual([303, '/reservations'])
    expect((await browser.open('/account')).body).toContain(email)
  })

  it('[A64] opening the link, again and again, changes nothing; the button of the browser that asked signs in once', async () => {
    const browser = new Browser()
    const email = newEmail()
    await browser.send('/sign-in', { email, next: '/reservations' })
    const { path } = await mails.last(email)
    for (const purpose of ['', 'prefetch']) {
      for (const method of ['GET', 'HEAD'] as const) {
        const answer = await here.app.inject({ method, url: path, headers: { 'sec-purpose': purpose } })
        expect([answer.statusCode, answer.headers['set-cookie']]).toEqual([200, undefined])
      }
    }
    expect(await accounts(email)).toBe(0)
    expect((await browser.open(path)).body).not.toContain('name="confirmed"')
    const answer = await browser.send(path, {})
    expect([answer.statusCode, answer.headers.location]).toEqual([303, '/reservations'])
    expect(await accounts(email)).toBe(1)
    expect((await browser.send(path, {})).statusCode).toBe(410)
    expect((await browser.open(path)).statusCode).toBe(410)
  })

  it('[A64] a browser that did not ask has to confirm the address', async () => {
    const [asker, other] = [new Browser(), new Browser()]
    const email = newEmail()
    await asker.send('/sign-in', { email })
    const { path } = await mails.last(email)
    const page = await other.open(path)
    expect(page.body).toContain('name="confirmed"')
    expect(page.body).toContain(email)
    expect((await other.send(path, {})).statusCode).toBe(422)
    expect(await accounts(email)).toBe(0)
    expect((await other.send(path, { confirmed: 'yes' })).statusCode).toBe(303)
    expect((await other.open('/account')).body).toContain(email)
  })

  it('[A64] a form of another site presses no button', async () => {
    const email = newEmail()
    await mails.ask(email)
    const { path } = await mails.last(email)
    const headers = { ...FORM, 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
    const answer = await here.app.inject({ method: 'POST', url: path, headers, payload: 'confirmed=yes' })
    expect(answer.statusCode).toBe(403)
    expect(await accounts(email)).toBe(0)
  })

  it('[A65][A33] the account page ends sessions one by one and all, and replaces the password', async () => {
    const { email } = await registerVisitor(here.app)
    const [browser, other] = [new Browser(), new Browser()]
    for (const one of [browser, other]) await one.send('/sign-in', { email, password: PASSWORD })
    const page = await browser.open('/account')
    const ends = [...page.body.matchAll(/action="(\/account\/sessions\/[\da-f-]+\/end)"/g)].map(([, path = '']) => path)
    expect(ends).toHaveLength(3)
    const bad = await browser.send('/account/password', { current: 'wrong one', password: 'ten brown bottles' })
    expect(bad.statusCode).toBe(422)
    const good = await browser.send('/account/password', { current: PASSWORD, password: 'ten brown bottles' })
    expect(good.statusCode).toBe(303)
    expect((await other.open('/account')).headers.location).toContain('/sign-in')
    await other.send('/sign-in', { email, password: 'ten brown bottles' })
    const now = await browser.open('/account')
    const [mine, theirs] = [...now.body.matchAll(/action="(\/account\/sessions\/[\da-f-]+\/end)"/g)].map(
      ([, path = '']) => path,
    )
    expect(mine).toBeDefined()
    await browser.send(theirs ?? '', {})
    const open = [(await browser.open('/account')).statusCode, (await other.open('/account')).statusCode]
    expect(open.toSorted()).toEqual([200, 303])
  })

  it('[A66] a page asks to confirm and leads back', async () => {
    const { email } = await registerVisitor(here.app)
    const browser = new Browser()
    await browser.send('/sign-in', { email, password: PASSWORD })
    expect((await browser.open('/sign-in/again?next=/account')).body).toContain('name="password"')
    const wrong = await browser.send('/sign-in/again', { password: 'wrong one', next: '/account' })
    expect(wrong.statusCode).toBe(422)
    const right = await browser.send('/sign-in/again', { password: PASSWORD, next: '/account' })
    expect([right.statusCode, right.headers.location]).toEqual([303, '/account'])
    await browser.send('/sign-in/again/mail', { next: '/account' })
    const { code } = await mails.last(email)
    const byCode = await browser.send('/sign-in/again', { code, next: 'https://evil.example' })
    expect([byCode.statusCode, byCode.headers.location]).toEqual([303, '/'])
  })
})
