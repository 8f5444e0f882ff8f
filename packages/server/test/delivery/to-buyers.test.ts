import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Ledger } from '@seatwise/ledger'
import { openScratchLedger, removeFolder, temporaryFolder, waitUntil } from '@seatwise/testbench'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openMailFolder } from '../../src/delivery/mail/mailer.ts'
import type { App } from '../../src/http/http-server.ts'
import { openTestApp, registerVisitor, registerWithRole, type TestServices, type Visitor } from '../support/accounts.ts'
import { expectError } from '../support/kernel.ts'
import { buy, makeUser, startNews, type TestNews } from '../support/news.ts'

describe('mail to buyers', () => {
  let ledger: Ledger
  let app: App
  let services: TestServices
  let news: TestNews
  let mailbox: string
  let admin: Visitor

  beforeAll(async () => {
    ledger = await openScratchLedger()
    mailbox = await temporaryFolder()
    ;({ app, services } = await openTestApp(ledger, { env: { SEATWISE_RATE_LIMITS: 'off' }, nowMs: Date.now() }))
    news = startNews(ledger, services.identity.keys, { mailer: openMailFolder(mailbox, 'Box office <b@example.com>') })
    admin = await registerWithRole(app, ledger, 'admin')
  })
  afterAll(async () => {
    await news.close()
    await app.close()
    await services.rooms.close()
    await ledger.close()
    await removeFolder(mailbox)
  })

  const post = (url: string, payload: object, { authorization }: Visitor = admin) =>
    app.inject({ method: 'POST', url, headers: { authorization }, payload })
  const mailsTo = async (subject: string): Promise<string[]> => {
    const files = (await readdir(mailbox)).filter((name) => name.endsWith('.eml'))
    const all = await Promise.all(files.map((file) => readFile(join(mailbox, file), 'utf8')))
    return all.filter((mail) => mail.includes(`Subject: ${subject}`))
  }

  it('[B317] a mail goes once to each paid order that has an address, however often it is asked for, and the trail has it', async () => {
    const { eventId } = await buy(ledger, { buyerId: await makeUser(ledger, 'buyer', 'Ada') })
    await buy(ledger, { buyerId: await makeUser(ledger, 'buyer', 'Ben') })
    const url = `/api/events/${eventId}/mails`
    const mail = { id: randomUUID(), subject: 'Doors at 18:00', text: 'The foyer opens early.\n\nCome by <b>tram</b>.' }
    const answers = await Promise.all(Array.from({ length: 4 }, () => post(url, mail)))
    for (const answer of answers) expect(answer.json()).toEqual({ id: mail.id, recipients: 1 })
    const [sent = '', ...others] = await waitUntil('it is sent', async () => {
      const found = await mailsTo(mail.subject)
      return found.length > 0 ? found : null
    })
    expect(others).toEqual([])
    expect(sent).toMatch(/^To: Ada </m)
    expect(sent).toContain('The foyer opens early.')
    expect(sent).toContain('&lt;b&gt;tram&lt;/b&gt;')
    const log = await waitUntil('the log has it', async () => {
      const { items } = (
        await app.inject({
          url: `/api/events/${eventId}/mail-log`,
          headers: { authorization: admin.authorization },
        })
      ).json<{ items: { type: string; state: string; address: string }[] }>()
      return items.every(({ state }) => state === 'delivered') && items.length === 2 ? items : null
    })
    expect(log.map(({ type }) => type)).toEqual(['event.mailed', 'purchase.paid'])
    const kinds = ledger.db.selectFrom('operator_actions').select('kind').where('event_id', '=', eventId)
    expect((await kinds.execute()).filter(({ kind }) => kind === 'buyers.mailed')).toHaveLength(1)
  })

  it('[B317] five a day, for those who may edit the event, and a subject is one line', async () => {
    const { eventId } = await buy(ledger, { buyerId: await makeUser(ledger, 'buyer', 'Cleo') })
    const url = `/api/events/${eventId}/mails`
    const write = () => post(url, { subject: 'Hello', text: 'Hello' })
    const answers = await Promise.all(Array.from({ length: 7 }, write))
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([202, 202, 202, 202, 202, 429, 429])
    expectError(await post(url, { subject: 'a\nBcc: all@example.com', text: 'x' }), 400, 'BAD_REQUEST')
    const boxOffice = await registerWithRole(app, ledger, 'staff')
    expectError(await post(url, { subject: 'a', text: 'x' }, boxOffice), 403, 'FORBIDDEN')
    expectError(await post(url, { subject: 'a', text: 'x' }, await registerVisitor(app)), 403, 'FORBIDDEN')
  })

  it('[W315] the console’s page shows what buyers would read before it is sent, without a script', async () => {
    const { eventId } = await buy(ledger, { buyerId: await makeUser(ledger, 'buyer', 'Dan') })
    const cookie = `seatwise-session=${admin.authorization.replace('Bearer ', '')}`
    const path = `/console/events/${eventId}/mail`
    const headers = { cookie, origin: 'http://localhost:80', host: 'localhost:80' }
    const form = (url: string, fields: Record<string, string>) =>
      app.inject({
        method: 'POST',
        url,
        headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
        payload: new URLSearchParams(fields).toString(),
      })
    const { body } = await app.inject({ url: path, headers })
    const id = /name="id" value="([^"]+)"/.exec(body)?.[1] ?? ''
    const draft = { id, subject: 'A <new> hall', text: 'We moved.\r\n\r\nSee you.' }
    const preview = await form(path, draft)
    expect(preview.statusCode).toBe(200)
    expect(preview.body).toContain('A &lt;new&gt; hall')
    expect(preview.body).toContain('Hello,\n\nWe moved.\n\nSee you.\n\nAurora Live')
    expect(await mailsTo('A <new> hall')).toEqual([])
    const sent = await form(`${path}/send`, draft)
    expect([sent.statusCode, sent.headers.location]).toEqual([303, `${path}?sent=1`])
    await waitUntil('it is sent', async () => (await mailsTo('A <new> hall')).length === 1)
    expect((await app.inject({ url: path, headers })).body).toContain('Mail to buyers')
  })
})
