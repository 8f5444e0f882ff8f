import { waitUntil } from '@seatwise/testbench'
import { expect, it } from 'vitest'
import { bench, HOSTILE, PASSWORD } from './operator.ts'

interface Now {
  phase: string
  active: number
  ratePerMinute: number
  message: string | null
}
const now = (eventId: string): Promise<Now> => bench.call<Now>('GET', `/api/events/${eventId}/queue/now`)

it('[W70] an operator signs in, draws a seat plan by clicking, and opens the sale', async () => {
  const page = await bench.signIn('/console')
  await page.click('a[href="/console/new"]')
  // The page before has a field of that name, too.
  await page.waitForURL('**/console/new')
  await page.fill('input[name=name]', HOSTILE)
  await page.fill('input[name=location]', HOSTILE)
  await page.fill('textarea[name=description]', HOSTILE)
  const anHourAgo = new Date(Date.now() - 3_600_000 - new Date().getTimezoneOffset() * 60_000)
    .toISOString()
    .slice(0, 16)
  await page.fill('input[name=salesStartAt]', anHourAgo)
  await page.fill('input[name=typeName]', 'Stalls')
  await page.fill('input[name=price]', '90.5')
  await page.fill('input[name=block-rows]', '2')
  await page.fill('input[name=block-seats]', '6')
  await page.click('text=Add block')
  await page.check('input[name=tool][value=block]')
  await page.click('.plan .row[data-label=B] .seat[data-number="1"]')
  await page.check('input[name=tool][value=accessible]')
  await page.click('.plan .row[data-label=C] .seat[data-number="2"]')
  await page.click('summary')
  await page.fill('[aria-label="Not for sale, Stalls A"]', '1, 9-10')
  await page.click('button:has-text("Create event")')
  await page.waitForURL(/\/console\/events\/[0-9a-f-]+#ready$/)
  await page.waitForSelector('.verdict')
  expect(await page.textContent('h1')).toBe(HOSTILE)
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  type Event = { name: string; seatTypes: { price: number; rows: { label: string; seats: number }[] }[] }
  const event = await bench.call<Event>('GET', `/api/events/${id}`)
  expect(event).toMatchObject({ name: HOSTILE, location: HOSTILE, description: HOSTILE })
  expect(event.seatTypes).toMatchObject([
    {
      price: 9_050,
      rows: [
        { label: 'A', seats: 10, blocked: [1, 9, 10] },
        { label: 'B', seats: 6, blocked: [1] },
        { label: 'C', seats: 6, accessible: [2] },
      ],
    },
  ])
  expect((await now(id)).phase).toBe('open')
  await page.goto(`/console/events/${id}/edit`)
  await page.check('input[name=tool][value=block]')
  await page.click('.plan .row[data-label=B] .seat[data-number="1"]')
  await page.click('.editor > p button')
  await page.waitForSelector('.notice.good')
  const edited = await bench.call<Event>('GET', `/api/events/${id}`, { token: bench.admin })
  expect(edited.seatTypes[0]?.rows.find(({ label }) => label === 'B')).toMatchObject({ blocked: [] })
})

it('[W84] letting visitors in now shows first how many can go in, and then who went in', async () => {
  const id = await bench.openSale({ ratePerMinute: 1, burst: 1, capacity: 3, claimSeconds: 0 })
  for (let index = 0; index < 5; index++) await bench.join(id, `Guest ${index}`)
  const page = await bench.at(`/console/events/${id}`)
  await page.fill('#admit-count', '4')
  await page.waitForSelector('.admit-now >> text=3 of 4 can go in now. Then every place inside is taken.')
  expect((await now(id)).active).toBe(0)
  await page.click('button:has-text("Let 4 in now")')
  await page.waitForSelector('.admit-now >> text=3 visitors were let in.')
  await waitUntil('they are inside', async () => (await now(id)).active === 3)
  await page.waitForSelector('.admit-now >> text=0 of 4 can go in now.')
  expect(await page.isDisabled('.admit-now button')).toBe(true)
  await page.click('#tab-trail')
  await page.waitForSelector('[role=tabpanel] >> text=Let visitors in now: number 4')
})

it('[W62 W71] a change is shown with its effect, applied by keyboard, followed by those who wait, and undone', async () => {
  // With so short a time a waiting visitor polls every two seconds, and hears of a change as soon.
  const pace = { capacity: 1, burst: 1, ratePerMinute: 600, reservationSeconds: 30 }
  const id = await bench.openSale({ ...pace, heartbeatTimeoutSeconds: 6 })
  // Five come and go, which tells the room how long people take; then a visitor stays, and mostly the rate matters.
  for (let index = 0; index < 5; index++) await comeAndGo(id, `Early guest ${index}`)
  const tickets: string[] = []
  for (let index = 0; index < 13; index++) tickets.push((await bench.join(id, `Guest ${index}`)).ticketToken)
  await using _ = keepPolling(id, tickets)
  await waitUntil('the only place is taken', async () => (await now(id)).active === 1)
  await bench.call('PATCH', `/api/events/${id}/room`, { token: bench.admin, body: { ratePerMinute: 4 } })
  await waitUntil('the public document shows the rate', async () => (await now(id)).ratePerMinute === 4)
  const visitor = await bench.newPage()
  await visitor.goto(`/events/${id}/wait`)
  const minutes = async (): Promise<number> => Number(/\d+/.exec((await visitor.textContent('.range')) ?? '')?.[0])
  const page = await bench.at(`/console/events/${id}`)
  await page.waitForFunction(() => document.body.textContent?.includes('13 people waiting'))
  await page.fill('#ratePerMinute', '2')
  await page.waitForSelector('.effect >> text=The last visitor waits')
  const effect = await page.textContent('.effect')
  const [, after, before] = /waits (\d+) minutes instead of (\d+) minutes/.exec(effect ?? '') ?? []
  expect(Number(after) / Number(before)).toBeCloseTo(2, 0)
  expect((await now(id)).ratePerMinute).toBe(4)
  const promised = await minutes()
  await page.press('#ratePerMinute', 'Enter')
  await waitUntil('the public document shows the new rate', async () => (await now(id)).ratePerMinute === 2)
  await visitor.getByText('Longer than we estimated: the organiser slowed the line.').waitFor()
  expect(await minutes()).toBeGreaterThan(promised)

  await page.fill('textarea[name=message]', HOSTILE)
  await page.click('button:has-text("Pause")')
  await page.waitForSelector('.effect >> text=Admission stops until you resume.')
  await page.click('button:has-text("Apply")')
  await waitUntil('it is paused', async () => (await now(id)).phase === 'paused')
  await visitor.waitForFunction((text) => document.body.textContent?.includes(text), HOSTILE)

  await page.click('#tab-trail')
  await page.click('[role=tabpanel] tr:has-text("paused") button')
  await waitUntil('it is open again', async () => (await now(id)).phase === 'open')
  expect(await now(id)).toMatchObject({ message: null, ratePerMinute: 2 })
  await page.waitForSelector('[role=tabpanel] >> text=undone')
  const trail = await page.textContent('[role=tabpanel]')
  for (const word of ['4 → 2', 'no → yes', HOSTILE, 'undoes an earlier change', 'Created the event']) {
    expect(trail).toContain(word)
  }
})

/** Visitors who are not seen leave the count within seconds: these are seen. */
function keepPolling(id: string, tickets: readonly string[]): AsyncDisposable {
  const ending = new AbortController()
  const poll = async (): Promise<void> => {
    for (const ticket of tickets) {
      await bench.call('GET', `/api/events/${id}/queue/status`, { headers: { 'seatwise-ticket': ticket } })
    }
  }
  const polling = waitUntil(
    'the test is over',
    async () => {
      if (!ending.signal.aborted) await poll()
      return ending.signal.aborted
    },
    { everyMs: 1_000, timeoutMs: 120_000 },
  )
  return {
    async [Symbol.asyncDispose]() {
      ending.abort()
      await polling
    },
  }
}

async function comeAndGo(id: string, name: string): Promise<void> {
  const { ticketToken } = await bench.join(id, name)
  const headers = { 'seatwise-ticket': ticketToken }
  const status = async () =>
    (await bench.call<{ status: string }>('GET', `/api/events/${id}/queue/status`, { headers })).status
  await waitUntil('it is their turn', async () => (await status()) !== 'waiting')
  await bench.call('DELETE', `/api/events/${id}/queue`, { headers })
}

it('[W72] the line is a table in which a ticket can be ended, after a confirmation', async () => {
  const id = await bench.openSale({ capacity: 1, burst: 1, ratePerMinute: 60, paused: true })
  const { ticketToken } = await bench.join(id, HOSTILE)
  await bench.join(id, 'Bob')
  const page = await bench.at(`/console/events/${id}`)
  await page.waitForSelector('[role=tabpanel] td >> text=Bob')
  expect(await page.textContent('tbody tr:first-child td:nth-child(2)')).toBe(HOSTILE)
  await page.click('tbody tr:first-child button')
  expect(await page.textContent('dialog p')).toContain(HOSTILE)
  await page.click('dialog button:has-text("Cancel")')
  await page.click('tbody tr:first-child button')
  await page.click('dialog button.main')
  await page.waitForFunction(() => document.querySelectorAll('[role=tabpanel] tbody tr').length === 1)
  const headers = { 'seatwise-ticket': ticketToken }
  const standing = await bench.call('GET', `/api/events/${id}/queue/status`, { headers })
  expect(standing).toMatchObject({ status: 'expired', reason: 'terminated' })
})

it('[W114] [W115] seats are refunded by choice, and cancelling an event shows its effect and its progress', async () => {
  const id = await bench.openSale({ capacity: 100, burst: 100, ratePerMinute: 60_000, claimSeconds: 0 })
  const [, scanned] = [await bench.buy(id, 'Dora'), await bench.buy(id, 'Eda')]
  const page = await bench.at(`/console/events/${id}/check-in`)
  await page.fill('input[name=code]', scanned.code)
  await page.keyboard.press('Enter')
  await page.waitForSelector('.scan >> text=Let them in')
  await page.goto(`/console/events/${id}#reservations`)
  await page.fill('input[name=find]', scanned.person.email)
  await page.waitForFunction(() => document.querySelectorAll('[role=tabpanel] tbody tr').length === 1)
  await page.click('tbody button:has-text("Refund")')
  await page.check('dialog input[name=keepFees]')
  await page.click('dialog button.main')
  // A visitor was let in with it: the console asks again.
  await page.click('dialog button.main:has-text("Refund used seats")')
  await page.waitForSelector('tbody >> text=Refunded')
  await page.click('#tab-settings')
  await page.fill('textarea[name=cancelMessage]', 'The singer is ill')
  await page.click('[role=tabpanel] button:has-text("Cancel the event")')
  await page.click('dialog button.main')
  await page.waitForSelector('text=This event was cancelled.')
  await page.waitForSelector('text=1 of 1 orders refunded')
  await page.goto(`/events/${id}`)
  expect(await page.textContent('main')).toContain('The singer is ill')
})

it('[W73] a reservation is found and refunded, and an e-ticket lets in once', async () => {
  const id = await bench.openSale({ capacity: 100, burst: 100, ratePerMinute: 60_000, claimSeconds: 0 })
  const [kept, refunded] = [await bench.buy(id, 'Cleo'), await bench.buy(id, HOSTILE)]
  const page = await bench.at(`/console/events/${id}`)
  await page.click('#tab-reservations')
  await page.fill('input[name=find]', refunded.person.email)
  await page.waitForFunction(() => document.querySelectorAll('[role=tabpanel] tbody tr').length === 1)
  expect(await page.textContent('tbody td')).toContain(HOSTILE)
  await page.click('tbody button:has-text("Refund")')
  await page.click('dialog button.main')
  await page.waitForSelector('tbody >> text=Refunded')

  const answer = await page.goto(`/console/events/${id}/check-in`)
  expect(answer?.headers()['permissions-policy']).toContain('camera=(self)')
  const scan = async (code: string, says: string): Promise<void> => {
    await page.fill('input[name=code]', code)
    await page.keyboard.press('Enter')
    await page.waitForSelector(`.scan >> text=${says}`)
  }
  await scan(kept.code, 'Let them in')
  await scan(kept.code, 'Already used')
  await scan(refunded.code, 'refunded')
  await scan(HOSTILE, 'Not one of our e-tickets')
  expect(await page.textContent('main')).toContain('1 checked in on this device')
  await page.goto(`/console/events/${id}#trail`)
  await page.waitForSelector('[role=tabpanel] >> text=Checked in an e-ticket')
  await page.waitForSelector('[role=tabpanel] >> text=Refunded')
})

it('[W74] a user who may not operate is turned away, and staff look without changing', async () => {
  const id = await bench.openSale()
  const stranger = await bench.newPage()
  await stranger.goto(`/console/events/${id}`)
  expect(new URL(stranger.url()).pathname).toBe('/sign-in')
  const buyer = await bench.register('Buyer')
  const refused = await bench.signIn('/console', { email: buyer.email, password: PASSWORD })
  for (const path of ['/console', `/console/events/${id}`, '/console/new', `/console/events/${id}/check-in`]) {
    expect((await refused.goto(path))?.status()).toBe(403)
  }
  const other = await bench.register('Other', 'organizer')
  const organizer = await bench.signIn('/console', { email: other.email, password: PASSWORD })
  expect(await organizer.textContent('main')).not.toContain('Aurora Live')
  expect((await organizer.goto(`/console/events/${id}`))?.status()).toBe(403)
  const helper = await bench.register('Helper', 'staff')
  const staff = await bench.signIn(`/console/events/${id}`, { email: helper.email, password: PASSWORD })
  await staff.waitForSelector('text=You have read-only access.')
  expect(await staff.locator('.controls, #tab-reservations, #tab-codes').count()).toBe(0)
  expect((await staff.goto(`/console/events/${id}/edit`))?.status()).toBe(403)
  expect((await staff.goto('/console/events/%3Cscript%3E'))?.status()).toBe(404)
})

it('[W113] codes are made one by one and in bulk, listed with their uses, exported and ended', async () => {
  const id = await bench.openSale()
  const page = await bench.at(`/console/events/${id}#codes`)
  const form = page.locator('.event-codes form')
  await form.locator('[name=code]').fill('Spring 26')
  await form.locator('[name=value]').fill('12.5')
  await form.locator('[name=usesMax]').fill('50')
  await form.locator('button[type=submit]').click()
  await page.waitForSelector('.event-codes >> text=1 code created.')
  await form.locator('[name=count]').fill('3')
  await form.locator('[name=effect]').selectOption('none')
  await form.locator('[name=access]').check()
  await form.locator('button[type=submit]').click()
  await page.waitForSelector('.event-codes >> text=3 codes created.')
  const rows = page.locator('.event-codes tbody tr')
  await waitUntil('all codes are listed', async () => (await rows.count()) === 4)
  const spring = rows.filter({ hasText: 'Spring 26' })
  expect(await spring.textContent()).toContain('Percent off 12.5')
  expect(await spring.textContent()).toContain('0 / 50')
  await spring.getByRole('button', { name: 'End' }).click()
  await page.locator('dialog button.main').click()
  await spring.getByText('ended', { exact: true }).waitFor()
  const [table] = await Promise.all([page.waitForEvent('download'), page.click('.event-codes a[href$="codes.csv"]')])
  expect(table.suggestedFilename()).toBe('codes.csv')
})
