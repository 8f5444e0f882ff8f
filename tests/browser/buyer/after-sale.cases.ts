import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expectRecord, waitUntil } from '@seatwise/testbench'
import { WORDS } from '@seatwise/web'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { expectFitsPhone, expectLanguage } from './looks.ts'
import { type EventFacts, expectAccessible, GUESTS, stage } from './stage.ts'

const PHONE = { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true }
const NAMES = 'Đêm nhạc Stalls linh minho mai example com Nhà hát'

interface Bought {
  readonly accessToken: string
  readonly purchase: string
  readonly eticket: string
}

/** A guest without a browser buys the only seat. */
async function buySeat(event: EventFacts): Promise<Bought> {
  const joined = await stage.call('POST', `/api/events/${event.id}/queue/join`, {}, null)
  const accessToken = String(joined.accessToken)
  const send = async (method: string, path: string, body: object, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${stage.url}${path}`, {
      ...{ method, body: JSON.stringify(body) },
      headers: { 'content-type': 'application/json', authorization: `Bearer ${accessToken}`, ...headers },
    })
    return expectRecord(await answer.json())
  }
  const claim = async () =>
    (await send('POST', `/api/events/${event.id}/queue/claim`, {}, { 'seatwise-ticket': String(joined.ticketToken) }))
      .activeToken
  const pass = await waitUntil('it is their turn', async () => ((await claim()) as string | undefined) ?? null)
  const key = { 'idempotency-key': randomUUID() }
  const wish = { seatTypeId: event.seatTypes[0]?.id, quantity: 1 }
  const held = await send('POST', `/api/events/${event.id}/reservations`, wish, { 'seatwise-pass': pass, ...key })
  await send('PATCH', `/api/reservations/${String(held.id)}`, { email: 'linh@example.com', language: 'ko' })
  const paying = { reservationId: held.id, paymentMethod: 'sandbox_ok' }
  const paid = await send('POST', '/api/purchases', paying, { 'idempotency-key': randomUUID() })
  const [eticket] = paid.etickets as { id: string }[]
  return { accessToken, purchase: String(paid.id), eticket: eticket?.id ?? '' }
}

/** The path of the newest link of this kind in the mail to an address. */
async function linkTo(address: string, kind: string): Promise<string> {
  return await waitUntil(`${address} has a link to ${kind}`, async () => {
    const files = (await readdir(stage.mailbox).catch(() => [])).filter((name) => name.endsWith('.eml')).sort()
    for (const file of files.toReversed()) {
      const mail = (await readFile(join(stage.mailbox, file), 'utf8')).replaceAll('=\n', '')
      const [, path] = new RegExp(`(/${kind}/[\\w-]{43})`).exec(mail) ?? []
      if (mail.includes(`To: ${address}`) && path !== undefined) return path
    }
    return null
  })
}

it('[W123] [W124] [W125] [W126] [W22] after the sale, without a script: order, transfer, returns list and offer, on a desk and on a phone', async () => {
  const seatTypes = [{ name: 'Stalls', price: 4_500, currency: 'EUR', totalQuantity: 1 }]
  const facts = { name: 'Đêm nhạc', location: 'Nhà hát' }
  const event = await stage.event({ ...facts, seatTypes, room: { ...GUESTS, capacity: 9 } })
  const { accessToken, purchase, eticket } = await buySeat(event)
  const see = async (page: Page, language: 'ko' | 'vi', state: string): Promise<void> => {
    await expectLanguage(page, language, NAMES)
    await expectAccessible(page, state)
    await expectFitsPhone(page, state)
  }

  const linh = await stage.visitor({ locale: 'ko-KR', javaScriptEnabled: true })
  await linh.goto(await linkTo('linh@example.com', 'orders'))
  expect(await linh.locator('.qr svg').count()).toBe(1)
  await see(linh, 'ko', 'order')
  const session = { name: 'seatwise-session', value: accessToken, url: stage.url }
  await stage.contextOf(linh).addCookies([session])
  await linh.goto(`/etickets/${eticket}`)
  await linh.getByLabel(WORDS.ko.after.giveEmail).fill('minho@example.com')
  await linh.getByRole('button', { name: WORDS.ko.after.give }).click()
  await linh.getByRole('button', { name: WORDS.ko.after.withdraw }).waitFor()
  await see(linh, 'ko', 'e-ticket on offer')

  const minho = await stage.visitor({ ...PHONE, locale: 'ko-KR', javaScriptEnabled: false })
  await minho.goto(await linkTo('minho@example.com', 'transfer'))
  await minho.getByRole('button', { name: WORDS.ko.after.take }).tap()
  await minho.waitForURL(`**/etickets/${eticket}`)
  expect(await minho.locator('.qr svg').count()).toBe(1)
  await linh.goto('/reservations')
  await linh.getByText('minho@example.com').waitFor()
  await see(linh, 'ko', 'what was given away')

  const mai = await stage.visitor({ ...PHONE, locale: 'vi-VN' })
  const words = WORDS.vi.after
  await mai.goto(`/events/${event.id}`)
  await mai.getByLabel(words.returnsEmail).fill('mai@example.com')
  await see(mai, 'vi', 'event that is sold out')
  await mai.getByRole('button', { name: words.returnsAsk }).tap()
  await mai.getByText(words.returnsSent).waitFor()
  await mai.goto(await linkTo('mai@example.com', 'returns'))
  await see(mai, 'vi', 'address to confirm')
  await mai.getByRole('button', { name: words.confirm }).tap()
  await mai.getByText(words.listedLead).waitFor()
  await stage.call('POST', `/api/purchases/${purchase}/refund`)
  await mai.goto(await linkTo('mai@example.com', 'offers'))
  await see(mai, 'vi', 'offer')
  await mai.getByRole('button', { name: words.offerAccept }).tap()
  await mai.getByRole('heading', { level: 1, name: WORDS.vi.buy.checkoutTitle }).waitFor()
  expect(await mai.locator('input[name=email]').inputValue()).toBe('mai@example.com')
}, 90_000)
