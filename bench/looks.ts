/*
 * Draws the pages that visitors see, in light and dark, on a desk and on a phone, for people to look at:
 *
 *   node bench/looks.ts FOLDER            all pages
 *   node bench/looks.ts FOLDER event home   some of them
 *
 * Nothing is compared: what to see in them is a judgement.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ADMIN } from '@seatwise/testbench'
import type { Page } from 'playwright-core'
import { openPageStage, type PageStage } from './support/page-stage.ts'
import { drawnHall, GUESTS, hallTypes, joinMany, LINE, makeSale } from './support/screens/sales.ts'

const [folder, ...wanted] = process.argv.slice(2)
if (folder === undefined) throw new Error('Name the folder that the pictures go to')
await mkdir(folder, { recursive: true })

const SCREENS = [
  ['desk-light', { viewport: { width: 1280, height: 900 }, colorScheme: 'light' }],
  ['desk-dark', { viewport: { width: 1280, height: 900 }, colorScheme: 'dark' }],
  ['phone-light', { viewport: { width: 390, height: 844 }, colorScheme: 'light', hasTouch: true }],
  ['phone-dark', { viewport: { width: 390, height: 844 }, colorScheme: 'dark', hasTouch: true }],
] as const

const STORY = `Four players, one light, and **no announcement** between the pieces.

## Programme
- Dvořák: String Quartet No. 12
- Nguyễn Thiên Đạo: *Khói sóng*
- Glass: Quartet No. 5

After the concert the players stay for a talk in the foyer. [The hall](https://hall.example) has a bar.`

const stage = await openPageStage()
try {
  await draw(stage)
} finally {
  await stage.close()
}

async function draw(at: PageStage): Promise<void> {
  const { image, line, plain } = await prepare(at)
  const names = (name: string): boolean => wanted.length === 0 || wanted.includes(name)
  for (const [screen, options] of SCREENS) {
    const open = async (): Promise<Page> => {
      const context = await at.browser.newContext({
        ...{ baseURL: at.url, locale: 'en-GB', timezoneId: 'Europe/Berlin', reducedMotion: 'reduce' },
        ...options,
      })
      return await context.newPage()
    }
    const shoot = async (page: Page, name: string, isWhole = true): Promise<void> => {
      await page.evaluate(() => document.fonts.ready)
      await page.screenshot({ path: join(folder ?? '', `${name}-${screen}.png`), fullPage: isWhole })
    }
    const visits = { home: '/', host: '/o/lantern-hall', event: `/events/${image}`, plain: `/events/${plain}` }
    const others = { nothing: '/?q=zzzz', sign: '/sign-in', lost: '/nowhere' }
    for (const [name, path] of Object.entries({ ...visits, ...others }).filter(([name]) => names(name))) {
      const page = await open()
      await page.goto(path, { waitUntil: 'networkidle' })
      await shoot(page, name)
      await page.context().close()
    }
    if (names('wait')) await drawWait(open, shoot, line)
    if (names('before')) await drawEarly(open, shoot, plain)
    if (names('seats')) await drawBuying(open, shoot, image)
    if (names('editor')) await drawEditor(open, shoot, image)
  }
}

type Open = () => Promise<Page>
type Shoot = (page: Page, name: string, isWhole?: boolean) => Promise<void>

async function drawWait(open: Open, shoot: Shoot, id: string): Promise<void> {
  const page = await open()
  await page.goto(`/events/${id}/wait`)
  await page.locator('[data-state=far], [data-state=near]').first().waitFor()
  await page.waitForFunction(() => document.fonts.check('16px "Seatwise Text"') && document.fonts.size > 3)
  await shoot(page, 'wait')
  await page.context().close()
}

async function drawEarly(open: Open, shoot: Shoot, id: string): Promise<void> {
  const page = await open()
  await page.goto(`/events/${id}/wait`)
  await page.locator('[data-state=before]').waitFor()
  await page.waitForFunction(() => document.fonts.check('16px "Seatwise Text"') && document.fonts.size > 3)
  await shoot(page, 'before')
  await page.context().close()
}

async function drawEditor(open: Open, shoot: Shoot, id: string): Promise<void> {
  const page = await open()
  await page.goto('/sign-in?next=/console')
  await page.fill('input[name=email]', ADMIN.email)
  await page.fill('input[name=password]', ADMIN.password)
  await page.click('form[action="/sign-in"] button')
  await page.waitForURL('**/console')
  await page.goto(`/console/events/${id}/edit`)
  await page.locator('.plan').waitFor()
  await page.locator('.piece.stage polygon').click()
  await shoot(page, 'editor')
  await page.context().close()
}

async function drawBuying(open: Open, shoot: Shoot, id: string): Promise<void> {
  const page = await open()
  await page.goto(`/events/${id}/wait`)
  await page.locator('[data-state=turn]').waitFor()
  await shoot(page, 'turn')
  await page.getByRole('button', { name: 'Go in' }).first().click()
  await page.getByRole('application').waitFor()
  await page
    .getByRole('button', { name: /Best 2/ })
    .first()
    .click()
  await page.locator('.chip').first().waitFor()
  await shoot(page, 'seats', false)
  for (const _each of [1, 2]) await page.getByRole('button', { name: 'Zoom in' }).click()
  await shoot(page, 'seats-near', false)
  await page.getByRole('button', { name: 'Reserve and pay' }).click()
  await page.getByRole('heading', { name: 'Checkout' }).waitFor()
  await page.getByLabel('Email address').fill('linh@example.com')
  await shoot(page, 'checkout')
  await page.getByRole('button', { name: /^Pay/ }).click()
  await page.getByRole('heading', { name: 'Your seats are booked' }).waitFor()
  await shoot(page, 'booked')
  await page.context().close()
}

/** A house with a name and a colour, and events with and without a picture. */
async function prepare(at: PageStage): Promise<{ image: string; line: string; plain: string }> {
  const house = '00000000-0000-4000-8000-000000000001'
  await at.operate('PATCH', `/api/organizations/${house}`, { name: 'Lantern Hall' })
  const about = 'A small hall for large evenings, in the old post office since 1996.'
  const profile = { slug: 'lantern-hall', about, website: 'https://lantern.example', colour: '#1f5e8c' }
  await at.operate('PATCH', `/api/organizations/${house}/profile`, profile)
  const when = { doorsAt: '2027-03-12T11:30:00Z', ageMin: 8, location: 'Nhà hát Lớn, Hà Nội', description: STORY }
  const room = { ...GUESTS, capacity: 1_000 }
  const image = await makeSale(at, { name: 'Night of Strings', ...when, ...drawnHall(), room })
  await at.picture(image, await picture(at), 'Four players on a dark stage, lit from above')
  const line = await makeSale(at, { name: 'The Slow Line', ...when, seatTypes: hallTypes(), room: LINE })
  await joinMany(
    at,
    line,
    Array.from({ length: 30 }, (_unused, index) => `Visitor ${index}`),
  )
  const early = { startsAt: '2027-02-02T18:00:00Z', salesStartAt: '2027-01-02T18:00:00Z' }
  const plain = await makeSale(at, { name: 'An evening that is announced early', ...early, totalSeats: 100, room })
  return { image, line, plain }
}

/** A stage with light on it. */
async function picture({ browser }: PageStage): Promise<Buffer> {
  const lamp = (x: number, colour: string): string =>
    `<polygon points="${x},0 ${x - 260},900 ${x + 260},900" fill="${colour}" opacity="0.28"/><ellipse cx="${x}" cy="860" rx="260" ry="46" fill="${colour}" opacity="0.5"/>`
  const player = (x: number): string =>
    `<circle cx="${x}" cy="640" r="34"/><path d="M${x - 60} 860c0-130 20-180 60-180s60 50 60 180z"/>`
  const players = [520, 700, 900, 1080].map(player).join('')
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="900"><rect width="1600" height="900" fill="#1a1226"/>${lamp(600, '#f4b266')}${lamp(1000, '#d1495b')}<g fill="#08060c">${players}</g></svg>`
  const page = await browser.newPage({ viewport: { width: 1600, height: 900 } })
  await page.setContent(`<body style="margin:0">${svg}</body>`)
  const png = await page.screenshot()
  await page.close()
  return png
}
