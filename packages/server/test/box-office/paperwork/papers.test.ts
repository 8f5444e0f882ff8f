import { createHash, randomUUID } from 'node:crypto'
import { numberReceipts } from '@seatwise/ledger'
import { drawPdf, fontsInPdf, readPdf } from '@seatwise/testbench'
import jsQrModule from 'jsqr'
import { beforeAll, expect, it } from 'vitest'
import { registerWithRole } from '../../support/accounts.ts'
import type { Answer } from '../../support/events.ts'
import { expectError } from '../../support/kernel.ts'
import { Cashier, type WirePurchase } from '../../support/payment.ts'
import { type Buyer, OPEN_FLOOR } from '../../support/reservation.ts'
import { forEachMode, type RoomBench } from '../../support/room.ts'

const EVENT = {
  ...{
    name: 'Đêm nhạc Hà Nội',
    location: 'Nhà hát Lớn',
    timeZone: 'Asia/Ho_Chi_Minh',
    startsAt: '2030-01-05T13:00:00.000Z',
  },
  ...{ totalSeats: undefined, taxRate: 19, fees: [{ name: 'Booking', perTicket: 150 }] },
  seatTypes: [
    {
      ...{ name: 'Stalls', price: 9_000, currency: 'EUR', reservedSeating: true, rows: [{ label: 'A', seats: 10 }] },
      variants: [
        { name: '어른', price: 9_000 },
        { name: 'Child', price: 4_500 },
      ],
    },
  ],
}

forEachMode('papers', (open) => {
  let bench: RoomBench
  let cashier: Cashier
  let house: string

  beforeAll(async () => {
    bench = await open()
    cashier = await Cashier.open(bench)
    house = await bench.organizationId()
  })

  async function bought(addressee: object | null): Promise<{ buyer: Buyer; purchase: WirePurchase }> {
    const sale = await bench.sale(OPEN_FLOOR, EVENT)
    const { buyer, reservation } = await cashier.ready(sale, [0, 1])
    if (addressee !== null) {
      const path = `/api/reservations/${reservation.id}`
      const named = await bench.call('PATCH', path, { as: buyer.authorization, body: addressee })
      expect(named.statusCode).toBe(200)
    }
    return { buyer, purchase: await cashier.paid(buyer, reservation.id) }
  }

  const get = (url: string, as: string, headers = {}): Promise<Answer> => bench.call('GET', url, { as, headers })
  const words = (text: string | undefined): string => (text ?? '').replace(/\s+/g, ' ')

  async function pagesOf(answer: Answer): Promise<string[]> {
    expect(answer.statusCode, answer.body).toBe(200)
    expect(answer.headers).toMatchObject({ 'content-type': 'application/pdf', 'cache-control': 'no-store' })
    return (await readPdf(answer.rawPayload)).map(words)
  }

  it('[B153][B155] a receipt prints seller, number, date, buyer, lines, tax and sums, in the addressee’s language', async () => {
    const seller = { name: 'Nhà hát 예술의전당', address: 'Tràng Tiền 1\nHà Nội', taxNumber: 'VN 0100109106' }
    const changed = await bench.call('PATCH', `/api/organizations/${house}`, {
      as: bench.admin.authorization,
      body: seller,
    })
    expect(changed.json()).toEqual({ id: house, role: null, ...seller, stripeAccount: null })
    const { buyer, purchase } = await bought({
      email: 'hong@example.com',
      name: 'Nguyễn Thị Hồng 김민수',
      language: 'ko',
    })
    const path = `/api/purchases/${purchase.id}/receipt.pdf`
    const early = await get(path, buyer.authorization)
    expectError(early, 404, 'NOT_FOUND')
    expect(Number(early.headers['retry-after'])).toBeLessThanOrEqual(5)
    await numberReceipts(bench.server.ledger)

    const first = await get(path, buyer.authorization, { 'accept-language': 'vi' })
    const [page = ''] = await pagesOf(first)
    const { receiptNumber } = (await get(`/api/purchases/${purchase.id}`, buyer.authorization)).json()
    expect(first.headers['content-disposition']).toContain(`receipt-${receiptNumber}.pdf`)
    for (const text of [
      ...[`영수증 ${receiptNumber}`, 'Nhà hát 예술의전당', 'Tràng Tiền 1', 'Hà Nội', 'VN 0100109106'],
      ...['Nguyễn Thị Hồng 김민수', 'hong@example.com', 'Đêm nhạc Hà Nội', 'Nhà hát Lớn', '2030', '오후 8:00'],
      ...['Stalls · 어른', '2 €90.00 €28.74 €180.00', 'Booking', '€0.48 €3.00', '데모 결제', purchase.id],
      ...['공급가액 €153.78', '포함 세액 €29.22', '합계 €183.00'],
    ]) {
      expect(page).toContain(text)
    }
    const fonts = await fontsInPdf(first.rawPayload)
    expect(fonts.length).toBeGreaterThanOrEqual(3)
    for (const font of fonts) expect(font).toMatch(/^[A-Z]{6}\+(NotoSans|NanumGothic).* yes yes yes /)
    expect(first.rawPayload.length).toBeLessThan(60_000)

    // The same bytes for ever, whatever becomes of the seller and the event.
    await bench.call('PATCH', `/api/organizations/${house}`, {
      as: bench.admin.authorization,
      body: { name: 'The house' },
    })
    const again = await get(path, bench.organizer.authorization)
    expect(digest(again)).toBe(digest(first))
  })

  it('[B153][B151] a credit note names its receipt and negates it, and without an addressee the browser’s language counts', async () => {
    const { buyer, purchase } = await bought(null)
    await numberReceipts(bench.server.ledger)
    const path = `/api/purchases/${purchase.id}`
    expect((await bench.call('POST', `${path}/refund`, { as: bench.organizer.authorization })).statusCode).toBe(200)
    await numberReceipts(bench.server.ledger)
    const { items } = (await get(`${path}/receipts`, buyer.authorization)).json<{ items: { number: number }[] }>()
    const [receipt, note] = items.map(({ number }) => number)
    const inVietnamese = { 'accept-language': 'fr, vi;q=0.8, en;q=0.5' }
    const [page = ''] = await pagesOf(
      await get(`${path}/receipt.pdf?number=${note}`, buyer.authorization, inVietnamese),
    )
    for (const text of [
      ...[`Phiếu hoàn tiền ${note}`, `Cho biên lai ${receipt}`, 'Đêm nhạc Hà Nội'],
      ...['-180,00 €', '-3,00 €', '-29,22 €', '-183,00 €'],
    ]) {
      expect(page.replaceAll('\u2212', '-')).toContain(text)
    }
    const [still = ''] = await pagesOf(await get(`${path}/receipt.pdf`, buyer.authorization))
    expect(still).toContain(`Receipt ${receipt}`)
    expectError(await get(`${path}/receipt.pdf?number=${(note ?? 0) + 1}`, buyer.authorization), 404, 'NOT_FOUND')
    expectError(await get(`${path}/receipt.pdf?number=x`, buyer.authorization), 400, 'BAD_REQUEST')
    expectError(await get(`${path}/tickets.pdf`, buyer.authorization), 404, 'NOT_FOUND')
  })

  it('[B153] a payment that sold nothing has no receipt, and none is promised', async () => {
    const { buyer, reservation } = await cashier.ready(await bench.sale(OPEN_FLOOR, EVENT), [0])
    const declined = await cashier.pay(buyer, reservation.id, 'sandbox_declined')
    const { purchaseId } = declined.json<{ purchaseId: string }>()
    const answer = await get(`/api/purchases/${purchaseId}/receipt.pdf`, buyer.authorization)
    expectError(answer, 404, 'NOT_FOUND')
    expect(answer.headers).not.toHaveProperty('retry-after')
  })

  it('[B154] e-tickets are printed one on a page, with a code that the door accepts', async () => {
    const { buyer, purchase } = await bought({ email: 'a@example.com', language: 'en' })
    const answer = await get(`/api/purchases/${purchase.id}/tickets.pdf`, buyer.authorization)
    const pages = await pagesOf(answer)
    expect(pages).toHaveLength(2)
    pages.forEach((page, index) => {
      for (const text of [
        ...['Đêm nhạc Hà Nội', 'Nhà hát Lớn', '5 January 2030', '20:00', 'Indochina Time', 'Stalls · 어른', 'Row A'],
        ...[`Seat ${index + 1}`, 'Price €90.00', purchase.etickets[index]?.id ?? 'missing'],
      ]) {
        expect(page).toContain(text)
      }
    })
    const { width, height, dots } = await drawPdf(answer.rawPayload)
    const picture = new Uint8ClampedArray(width * height * 4)
    for (const [index, dot] of dots.entries()) picture.set([dot, dot, dot, 255], index * 4)
    const read = jsQrModule.default(picture, width, height)
    const body = { code: read?.data ?? '' }
    const scanned = await bench.call('POST', '/api/checkin', { as: bench.admin.authorization, body })
    expect(scanned.json()).toMatchObject({ eticketId: purchase.etickets[0]?.id, seat: { row: 'A', number: 1 } })
    const [used = ''] = await pagesOf(await get(`/api/purchases/${purchase.id}/tickets.pdf`, buyer.authorization))
    expect(used).toContain('This e-ticket was used.')
  })

  it('[B162] papers are the buyer’s; members of the organization and admins get receipts and sums, and others nothing', async () => {
    const { buyer, purchase } = await bought(null)
    await numberReceipts(bench.server.ledger)
    const rival = await registerWithRole(bench.server.app, bench.server.ledger, 'organizer')
    const stranger = bench.buyer()
    const path = `/api/purchases/${purchase.id}`
    for (const { authorization } of [buyer, bench.organizer, bench.admin]) {
      expect((await get(`${path}/receipt.pdf`, authorization)).statusCode).toBe(200)
    }
    for (const as of [stranger, rival.authorization])
      expectError(await get(`${path}/receipt.pdf`, as), 404, 'NOT_FOUND')
    for (const as of [stranger, rival.authorization, bench.organizer.authorization]) {
      expectError(await get(`${path}/tickets.pdf`, as), 404, 'NOT_FOUND')
    }
    const settlement = `${buyer.sale}/settlement`
    expectError(await get(settlement, rival.authorization), 403, 'FORBIDDEN')
    expectError(await get(settlement, buyer.authorization), 403, 'FORBIDDEN')
    const sums = `/api/organizations/${house}/settlement`
    const table = `/api/organizations/${house}/receipts.csv`
    const viewer = await bench.member('viewer')
    for (const url of [sums, table]) {
      expectError(await get(url, rival.authorization), 404, 'NOT_FOUND')
      expect((await get(url, bench.organizer.authorization)).statusCode).toBe(200)
      expect((await get(url, bench.admin.authorization)).statusCode).toBe(200)
    }
    expect((await get(sums, viewer.authorization)).statusCode).toBe(200)
    expectError(await get(table, viewer.authorization), 403, 'FORBIDDEN')
    const body = { name: 'Mallory' }
    const edit = (id: string, as: string, change: object) =>
      bench.call('PATCH', `/api/organizations/${id}`, { as, body: change })
    expectError(await edit(house, viewer.authorization, body), 403, 'FORBIDDEN')
    expectError(await edit(house, rival.authorization, body), 404, 'NOT_FOUND')
    expectError(await edit(randomUUID(), bench.admin.authorization, body), 404, 'NOT_FOUND')
    for (const bad of [{}, { name: ' ' }, { name: 'x', more: 1 }, { address: 'x'.repeat(501) }]) {
      expectError(await edit(house, bench.admin.authorization, bad), 400, 'BAD_REQUEST')
    }
  })

  it('[W118] the buyer’s pages link to the e-tickets, the receipt and the credit note', async () => {
    const { buyer, purchase } = await bought(null)
    const path = `/api/purchases/${purchase.id}`
    const pages = [`/checkout/${purchase.reservation.id}`, '/reservations']
    const linksIn = async (page: string) =>
      [...(await get(page, buyer.authorization)).body.matchAll(/href="(\/api\/purchases[^"]+)"/g)].map(([, url]) => url)
    for (const page of pages) expect(await linksIn(page)).toEqual([`${path}/tickets.pdf`])
    await numberReceipts(bench.server.ledger)
    const { receiptNumber } = (await get(path, buyer.authorization)).json()
    const receipt = `${path}/receipt.pdf?number=${receiptNumber}`
    for (const page of pages) expect(await linksIn(page)).toEqual([`${path}/tickets.pdf`, receipt])
    for (const url of [`${path}/tickets.pdf`, receipt]) {
      expect((await get(url, buyer.authorization)).statusCode).toBe(200)
    }
    await bench.call('POST', `${path}/refund`, { as: bench.organizer.authorization })
    await numberReceipts(bench.server.ledger)
    const note = `${path}/receipt.pdf?number=${receiptNumber + 1}`
    for (const page of pages) expect(await linksIn(page)).toEqual([receipt, note])
  })

  it('[B160] without keys a wallet’s pass is 404 NOT_CONFIGURED, for its owner', async () => {
    const { buyer, purchase } = await bought(null)
    for (const wallet of ['apple.pkpass', 'google']) {
      const path = `/api/etickets/${purchase.etickets[0]?.id}/${wallet}`
      expectError(await get(path, buyer.authorization), 404, 'NOT_CONFIGURED')
      expectError(await get(path, bench.buyer()), 403, 'FORBIDDEN')
      expectError(await get(`/api/etickets/${randomUUID()}/${wallet}`, buyer.authorization), 404, 'NOT_FOUND')
    }
  })

  it('[B157][B158] an event is settled by day at its venue, as JSON, as a table and on paper', async () => {
    const { buyer, purchase } = await bought(null)
    const path = `${buyer.sale}/settlement`
    const as = bench.organizer.authorization
    expect((await get(path, as)).json()).toMatchObject({ totals: [], days: [], unnumbered: 1, chargesUnknown: 0 })
    await numberReceipts(bench.server.ledger)
    await bench.call('POST', `/api/purchases/${purchase.id}/refund`, { as })
    await numberReceipts(bench.server.ledger)
    const sums = {
      ...{ currency: 'EUR', receipts: 1, creditNotes: 1, gross: 18_300, fees: 300, tax: 2_922 },
      ...{ refunds: 18_300, refundedTax: 2_922, charges: 0, payout: 0 },
    }
    const { days, ...settled } = (await get(path, as)).json<{ days: { day: string }[] }>()
    expect(settled).toMatchObject({ from: null, to: null, timeZone: 'Asia/Ho_Chi_Minh', totals: [sums], unnumbered: 0 })
    expect(settled).toMatchObject({ events: [{ event: 'Đêm nhạc Hà Nội', ...sums }] })
    const today = new Date(Date.now() + 7 * 3_600_000).toISOString().slice(0, 10)
    expect(days).toEqual([{ day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), ...sums }])
    expect(Math.abs(Date.parse(days[0]?.day ?? '') - Date.parse(today))).toBeLessThanOrEqual(86_400_000)

    expect((await get(`${path}?to=2020-01-01&from=2020-01-01`, as)).json()).toMatchObject({
      totals: [],
      from: '2020-01-01',
    })
    for (const bad of [
      'from=2020-01-02&to=2020-01-01',
      'from=2020-01-01&to=2022-01-01',
      'from=2020-02-31',
      'timeZone=UTC',
    ]) {
      expectError(await get(`${path}?${bad}`, as), 400, 'BAD_REQUEST')
    }
    const table = (await get(`${path}.csv`, as)).body.trimEnd().split('\r\n')
    expect(table).toEqual([
      '\uFEFFday,event,currency,receipts,credit_notes,gross,fees,tax,refunds,refunded_tax,charges,payout',
      `${days[0]?.day},Đêm nhạc Hà Nội,EUR,1,1,183.00,3.00,29.22,183.00,29.22,0.00,0.00`,
    ])
    const [page = ''] = await pagesOf(await get(`${path}.pdf`, as, { 'accept-language': 'ko' }))
    for (const text of ['정산서', 'Đêm nhạc Hà Nội', 'EUR €183.00 €3.00 €29.22 €183.00 €29.22 €0.00 €0.00']) {
      expect(page).toContain(text)
    }
  })

  it('[B158] the bookkeeping export is safe to open in a spreadsheet, and follows the days of a zone', async () => {
    const sale = await bench.sale(OPEN_FLOOR, { ...EVENT, name: '=HYPERLINK("x")' })
    const { buyer, reservation } = await cashier.ready(sale, [0])
    const { id } = await cashier.paid(buyer, reservation.id)
    await numberReceipts(bench.server.ledger)
    const { receiptNumber } = (await get(`/api/purchases/${id}`, buyer.authorization)).json()
    const path = `/api/organizations/${house}/receipts.csv`
    const as = bench.admin.authorization
    const lines = (await get(`${path}?timeZone=Asia/Seoul`, as)).body.trimEnd().split('\r\n')
    expect(lines[0]).toBe('\uFEFFnumber,date,kind,event,net,tax,gross,currency')
    const own = lines.find((line) => line.startsWith(`${receiptNumber},`)) ?? ''
    expect(own).toMatch(/^\d+,[\d-]+T[\d:.]+\+09:00,receipt,"'=HYPERLINK\(""x""\)",76\.89,14\.61,91\.50,EUR$/)
    const inOrder = lines.slice(1).map((line) => Number.parseInt(line, 10))
    expect(inOrder).toEqual(inOrder.map((_, index) => index + 1))
    const settled = (await get(`/api/organizations/${house}/settlement`, as)).json<{ totals: { gross: number }[] }>()
    const gross = lines
      .filter((line) => line.includes(',receipt,'))
      .reduce((sum, line) => sum + Number(line.split(',').at(-2)), 0)
    expect(settled.totals[0]?.gross).toBe(Math.round(gross * 100))
    expectError(await get(`${path}?timeZone=Moon/Sea`, as), 400, 'BAD_REQUEST')
    expect((await get(`${path}?from=2020-01-01&to=2020-01-02`, as)).body).toBe('\uFEFF')
  })
})

const digest = ({ rawPayload }: Answer): string => createHash('sha256').update(rawPayload).digest('hex')
