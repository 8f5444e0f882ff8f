import type { Page } from 'playwright-core'
import { beforeAll } from 'vitest'
import { type EventFacts, GUESTS, stage } from './stage.ts'

let events: { readonly open: EventFacts; readonly paused: EventFacts; readonly early: EventFacts }
beforeAll(async () => {
  const seatTypes = [
    { name: 'Stalls', price: 9_000, currency: 'EUR', reservedSeating: true, rows: [{ label: 'A', seats: 40 }] },
    { name: 'Standing', price: 2_500, currency: 'EUR', totalQuantity: 40 },
  ]
  const facts = {
    location: 'Nhà hát Lớn, Hà Nội',
    startsAt: '2099-03-01T12:30:00Z',
    timeZone: 'Asia/Ho_Chi_Minh',
    seatTypes,
  }
  const later = { salesStartAt: '2099-01-01T00:00:00Z', salesEndAt: '2099-02-01T00:00:00Z' }
  const [open, paused, early] = await Promise.all([
    stage.event({ ...facts, name: 'Schicksalssymphonie', room: { ...GUESTS, capacity: 50 } }),
    stage.event({ ...facts, name: 'Nachtgesänge', room: { ...GUESTS, paused: true } }),
    stage.event({ ...facts, ...later, name: 'Frühlingserwachen', room: GUESTS }),
  ])
  events = { open, paused, early }
})

/** Each page of a visit, from the window to the checkout, and what it is called. */
export async function walk(page: Page, language: string, look: (state: string) => Promise<void>): Promise<void> {
  const { open, paused, early } = events
  const paths = ['/', '/?q=zzzz', '/o/the-house', '/sign-in', '/nothing', '/status', `/events/${open.id}`]
  for (const path of [...paths, `/events/${early.id}`, `/events/${early.id}/wait`, `/events/${paused.id}/wait`]) {
    await page.goto(`${path}${path.includes('?') ? '&' : '?'}lang=${language}`, { waitUntil: 'load' })
    await look(`${language} ${path}`)
  }
  await page.goto(`/events/${open.id}/wait`)
  await page.locator('[data-state=turn]').waitFor()
  await look(`${language} turn`)
  await page.keyboard.press('Enter')
  await page.getByRole('application').waitFor()
  await page.locator('.best button.main').click()
  await page.locator('.chip').first().waitFor()
  await look(`${language} seats`)
  await page.locator('.basket button.main').click()
  await page.waitForURL('**/checkout/**')
  await look(`${language} checkout`)
}

/** A small phone. */
export const NARROW = { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true } as const

/** What a visitor sets in the browser for larger letters: everything of ours is measured in them. */
export async function enlarge(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } })
}
