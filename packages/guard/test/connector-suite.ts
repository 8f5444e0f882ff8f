import type { Server } from '@seatwise/testbench'
import { expectFields, expectRecord, shape } from '@seatwise/testbench'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { openPage } from './raw-request.ts'
import { VendorShop } from './vendor-connector.ts'
import { Visitor } from './visitor.ts'

const EVENT = 'drop2026'

/** What a shop that is wired for Queue-it finds when it is pointed at a running server instead. */
export function connectorSuite(serverOf: () => Server): void {
  describe('a shop with the vendor’s connector', () => connectorTests(serverOf))
}

function connectorTests(serverOf: () => Server): void {
  let server: Server
  let room: string
  let secretKey: string

  beforeAll(async () => {
    server = serverOf()
    const authorization = `Bearer ${await server.adminToken()}`
    const send = async (method: string, path: string, body: object): Promise<Record<string, unknown>> => {
      const headers = { authorization, 'content-type': 'application/json' }
      const answer = await fetch(server.url + path, { method, headers, body: JSON.stringify(body) })
      return expectRecord(await answer.json())
    }
    const limits = { burst: 1_000, ratePerMinute: 60_000, capacity: 1_000, guests: true, guestsPerAddress: 1_000 }
    const made = await send('POST', '/api/rooms', { name: 'Drop', target: 'https://shop.example.com/', ...limits })
    room = expectFields(made, { id: shape.text }).id
    const names = { kind: 'known-user-v3', customerId: 'acme', eventId: EVENT }
    const connector = await send('PUT', `/api/rooms/${room}/connector`, names)
    secretKey = expectFields(connector, { secretKey: shape.text }).secretKey
  })
  afterEach(() => vi.useRealTimers())

  const shopWith = (event = EVENT, key = secretKey): VendorShop => new VendorShop(new URL(server.url).host, event, key)
  /** The connector knows only https; the test server speaks http. */
  const follow = (redirectUrl: string) => openPage(redirectUrl.replace('https:', 'http:'))

  it('[G37][G38] the vendor’s connector sends a visitor here, and lets them in when they return', async () => {
    const shop = shopWith()
    const sent = await shop.ask()
    expect(sent.doRedirect()).toBe(true)
    const wait = await follow(sent.redirectUrl)
    expect(wait.location).toBe(`/rooms/${room}/wait?to=${encodeURIComponent(shop.url)}`)

    const visitor = await Visitor.join(server.url, room)
    const to = new URLSearchParams(wait.location?.split('?')[1]).get('to') ?? ''
    const accepted = await shop.ask(await tokenOf(visitor, to))
    expect([accepted.doRedirect(), accepted.actionType, accepted.redirectType]).toEqual([false, 'Queue', 'queue'])
    // From now on the connector's own cookie counts.
    const again = await shop.ask()
    expect([again.doRedirect(), again.queueId]).toEqual([false, accepted.queueId])
  })

  it('[G37] the same admission has the same visitor id, another has another', async () => {
    const [first, second] = [await Visitor.join(server.url, room), await Visitor.join(server.url, room)]
    const idOf = async (visitor: Visitor): Promise<string> =>
      (await shopWith().ask(await tokenOf(visitor, '/'))).queueId
    expect(await idOf(first)).toBe(await idOf(first))
    expect(await idOf(first)).not.toBe(await idOf(second))
  })

  it('[G37] with another key the connector refuses it as hash, for another event as eventid', async () => {
    const token = await tokenOf(await Visitor.join(server.url, room), '/')
    const wrongKey = await shopWith(EVENT, 'another-key-of-the-shop').ask(token)
    expect(wrongKey.redirectUrl).toContain('/error/hash/?c=acme')
    const wrongEvent = await shopWith('other2026').ask(token)
    expect(wrongEvent.redirectUrl).toContain('/error/eventid/?c=acme')
    const altered = await shopWith().ask(token.replace('cv_', 'cv_9'))
    expect(altered.redirectUrl).toContain('/error/hash/')
    // Where the connector then sends them, they are told, and not sent round in circles.
    const told = await follow(wrongKey.redirectUrl)
    expect([told.status, told.location]).toEqual([400, undefined])
  })

  it('[G37] a token that is too old is refused as timestamp, and leads to the waiting page', async () => {
    const shop = shopWith()
    const token = await tokenOf(await Visitor.join(server.url, room), '/')
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 241_000 })
    const late = await shop.ask(token)
    vi.useRealTimers()
    expect(late.redirectUrl).toContain('/error/timestamp/?c=acme')
    expect((await follow(late.redirectUrl)).location).toBe(`/rooms/${room}/wait?to=${encodeURIComponent(shop.url)}`)
  })

  it('[G38] when the visitor has bought something, the connector gives the slot back', async () => {
    const shop = shopWith()
    const visitor = await Visitor.join(server.url, room)
    const { queueId } = await shop.ask(await tokenOf(visitor, '/'))
    const forged = queueId.replace(/.$/, (last) => (last === '0' ? '1' : '0'))
    const cancelUrl = `${server.url}/cancel/multiple/acme?wrl=${EVENT}~`
    expect((await openPage(`${cancelUrl}${forged}&r=https%3A%2F%2Fevil.example`)).location).toBe(
      'https://shop.example.com/',
    )
    expect((await visitor.status()).status).toBe('active')
    const cancelled = shop.cancel()
    expect(cancelled.redirectUrl).toContain(`/cancel/multiple/acme?wrl=${EVENT}~${queueId}`)
    expect((await follow(cancelled.redirectUrl)).location).toBe(shop.url)
    expect((await visitor.status()).status).toBe('completed')
  })
}

/** The token that a visitor brings back to the shop. */
async function tokenOf(visitor: Visitor, to: string): Promise<string> {
  const page = await visitor.goBack(to)
  const link = /<a href="([^"]*)"/.exec(page)?.[1]?.replaceAll('&amp;', '&') ?? ''
  return new URL(link).searchParams.get('queueittoken') ?? ''
}
