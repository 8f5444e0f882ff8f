/*
 * Writes pictures of every page and state of the buyer's side to docs/screens: light on a desk, dark on a phone.
 *
 *   node bench/screens.ts
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { openPageStage, type PageStage } from './support/page-stage.ts'

const FOLDER = join(import.meta.dirname, '../docs/screens')
const DEVICES: Readonly<Record<string, BrowserContextOptions>> = {
  light: { viewport: { width: 1000, height: 760 }, colorScheme: 'light' },
  dark: { viewport: { width: 390, height: 780 }, colorScheme: 'dark', hasTouch: true },
}
const OPEN = { salesStartAt: '2026-01-01T00:00:00Z', salesEndAt: '2099-01-01T00:00:00Z' }
const GUESTS = { guests: true, guestsPerAddress: 100_000 }

type Events = Awaited<ReturnType<typeof makeEvents>>

await mkdir(FOLDER, { recursive: true })
const stage = await openPageStage()
try {
  const events = await makeEvents(stage)
  for (const [device, options] of Object.entries(DEVICES)) {
    const context = await stage.browser.newContext({
      baseURL: stage.url,
      locale: 'en',
      reducedMotion: 'reduce',
      ...options,
    })
    const page = await context.newPage()
    await lookAround(page, device, events)
    await context.close()
  }
} finally {
  await stage.close()
}

async function makeEvents({ operate }: PageStage) {
  const make = async (facts: object) => {
    const { id } = await operate('POST', '/api/events', { ...OPEN, startsAt: '2027-03-12T19:30:00Z', ...facts })
    return String(id)
  }
  const line = { ...GUESTS, capacity: 1, ratePerMinute: 2, burst: 1, sessionSeconds: 3_000, claimSeconds: 3_000 }
  const far = await make({ name: 'Winterreise', location: 'Wigmore Hall, London', totalSeats: 90, room: line })
  const paused = await make({
    name: 'Giselle',
    location: 'Seoul Arts Center',
    totalSeats: 400,
    room: { ...GUESTS, paused: true },
  })
  await operate('PATCH', `/api/events/${paused}/room`, { message: 'The lights need ten minutes. We go on at 20:10.' })
  await operate('PUT', `/api/events/${paused}/brand`, {
    colour: '#1f6f5c',
    logo: null,
    text: 'Doors open at 19:00. Cloakroom on the left.',
  })
  const before = await make({
    name: 'Carmina Burana',
    location: 'Verona',
    totalSeats: 900,
    salesStartAt: new Date(Date.now() + 9e7).toISOString(),
    room: GUESTS,
  })
  const soldOut = await make({ name: 'The Seagull', location: 'Hà Nội', totalSeats: 1, room: GUESTS })
  const hall = await make({
    name: 'Aurora Live',
    location: 'Nhà hát Lớn, Hà Nội',
    description: 'An evening of light and strings.',
    seatTypes: hallTypes(),
    room: { ...GUESTS, capacity: 100 },
  })
  return { far, paused, before, soldOut, hall, join: (id: string, count: number) => joinMany(id, count) }
}

function hallTypes(): object[] {
  const rowsFrom = (labels: string, first: number) =>
    [...labels].map((label, index) => ({
      label,
      seats: 18 + 2 * (first + index),
      x: -(17 + 2 * (first + index)) / 2,
      y: first + index + (first > 0 ? 1 : 0),
      seatPitch: 1,
    }))
  return [
    { name: 'Stalls', price: 9_000, currency: 'EUR', reservedSeating: true, rows: rowsFrom('ABCDE', 0) },
    { name: 'Circle', price: 6_500, currency: 'EUR', reservedSeating: true, rows: rowsFrom('FGHJ', 5) },
    { name: 'Standing', price: 2_500, currency: 'EUR', totalQuantity: 80 },
  ]
}

async function joinMany(id: string, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    await fetch(`${stage.url}/api/events/${id}/queue/join`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', connection: 'close' },
      body: '{}',
    })
  }
}

async function lookAround(page: Page, device: string, events: Events): Promise<void> {
  const show = async (name: string) => {
    await page.screenshot({ path: join(FOLDER, `${name}-${device}.png`) })
  }
  const visit = async (name: string, path: string, until: string) => {
    await page.goto(path)
    await page.locator(until).first().waitFor()
    await show(name)
  }
  await visit('list', '/', '.programme')
  await visit('event', `/events/${events.hall}`, '.prices')
  await visit('event-before', `/events/${events.before}`, '.countdown b')
  await visit('sign-in', '/sign-in?new=1', 'form')
  await visit('nothing-here', '/nothing', 'h1')
  await visit('waiting-before', `/events/${events.before}/wait`, '.answers')
  await visit('waiting-paused', `/events/${events.paused}/wait`, '.message')
  await events.join(events.far, 40)
  await visit('waiting', `/events/${events.far}/wait`, '.line .person')
  await page.getByRole('button', { name: 'Leave the line' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Leave the line' }).click()
  await page.getByRole('heading', { name: 'You left the line' }).waitFor()
  await show('left')
  await visit('turn', `/events/${events.hall}/wait`, '[data-state=turn] .ring svg')
  await buy(page, show)
  await visit('my-tickets', '/reservations', '.owned')
  await visit('done', `/events/${events.hall}/wait`, '[data-state=done]')
}

async function buy(page: Page, show: (name: string) => Promise<void>): Promise<void> {
  await page.getByRole('button', { name: 'Go in' }).click()
  await page.getByRole('application').waitFor()
  await page.getByRole('button', { name: /Best 2/ }).click()
  await page.locator('.chip').first().waitFor()
  await show('seats')
  await page.getByRole('button', { name: 'List' }).click()
  await page.getByText('Row A').first().click()
  await show('seats-list')
  await page.getByRole('button', { name: 'Reserve and pay' }).click()
  await page.getByRole('heading', { name: 'Pay' }).waitFor()
  await show('checkout')
  await page.getByLabel('Card that is declined').check()
  await page.getByRole('button', { name: /^Pay/ }).click()
  await page.getByText('The card was declined').waitFor()
  await show('declined')
  await page.getByLabel('Card that works').check()
  await page.getByRole('button', { name: /^Pay/ }).click()
  await page.getByRole('heading', { name: 'The seats are yours' }).waitFor()
  await show('paid')
  await page.getByRole('link', { name: 'E-ticket 1' }).click()
  await page.locator('.qr svg').waitFor()
  await show('e-ticket')
}
