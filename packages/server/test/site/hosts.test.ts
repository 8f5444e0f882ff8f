import type { HostProfile } from '@seatwise/domain'
import type { Ledger } from '@seatwise/ledger'
import { openScratchLedger } from '@seatwise/testbench'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestApp, registerWithRole, signInHeader, type Visitor } from '../support/accounts.ts'
import { post, shortEvent, type WireEvent } from '../support/events.ts'
import { expectError } from '../support/kernel.ts'

/** As long as a server may keep an event without asking again. */
const EVENT_AGE_MS_MAX = 1_000

let ledger: Ledger
let server: Awaited<ReturnType<typeof openTestApp>>
let organizer: Visitor
let event: WireEvent & { readonly organizationId: string; readonly organizer: HostProfile }
beforeAll(async () => {
  ledger = await openScratchLedger()
  server = await openTestApp(ledger, { env: { SEATWISE_RATE_LIMITS: 'off' } })
  organizer = await registerWithRole(server.app, ledger, 'organizer')
  event = (await post(server.app, organizer.authorization, shortEvent({ name: 'Night of Strings' }))).json()
})
afterAll(async () => {
  await server.app.close()
  await server.services.rooms.close()
  await ledger.close()
})

const authorization = () => signInHeader(server.app, organizer.email)
const organization = () => `/api/organizations/${event.organizationId}`
async function change(payload: object) {
  const headers = { authorization: await authorization() }
  return await server.app.inject({ method: 'PATCH', url: `${organization()}/profile`, headers, payload })
}
const pageAt = async (url: string): Promise<string> => (await server.app.inject({ url, headers: BROWSER })).body
const BROWSER = { accept: 'text/html', 'accept-language': 'en' }
/** What stands between these tags. */
const part = (text: string, tag: string): string => text.split(`<${tag}`)[1]?.split(`</${tag}>`)[0] ?? ''

it('[W216] an organization has a page with its words and what it has on, and nothing that is over', async () => {
  const over = { startsAt: '2020-01-01T19:00:00Z', endsAt: '2020-01-01T22:00:00Z', name: 'Long ago' }
  await post(server.app, await authorization(), shortEvent(over))
  const changed = await change({
    slug: 'strings',
    about: 'We **play**.\n\nEvery <night>.',
    website: 'https://strings.example',
  })
  expect(changed.json()).toMatchObject({ slug: 'strings', website: 'https://strings.example/' })
  const page = await pageAt('/o/strings')
  expect(page).toContain(`<h1>${event.organizer.name}</h1>`)
  expect(page).toContain('<p>We <strong>play</strong>.</p><p>Every &lt;night&gt;.</p>')
  expect(page).toContain('href="https://strings.example/"')
  expect(page).toContain(`/events/${event.id}`)
  expect(page).not.toContain('Long ago')
  const missing = await server.app.inject({ url: '/o/nowhere', headers: BROWSER })
  expect(missing.statusCode).toBe(404)
  expectError(await server.app.inject('/api/organizers/nowhere'), 404, 'NOT_FOUND')
})

it('[W217] the organization leads the pages of its event, the house the others, and the product is in the footer', async () => {
  await change({ slug: 'strings' })
  for (const url of [`/events/${event.id}`, `/events/${event.id}/wait`, `/events/${event.id}/audit`]) {
    const page = await pageAt(url)
    expect(part(page, 'header'), url).toContain(`href="/o/strings"`)
    expect(part(page, 'header'), url).toContain(event.organizer.name)
    expect(part(page, 'title'), url).toContain(event.organizer.name)
    expect(part(page, 'header'), url).not.toContain('Seatwise')
    expect(part(page, 'footer'), url).toContain('Seatwise')
  }
  // Until the house has a name, its pages have a word of their language instead.
  for (const url of ['/', '/sign-in']) expect(part(await pageAt(url), 'header'), url).toContain('<span>Events</span>')
  await ledger.db.updateTable('organizations').set({ name: 'Lantern Hall' }).where('slug', '=', 'the-house').execute()
  server.services.clock.nowMs += EVENT_AGE_MS_MAX
  for (const url of ['/', '/sign-in']) expect(part(await pageAt(url), 'header'), url).toContain('Lantern Hall')
})

it('[W218] its colour and letters are on its pages, and the colour of an event is stronger', async () => {
  expect(part(await pageAt(`/events/${event.id}`), 'html')).toContain('data-face="programme"')
  await change({ colour: '#FFEE00', face: 'poster' })
  server.services.clock.nowMs += EVENT_AGE_MS_MAX
  const page = await pageAt(`/events/${event.id}`)
  expect(part(page, 'html')).toContain('data-face="poster"')
  // Yellow on light paper could not be read.
  expect(part(page, 'style')).toMatch(/:root\{--accent:#[0-9a-f]{6}/)
  expect(part(page, 'style')).not.toContain('--accent:#ffee00;--on-accent:#ffffff')
  const headers = { authorization: await authorization() }
  const payload = { colour: '#112233', logo: null, text: null }
  await server.app.inject({ method: 'PUT', url: `/api/events/${event.id}/brand`, headers, payload })
  expect(part(await pageAt(`/events/${event.id}`), 'style')).toContain('--accent:#112233')
})

it('[W220] its logo is served without metadata, and stands at the head of its pages', async () => {
  const flat = { width: 900, height: 300, channels: 3, background: { r: 10, g: 60, b: 90 } } as const
  const payload = await sharp({ create: flat })
    .withExif({ IFD0: { Artist: 'Somewhere' } })
    .jpeg()
    .toBuffer()
  const headers = { authorization: await authorization(), 'content-type': 'image/jpeg' }
  const answer = await server.app.inject({ method: 'PUT', url: `${organization()}/logo`, headers, payload })
  expect(answer.json()).toMatchObject({ logo: { width: 320, height: 107, url: expect.stringMatching(/^\/images\//) } })
  const { url } = answer.json<{ logo: { url: string } }>().logo
  const served = await server.app.inject(url)
  expect(served.headers['content-type']).toBe('image/webp')
  expect((await sharp(served.rawPayload).metadata()).exif).toBeUndefined()
  expect(part(await pageAt(`/events/${event.id}`), 'header')).toContain(`src="${url}"`)
  const { authorization: token } = headers
  const gone = { method: 'DELETE', url: `${organization()}/logo`, headers: { authorization: token } } as const
  expect((await server.app.inject(gone)).statusCode).toBe(204)
  server.services.clock.nowMs += EVENT_AGE_MS_MAX
  expect((await server.app.inject(url)).statusCode).toBe(404)
})

it('[W219] letters come from this site; the waiting page leaves them to its script, and loads them at once without one', async () => {
  const link = /<link rel="stylesheet" href="(\/assets\/letters-[^"]+\.css)">/
  const home = await pageAt('/')
  const sheet = link.exec(home)?.[1] ?? ''
  const letters = await server.app.inject(sheet)
  expect(letters.headers['content-type']).toMatch(/^text\/css/)
  const files = [...letters.body.matchAll(/url\(([^)]+)\)/g)].map(([, file = '']) => file)
  expect(files).toHaveLength(16)
  for (const file of files) {
    const served = await server.app.inject({ url: file, headers: { 'accept-encoding': 'br' } })
    expect(served.headers).toMatchObject({
      'content-type': 'font/woff2',
      'cache-control': expect.stringContaining('immutable'),
    })
    expect(served.headers['content-encoding']).toBeUndefined()
    expect(served.rawPayload.subarray(0, 4).toString()).toBe('wOF2')
  }
  const waiting = await pageAt(`/events/${event.id}/wait`)
  expect(waiting.replace(/<noscript>.*?<\/noscript>/gs, '')).not.toMatch(link)
  expect(waiting).toMatch(new RegExp(`<noscript>${link.source}`))
  expect(part(waiting, 'html')).toContain(`data-letters="${sheet}"`)
})

it('[Q84] managers change what visitors see; an address belongs to one organization', async () => {
  const other = await registerWithRole(server.app, ledger, 'organizer')
  const theirs = (await post(server.app, other.authorization, shortEvent())).json<typeof event>()
  await change({ slug: 'strings' })
  const mine = { url: `/api/organizations/${theirs.organizationId}/profile`, payload: { slug: 'strings' } }
  const taken = await server.app.inject({ method: 'PATCH', headers: { authorization: other.authorization }, ...mine })
  expectError(taken, 409, 'SLUG_TAKEN')
  const foreign = await server.app.inject({
    method: 'PATCH',
    headers: { authorization: organizer.authorization },
    ...mine,
  })
  expect([403, 404]).toContain(foreign.statusCode)
  for (const slug of ['', 'Ä', 'two words', '-a', 'a--b', 'x'.repeat(61)]) {
    expectError(await change({ slug }), 400, 'BAD_REQUEST')
  }
  for (const website of ['http://a.example', 'javascript:alert(1)', 'https://me:secret@a.example']) {
    expectError(await change({ website }), 400, 'BAD_REQUEST')
  }
  const third = await registerWithRole(server.app, ledger, 'organizer')
  const namesake = (await post(server.app, third.authorization, shortEvent())).json<typeof event>()
  expect(namesake.organizer.name).toBe(theirs.organizer.name)
  expect(namesake.organizer.slug).toBe(`${theirs.organizer.slug}-2`)
})
