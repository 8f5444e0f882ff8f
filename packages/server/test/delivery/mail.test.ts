import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  acceptTransfer,
  askForReturns,
  askForTurnMail,
  confirmReturnRequest,
  findMailLink,
  forgetTurnMails,
  HOUSE_ID,
  type Ledger,
  offerReturns,
  openTransfer,
  startRefund,
} from '@seatwise/ledger'
import { forEachLedger, readPdf, removeFolder, temporaryFolder, waitUntil } from '@seatwise/testbench'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { openMailFolder, openSmtpMailer } from '../../src/delivery/mail/mailer.ts'
import type { NewsOptions } from '../../src/delivery/outbox/open-news.ts'
import { openSigningKeys, type SigningKeys } from '../../src/identity/keys/signing-keys.ts'
import { finishRefundsOf } from '../support/finish-refunds.ts'
import { buy, makeUser, SECRETS, startNews, type TestNews } from '../support/news.ts'
import { SmtpStandIn } from './smtp-stand-in.ts'

const FROM = 'Box office <tickets@example.com>'

forEachLedger('news by mail', (open) => {
  let ledger: Ledger
  let keys: SigningKeys
  let folder: string
  const running: TestNews[] = []

  beforeAll(async () => {
    ledger = await open()
    keys = await openSigningKeys(ledger, SECRETS, Date.now)
    folder = await temporaryFolder()
  })
  afterEach(async () => {
    for (const news of running.splice(0)) await news.close()
  })
  afterAll(() => removeFolder(folder))

  const start = (options: Partial<NewsOptions>): TestNews => {
    const news = startNews(ledger, keys, options)
    running.push(news)
    return news
  }

  it('[B36] without a mail server the confirmation lies in the mailbox, with e-tickets to print', async () => {
    const mailbox = join(folder, 'mailbox')
    start({ mailer: openMailFolder(mailbox, FROM) })
    const buyerId = await makeUser(ledger, 'buyer', 'Ada')
    const { reservationId } = await buy(ledger, { buyerId, quantity: 2, eventName: 'Tom & <b>Jerry</b>' })
    const file = await waitUntil('there is mail', async () => (await readdir(mailbox)).find(isWhole))
    expect(file).toMatch(/^\d{8}-[\w-]+\.eml$/)
    const mail = decodeQuotedPrintable(await readFile(join(mailbox, file), 'utf8'))

    expect(mail).toContain(`To: Ada <${buyerId}@example.com>`)
    expect(mail).toContain('From: Box office <tickets@example.com>')
    expect(mail).toMatch(/^Message-ID: <[\w-]+@example.com>$/m)
    expect(mail).toContain('Auto-Submitted: auto-generated')
    expect(mail).toContain('€90.00')
    expect(mail).toContain(
      'Tom & <b>Jerry</b>\nThursday, 24 December 2026 at 19:30 UTC\nHà Nội\nStalls · Row A, seat 1',
    )
    expect(mail).toContain('Tom &amp; &lt;b&gt;Jerry&lt;/b&gt;<br>')
    expect(mail).toContain('https://tickets.example.com/reservations')
    expect(mail).toContain(reservationId)
    expect(mail).toContain('filename=e-tickets.pdf')
  })

  it('[B316] the mail has the organization’s name and a shade of its colour, and the e-tickets as a PDF', async () => {
    const mailbox = join(folder, 'look')
    start({ mailer: openMailFolder(mailbox, FROM) })
    const house = ledger.db.updateTable('organizations').where('id', '=', HOUSE_ID)
    await house.set({ name: 'Nhà hát <Lớn>', colour: '#ffee00' }).execute()
    try {
      const buyerId = await makeUser(ledger, 'buyer', 'Ada')
      await buy(ledger, { buyerId, quantity: 2, eventName: 'See https://tickets.example.com.evil.example/x' })
      const file = await waitUntil('there is mail', async () => (await readdir(mailbox)).find(isWhole))
      const raw = await readFile(join(mailbox, file), 'utf8')
      const mail = decodeQuotedPrintable(raw)
      expect(mail).toContain('Nhà hát &lt;Lớn&gt;</p>')
      // The colour itself could not be read on white.
      expect(mail).not.toContain('#ffee00')
      expect([...mail.matchAll(/href="([^"]+)"/g)].map(([, url]) => url)).toEqual([
        'https://tickets.example.com/reservations',
      ])
      expect(mail).not.toMatch(/<(?:img|link|style|script)/)
      expect(await readPdf(attachmentIn(raw, 'e-tickets.pdf'))).toHaveLength(2)
    } finally {
      await house.set({ name: 'The house', colour: null }).execute()
    }
  })

  it('[B92] mail goes to who a reservation is for, in their language, with and without an account', async () => {
    const mailbox = join(folder, 'addressees')
    start({ mailer: openMailFolder(mailbox, FROM) })
    await buy(ledger, { addressee: { email: 'minho@example.com', name: 'Minho', language: 'ko' } })
    await buy(ledger, { addressee: { email: 'guest@example.com', name: null, language: null } })
    const account = await makeUser(ledger, 'buyer', 'Ada')
    await buy(ledger, { buyerId: account, addressee: { email: 'mai@example.com', name: null, language: 'vi' } })
    // A guest without an address is sent nothing.
    await buy(ledger)
    await buy(ledger, { buyerId: account, eventName: 'The last' })
    const mails = await waitUntil('there is mail', async () => {
      const files = (await readdir(mailbox)).filter(isWhole).sort()
      return files.length < 4 ? null : await Promise.all(files.map((file) => readFile(join(mailbox, file), 'utf8')))
    })
    const [minho = '', guest = '', mai = '', last = ''] = mails.map(decodeQuotedPrintable)
    expect(minho).toContain('To: Minho <minho@example.com>')
    expect(minho).toContain('Minho님, 안녕하세요.')
    expect(minho).toContain('<html lang="ko">')
    expect(guest).toContain('To: guest@example.com')
    expect(guest).toContain('Hello,')
    expect(guest).not.toContain('/reservations')
    expect(mai).toContain('To: Ada <mai@example.com>')
    expect(mai).toContain('Xin chào Ada,')
    expect(last).toContain(`To: Ada <${account}@example.com>`)
  })

  it('[W245] a visitor in line gets one mail when their turn comes, in their language, and none once they went in or left', async () => {
    const mailbox = join(folder, 'turns')
    const { eventId } = await buy(ledger, { eventName: 'Xẩm <chợ>' })
    const { id: roomId } = await ledger.db
      .selectFrom('rooms')
      .select('id')
      .where('event_id', '=', eventId)
      .executeTakeFirstOrThrow()
    const wait = async (number: number, language: string): Promise<void> => {
      const joined = {
        joined_at: new Date(),
        epoch: 1,
        place: number,
        identity: `guest ${number}`,
        state: 'waiting',
      } as const
      await ledger.db
        .insertInto('queue_entries')
        .values({ room_id: roomId, number, ...joined })
        .execute()
      const email = `visitor-${number}@example.com`
      await askForTurnMail(ledger.db, { id: randomUUID(), roomId, number, email: 'typo@example.com', language })
      await askForTurnMail(ledger.db, { id: randomUUID(), roomId, number, email, language })
    }
    const become = async (number: number, state: 'admitted' | 'active'): Promise<void> => {
      const where = ledger.db.updateTable('queue_entries').set({ state }).where('room_id', '=', roomId)
      await where.where('number', '=', number).execute()
    }
    for (const [number, language] of [
      [1, 'vi'],
      [2, 'en'],
      [3, 'ko'],
      [4, 'en'],
    ] as const)
      await wait(number, language)
    await become(3, 'active')
    start({ mailer: openMailFolder(mailbox, FROM) })
    await become(1, 'admitted')
    const mails = async () => {
      const files = (await readdir(mailbox).catch(() => [])).filter(isWhole).sort()
      return await Promise.all(
        files.map(async (file) => decodeQuotedPrintable(await readFile(join(mailbox, file), 'utf8'))),
      )
    }
    const first = await waitUntil('there is mail', async () => (await mails())[0])
    expect(first).toContain('To: visitor-1@example.com')
    expect(first).toContain('đã đến lượt bạn trong hàng chờ của Xẩm <chợ>')
    expect(first).toContain(`https://tickets.example.com/events/${eventId}/wait`)
    // The next one shows that nothing else went out meanwhile.
    await become(2, 'admitted')
    const both = await waitUntil('there is more mail', async () => ((await mails()).length > 1 ? await mails() : null))
    expect(both.map((mail) => /^To: (.*)$/m.exec(mail)?.[1]?.trim())).toEqual([
      'visitor-1@example.com',
      'visitor-2@example.com',
    ])
    const told = await ledger.db.selectFrom('turn_mails').select(['number', 'told_at']).orderBy('number').execute()
    expect(told.map(({ told_at }) => told_at !== null)).toEqual([true, true, true, false])
    await ledger.db
      .updateTable('turn_mails')
      .set({ told_at: new Date(0) })
      .where('number', '<', 3)
      .execute()
    await forgetTurnMails(ledger.db)
    const kept = await ledger.db.selectFrom('turn_mails').select('number').orderBy('number').execute()
    expect(kept.map(({ number }) => Number(number))).toEqual([3, 4])
  })

  it('[B190] [B192] links are drawn for the mail, in the language of the page: order, transfer, returns list, offer', async () => {
    const mailbox = join(folder, 'links')
    start({ mailer: openMailFolder(mailbox, FROM) })
    const addressee = { email: 'guest@example.com', name: null, language: 'en' }
    const bought = await buy(ledger, { quantity: 2, eventName: 'Linked', addressee })
    const { eventId, buyerId, reservationId, purchaseId, etickets } = bought
    const eticketId = etickets[0]?.id ?? ''
    const to = { actorId: buyerId, email: 'minho@example.com', language: 'ko' }
    const transfer = await openTransfer(ledger, { ...to, transferId: randomUUID(), eticketId })
    const requestId = randomUUID()
    const mai = { email: 'mai@example.com', emailKey: 'mai@example.com', language: 'vi' }
    await askForReturns(ledger, { requestId, eventId, ...mai, seatTypeId: null, quantity: 2 })
    const mailTo = async (address: string, count = 1) =>
      await waitUntil(`there is mail to ${address}`, async () => {
        const files = (await readdir(mailbox)).filter(isWhole).sort()
        const all = await Promise.all(files.map((file) => readFile(join(mailbox, file), 'utf8')))
        return all.map(decodeQuotedPrintable).filter((mail) => mail.includes(`To: ${address}`))[count - 1] ?? null
      })
    const tokenIn = (mail: string, path: string): string =>
      new RegExp(`https://tickets.example.com/${path}/([\\w-]{43})`).exec(mail)?.[1] ?? ''
    const order = await mailTo('guest@example.com')
    expect(await findMailLink(ledger.db, 'order', tokenIn(order, 'orders'))).toBe(reservationId)
    const offered = await mailTo('minho@example.com')
    const transferId = await findMailLink(ledger.db, 'transfer', tokenIn(offered, 'transfer'))
    expect(transfer).toMatchObject({ transferId })
    expect(offered).toContain('<html lang="ko">')
    expect(offered).not.toContain(buyerId)
    const asked = await mailTo('mai@example.com')
    expect(await findMailLink(ledger.db, 'return', tokenIn(asked, 'returns'))).toBe(requestId)
    expect(asked).toContain('<html lang="vi">')

    await confirmReturnRequest(ledger.db, requestId)
    await acceptTransfer(ledger, { transferId: transferId ?? '', actorId: null })
    await startRefund(ledger, { purchaseId, reason: 'asked for' })
    await finishRefundsOf(ledger, purchaseId)
    await offerReturns(ledger, eventId, { ahead: 0 })
    const offer = await mailTo('mai@example.com', 2)
    const offerId = await findMailLink(ledger.db, 'offer', tokenIn(offer, 'offers'))
    expect(await ledger.db.selectFrom('offers').select('id').where('event_id', '=', eventId).execute()).toEqual([
      { id: offerId },
    ])
    expect(offer).toMatch(/90,00\s€/)
  })

  it('[W38] [W23] a show at 19:30 in Hà Nội is at 19:30 in the mail, on its printed e-ticket and in its calendar file; markup is text', async () => {
    const mailbox = join(folder, 'zones')
    start({ mailer: openMailFolder(mailbox, FROM) })
    const buyerId = await makeUser(ledger, 'buyer', 'Ada')
    const facts = {
      ...{ timeZone: 'Asia/Ho_Chi_Minh', startsAt: '2026-12-24T12:30:00Z' },
      seatTypes: [{ name: '<b>Box', price: 4500, currency: 'EUR', rows: [{ label: '<u>A', seats: 1 }] }],
    }
    await buy(ledger, { buyerId, facts })
    const file = await waitUntil('there is mail', async () => (await readdir(mailbox)).find(isWhole))
    const raw = await readFile(join(mailbox, file), 'utf8')
    const mail = decodeQuotedPrintable(raw)
    const calendar = attachmentIn(mail, 'event.ics').toString()
    const [printed = ''] = await readPdf(attachmentIn(raw, 'e-tickets.pdf'))
    const [text = '', html = ''] = mail.split('Content-Type: text/html')
    for (const part of [text, html, printed.replace(/\s+/g, ' ')]) {
      expect(part).toContain('Thursday, 24 December 2026 at 19:30 Indochina Time')
    }
    expect(printed).toContain('<b>Box')
    expect(html).not.toMatch(/<[bu]>/)
    expect(calendar).toContain('DTSTART;TZID=Asia/Ho_Chi_Minh:20261224T193000')
    expect(calendar).toContain('TZOFFSETTO:+0700')
  })

  it('[B36] guests get no mail, and a refunded buyer gets a notice', async () => {
    const mailbox = join(folder, 'refunds')
    start({ mailer: openMailFolder(mailbox, FROM) })
    await buy(ledger)
    const { purchaseId, etickets } = await buy(ledger, { buyerId: await makeUser(ledger, 'buyer') })
    expect(etickets).toHaveLength(1)
    await startRefund(ledger, { purchaseId, reason: 'asked for' })
    await finishRefundsOf(ledger, purchaseId)
    const files = await waitUntil('both are there', async () => {
      const found = (await readdir(mailbox)).filter(isWhole).sort()
      return found.length >= 2 ? found : null
    })
    const [confirmation, refund] = await Promise.all(files.map((file) => readFile(join(mailbox, file), 'utf8')))
    expect(files).toHaveLength(2)
    expect(confirmation).toContain('Subject: Your e-tickets for Aurora Live')
    expect(refund).toContain('Subject: Your refund for Aurora Live')
    expect(decodeQuotedPrintable(refund ?? '')).toContain('we have sent €45.00 back to you')
  })

  it('[B36] a busy mail server is tried again; a permanent refusal is set aside at once', async () => {
    const smtp = await SmtpStandIn.open()
    smtp.refuse('450 4.2.1 busy', '550 5.1.1 no such user')
    const news = start({ mailer: openSmtpMailer(smtp.url, FROM) })
    await buy(ledger, { buyerId: await makeUser(ledger, 'buyer', 'Unlucky') })
    await waitUntil('it gave up', () => news.logged.some((line) => line.includes('set aside')))
    expect(smtp.mails).toEqual([])
    const alarm = news.logged.find((line) => line.includes('set aside')) ?? '{}'
    expect(JSON.parse(alarm)).toMatchObject({ kind: 'mail', attempts: 2 })

    const buyerId = await makeUser(ledger, 'buyer', 'Lucky')
    await buy(ledger, { buyerId })
    const mail = await waitUntil('it arrives', () => smtp.mails[0])
    expect(mail).toMatchObject({ from: '<tickets@example.com>', to: `<${buyerId}@example.com>` })
    expect(mail.data).toContain('Subject: Your e-tickets for Aurora Live')
    for (const one of running.splice(0)) await one.close()
    await smtp.close()
  })

  it('[B36] credentials are sent, and a server that refuses them is tried again', async () => {
    const smtp = await SmtpStandIn.open({ user: 'box', password: 'p@ss' })
    const wrong = start({ mailer: openSmtpMailer(smtp.urlWith('box', 'wrong'), FROM), pace: { pollMs: 20 } })
    await buy(ledger, { buyerId: await makeUser(ledger, 'buyer') })
    await waitUntil('it was refused', () => wrong.logged.some((line) => line.includes('could not be delivered yet')))
    for (const one of running.splice(0)) await one.close()
    expect(smtp.mails).toEqual([])
    await ledger.db
      .updateTable('deliveries')
      .set({ due_at: new Date(0) })
      .execute()
    start({ mailer: openSmtpMailer(smtp.urlWith('box', 'p@ss'), FROM) })
    await waitUntil('it arrives', () => smtp.mails[0])
    for (const one of running.splice(0)) await one.close()
    await smtp.close()
  })
})

/** What is still being written has another name. */
const isWhole = (file: string): boolean => file.endsWith('.eml')

function decodeQuotedPrintable(text: string): string {
  const bytes = text.replace(/=\r?\n/g, '').replace(/=([0-9A-F]{2})/g, (_, hex: string) => `%${hex}`)
  return bytes.replace(/(?:%[0-9A-F]{2})+/g, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString())
}

function attachmentIn(mail: string, name: string): Buffer {
  const [, body = ''] = mail.slice(mail.indexOf(`filename=${name}`)).split(/\r?\n\r?\n/)
  return Buffer.from(body, 'base64')
}
