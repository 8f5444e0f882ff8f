import type { Ledger } from '@seatwise/ledger'
import { openScratchLedger } from '@seatwise/testbench'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestApp, registerWithRole, type Visitor } from '../support/accounts.ts'
import { post, shortEvent, type WireEvent } from '../support/events.ts'

let ledger: Ledger
let server: Awaited<ReturnType<typeof openTestApp>>
let organizer: Visitor
let show: WireEvent
beforeAll(async () => {
  ledger = await openScratchLedger()
  const env = { SEATWISE_RATE_LIMITS: 'off', SEATWISE_PUBLIC_URL: 'https://tickets.example' }
  server = await openTestApp(ledger, { env })
  organizer = await registerWithRole(server.app, ledger, 'organizer')
  show = await make({
    ...{ name: 'Night </script> & "Strings"', location: 'Seoul', ageMin: 8, timeZone: 'Asia/Seoul' },
    ...{ startsAt: '2098-03-12T10:30:00Z', doorsAt: '2098-03-12T10:00:00Z' },
    description: '**Four** players </script><script>alert(1)</script> and [a hall](https://hall.example).',
    totalSeats: undefined,
    seatTypes: [
      { name: 'Stalls', price: 45_000, currency: 'KRW', totalQuantity: 5 },
      { name: 'Gone', price: 9_000, currency: 'KRW', totalQuantity: 1, hidden: true },
    ],
  })
})
afterAll(async () => {
  await server.app.close()
  await server.services.rooms.close()
  await ledger.close()
})

const make = async (more: object) =>
  (await post(server.app, organizer.authorization, shortEvent(more))).json<WireEvent>()
const pageAt = async (url: string): Promise<string> =>
  (await server.app.inject({ url, headers: { accept: 'text/html', 'accept-language': 'en' } })).body
const names = (page: string): string[] => [...page.matchAll(/class="name">([^<]*)</g)].map(([, name = '']) => name)
const facts = (page: string) =>
  JSON.parse(/<script type="application\/ld\+json" id="facts">(.*?)<\/script>/s.exec(page)?.[1] ?? 'null') as Record<
    string,
    unknown
  >

it('[W222] an event tells other sites and searches what it is, in whole addresses, and nothing of it can end the block', async () => {
  const page = await pageAt(`/events/${show.id}`)
  const url = `https://tickets.example/events/${show.id}`
  expect(page).toContain(`<link rel="canonical" href="${url}">`)
  expect(page).toContain('<meta property="og:title" content="Night &lt;/script&gt; &amp; &quot;Strings&quot;">')
  expect(page).toContain('<meta property="og:description" content="Four players')
  expect(facts(page)).toMatchObject({
    ...{ '@type': 'Event', url, startDate: '2098-03-12T10:30:00.000Z', doorTime: '2098-03-12T10:00:00.000Z' },
    ...{ name: 'Night </script> & "Strings"', typicalAgeRange: '8-', eventStatus: 'https://schema.org/EventScheduled' },
    location: { '@type': 'Place', name: 'Seoul' },
    organizer: { name: expect.any(String), url: expect.stringContaining('https://tickets.example/o/') },
    offers: [{ name: 'Stalls', price: '45000', priceCurrency: 'KRW', availability: 'https://schema.org/PreSale' }],
  })
  expect(page).not.toContain('<script>alert')
})

it('[W223] home shows what is to come in order of its date, and finds by day, place and price', async () => {
  await make({ name: 'Later', location: 'Brno', startsAt: '2098-05-01T18:00:00Z' })
  await make({ name: 'Sooner', location: 'Brno', startsAt: '2098-01-01T18:00:00Z' })
  const strings = 'Night &lt;/script&gt; &amp; &quot;Strings&quot;'
  expect(names(await pageAt('/'))).toEqual(['Sooner', strings, 'Later'])
  expect(names(await pageAt('/?location=brno'))).toEqual(['Sooner', 'Later'])
  expect(names(await pageAt('/?from=2098-03-12&to=2098-03-12'))).toEqual([strings])
  expect(names(await pageAt('/?price=0'))).toEqual(['Sooner', 'Later'])
  // The hidden type of 9,000 is not the cheapest ticket of any visitor.
  expect(names(await pageAt('/?price=44999&location=seoul'))).toEqual([])
  expect(names(await pageAt('/?price=45000&location=seoul'))).toEqual([strings])
  for (const senseless of ['from=2098-02-31', 'price=dear', 'to=soon']) {
    expect(names(await pageAt(`/?${senseless}`)), senseless).toHaveLength(3)
  }
  const kept = await pageAt('/?from=2098-03-12&price=12.5')
  expect(kept).toContain('name="from" value="2098-03-12"')
  expect(kept).toContain('name="price" min="0" step="any" inputmode="decimal" value="12.5"')
  expect(kept).toContain('<details open>')
  expect(await pageAt('/?q=zzzzzz')).toContain('No events found')
})

it('[W224] the sitemap has every page worth finding, and robots are told what is not', async () => {
  const draft = await make({ name: 'Secret', state: 'draft' })
  const sitemap = await server.app.inject('/sitemap.xml')
  expect(sitemap.headers['content-type']).toMatch(/^application\/xml/)
  expect(sitemap.body).toContain(`<loc>https://tickets.example/events/${show.id}</loc><lastmod>`)
  expect(sitemap.body).toMatch(/<loc>https:\/\/tickets\.example\/o\/[a-z0-9-]+<\/loc>/)
  expect(sitemap.body).not.toContain(draft.id)
  const robots = (await server.app.inject('/robots.txt')).body
  expect(robots).toContain('Sitemap: https://tickets.example/sitemap.xml')
  expect(robots).toContain('Disallow: /events/*/wait')
})

it('[W222] a cancelled event says so to searches, too', async () => {
  const gone = await make({ name: 'Never', startsAt: '2098-08-01T18:00:00Z' })
  const headers = { authorization: organizer.authorization }
  const url = `/api/events/${gone.id}/cancel`
  const told = await server.app.inject({ method: 'POST', url, headers, payload: { message: 'The hall is closed' } })
  expect(told.statusCode, told.body).toBe(202)
  server.services.clock.nowMs += 1_000
  expect(facts(await pageAt(`/events/${gone.id}`))).toMatchObject({
    eventStatus: 'https://schema.org/EventCancelled',
    offers: [{ availability: 'https://schema.org/SoldOut' }],
  })
})
