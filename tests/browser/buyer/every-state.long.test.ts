import type { Page } from 'playwright-core'
import { it } from 'vitest'
import { buyTwo, fillEmail, join } from './guests.ts'
import { type EventFacts, expectAccessible, GUESTS, stage, takenOver } from './stage.ts'

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
const waitingFor = (event: EventFacts) => `/events/${event.id}/wait`

/** The waiting page shows a state, and axe has nothing to say about it. */
async function judge(page: Page, state: string): Promise<void> {
  await page.locator(`[data-state=${state}]`).waitFor()
  await expectAccessible(page, state, 'main')
}

it('[W22] [W5] no violations for those who are not in line, or no longer', async () => {
  const [members, small, family, stopped, operated] = await Promise.all(
    [
      { name: 'Members', room: { guests: false } },
      { name: 'Small', room: { ...GUESTS, paused: true, maxWaiting: 1 } },
      { name: 'Family', room: { guests: true, guestsPerAddress: 1, paused: true } },
      { name: 'Leaving', room: { ...GUESTS, paused: true } },
      { name: 'Operated', room: { ...GUESTS, paused: true } },
    ].map((facts) => stage.event({ ...facts, totalSeats: 9 })),
  )
  const past = { salesStartAt: '2026-01-01T00:00:00Z', salesEndAt: '2026-02-01T00:00:00Z' }
  const over = await stage.event({ name: 'Over', totalSeats: 9, ...past, room: GUESTS })
  if (!members || !small || !family || !stopped || !operated) throw new Error('There must be five events')
  await Promise.all([join(small), join(family)])
  const page = await stage.visitor()
  for (const [event, state] of [
    [over, 'ended'],
    [members, 'sign-in'],
    [small, 'full'],
    [family, 'guests'],
  ] as const) {
    await page.goto(waitingFor(event))
    await judge(page, state)
  }
  await page.setExtraHTTPHeaders({ 'sec-purpose': 'prefetch' })
  await page.goto(waitingFor(stopped))
  await judge(page, 'open')
  await page.setExtraHTTPHeaders({})
  await page.goto(`/events/${over.id}`)
  await page.locator('.state.ended').waitFor()
  await expectAccessible(page, 'event that is over', 'main')

  await page.goto(waitingFor(stopped))
  await takenOver(page)
  await button(page, 'Leave the line').click()
  await page.getByRole('alertdialog').waitFor()
  await expectAccessible(page, 'leaving, asked', 'main')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Leave the line' }).click()
  await judge(page, 'left')

  await page.goto(waitingFor(operated))
  const own = await (await page.request.get(`/api/events/${operated.id}/queue/status`)).json()
  await stage.call('POST', `/api/events/${operated.id}/queue/terminate`, { ticketId: own.ticketId })
  await judge(page, 'removed')
}, 60_000)

it('[W22] [W24] no violations when the device is offline, the server away, or the place not known there', async () => {
  // With so short a time the page asks every second; while the line is paused no visitor is passed over.
  const room = { ...GUESTS, paused: true, heartbeatTimeoutSeconds: 3 }
  const event = await stage.event({ name: 'Far away', totalSeats: 9, room })
  const page = await stage.visitor()
  await page.goto(waitingFor(event))
  // When the neighbours are drawn the script knows the place.
  await page.getByText('Show your name to people near you in line').waitFor()
  await stage.contextOf(page).setOffline(true)
  await page.getByText('Your device is offline. Your place is kept').waitFor()
  await expectAccessible(page, 'offline', 'main')
  await page.route('**/api/**', (route) => route.abort())
  await stage.contextOf(page).setOffline(false)
  await page.getByText('We cannot reach the server right now. Your place is kept there').waitFor()
  await expectAccessible(page, 'server away', 'main')
  await page.unroute('**/api/**')
  await page.locator('.notice.bad').waitFor({ state: 'detached' })
  await page.route('**/queue/status', (route) => route.fulfill({ status: 404, json: { code: 'NOT_FOUND' } }))
  await judge(page, 'lost')
}, 60_000)

it('[W22] [W16] no violations inside, when the time is over, and in a line that stays though all is sold', async () => {
  const [long, brief, rare] = await Promise.all([
    stage.event({ name: 'Long visit', totalSeats: 9, room: { ...GUESTS, sessionSeconds: 600 } }),
    stage.event({ name: 'Brief visit', totalSeats: 9, room: { ...GUESTS, sessionSeconds: 1 } }),
    stage.event({ name: 'Rare', totalSeats: 2, room: { ...GUESTS, capacity: 1, keepLineWhenSoldOut: true } }),
  ])
  const first = await join(rare)
  const page = await stage.visitor()
  for (const [event, state] of [
    [long, 'floor'],
    [brief, 'timeout'],
  ] as const) {
    await page.goto(waitingFor(event))
    await button(page, 'Go in').click()
    await page.waitForURL('**/seats')
    await page.goto(waitingFor(event))
    await judge(page, state)
  }

  await page.goto(waitingFor(rare))
  await page.locator('.position').waitFor()
  await buyTwo(rare, first)
  await heading(page, 'Sold out').waitFor()
  await page.getByText('The line stays open and your place is kept').waitFor()
  await judge(page, 'sold-out')
}, 60_000)

it('[W22] [W21] no violations however a purchase ends', async () => {
  const room = { ...GUESTS, capacity: 10, maxSeatsPerBuyer: 1, sessionSeconds: 600 }
  const seatTypes = [{ name: 'Standing', price: 2_500, currency: 'EUR', totalQuantity: 9 }]
  const event = await stage.event({ name: 'Endings', seatTypes, room })
  let page = await stage.visitor()
  const see = async (name: string): Promise<void> => {
    await heading(page, name).waitFor()
    await expectAccessible(page, name, 'main')
  }
  const reserve = async (): Promise<void> => {
    await button(page, /^One more/).click()
    await button(page, 'Reserve and pay').click()
    await heading(page, 'Checkout').waitFor()
  }
  await page.goto('/sign-in')
  await page.getByLabel('Email address').fill('nobody@example.com')
  await page.getByLabel('Password').fill('not the password')
  await button(page, 'Sign in').click()
  await page.getByRole('alert').waitFor()
  await expectAccessible(page, 'sign-in, refused', 'main')

  await page.goto(waitingFor(event))
  await button(page, 'Go in').click()
  await page.waitForURL('**/seats')
  await reserve()
  const givenBack = page.url()
  await button(page, 'Release the seat').click()
  await page.waitForURL('**/seats')
  await page.goto(givenBack)
  await see('The seat was released')
  await page.getByRole('link', { name: 'Choose again' }).click()
  await reserve()
  await page.getByLabel('Card that is slow').check()
  await fillEmail(page)
  await button(page, /^Pay/).click()
  await page.getByText('Your payment is being processed.').waitFor()
  await expectAccessible(page, 'payment under way', 'main')
  await see('Your seat is booked')
  await page.getByRole('link', { name: 'E-ticket 1' }).click()
  const { code } = await (await page.request.get(page.url().replace('/etickets/', '/api/etickets/'))).json()
  await stage.call('POST', '/api/checkin', { code })
  await page.reload()
  await page.getByText('This e-ticket was used on').waitFor()
  await expectAccessible(page, 'e-ticket, used', 'main')

  // A used e-ticket is not refunded (B61), so the refund is of another buyer.
  page = await stage.visitor()
  await page.goto(waitingFor(event))
  await button(page, 'Go in').click()
  await page.waitForURL('**/seats')
  await reserve()
  const reservation = new URL(page.url()).pathname.split('/').at(-1)
  await fillEmail(page)
  await button(page, /^Pay/).click()
  await heading(page, 'Your seat is booked').waitFor()
  await page.getByRole('link', { name: 'E-ticket 1' }).click()
  await page.waitForURL('**/etickets/*')
  const address = page.url()
  const { items } = await stage.call('GET', `/api/events/${event.id}/reservations?status=PAID`)
  const paid = (items as { id: string; purchase: { id: string } }[]).find(({ id }) => id === reservation)
  await stage.call('POST', `/api/purchases/${paid?.purchase.id}/refund`)
  await page.goto(`/checkout/${reservation}`)
  await see('Refunded')
  await page.getByText('the full amount goes back to your card').waitFor()
  await page.goto(address)
  await page.getByText('This e-ticket is no longer valid.').waitFor()
  await expectAccessible(page, 'e-ticket, void', 'main')
}, 60_000)
