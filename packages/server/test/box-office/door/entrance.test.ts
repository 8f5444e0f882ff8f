import { createPublicKey, randomUUID, verify } from 'node:crypto'
import { DOOR_LIST_PREFIX, type DoorPage, type SignedDoorPage } from '@seatwise/domain'
import { type Ledger, startRefund } from '@seatwise/ledger'
import { openScratchLedger, seededRandom, testSeed } from '@seatwise/testbench'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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

interface Told {
  id: string
  outcome: string
}
interface Door {
  at: string
  valid: number
  inside: number
  doors: { door: string; in: number }[]
  scans: { id: string; eticketId: string; outcome: string; door: string | null }[]
  troubled: { eticketId: string; outcome: string; door: string; countedDoor: string | null; scannedAt: string }[]
  isComplete: boolean
}

describe('the entrance', () => {
  let ledger: Ledger
  let app: App
  let services: TestServices
  let staff: Visitor
  let buyer: Visitor

  beforeAll(async () => {
    ledger = await openScratchLedger()
    ;({ app, services } = await openTestApp(ledger, { env: { SEATWISE_RATE_LIMITS: 'off' }, nowMs: Date.now() }))
    staff = await registerWithRole(app, ledger, 'staff')
    buyer = await registerVisitor(app)
  })
  afterAll(async () => {
    await app.close()
    await services.rooms.close()
    await ledger.close()
  })

  const get = (url: string, { authorization }: Visitor = staff) => app.inject({ url, headers: { authorization } })
  const post = (url: string, payload: object, { authorization }: Visitor = staff) =>
    app.inject({ method: 'POST', url, headers: { authorization }, payload })
  const listOf = async (eventId: string): Promise<DoorPage> => {
    const signed = (await get(`/api/events/${eventId}/door-list`)).json<SignedDoorPage>()
    return JSON.parse(signed.page) as DoorPage
  }
  const doorOf = async (eventId: string, since?: string): Promise<Door> =>
    (await get(`/api/events/${eventId}/door${since === undefined ? '' : `?since=${since}`}`)).json<Door>()
  const scanOf = (eticketId: string, at = new Date().toISOString(), id: string = randomUUID()) => ({
    id,
    eticketId,
    at,
  })
  const bring = async ({ eventId }: Bought, door: string, scans: object[]): Promise<Told[]> => {
    const answer = await post(`/api/events/${eventId}/door/scans`, { door, scans })
    expect(answer.statusCode, answer.body).toBe(200)
    return answer.json<{ items: Told[] }>().items
  }
  const idOf = ({ etickets }: Bought, index = 0): string => etickets[index]?.id ?? ''

  it('[B310] the list has every e-ticket with what a door needs, signed by a published key, for those who check in', async () => {
    const bought = await buy(ledger, { buyerId: buyer.id, quantity: 3 })
    const url = `/api/events/${bought.eventId}/door-list`
    const signed = (await get(url)).json<SignedDoorPage>()
    const { keys } = (await app.inject({ url: '/.well-known/jwks.json' })).json<{
      keys: { kid: string; x: string }[]
    }>()
    const { x = '' } = keys.find(({ kid }) => kid === signed.kid) ?? {}
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
    const isSigned = (page: string) =>
      verify(null, Buffer.from(DOOR_LIST_PREFIX + page), key, Buffer.from(signed.signature, 'base64url'))
    expect(isSigned(signed.page)).toBe(true)
    expect(isSigned(signed.page.replace('"isVoid":false', '"isVoid":true '))).toBe(false)
    const page = JSON.parse(signed.page) as DoorPage
    expect(page).toMatchObject({ eventId: bought.eventId, next: null })
    expect(page.tickets.map(({ id }) => id)).toEqual(bought.etickets.map(({ id }) => id).sort())
    const [first] = bought.etickets
    expect(page.tickets.find(({ id }) => id === first?.id)).toEqual({
      ...{ id: first?.id, generation: 1, shortCode: first?.shortCode, isVoid: false, checkedInAt: null },
      ...{ type: 'Stalls', row: 'A', number: first?.number, holder: expect.any(String) },
    })
    const after = page.tickets[1]?.id
    const rest = (await get(`${url}?after=${after}`)).json<SignedDoorPage>()
    expect((JSON.parse(rest.page) as DoorPage).tickets).toEqual(page.tickets.slice(2))
    expectError(await get(url, buyer), 403, 'FORBIDDEN')
    expectError(await get(`/api/events/${randomUUID()}/door-list`), 404, 'NOT_FOUND')
  })

  it('[B311] a scan that a device decided by itself counts once, with its own time, however often it arrives', async () => {
    const bought = await buy(ledger, { buyerId: buyer.id })
    const issuedAt = bought.etickets[0]?.issuedAt.getTime() ?? 0
    const scan = scanOf(idOf(bought), new Date(issuedAt + 1).toISOString())
    const answers = await Promise.all(Array.from({ length: 8 }, () => bring(bought, ' North ', [scan])))
    expect(answers.flat()).toEqual(Array.from({ length: 8 }, () => ({ id: scan.id, outcome: 'in' })))
    expect((await listOf(bought.eventId)).tickets[0]?.checkedInAt).toBe(scan.at)
    expect(await doorOf(bought.eventId)).toMatchObject({ inside: 1, doors: [{ door: 'North', in: 1 }], troubled: [] })
    expect((await doorOf(bought.eventId, scan.at)).scans).toMatchObject([{ id: scan.id, outcome: 'in' }])
    expectError(await post('/api/checkin', { shortCode: bought.etickets[0]?.shortCode }), 409, 'ALREADY_USED')
    const later = await buy(ledger, { buyerId: buyer.id })
    await bring(later, 'North', [scanOf(idOf(later), '2099-01-01T00:00:00.000Z')])
    const at = Date.parse((await listOf(later.eventId)).tickets[0]?.checkedInAt ?? '')
    expect(at).toBeLessThanOrEqual(Date.now())
  })

  it('[B311] a scan whose answer was lost is the same one when the device brings it again', async () => {
    const bought = await buy(ledger, { buyerId: buyer.id })
    const scanId = randomUUID()
    const body = { shortCode: bought.etickets[0]?.shortCode, eventId: bought.eventId, door: 'South', scanId }
    expect((await post('/api/checkin', body)).statusCode).toBe(200)
    expect(await bring(bought, 'South', [scanOf(idOf(bought), undefined, scanId)])).toEqual([
      { id: scanId, outcome: 'in' },
    ])
    expect(await doorOf(bought.eventId)).toMatchObject({ inside: 1, troubled: [], doors: [{ door: 'South', in: 1 }] })
  })

  it('[B312] of two doors without a connection one counts, and staff is told of the other, of refunds and of old codes', async () => {
    const bought = await buy(ledger, { buyerId: buyer.id, quantity: 3 })
    const [twice, refunded] = [idOf(bought, 0), idOf(bought, 1)]
    expect(await bring(bought, 'North', [scanOf(twice)])).toMatchObject([{ outcome: 'in' }])
    const seatIds = bought.etickets.filter(({ id }) => id === refunded).map(({ seatId }) => seatId)
    await startRefund(ledger, { purchaseId: bought.purchaseId, reason: 'asked for', seatIds })
    await finishRefundsOf(ledger, bought.purchaseId)
    const other = scanOf(twice)
    const scans = [other, scanOf(refunded), { ...scanOf(idOf(bought, 2)), generation: 9 }, scanOf(randomUUID())]
    const outcomes = ['conflict', 'void', 'void', 'unknown']
    expect((await bring(bought, 'South', scans)).map(({ outcome }) => outcome)).toEqual(outcomes)
    expect((await bring(bought, 'South', scans)).map(({ outcome }) => outcome)).toEqual(outcomes)
    const { inside, troubled } = await doorOf(bought.eventId)
    expect(inside).toBe(1)
    expect(troubled).toHaveLength(3)
    expect(troubled.find(({ outcome }) => outcome === 'conflict')).toMatchObject({
      ...{ eticketId: twice, door: 'South', countedDoor: 'North', scannedAt: other.at },
    })
    // The third seat is still valid for the code that counts.
    expect((await post('/api/checkin', { shortCode: bought.etickets[2]?.shortCode })).statusCode).toBe(200)
  })

  it('[B312] whatever doors decide and in whatever order it arrives, each e-ticket is counted once', async () => {
    const seed = testSeed()
    const random = seededRandom(seed)
    const bought = await buy(ledger, { buyerId: buyer.id, quantity: 6 })
    const doors = ['North', 'South', 'West']
    const scans = doors.flatMap((door) =>
      bought.etickets.filter(() => random() < 0.7).map(({ id }) => ({ door, scan: scanOf(id) })),
    )
    const shuffled = [...scans, ...scans.filter(() => random() < 0.3)].sort(() => random() - 0.5)
    const told = await Promise.all(shuffled.map(({ door, scan }) => bring(bought, door, [scan])))
    const outcomeOf = new Map(told.flat().map(({ id, outcome }) => [id, outcome]))
    const used = new Set(scans.map(({ scan }) => scan.eticketId))
    expect(
      [...outcomeOf.values()].filter((outcome) => outcome === 'in'),
      `seed ${seed}`,
    ).toHaveLength(used.size)
    const { inside, doors: counted, troubled } = await doorOf(bought.eventId)
    expect(inside).toBe(used.size)
    expect(counted.reduce((sum, door) => sum + door.in, 0)).toBe(used.size)
    expect(troubled).toHaveLength(scans.length - used.size)
  })

  it('[B313] counts are those of this event, also of scanners that name no door; a lot of scans is told as such', async () => {
    const bought = await buy(ledger, { buyerId: buyer.id, quantity: 2 })
    await post('/api/checkin', { shortCode: bought.etickets[0]?.shortCode })
    expect(await doorOf(bought.eventId)).toMatchObject({ valid: 2, inside: 1, doors: [], scans: [], isComplete: true })
    const other = await buy(ledger, { buyerId: buyer.id })
    expect(await doorOf(other.eventId)).toMatchObject({ valid: 1, inside: 0 })
    expect(await bring(other, 'North', [scanOf(idOf(bought, 1))])).toMatchObject([{ outcome: 'unknown' }])
    expectError(await get(`/api/events/${other.eventId}/door`, buyer), 403, 'FORBIDDEN')
    const url = `/api/events/${other.eventId}/door/scans`
    expectError(await post(url, { door: ' ', scans: [scanOf(idOf(other))] }), 400, 'BAD_REQUEST')
    expectError(await post(url, { door: 'North', scans: [scanOf(idOf(other))] }, buyer), 403, 'FORBIDDEN')
  })
})
