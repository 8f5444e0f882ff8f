import { randomUUID } from 'node:crypto'
import { spellShortCode } from '@seatwise/domain'
import { type Ledger, startRefund } from '@seatwise/ledger'
import { openScratchLedger } from '@seatwise/testbench'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createShortCodeGuesses } from '../../../src/box-office/etickets/short-code-guesses.ts'
import type { App } from '../../../src/http/http-server.ts'
import {
  openTestApp,
  registerVisitor,
  registerWithRole,
  type TestServices,
  type Visitor,
} from '../../support/accounts.ts'
import { finishRefundsOf } from '../../support/finish-refunds.ts'
import { expectError } from '../../support/kernel.ts'
import { type Bought, buy } from '../../support/news.ts'

const TOO_MANY = expect.objectContaining({ code: 'TOO_MANY_REQUESTS' })

describe('short codes', () => {
  let ledger: Ledger
  let app: App
  let services: TestServices
  let buyer: Visitor
  let staff: Visitor

  beforeAll(async () => {
    ledger = await openScratchLedger()
    ;({ app, services } = await openTestApp(ledger, { nowMs: Date.now() }))
    buyer = await registerVisitor(app)
    staff = await registerWithRole(app, ledger, 'staff')
  })
  afterAll(async () => {
    await app.close()
    await services.rooms.close()
    await ledger.close()
  })

  const scan = (payload: object, { authorization }: Visitor = staff, key?: string) => {
    const headers = { authorization, ...(key === undefined ? {} : { 'idempotency-key': key }) }
    return app.inject({ method: 'POST', url: '/api/checkin', headers, payload })
  }
  const codeOf = ({ etickets }: Bought, index = 0): string => etickets[index]?.shortCode ?? ''

  it('[B173] the short code is in the answers and on the page to print; a void e-ticket shows none', async () => {
    const bought = await buy(ledger, { buyerId: buyer.id })
    const url = `/api/etickets/${bought.etickets[0]?.id}`
    const get = (accept: string) => app.inject({ url, headers: { authorization: buyer.authorization, accept } })
    expect((await get('application/json')).json()).toMatchObject({ shortCode: codeOf(bought) })
    expect((await get('text/html')).body).toContain(spellShortCode(codeOf(bought)))
    const cookie = { cookie: `seatwise-session=${buyer.authorization.replace('Bearer ', '')}` }
    const page = await app.inject({ url: `/etickets/${bought.etickets[0]?.id}`, headers: cookie })
    expect(page.body).toContain(spellShortCode(codeOf(bought)))
    await startRefund(ledger, { purchaseId: bought.purchaseId, reason: 'asked for' })
    await finishRefundsOf(ledger, bought.purchaseId)
    expect((await get('application/json')).json()).toMatchObject({ shortCode: null, code: null })
    expectError(await scan({ shortCode: codeOf(bought) }), 409, 'ETICKET_VOID')
  })

  it('[B174] it lets in as the code does: once, whichever of the two is faster, and again under the same key', async () => {
    const bought = await buy(ledger, { buyerId: buyer.id, quantity: 2 })
    const url = `/api/etickets/${bought.etickets[0]?.id}`
    const { code } = (await app.inject({ url, headers: { authorization: buyer.authorization } })).json<{
      code: string
    }>()
    const typed = spellShortCode(codeOf(bought)).toLowerCase()
    const scans = Array.from({ length: 20 }, (_, index) => scan(index % 2 === 0 ? { code } : { shortCode: typed }))
    const answers = await Promise.all(scans)
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
    for (const answer of answers.filter(({ statusCode }) => statusCode !== 200)) {
      expectError(answer, 409, 'ALREADY_USED')
    }
    const key = randomUUID()
    const body = { shortCode: codeOf(bought, 1), eventId: bought.eventId }
    const first = await scan(body, staff, key)
    const scanned = answers.find(({ statusCode }) => statusCode === 200)
    expect(Object.keys(first.json())).toEqual(Object.keys(scanned?.json() ?? {}))
    expect((await scan(body, staff, key)).json()).toEqual(first.json())
  })

  it('[B174] other events, other organisers, both codes and none are refused', async () => {
    const organizer = await registerWithRole(app, ledger, 'organizer')
    const rival = await registerWithRole(app, ledger, 'organizer')
    const admin = await registerWithRole(app, ledger, 'admin')
    const bought = await buy(ledger, { buyerId: buyer.id, organizerId: organizer.id })
    const other = await buy(ledger, { buyerId: buyer.id })
    const shortCode = codeOf(bought)
    expectError(await scan({ shortCode, eventId: other.eventId }), 404, 'NOT_FOUND')
    expectError(await scan({ shortCode }, rival), 404, 'NOT_FOUND')
    expectError(await scan({ shortCode }, buyer), 403, 'FORBIDDEN')
    for (const bad of [{}, { shortCode, code: 'x' }]) expectError(await scan(bad), 400, 'BAD_REQUEST')
    expectError(await scan({ shortCode: 'nonsense!' }), 400, 'BAD_ETICKET')
    // Two events with one code: the scanner has to say for which it is.
    await ledger.db
      .updateTable('etickets')
      .set({ short_code: shortCode })
      .where('event_id', '=', other.eventId)
      .execute()
    expect(expectError(await scan({ shortCode }, admin), 400, 'BAD_REQUEST').message).toContain('eventId')
    expect((await scan({ shortCode }, organizer)).statusCode).toBe(200)
    expect((await scan({ shortCode, eventId: other.eventId })).statusCode).toBe(200)
  })

  it('[B175] wrong codes are limited for a member of staff; right ones are not counted, and the time brings new tries', async () => {
    const guesser = await registerWithRole(app, ledger, 'staff')
    for (let wrong = 0; wrong < 20; wrong += 1)
      expectError(await scan({ shortCode: '00000000' }, guesser), 404, 'NOT_FOUND')
    const bought = await buy(ledger, { buyerId: buyer.id })
    const refused = await scan({ shortCode: codeOf(bought) }, guesser)
    expectError(refused, 429, 'TOO_MANY_REQUESTS')
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    services.clock.nowMs += 5_000
    expect((await scan({ shortCode: codeOf(bought) }, guesser)).statusCode).toBe(200)
  })

  it('[B175] many members of staff behind one address are limited together', () => {
    const guesses = createShortCodeGuesses(() => 0)
    for (let index = 0; index < 100; index += 1) guesses.begin(`staff-${index}`, '198.51.100.7')
    expect(() => guesses.begin('one more', '198.51.100.7')).toThrow(TOO_MANY)
    guesses.begin('one more', '198.51.100.8').succeeded()
  })
})
