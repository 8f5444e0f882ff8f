import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { spellShortCode } from '@seatwise/domain'
import { readEticketsOf, startRefund } from '@seatwise/ledger'
import { removeFolder, temporaryFolder, waitUntil } from '@seatwise/testbench'
import { beforeAll, expect, it } from 'vitest'
import { openMailFolder } from '../../../src/delivery/mail/mailer.ts'
import { registerWithRole } from '../../support/accounts.ts'
import { Seller } from '../../support/door.ts'
import { expectError } from '../../support/kernel.ts'
import { startNews } from '../../support/news.ts'
import { Cashier } from '../../support/payment.ts'
import { Buyer, HOUSE, OPEN_FLOOR, typeIdsOf } from '../../support/reservation.ts'
import { forEachMode, type RoomBench } from '../../support/room.ts'

forEachMode('mail that is sent again', (open) => {
  let bench: RoomBench
  let cashier: Cashier
  let seller: Seller

  beforeAll(async () => {
    bench = await open()
    cashier = await Cashier.open(bench)
    seller = await Seller.hired(bench)
  })

  const resend = (id: string, as: string) => bench.call('POST', `/api/purchases/${id}/resend`, { as })
  const newsOf = async (reservationId: string): Promise<string[]> => {
    const rows = await bench.server.ledger.db
      .selectFrom('outbox')
      .select('type')
      .where('aggregateid', '=', reservationId)
      .orderBy('position')
      .execute()
    return rows.map(({ type }) => type)
  }

  it('[B176] [B173] the mail goes out again to the addressee, with the short codes', async () => {
    const folder = await temporaryFolder()
    const { ledger } = bench.server
    const mailer = openMailFolder(folder, 'Box office <tickets@example.com>')
    const news = startNews(ledger, bench.server.services.identity.keys, { mailer })
    try {
      const sale = await bench.sale(OPEN_FLOOR, HOUSE)
      const [, seatTypeId] = await typeIdsOf(bench, sale)
      const { id, reservation } = await seller.sold(sale, { seatTypeId, quantity: 1, email: 'Mai@Example.com' })
      const answer = await resend(id, seller.authorization)
      expect([answer.statusCode, answer.json()]).toEqual([202, { id, status: 'SENDING' }])
      const mails = await waitUntil('both mails are there', async () => {
        const files = (await readdir(folder)).filter((name) => name.endsWith('.eml')).sort()
        return files.length === 2 ? files : null
      })
      const [eticket] = await readEticketsOf(ledger.db, [reservation.id])
      for (const file of mails) {
        const mail = await readFile(join(folder, file), 'utf8')
        expect(mail).toContain('To: Mai@example.com')
        expect(mail).toContain('Subject: Your e-tickets')
        expect(mail).toContain(spellShortCode(eticket?.shortCode ?? '?'))
      }
      const trail = await bench.call('GET', `${sale}/trail`, { as: bench.organizer.authorization })
      expect(trail.body).toContain('tickets.resent')
    } finally {
      await news.close()
      await removeFolder(folder)
    }
  })

  it('[B176] the buyer, the organiser, staff and admins may; for all others there is no such purchase', async () => {
    const { buyer, reservation } = await cashier.ready()
    await buyer.sayEmail(reservation.id)
    const { id } = await cashier.paid(buyer, reservation.id)
    const rival = await registerWithRole(bench.server.app, bench.server.ledger, 'organizer')
    const stranger = await Buyer.admitted(bench, buyer.sale)
    for (const { authorization } of [rival, stranger]) expectError(await resend(id, authorization), 404, 'NOT_FOUND')
    expectError(await resend('nonsense', bench.admin.authorization), 404, 'NOT_FOUND')
    for (const { authorization } of [buyer, bench.organizer, seller, bench.admin]) {
      expect((await resend(id, authorization)).statusCode).toBe(202)
    }
    expect((await newsOf(reservation.id)).filter((type) => type === 'purchase.resent')).toHaveLength(4)
  })

  it('[B177] five an hour for each purchase, also when they come at once', async () => {
    const { buyer, reservation } = await cashier.ready()
    await buyer.sayEmail(reservation.id)
    const { id } = await cashier.paid(buyer, reservation.id)
    const answers = await Promise.all(Array.from({ length: 12 }, () => resend(id, buyer.authorization)))
    expect(answers.filter(({ statusCode }) => statusCode === 202)).toHaveLength(5)
    for (const answer of answers.filter(({ statusCode }) => statusCode !== 202)) {
      expectError(answer, 429, 'TOO_MANY_REQUESTS')
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(3_500)
    }
    await bench.server.ledger.db
      .updateTable('ticket_resends')
      .set({ asked_at: new Date(Date.now() - 3_600_001) })
      .where('purchase_id', '=', id)
      .execute()
    expect((await resend(id, buyer.authorization)).statusCode).toBe(202)
  })

  it('[B177] without an address, and while nothing is paid, it says so', async () => {
    const sale = await bench.sale(OPEN_FLOOR, HOUSE)
    const [, seatTypeId] = await typeIdsOf(bench, sale)
    const { id } = await seller.sold(sale, { seatTypeId, quantity: 1 })
    expectError(await resend(id, seller.authorization), 400, 'EMAIL_NEEDED')
    const mailed = await seller.sold(sale, { seatTypeId, quantity: 1, email: 'ada@example.com' })
    await startRefund(bench.server.ledger, { purchaseId: mailed.id, reason: 'asked for' })
    expectError(await resend(mailed.id, seller.authorization), 409, 'NOT_PAID')
  })
})
