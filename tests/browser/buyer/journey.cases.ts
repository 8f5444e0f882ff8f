import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { fillEmail } from './guests.ts'
import { expectAccessible, GUESTS, stage, takenOver } from './stage.ts'

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })

async function goIn(page: Page): Promise<void> {
  await heading(page, 'It’s your turn').waitFor()
  await button(page, 'Go in').click()
  await page.waitForURL('**/seats')
}

async function pay(page: Page, card: string): Promise<void> {
  await page.getByLabel(card).check()
  await fillEmail(page)
  await button(page, /^Pay/).click()
}

it('[W17] [W21] [W22] [W73] three compete for four seats, from the search to the door: one has a declined card and a bank that asks, one is too late', async () => {
  const seatTypes = [
    { name: 'Stalls', price: 9_000, currency: 'EUR', reservedSeating: true, rows: [{ label: 'A', seats: 4 }] },
  ]
  const room = { ...GUESTS, capacity: 1, maxSeatsPerBuyer: 2, claimSeconds: 60 }
  const event = await stage.event({ name: 'Tosca in der Arena', location: 'Verona', seatTypes, room })
  const [ada, bob, eve] = await Promise.all([stage.visitor(), stage.visitor(), stage.visitor()])

  await ada.goto('/?q=tosca')
  await ada.getByRole('link', { name: /Tosca in der Arena/ }).click()
  await ada.getByRole('link', { name: 'Get tickets' }).click()
  await goIn(ada)
  for (const late of [bob, eve]) {
    await late.goto(`/events/${event.id}/wait`)
    await late.locator('.position').waitFor()
  }
  expect([await bob.locator('.position').textContent(), await eve.locator('.position').textContent()]).toEqual([
    '1',
    '2',
  ])

  await button(ada, 'Best 2 together').click()
  await ada.getByText('€180.00').waitFor()
  await button(ada, 'Reserve and pay').click()
  await heading(ada, 'Checkout').waitFor()
  await pay(ada, 'Card that is declined')
  await ada.getByText('Your card was declined').waitFor()
  await pay(ada, 'Card that asks your bank')
  await button(ada, 'Approve').click()
  await heading(ada, 'Your seats are booked').waitFor()
  await ada.getByRole('link', { name: 'E-ticket 1' }).click()
  await ada.waitForURL('**/etickets/*')
  await ada.locator('.qr svg').waitFor()
  const eticket = ada.url()

  await goIn(bob)
  await eve.locator('.position', { hasText: /^1$/ }).waitFor()
  await button(bob, 'Best 2 together').click()
  await button(bob, 'Reserve and pay').click()
  await pay(bob, 'Card that works')
  await heading(bob, 'Your seats are booked').waitFor()

  await heading(eve, 'Sold out').waitFor()
  const { seats } = (await stage.call('GET', `/api/events/${event.id}/seats`)) as { seats: { status: string }[] }
  expect(seats.map(({ status }) => status)).toEqual(['sold', 'sold', 'sold', 'sold'])

  const { code } = await (await ada.request.get(eticket.replace('/etickets/', '/api/etickets/'))).json()
  const door = await operatorAt(`/console/events/${event.id}/check-in`)
  await door.getByLabel('E-ticket code').fill(code)
  await button(door, 'Check').click()
  await door.getByText('Let them in').waitFor()
  await door.getByText(/Stalls, row A, seat \d/).waitFor()
  await ada.goto(eticket)
  await ada.getByText('This e-ticket was used on').waitFor()
  await expectAccessible(ada, 'used e-ticket')
}, 90_000)

/** The first operator, who signed in before, at a page of the console. */
async function operatorAt(path: string): Promise<Page> {
  const page = await stage.visitor()
  const cookie = { name: 'seatwise-session', value: await stage.server.adminToken(), url: stage.url }
  await stage.contextOf(page).addCookies([cookie])
  await page.goto(path)
  return page
}

it('[W14] without a script: join, wait, go in, reserve, confirm, e-ticket', async () => {
  const room = { ...GUESTS, capacity: 1 }
  const event = await stage.event({ name: 'Plain evening', totalSeats: 5, room })
  const plain = await stage.visitor({ javaScriptEnabled: false })
  await plain.goto(`/events/${event.id}/wait`)
  // The turn comes within a tick; the page would ask again by itself.
  const again = async () => {
    await plain.reload()
    return await plain.textContent('h1')
  }
  await expect.poll(again, { timeout: 40_000 }).toBe('It’s your turn')
  await button(plain, 'Go in').click()
  await plain.waitForURL('**/seats')
  await button(plain, 'Best available').click()
  await heading(plain, 'Checkout').waitFor()
  await fillEmail(plain)
  await button(plain, 'Confirm').click()
  await heading(plain, 'Your seat is booked').waitFor()
  await plain.getByRole('link', { name: 'E-ticket 1' }).click()
  await plain.waitForURL('**/etickets/*')
  expect(await plain.locator('.qr svg').count()).toBe(1)
  await plain.goto('/reservations')
  expect(await plain.textContent('main')).toContain('Plain evening')
}, 60_000)

it('[W14] without a script the waiting page refreshes itself, and leaving is a form', async () => {
  const event = await stage.event({ name: 'Slow', totalSeats: 5, room: { ...GUESTS, capacity: 1, paused: true } })
  const plain = await stage.visitor({ javaScriptEnabled: false })
  await plain.goto(`/events/${event.id}/wait`)
  expect(await plain.textContent('h1')).toBe('Paused by the organiser')
  expect(await plain.content()).toMatch(/<noscript><meta http-equiv="refresh" content="\d+"><\/noscript>/)
  await button(plain, 'Leave the line').click()
  expect(await plain.textContent('h1')).toBe('You left the line')
  await button(plain, 'Rejoin').click()
  expect(await plain.textContent('h1')).toBe('Paused by the organiser')
}, 60_000)

it('[W12] [W13] a guest who signs up keeps the place; a page that needs an account leads there and back', async () => {
  const event = await stage.event({ name: 'Kept', totalSeats: 50, room: { ...GUESTS, paused: true } })
  const guests = Array.from({ length: 3 }, () => stage.call('POST', `/api/events/${event.id}/queue/join`, {}, null))
  await Promise.all(guests)
  const mia = await stage.visitor()
  await mia.goto(`/events/${event.id}/wait`)
  expect(await mia.textContent('.position')).toBe('4')
  await mia.goto('/sign-in?new=1&next=/reservations')
  await mia.getByLabel('Your name').fill('Mia <b>')
  await mia.getByLabel('Email address').fill('mia@example.com')
  await mia.getByLabel('Password').fill('password')
  await button(mia, 'Create account').click()
  await mia.getByText('This password is too easy to guess').waitFor()
  expect(await mia.getByLabel('Your name').inputValue()).toBe('Mia <b>')
  await mia.getByLabel('Password').fill('nine green bottles')
  await button(mia, 'Create account').click()
  await mia.waitForURL('**/reservations')
  await mia.goto(`/events/${event.id}/wait`)
  expect(await mia.textContent('.position')).toBe('4')

  const stranger = await stage.visitor()
  await stranger.goto('/reservations')
  expect(new URL(stranger.url()).pathname).toBe('/sign-in')
  await stranger.goto('/sign-in?next=https://evil.example/')
  const nexts = stranger.locator('input[name=next]')
  expect(await nexts.evaluateAll((inputs) => inputs.map((input) => input.getAttribute('value')))).toEqual(['/', '/'])
}, 60_000)

it('[W18] reloading, going back, a second tab and forbidden storage keep the place', async () => {
  const event = await stage.event({ name: 'Stay', totalSeats: 50, room: { ...GUESTS, paused: true } })
  await stage.call('POST', `/api/events/${event.id}/queue/join`, {}, null)
  const page = await stage.visitor()
  await stage.contextOf(page).addInitScript(() => {
    for (const name of ['localStorage', 'sessionStorage']) {
      Object.defineProperty(window, name, {
        get() {
          throw new DOMException('forbidden', 'SecurityError')
        },
      })
    }
  })
  const position = (of: Page) => of.locator('.position').textContent()
  await page.goto(`/events/${event.id}`)
  await page.getByRole('link', { name: 'Get tickets' }).click()
  expect(await position(page)).toBe('2')
  await page.reload()
  expect(await position(page)).toBe('2')
  await page.goBack()
  await page.goForward()
  expect(await position(page)).toBe('2')
  const second = await stage.contextOf(page).newPage()
  await second.goto(`/events/${event.id}/wait`)
  expect(await position(second)).toBe('2')
  const { waiting } = await stage.call('GET', `/api/events/${event.id}/queue/stats`)
  expect(waiting).toBe(2)
}, 60_000)

it('[W19] [W20] a seat is chosen by keyboard; the page says when another visitor takes it meanwhile, and offers others', async () => {
  const rows = [
    { label: 'A', seats: 6 },
    { label: 'B', seats: 6 },
  ]
  const seatTypes = [{ name: 'Stalls', price: 100, currency: 'EUR', reservedSeating: true, rows }]
  const event = await stage.event({ name: 'Rivals', seatTypes, room: { ...GUESTS, capacity: 10, stockAware: false } })
  const [one, other] = await Promise.all([stage.visitor(), stage.visitor()])
  for (const page of [one, other]) {
    await page.goto(`/events/${event.id}/wait`)
    await heading(page, 'It’s your turn').waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/seats')
    await page.getByRole('application').waitFor()
  }
  await one.getByRole('application').focus()
  await one.keyboard.press('ArrowRight')
  await one.keyboard.press('ArrowRight')
  await one.getByText('Row A, seat 2, Stalls, €1.00, available').waitFor({ state: 'attached' })
  await one.keyboard.press('Enter')
  await one.locator('.chip', { hasText: 'Row A, seat 2' }).waitFor()

  await button(other, 'List').click()
  await other.getByText('Row A').first().click()
  await button(other, /^Row A, seat 2,/).click()
  await button(other, 'Reserve and pay').click()
  await heading(other, 'Checkout').waitFor()

  const bubble = one.getByRole('alert').filter({ hasText: 'Just taken' })
  await bubble.waitFor()
  expect(await one.locator('.chip').count()).toBe(0)
  await expectAccessible(one, 'a seat that was taken', 'main')
  await bubble.getByRole('button', { name: 'Take this one instead' }).click()
  await one.locator('.chip').waitFor()
  await button(one, 'Reserve and pay').click()
  await heading(one, 'Checkout').waitFor()
}, 60_000)

it('[R5] [W27] a place goes to a phone by the code that is typed there, and its seat is bought there', async () => {
  const seatTypes = [
    { name: 'Stalls', price: 2_500, currency: 'EUR', reservedSeating: true, rows: [{ label: 'A', seats: 4 }] },
  ]
  const room = { ...GUESTS, capacity: 5, paused: true }
  const event = await stage.event({ name: 'From desk to phone', seatTypes, room })
  const [desk, phone] = [await stage.visitor(), await stage.visitor()]
  await desk.goto(`/events/${event.id}/wait`)
  await takenOver(desk)
  await button(desk, 'Continue on another device').click()
  const code = await desk.locator('.phone dd.number').textContent()
  await phone.goto(`/events/${event.id}/handover`)
  await phone.getByLabel('Code from the other device').fill(String(code).toLowerCase())
  await button(phone, 'Move my place here').click()
  await heading(phone, 'Paused by the organiser').waitFor()
  await heading(desk, 'Continued on another device').waitFor()

  await stage.call('PATCH', `/api/events/${event.id}/room`, { paused: false })
  await goIn(phone)
  await button(phone, 'List').click()
  await phone.getByText('Row A').first().click()
  await button(phone, /^Row A, seat 3,/).click()
  await button(phone, 'Reserve and pay').click()
  await heading(phone, 'Checkout').waitFor()
  await pay(phone, 'Card that works')
  await heading(phone, 'Your seat is booked').waitFor()
  await phone.getByRole('link', { name: 'E-ticket 1' }).click()
  await phone.waitForURL('**/etickets/*')
  await phone.locator('.qr svg').waitFor()
  expect(await phone.textContent('main')).toMatch(/From desk to phone.*Row\s*A\s*Seat\s*3/s)
  await desk.reload()
  await heading(desk, 'Continued on another device').waitFor()
}, 60_000)

it('[W16] in front of another site: an admitted visitor goes on to it by one press', async () => {
  const facts = { name: 'A shop', target: 'https://shop.example/', guests: true, guestsPerAddress: 100 }
  const room = await stage.call('POST', '/api/rooms', facts)
  const page = await stage.visitor()
  const shop = { contentType: 'text/html', body: '<h1>The shop</h1>' }
  await stage.contextOf(page).route('https://shop.example/**', (route) => route.fulfill(shop))
  await page.goto(`/rooms/${String(room.id)}/wait?to=${encodeURIComponent('/cart?a=1')}`)
  await heading(page, 'It’s your turn').waitFor()
  await button(page, 'Go in').click()
  await heading(page, 'You’re in').waitFor()
  await button(page, 'Continue to the site').click()
  await heading(page, 'The shop').waitFor()
  expect(page.url()).toBe('https://shop.example/.seatwise/enter')
}, 60_000)

it('[W110] [W111] [W22] an access code opens hidden seats on the map, and its discount is at checkout', async () => {
  const seatTypes = [
    { name: 'Stalls', price: 9_000, currency: 'EUR', rows: [{ label: 'A', seats: 4 }] },
    { name: 'Box', price: 20_000, rows: [{ label: 'Z', seats: 2 }], hidden: true },
  ]
  const event = await stage.event({ name: 'Opera with boxes', seatTypes, room: { ...GUESTS, claimSeconds: 60 } })
  await stage.call('POST', `/api/events/${event.id}/codes`, { code: 'BOX', access: true, percent: 10 })
  const page = await stage.visitor()
  await page.goto(`/events/${event.id}`)
  expect(await page.getByText('Box', { exact: true }).count()).toBe(0)
  await page.goto(`/events/${event.id}/wait`)
  await goIn(page)
  await page.getByText('Have a code?').click()
  await page.getByLabel('Access, discount or priority code').fill('box')
  await button(page, 'Apply').click()
  await page.getByText('BOX: 10 % off').waitFor()
  await page.getByRole('button', { name: 'List' }).click()
  await page.getByText('Box', { exact: false }).first().waitFor()
  await expectAccessible(page, 'seats with a code')
  await page.locator('select').first().selectOption({ label: 'Box · €200.00' })
  await button(page, 'Best 2 together').click()
  await page.getByText('€400.00').waitFor()
  await button(page, 'Reserve and pay').click()
  await heading(page, 'Checkout').waitFor()
  await page.getByText('€360.00').first().waitFor()
})
