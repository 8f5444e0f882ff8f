import { buySeats, crowd, GUESTS, joinMany, LINE, leaveAs, lookAs, makeSale } from './sales.ts'
import type { Shooting } from './shooting.ts'

/** Every state of the waiting page. */
export async function shootWaiting(shooting: Shooting): Promise<void> {
  await far(shooting)
  await nearAndTurn(shooting)
  await paused(shooting)
  await back(shooting)
  await trouble(shooting)
  await outside(shooting)
  await soldOut(shooting)
  await plain(shooting)
}

async function far(shooting: Shooting): Promise<void> {
  const { stage, page } = shooting
  const winter = { name: 'Winterreise', location: 'Wigmore Hall, London' }
  // With so short a time the page asks every few seconds, and hears of a change as soon.
  const room = { ...LINE, ratePerMinute: 600, heartbeatTimeoutSeconds: 9 }
  const id = await makeSale(stage, { ...winter, totalSeats: 90, room })
  // Nobody can say how long it takes before somebody has been inside and left.
  const [quick] = await joinMany(stage, id, ['Ada'])
  if (quick === undefined) throw new Error('Somebody must come')
  while ((await lookAs(stage, id, quick)) !== 'admitted');
  await leaveAs(stage, id, quick)
  await joinMany(stage, id, crowd(22))
  await stage.operate('PATCH', `/api/events/${id}/room`, { ratePerMinute: 2 })
  // What everybody may read is a second old at most.
  while ((await stage.operate('GET', `/api/events/${id}/queue/now`)).ratePerMinute !== 2);
  await shooting.visit('waiting', `/events/${id}/wait`, '.line .initial')
  await page.locator('[data-action=handOver] button').dispatchEvent('click')
  await page.locator('.phone svg').waitFor()
  await page.locator('.phone').scrollIntoViewIfNeeded()
  await shooting.show('waiting-phone', 'here')
  await page.reload()
  await page.locator('.line .person').first().waitFor()
  await page.context().setOffline(true)
  await page.locator('.notice.bad').waitFor()
  await shooting.show('waiting-offline')
  await page.context().setOffline(false)
  await page.locator('.notice.bad').waitFor({ state: 'detached' })
  await stage.operate('PATCH', `/api/events/${id}/room`, { ratePerMinute: 1 })
  await page.getByText('the organiser slowed the line').waitFor()
  await shooting.show('waiting-slower')
  await shooting.press('Leave the line')
  await page.getByRole('alertdialog').waitFor()
  await shooting.show('waiting-leave', 'here')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Leave the line' }).click()
  await shooting.state('left')
  await shooting.show('left')
  const scarce = await makeSale(stage, { name: 'Die Fledermaus', location: 'Wien', totalSeats: 12, room: LINE })
  await joinMany(stage, scarce, crowd(21))
  await shooting.visit('waiting-scarce', `/events/${scarce}/wait`, '.line .initial')
}

async function nearAndTurn(shooting: Shooting): Promise<void> {
  const { stage, page } = shooting
  const room = { ...LINE, ratePerMinute: 600, sessionSeconds: 8, claimSeconds: 8 }
  const id = await makeSale(stage, { name: 'Jazz at ten', location: 'Copenhagen', totalSeats: 40, room })
  await joinMany(stage, id, ['Linh'])
  await page.goto(`/events/${id}/wait`)
  await shooting.state('near')
  await shooting.show('waiting-near')
  await shooting.state('turn')
  await page.locator('.ring svg').waitFor()
  await shooting.show('turn')
  await shooting.state('missed')
  await shooting.show('missed')
  await shooting.press('Rejoin')
  await shooting.state('turn')
  await shooting.press('Go in')
  await page.waitForURL('**/seats')
  await shooting.visit('inside', `/events/${id}/wait`, '[data-state=floor]')
  await shooting.state('timeout')
  await shooting.show('time-over')
}

async function paused(shooting: Shooting): Promise<void> {
  const { stage } = shooting
  const ballet = { name: 'Giselle', location: 'Seoul Arts Center', totalSeats: 400 }
  const id = await makeSale(stage, { ...ballet, room: { ...GUESTS, paused: true } })
  await joinMany(stage, id, crowd(3))
  await stage.operate('PATCH', `/api/events/${id}/room`, { message: 'The lights need ten minutes. We go on at 20:10.' })
  const text = 'Doors open at 19:00. Cloakroom on the left.'
  await stage.operate('PUT', `/api/events/${id}/brand`, { colour: '#1f6f5c', logo: null, text })
  await shooting.visit('waiting-paused', `/events/${id}/wait`, '.message')
  const phone = await shooting.other()
  const { link } = await codeOf(shooting)
  await phone.visit('handover', link, 'button')
  await phone.press('Move my place here')
  await phone.page.waitForURL('**/wait')
  await shooting.state('moved')
  await shooting.show('moved')
  await phone.close()
}

/** Away by silence: somebody else goes in meanwhile. */
async function back(shooting: Shooting): Promise<void> {
  const { stage, page } = shooting
  const room = { ...LINE, paused: true, heartbeatTimeoutSeconds: 1 }
  const id = await makeSale(stage, { name: 'Così fan tutte', location: 'Salzburg', totalSeats: 60, room })
  await page.goto(`/events/${id}/wait`)
  await shooting.state('paused')
  await page.goto('about:blank')
  const leftAt = Date.now()
  const guests = await joinMany(stage, id, crowd(6))
  const isIn = async () => (await Promise.all(guests.map((guest) => lookAs(stage, id, guest)))).includes('admitted')
  while (Date.now() - leftAt < 1_500) await isIn()
  await stage.operate('PATCH', `/api/events/${id}/room`, { paused: false })
  while (!(await isIn()));
  await shooting.visit('waiting-back', `/events/${id}/wait`, '[data-state=back] .line .initial')
}

/** The server is away, the organiser ends a place, and one that nobody knows any more. */
async function trouble(shooting: Shooting): Promise<void> {
  const { stage } = shooting
  const aida = { name: 'Aida', location: 'Arena di Verona', totalSeats: 900 }
  const id = await makeSale(stage, { ...aida, room: { ...GUESTS, paused: true } })
  await joinMany(stage, id, crowd(9))
  const visitor = await shooting.other()
  const { page } = visitor
  await page.goto(`/events/${id}/wait`)
  await page.locator('.line .initial').first().waitFor({ state: 'attached' })
  await page.route('**/api/**', (route) => route.abort())
  await page.locator('.notice.bad').waitFor()
  await visitor.show('waiting-retrying')
  await page.unroute('**/api/**')
  await page.locator('.notice.bad').waitFor({ state: 'detached' })
  const { ticketId } = await (await page.request.get(`/api/events/${id}/queue/status`)).json()
  await stage.operate('POST', `/api/events/${id}/queue/terminate`, { ticketId })
  await visitor.state('removed')
  await visitor.show('removed')
  await visitor.press('Rejoin')
  await visitor.state('paused')
  await page.route('**/queue/status', (route) => route.fulfill({ status: 404, json: { code: 'NOT_FOUND' } }))
  await visitor.state('lost')
  await visitor.show('lost')
  await visitor.close()
}

/** The address that the code on the screen stands for, asked for again. */
async function codeOf({ page }: Shooting): Promise<{ link: string }> {
  const [, kind, id] = new URL(page.url()).pathname.split('/')
  const answer = await page.evaluate(
    async (path) => (await (await fetch(path, { method: 'POST' })).json()) as { code: string },
    `/api/${kind}/${id}/queue/handover`,
  )
  return { link: `/${kind}/${id}/handover#${answer.code}` }
}

async function outside(shooting: Shooting): Promise<void> {
  const { stage } = shooting
  const soon = new Date(Date.now() + 9e7).toISOString()
  const carmina = { name: 'Carmina Burana', location: 'Verona', totalSeats: 900, salesStartAt: soon }
  const before = await makeSale(stage, { ...carmina, room: GUESTS })
  await shooting.visit('event-before', `/events/${before}`, '.countdown b')
  await shooting.visit('waiting-before', `/events/${before}/wait`, '[data-state=before]')
  const past = { salesStartAt: '2026-01-01T00:00:00Z', salesEndAt: '2026-02-01T00:00:00Z' }
  const ended = await makeSale(stage, { name: 'Candide', location: 'Basel', totalSeats: 9, ...past, room: GUESTS })
  await shooting.visit('event-over', `/events/${ended}`, '.ended')
  await shooting.visit('ended', `/events/${ended}/wait`, '[data-state=ended]')
  const members = await makeSale(stage, { name: 'Members’ evening', totalSeats: 9, room: { guests: false } })
  await shooting.visit('waiting-sign-in', `/events/${members}/wait`, '[data-state=sign-in]')
  const small = await makeSale(stage, { name: 'Salon', totalSeats: 9, room: { ...LINE, paused: true, maxWaiting: 1 } })
  await joinMany(stage, small, crowd(1))
  const family = await makeSale(stage, {
    name: 'Matinee',
    totalSeats: 9,
    room: { ...LINE, guestsPerAddress: 1, paused: true },
  })
  await joinMany(stage, family, crowd(1))
  await shooting.visit('waiting-guests', `/events/${family}/wait`, '[data-state=guests]')
  await shooting.visit('waiting-full', `/events/${small}/wait`, '[data-state=full]')
}

async function soldOut(shooting: Shooting): Promise<void> {
  const { stage } = shooting
  for (const [name, keepLineWhenSoldOut] of [
    ['sold-out', false],
    ['sold-out-stay', true],
  ] as const) {
    const room = { ...GUESTS, capacity: 1, keepLineWhenSoldOut }
    const id = await makeSale(stage, { name: 'The Seagull', location: 'Hà Nội', totalSeats: 2, room })
    const [first] = await joinMany(stage, id, ['Ada', 'Teo', 'Mai'])
    await shooting.page.goto(`/events/${id}/wait`)
    if (first !== undefined) await buySeats(stage, id, first, 2)
    await shooting.page.getByRole('heading', { name: 'Sold out' }).waitFor()
    await shooting.show(name)
    // The page of the event may be a second old.
    while ((await shooting.page.locator('.state.sold-out').count()) === 0) await shooting.page.goto(`/events/${id}`)
    if (keepLineWhenSoldOut) await shooting.show('event-sold-out')
  }
}

/** Without a script. */
async function plain(shooting: Shooting): Promise<void> {
  const { stage } = shooting
  const visitor = await shooting.other({ javaScriptEnabled: false })
  const id = await makeSale(stage, {
    name: 'Winterreise',
    location: 'Wigmore Hall, London',
    totalSeats: 90,
    room: LINE,
  })
  await joinMany(stage, id, crowd(9))
  await visitor.visit('waiting-plain', `/events/${id}/wait`, '.position')
  await visitor.close()
}
