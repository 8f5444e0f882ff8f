import { type Language, WORDS } from '@seatwise/web'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { fillEmail } from './guests.ts'
import { expectFitsPhone, expectLanguage } from './looks.ts'
import { expectAccessible, GUESTS, stage } from './stage.ts'

const PHONE: BrowserContextOptions = { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true }
const NAMES = {
  ko: { name: '겨울 나그네', location: '서울 예술의전당', type: '일층석' },
  vi: { name: 'Đêm nhạc mùa đông', location: 'Nhà hát Lớn, Hà Nội', type: 'Tầng một' },
} as const

interface Visitor {
  readonly page: Page
  readonly language: keyof typeof NAMES
  readonly press: 'click' | 'tap'
  /** Judges a state of the way, when it is there. */
  look(state: string): Promise<void>
  chooseSeats(): Promise<void>
}

it('[W2] [W22] [W30] the whole way in Korean, on a desk, without a violation', async () => {
  const page = await stage.visitor({ locale: 'ko-KR' })
  const chooseSeats = async (): Promise<void> => {
    await page.getByRole('button', { name: '연석 추천 2석' }).click()
    await page.getByRole('button', { name: WORDS.ko.seats.list }).click()
    await page.getByText('A열').first().click()
    await expectAccessible(page, 'list of seats')
    await page.getByRole('button', { name: WORDS.ko.seats.map }).click()
    await page.getByRole('application').waitFor()
  }
  const look = (state: string) => expectAccessible(page, state)
  await goTheWholeWay({ page, language: 'ko', press: 'click', look, chooseSeats })
}, 90_000)

it('[W2] [W30] [W31] the whole way in Vietnamese on a small phone, by touch alone', async () => {
  const page = await stage.visitor({ ...PHONE, locale: 'vi-VN' })
  const look = async (state: string): Promise<void> => {
    await expectFitsPhone(page, state)
    if (state === 'seats') await expectAccessible(page, 'seats on a phone')
  }
  await goTheWholeWay({ page, language: 'vi', press: 'tap', look, chooseSeats: () => pinchAndTap(page) })
}, 90_000)

/** From the search to the e-ticket, with a card that is declined and a bank that asks. */
async function goTheWholeWay({ page, language, press, look, chooseSeats }: Visitor): Promise<void> {
  const { event: shop, wait, seats, buy, signIn, trouble } = WORDS[language]
  const { name, location, type } = NAMES[language]
  const event = await openSale(NAMES[language])
  const on = (role: 'button' | 'link', label: string | RegExp) => page.getByRole(role, { name: label }).first()[press]()
  const see = async (state: string, headline: string): Promise<void> => {
    await page.getByRole('heading', { level: 1, name: headline, exact: true }).waitFor()
    await expectLanguage(page, language, `${name} ${location} ${type}`)
    await look(state)
  }
  await page.goto('/nothing')
  await see('nothing here', trouble.notFoundTitle)
  await page.goto('/sign-in?new=1')
  await see('sign up', signIn.newTitle)

  await page.goto('/')
  await page.getByLabel(shop.searchFor).fill(name)
  await on('button', shop.search)
  await page.waitForURL(/q=/)
  await see('search', shop.listTitle)
  await on('link', new RegExp(name))
  await see('event', name)
  await on('link', shop.getTickets)
  await see('paused', wait.pausedTitle)
  await stage.call('PATCH', `/api/events/${event}/room`, { paused: false })
  await see('turn', wait.turnTitle)
  await on('button', wait.goIn)
  await page.getByRole('application').waitFor()
  await chooseSeats()
  await see('seats', seats.title)
  await on('button', seats.reserve)
  await see('checkout', buy.checkoutTitle)
  await page.getByLabel(buy.methods.sandbox_declined)[press]()
  await fillEmail(page)
  await on('button', paying(language))
  await page.getByText(buy.declined.other).waitFor()
  await see('declined', buy.checkoutTitle)
  await page.getByLabel(buy.methods.sandbox_3ds)[press]()
  await on('button', paying(language))
  await see('bank', buy.bankTitle)
  await on('button', buy.bankApprove)
  await see('paid', buy.paidTitle.other)
  await on('link', `${buy.eticket} 1`)
  await see('e-ticket', name)
  await page.goto('/reservations')
  await see('my tickets', buy.mine)
  await page.goto(`/events/${event}/wait`)
  await see('done', wait.doneTitle)
}

const paying = (language: Language): RegExp => new RegExp(WORDS[language].buy.pay.replace('{amount}', '.*180.000.*'))

async function openSale({ name, location, type }: (typeof NAMES)['ko' | 'vi']): Promise<string> {
  const rows = [...'ABCDEF'].map((label) => ({ label, seats: 20, blocked: [1], accessible: [20] }))
  const seatTypes = [
    { name: type, price: 90_000, currency: 'KRW', reservedSeating: true, rows },
    { name: `${type} 2`, price: 45_000, currency: 'KRW', totalQuantity: 20 },
  ]
  const room = { ...GUESTS, capacity: 10, maxSeatsPerBuyer: 2, paused: true }
  return (await stage.event({ name, location, seatTypes, room, startsAt: '2027-03-12T19:30:00Z' })).id
}

/** Two fingers come closer to the seats and not to the page; then one finger chooses two of them. */
async function pinchAndTap(page: Page): Promise<void> {
  const before = await seatsUnderFingers(page)
  // Each tap takes one away.
  for (const _each of [1, 2]) await page.locator('.chip').first().tap()
  await pinch(page)
  const after = await seatsUnderFingers(page)
  expect(after).toBeGreaterThan(0)
  expect(after).toBeLessThan(before / 2)
  expect(await page.evaluate('visualViewport.scale')).toBe(1)
}

/** Taps two points of the map, and tells how many seats they are apart. */
async function seatsUnderFingers(page: Page): Promise<number> {
  const middle = await middleOfMap(page)
  for (const by of [-45, 45]) await page.touchscreen.tap(middle.x + by, middle.y)
  await page.locator('.chip').nth(1).waitFor()
  const numbers = (await page.locator('.chip').allTextContents()).map((text) => Number(/\d+/.exec(text)?.[0]))
  return Math.abs((numbers[0] ?? 0) - (numbers[1] ?? 0))
}

async function pinch(page: Page): Promise<void> {
  const { x, y } = await middleOfMap(page)
  const touch = await page.context().newCDPSession(page)
  const fingers = (apart: number) => [
    { x: x - apart, y, id: 1 },
    { x: x + apart, y, id: 2 },
  ]
  await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: fingers(20) })
  for (const apart of [30, 40, 50, 60, 70, 80]) {
    await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: fingers(apart) })
  }
  await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  await touch.detach()
}

async function middleOfMap(page: Page): Promise<{ x: number; y: number }> {
  const box = await page.getByRole('application').boundingBox()
  if (box === null) throw new Error('There is no map')
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}
