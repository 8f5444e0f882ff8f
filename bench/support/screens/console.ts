import { setTimeout as delay } from 'node:timers/promises'
import { ADMIN } from '@seatwise/testbench'
import { buySeats, crowd, GUESTS, joinMany, makeSale } from './sales.ts'
import type { Shooting } from './shooting.ts'

const VISITORS = 160
const BUYERS = 9
const TABS = ['line', 'floor', 'reservations', 'payments', 'codes', 'settings', 'ready', 'trail'] as const

/** The operator's pages, over a sale that runs. */
export async function shootConsole(shooting: Shooting): Promise<void> {
  const { id, codes } = await runSale(shooting)
  const isDesk = (shooting.page.viewportSize()?.width ?? 0) > 500
  const operator = await shooting.other(isDesk ? { viewport: { width: 1240, height: 800 } } : {})
  const { page } = operator
  await signIn(operator)
  await operator.show('console-list')
  await page.goto(`/console/events/${id}`)
  await page.waitForFunction(() =>
    /\d/.test(document.querySelector('.chart [role=img]')?.getAttribute('aria-label') ?? ''),
  )
  await page.fill('#ratePerMinute', '600')
  await page.waitForSelector('.effect .notice p')
  await operator.show('console-sale')
  await page.locator('.chart').first().scrollIntoViewIfNeeded()
  await page
    .locator('h2')
    .first()
    .evaluate((heading) => heading.scrollIntoView())
  await operator.show('console-charts', 'here')
  for (const tab of TABS) {
    await page.click(`#tab-${tab}`)
    await page.waitForSelector('[role=tabpanel] > *', { state: 'attached' })
    await page.waitForLoadState('networkidle')
    await page.locator('[role=tablist]').evaluate((tabs) => tabs.scrollIntoView())
    await operator.show(`console-${tab}`, 'here')
  }
  await page.click('#tab-line')
  await page.locator('[role=tabpanel] tbody button').first().click()
  await page.waitForSelector('dialog[open]')
  await operator.show('console-question', 'here')
  await operator.visit('console-new', '/console/new', '.plan')
  await page.goto(`/console/events/${id}/edit`)
  await page.locator('.plan').evaluate((plan) => plan.scrollIntoView({ block: 'center' }))
  await operator.show('console-plan', 'here')
  await atTheDoor(operator, id, codes)
  await operator.close()
}

async function runSale({ stage }: Shooting): Promise<{ id: string; codes: string[] }> {
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
    // They come one after the other, so that the charts have something to show.
    await delay(80)
  }
  return { id, codes }
}

async function signIn({ page }: Shooting): Promise<void> {
  await page.goto('/sign-in?next=/console')
  await page.fill('input[name=email]', ADMIN.email)
  await page.fill('input[name=password]', ADMIN.password)
  await page.click('form[action="/sign-in"] button')
  await page.waitForURL('**/console')
}

/** Somebody is let in, comes again, and somebody has no e-ticket at all. */
async function atTheDoor(operator: Shooting, id: string, [code = '']: readonly string[]): Promise<void> {
  const { page } = operator
  const scan = async (code: string): Promise<void> => {
    const before = await page.locator('.scan, .checks li').count()
    await page.fill('input[name=code]', code)
    await page.keyboard.press('Enter')
    await page.waitForFunction((count) => document.querySelectorAll('.scan, .checks li').length > count, before)
  }
  await page.goto(`/console/events/${id}/check-in`)
  await page.waitForSelector('input[name=code]')
  await operator.show('console-door')
  await scan(code)
  await operator.show('console-door-in')
  await scan(code)
  await operator.show('console-door-used')
  await scan('not a ticket')
  await operator.show('console-door-refused')
}
