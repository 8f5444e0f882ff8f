import { expectFields, shape } from '@seatwise/testbench'
import { LANGUAGES } from '@seatwise/web'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { buyTwo, fillEmail, join } from './guests.ts'
import { expectLanguage } from './looks.ts'
import { expectAccessible, GUESTS, stage, takenOver } from './stage.ts'

const EVIL = '<img src=x onerror="window.hurt=1"><script>window.hurt=1</script>'
const PHONE = { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true }
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })

it('[W16] [W22] a turn that passed is told, and so is the time to pay', async () => {
  const room = { ...GUESTS, claimSeconds: 6, reservationSeconds: 2 }
  const event = await stage.event({ name: 'Short', totalSeats: 9, room })
  const page = await stage.visitor()
  await page.goto(`/events/${event.id}/wait`)
  await heading(page, 'It’s your turn').waitFor()
  await heading(page, 'You missed your turn').waitFor()
  await expectAccessible(page, 'missed')
  await stage.call('PATCH', `/api/events/${event.id}/room`, { claimSeconds: 60 })
  await page.getByRole('button', { name: 'Rejoin' }).click()
  await heading(page, 'It’s your turn').waitFor()
  await page.getByRole('button', { name: 'Go in' }).click()
  await page.getByRole('button', { name: /^One more/ }).click()
  await page.getByRole('button', { name: 'Reserve and pay' }).click()
  await heading(page, 'Your reservation has expired').waitFor()
  await expectAccessible(page, 'expired checkout')
}, 60_000)

it('[R146] [R144] the lobby of a draw checks the device, invites others, and shows the place once it is drawn', async () => {
  const inMs = (ms: number) => new Date(Date.now() + ms).toISOString()
  const room = { ...GUESTS, preQueueAt: inMs(-60_000), draw: 'commit', challenge: 'off', paused: true }
  const event = await stage.event({ name: 'Drawn', totalSeats: 9, salesStartAt: inMs(3_600_000), room })
  const page = await stage.visitor()
  await page.goto(`/events/${event.id}/wait`)
  await heading(page, 'You’re in the draw').waitFor()
  await page.getByText('Being early gives no advantage').waitFor()
  await page.locator('[data-check=connection][data-good=true]').waitFor()
  await page.locator('[data-check=clock][data-good=true]').waitFor()
  await page.locator('[data-check=sound][data-good=false]').waitFor()
  await page.getByText('Waiting with others?').click()
  await page.getByRole('button', { name: 'Invite others' }).click()
  const link = await page.locator('a[href*="?group="]').getAttribute('href')
  await expectAccessible(page, 'an invitation')
  const friend = await stage.visitor(PHONE)
  await friend.goto(link ?? '')
  await friend.getByText('2 people in all').waitFor()
  await stage.call('PATCH', `/api/events/${event.id}`, { salesStartAt: inMs(1_500) })
  await page.locator('[data-state=paused] .position').waitFor({ timeout: 30_000 })
  expect(await page.locator('.position').textContent()).toBe('1')
}, 90_000)

it('[W22] [W25] [W13] no violations on error pages and before the sale, whatever the address', async () => {
  const page = await stage.visitor()
  const unknown = '00000000-0000-4000-8000-000000000000'
  for (const path of [
    '/nothing',
    `/events/${unknown}`,
    `/events/${encodeURIComponent(EVIL)}/wait`,
    '/events/..%2f..%2fetc/seats',
  ]) {
    const answer = await page.goto(path)
    expect([404, 400], path).toContain(answer?.status())
    expect(await page.evaluate('window.hurt')).toBeUndefined()
  }
  await page.goto('/nothing')
  await heading(page, 'Page not found').waitFor()
  await expectAccessible(page, 'nothing here')
  await page.goto(`/sign-in?new=1`)
  await expectAccessible(page, 'sign up')
  const event = await stage.event({
    name: 'Not yet',
    totalSeats: 9,
    salesStartAt: new Date(Date.now() + 5 * 3_600_000).toISOString(),
    room: GUESTS,
  })
  await page.goto(`/events/${event.id}`)
  await page.locator('.countdown b').first().waitFor()
  await expectAccessible(page, 'before the sale')
  await page.goto(`/events/${event.id}/wait`)
  const clock = page.locator('[data-state=before] .position')
  const atFirst = await clock.textContent()
  expect(atFirst).toMatch(/^(5:00:00|4:5\d:\d\d)$/)
  await expect.poll(() => clock.textContent(), { timeout: 30_000 }).not.toBe(atFirst)
  await expectAccessible(page, 'before the line, with its countdown')
  await page.goto(`/events/${event.id}/seats`)
  await heading(page, 'It’s not your turn yet').waitFor()
  await expectAccessible(page, 'not inside', 'main')
  await page.goto('/?q=nothing-is-called-so')
  await page.getByText('No events found').waitFor()
  await expectAccessible(page, 'nothing found', 'main')
}, 60_000)

it('[W145] [W22] the waiting page solves the proof of work, and joins by itself', async () => {
  const event = await stage.event({
    name: 'Crowded',
    totalSeats: 9,
    room: { ...GUESTS, challenge: 'always', paused: true },
  })
  const page = await stage.visitor(PHONE)
  const joins: string[] = []
  let letGo = (): void => {}
  const looked = new Promise<void>((resolve) => {
    letGo = resolve
  })
  await page.route('**/queue/join', async (route) => {
    joins.push(route.request().postData() ?? '')
    if (joins.length > 1) await looked
    await route.continue()
  })
  const workers: string[] = []
  page.on('worker', (worker) => workers.push(worker.url()))
  await page.goto(`/events/${event.id}/wait`)
  await page.getByText('% calculated').waitFor()
  await expectAccessible(page, 'solving a challenge')
  letGo()
  await heading(page, /Paused/).waitFor()
  expect(joins).toHaveLength(2)
  expect(joins[1]).toContain('proof')
  expect(workers).toHaveLength(1)
}, 60_000)

it('[W29] [W22] [W15] a waiting visitor sees the position as it comes, then a longer wait, a message, a pause and the end of seats', async () => {
  const event = await stage.event({
    name: 'Moving',
    totalSeats: 2,
    // Two places are free, but no visitor is admitted for a minute: the estimate is that long. With one place the first
    // visitor has to leave, and visitors of this room are assumed to stay for several minutes.
    room: { ...GUESTS, capacity: 2, ratePerMinute: 1, burst: 1, sessionSeconds: 3_600, reservationSeconds: 3_600 },
  })
  const first = await join(event)
  const page = await stage.visitor(PHONE)
  await page.goto(`/events/${event.id}/wait`, { waitUntil: 'commit' })
  await page.locator('.position').waitFor()
  const source = await (await page.request.get(`/events/${event.id}/wait`)).text()
  expect(source).toMatch(/class="position number">2</)
  await expectAccessible(page, 'waiting on a phone')
  const wide = await page.evaluate('document.documentElement.scrollWidth <= innerWidth')
  expect(wide).toBe(true)
  await stage.call('PATCH', `/api/events/${event.id}/room`, { capacity: 1, ratePerMinute: 600 })
  await page.getByText('Longer than we estimated: the organiser lets fewer people in at once.').waitFor()
  await expectAccessible(page, 'slower than foretold')

  await stage.call('PATCH', `/api/events/${event.id}/room`, { message: EVIL, paused: true })
  await heading(page, 'Paused by the organiser').waitFor()
  await page.getByText('window.hurt=1').first().waitFor()
  expect(await page.evaluate('window.hurt')).toBeUndefined()
  await expectAccessible(page, 'paused, with a message')
  await stage.call('PATCH', `/api/events/${event.id}/room`, { paused: false })
  await buyTwo(event, first)
  await heading(page, 'Sold out').waitFor()
  await expectAccessible(page, 'sold out')
}, 60_000)

it('[W23] [W28] script in every text that can be set appears as text, and a brand as colour, picture and words', async () => {
  const seatTypes = [
    { name: EVIL, price: 1, currency: 'EUR', reservedSeating: true, rows: [{ label: '<i>A', seats: 3 }] },
  ]
  const facts = { name: `Evil ${EVIL}`, description: EVIL, location: EVIL, seatTypes, room: GUESTS }
  const event = await stage.event(facts)
  const logo = 'https://example.invalid/logo.png?"><script>'
  await stage.call('PUT', `/api/events/${event.id}/brand`, { colour: '#ffee00', logo, text: EVIL })
  for (const bad of [{ colour: 'red' }, { logo: 'http://example.com/a.png' }, { logo: 'javascript:alert(1)' }]) {
    await expect(
      stage.call('PUT', `/api/events/${event.id}/brand`, { colour: null, logo: null, text: null, ...bad }),
    ).rejects.toThrow('400')
  }
  const page = await stage.visitor()
  await signUpAs(page, EVIL)
  await stage.contextOf(page).route('https://example.invalid/**', (route) => route.abort())
  for (const path of [
    '/',
    '/?q=evil',
    `/events/${event.id}`,
    `/events/${event.id}/wait`,
    `/?q=${encodeURIComponent(EVIL)}`,
  ]) {
    await page.goto(path)
    expect(await page.textContent('body'), path).toContain('window.hurt=1')
    expect(await page.evaluate('window.hurt'), path).toBeUndefined()
  }
  await page.goto(`/events/${event.id}/wait`)
  const accent = await page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--accent')")
  expect(accent).not.toMatch(/8a2b36|ffee00/)
  expect(await page.locator('.banner img').getAttribute('src')).toMatch(
    /^https:\/\/example\.invalid\/logo\.png\?%22%3E%3Cscript%3E$/,
  )
  await heading(page, 'It’s your turn').waitFor()
  await page.getByRole('button', { name: 'Go in' }).click()
  await page.getByRole('application').waitFor()
  await page.getByRole('button', { name: /Best 2/ }).click()
  await page.getByRole('button', { name: 'Reserve and pay' }).click()
  await heading(page, 'Checkout').waitFor()
  expect(await page.evaluate('window.hurt')).toBeUndefined()
  await fillEmail(page)
  await page.getByRole('button', { name: /^Pay/ }).click()
  await heading(page, 'Your seats are booked').waitFor()
  expect(await page.evaluate('window.hurt')).toBeUndefined()
  await page.getByRole('link', { name: 'E-ticket 1' }).click()
  await heading(page, `Evil ${EVIL}`).waitFor()
  const seat = await page.locator('.eticket dd').allTextContents()
  expect([seat[0], seat[1], await page.locator('.eticket header').textContent()]).toEqual([
    EVIL,
    '<i>A',
    expect.stringMatching(/window\.hurt=1.*window\.hurt=1.*window\.hurt=1.*window\.hurt=1/s),
  ])
  expect(await page.evaluate('window.hurt')).toBeUndefined()
  await page.goto('/reservations')
  await page.getByRole('heading', { level: 2, name: `Evil ${EVIL}` }).waitFor()
  expect(await page.getByRole('button', { name: 'Sign out' }).getAttribute('title')).toBe(EVIL)
  expect(await page.evaluate('window.hurt')).toBeUndefined()
}, 60_000)

async function signUpAs(page: Page, name: string): Promise<void> {
  await page.goto('/sign-in?new=1&next=/reservations')
  await page.getByLabel('Your name').fill(name)
  await page.getByLabel('Email address').fill('hostile@example.com')
  await page.getByLabel('Password').fill('nine green bottles')
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.waitForURL(({ pathname }) => pathname === '/reservations')
}

it('[W32] a visitor who wants to is shown by name to those around, as text, and no longer after removing the name', async () => {
  const event = await stage.event({ name: 'Neighbours', totalSeats: 9, room: { ...GUESTS, paused: true } })
  const [ida, teo] = [await stage.visitor(), await stage.visitor()]
  await ida.goto(`/events/${event.id}/wait`)
  await teo.goto(`/events/${event.id}/wait`)
  await ida.getByText('Show your name to people near you in line').click()
  await ida.getByLabel('Your name').fill(EVIL.slice(0, 40))
  await ida.getByRole('button', { name: 'Show my name' }).click()
  await ida.getByText('People near you see you as <img').waitFor()
  await expectAccessible(ida, 'shown by a name')
  await teo.reload()
  await teo.locator('.initial', { hasText: '<' }).waitFor()
  await ida.getByRole('button', { name: 'Hide my name' }).click()
  await ida.getByLabel('Your name').waitFor()
  await teo.reload()
  await teo.getByText('Show your name to people near you in line').waitFor()
  expect(await teo.locator('.initial').count()).toBe(0)
  expect(await ida.evaluate('window.hurt')).toBeUndefined()
}, 60_000)

it('[W27] a place goes to a phone, and the code is in no address that is sent', async () => {
  const event = await stage.event({ name: 'Two devices', totalSeats: 9, room: { ...GUESTS, paused: true } })
  const [desk, phone] = [await stage.visitor(), await stage.visitor(PHONE)]
  await desk.goto(`/events/${event.id}/wait`)
  await takenOver(desk)
  const answered = desk.waitForResponse('**/queue/handover')
  await desk.getByRole('button', { name: 'Continue on another device' }).click()
  const { code } = expectFields(await (await answered).json(), { code: shape.text })
  await desk.locator('.qr svg').waitFor()
  await expectAccessible(desk, 'with a code for a phone', 'main')
  const sent: string[] = []
  phone.on('request', (request) => sent.push(request.url()))
  await phone.goto(`/events/${event.id}/handover#${code}`)
  expect(sent.every((url) => !url.includes(code) || url.endsWith(`#${code}`))).toBe(true)
  expect(await phone.inputValue('#code')).toBe(code)
  expect(phone.url()).not.toContain(code)
  await expectAccessible(phone, 'handover', 'main')
  await phone.getByRole('button', { name: 'Move my place here' }).click()
  await phone.waitForURL('**/wait')
  expect(await phone.textContent('.position')).toBe('1')
  await heading(desk, 'Continued on another device').waitFor()
  await expectAccessible(desk, 'moved', 'main')
  // Coming back to the page takes nothing back; the button does.
  await desk.reload()
  await heading(desk, 'Continued on another device').waitFor()
  expect(await phone.reload().then(() => phone.textContent('.position'))).toBe('1')
  await desk.getByRole('button', { name: 'Continue here instead' }).click()
  await desk.locator('.position').waitFor()
  await heading(phone, 'Continued on another device').waitFor()
}, 60_000)

it('[W2] [W3] the waiting page in three languages, by the browser and by choice', async () => {
  const event = await stage.event({ name: 'Words', totalSeats: 9, room: { ...GUESTS, paused: true } })
  const page = await stage.visitor({ locale: 'vi' })
  await page.goto(`/events/${event.id}/wait`)
  await heading(page, 'Ban tổ chức tạm dừng').waitFor()
  expect(await page.getAttribute('html', 'lang')).toBe('vi')
  for (const [language, name, title] of [
    ['ko', '한국어', '주최 측이 잠시 멈췄습니다'],
    ['en', 'English', 'Paused by the organiser'],
  ] as const) {
    await page.getByRole('link', { name }).click()
    await heading(page, title).waitFor()
    expect(await page.getAttribute('html', 'lang')).toBe(language)
  }
  await page.goto('/')
  expect(await page.getAttribute('html', 'lang')).toBe('en')
}, 60_000)

it('[W22] [W3] [W145] axe finds nothing on the pages of those who may not join yet, and they speak every language', async () => {
  const room = { ...GUESTS, paused: true }
  const sales = {
    challenge: await stage.event({ name: 'Aurora', totalSeats: 9, room: { ...room, challenge: 'always' } }),
    guests: await stage.event({ name: 'Aurora', totalSeats: 9, room: { ...room, guestsPerAddress: 1 } }),
    invited: await stage.event({ name: 'Aurora', totalSeats: 9, room: { ...room, entry: 'invited' } }),
    verified: await stage.event({ name: 'Aurora', totalSeats: 9, room: { ...room, entry: 'verified' } }),
    device: await stage.event({ name: 'Aurora', totalSeats: 9, room }),
  }
  await join(sales.guests)
  for (const language of LANGUAGES) {
    const page = await stage.visitor({ locale: language })
    // Never answered: the script would go on by itself.
    await page.route('**/queue/join', () => undefined)
    await page.goto(`/events/${sales.device.id}/wait`)
    // The device forgets who was there, as after signing out.
    await stage.contextOf(page).clearCookies({ name: /^seatwise-(session|tickets)$/ })
    for (const [state, { id }] of Object.entries(sales)) {
      await page.goto(`/events/${id}/wait`)
      await page.locator(`[data-state=${state}]`).waitFor()
      await expectAccessible(page, `${state} in ${language}`)
      if (language !== 'en') await expectLanguage(page, language, 'aurora')
    }
  }
}, 90_000)

it('[W24] a page that was left open for a day is still true', async () => {
  const event = await stage.event({ name: 'A day', totalSeats: 9, room: { ...GUESTS, paused: true } })
  await join(event)
  const page = await stage.visitor()
  await page.clock.install()
  await page.goto(`/events/${event.id}/wait`)
  expect(await page.textContent('.position')).toBe('2')
  await page.clock.fastForward(24 * 3_600_000)
  await stage.call('PATCH', `/api/events/${event.id}/room`, { message: 'Good morning' })
  await page.clock.runFor(60_000)
  await page.getByText('Good morning').waitFor()
  expect(await page.textContent('.position')).toMatch(/^[12]$/)
}, 60_000)
