import { setTimeout as delay } from 'node:timers/promises'
import { ADMIN } from '@seatwise/testbench'
import { buySeats, crowd, GUESTS, joinMany, makeSale } from './sales.ts'
import type { Device, Studio } from './studio.ts'

const VISITORS = 160
const BUYERS = 9

/** The operator's pages, over a running sale. */
export async function drawConsole(studio: Studio): Promise<void> {
  const { id, codes } = await runSale(studio)
  const operator = await studio.open('operator')
  const { page } = operator
  await signIn(operator)
  await page.goto(`/console/events/${id}`)
  await page.waitForFunction(() =>
    /\d/.test(document.querySelector('.chart [role=img]')?.getAttribute('aria-label') ?? ''),
  )
  await page.fill('#ratePerMinute', '600')
  await page.waitForSelector('.effect .notice p')
  await operator.draw('console')
  await page.fill('#ratePerMinute', '300')
  await page.goto(`/console/events/${id}/edit`)
  await page.locator('.plan').evaluate((plan) => plan.scrollIntoView({ block: 'center' }))
  await operator.draw('seating-plan', 'here')
  await operator.close()
  const door = await studio.open('phone')
  await signIn(door)
  await checkIn(door, id, codes)
  await door.close()
}

async function runSale({ stage }: Studio): Promise<{ id: string; codes: string[] }> {
  const codes: string[] = []
  const rows = [...'ABCDEFGH'].map((label, index) => ({
    label,
    seats: 16 + 2 * index,
    blocked: index === 0 ? [1, 16] : [],
    accessible: index === 7 ? [1, 2] : [],
  }))
  const id = await makeSale(stage, {
    ...{ name: 'Aurora Live', location: 'Nhà hát Lớn, Hà Nội' },
    salesStartAt: new Date(Date.now() - 60_000).toISOString(),
    salesEndAt: new Date(Date.now() + 7_200_000).toISOString(),
    seatTypes: [{ name: 'Stalls', price: 9_000, currency: 'EUR', reservedSeating: true, rows }],
    room: { ...GUESTS, capacity: 20, ratePerMinute: 120, burst: 5, sessionSeconds: 30, claimSeconds: 30 },
  })
  for (const [index, name] of crowd(VISITORS).entries()) {
    const [guest] = await joinMany(stage, id, [name])
    if (index < BUYERS && guest !== undefined) codes.push(...(await buySeats(stage, id, guest, 1 + (index % 3))))
    if (index === VISITORS / 2) await stage.operate('PATCH', `/api/events/${id}/room`, { ratePerMinute: 300 })
    // They arrive one after the other, so that the charts have something to show.
    await delay(80)
  }
  return { id, codes }
}

async function signIn({ page }: Device): Promise<void> {
  await page.goto('/sign-in?next=/console')
  await page.fill('input[name=email]', ADMIN.email)
  await page.fill('input[name=password]', ADMIN.password)
  await page.click('form[action="/sign-in"] button')
  await page.waitForURL('**/console')
}

/** The same e-ticket is scanned twice. */
async function checkIn(door: Device, id: string, [first = '', second = '']: readonly string[]): Promise<void> {
  const { page } = door
  await page.goto(`/console/events/${id}/check-in`)
  await page.waitForSelector('input[name=code]')
  for (const code of [first, second, first]) {
    const before = await page.locator('.scan, .checks li').count()
    await page.fill('input[name=code]', code)
    await page.keyboard.press('Enter')
    await page.waitForFunction((count) => document.querySelectorAll('.scan, .checks li').length > count, before)
  }
  await door.draw('check-in')
}
