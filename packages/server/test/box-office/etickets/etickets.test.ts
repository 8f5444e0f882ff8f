import { createPublicKey, generateKeyPairSync, randomUUID, sign, verify } from 'node:crypto'
import { fromBase32, toBase32 } from '@seatwise/domain'
import { type Ledger, startRefund } from '@seatwise/ledger'
import { decodePart, expectFields, openScratchLedger, seededRandom, shape, testSeed } from '@seatwise/testbench'
import jsQrModule from 'jsqr'
import { encode } from 'uqr'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { EticketView } from '../../../src/box-office/etickets/describe-eticket.ts'
import { issueEticketCode, readEticketCode } from '../../../src/box-office/etickets/eticket-code.ts'
import { renderPrintablePage } from '../../../src/box-office/etickets/printable-page.ts'
import type { App } from '../../../src/http/http-server.ts'
import { escapeHtml } from '../../../src/kit/escape-html.ts'
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

interface WireEticket {
  id: string
  code: string | null
  status: string
  [field: string]: unknown
}

describe('e-tickets', () => {
  let ledger: Ledger
  let app: App
  let services: TestServices
  let buyer: Visitor
  let staff: Visitor
  let organizer: Visitor

  beforeAll(async () => {
    ledger = await openScratchLedger()
    ;({ app, services } = await openTestApp(ledger, { env: { SEATWISE_RATE_LIMITS: 'off' }, nowMs: Date.now() }))
    buyer = await registerVisitor(app)
    staff = await registerWithRole(app, ledger, 'staff')
    organizer = await registerWithRole(app, ledger, 'organizer')
  })
  afterAll(async () => {
    await app.close()
    await services.rooms.close()
    await ledger.close()
  })

  const get = (url: string, { authorization }: Visitor, accept = 'application/json') =>
    app.inject({ method: 'GET', url, headers: { authorization, accept } })
  const scan = (payload: object, { authorization }: Visitor = staff, key?: string) => {
    const headers = { authorization, ...(key === undefined ? {} : { 'idempotency-key': key }) }
    return app.inject({ method: 'POST', url: '/api/checkin', headers, payload })
  }
  const show = async (bought: Bought, index = 0): Promise<WireEticket> =>
    (await get(`/api/etickets/${bought.etickets[index]?.id}`, buyer)).json<WireEticket>()

  it('[B35] the owner sees the e-ticket; no other buyer does', async () => {
    const bought = await buy(ledger, { buyerId: buyer.id, quantity: 2 })
    const shown = await show(bought)
    expect(shown).toMatchObject({
      reservationId: bought.reservationId,
      eventId: bought.eventId,
      status: 'VALID',
      event: { name: 'Aurora Live', location: 'Hà Nội', startsAt: '2026-12-24T19:30:00.000Z' },
      seat: { type: 'Stalls', row: 'A', number: 1 },
      checkedInAt: null,
    })
    const url = `/api/etickets/${shown.id}`
    const others = [await registerVisitor(app), staff, organizer]
    for (const other of others) expectError(await get(url, other), 403, 'FORBIDDEN')
    expectError(await app.inject({ method: 'GET', url }), 401, 'UNAUTHORIZED')
    for (const id of [randomUUID(), 'nonsense']) expectError(await get(`/api/etickets/${id}`, buyer), 404, 'NOT_FOUND')
    const list = await get(`/api/etickets?reservationId=${bought.reservationId}`, buyer)
    expect(list.json<{ items: WireEticket[] }>().items).toHaveLength(2)
    const foreign = await get(`/api/etickets?reservationId=${bought.reservationId}`, others[0] ?? staff)
    expect(foreign.json()).toEqual({ items: [] })
  })

  it('[B35] [B230] its code can be verified offline with the published keys, as docs/webhooks.md describes it', async () => {
    const bought = await buy(ledger, { buyerId: buyer.id })
    const { id, code } = await show(bought)
    const { keys } = (await app.inject('/.well-known/jwks.json')).json<{ keys: { kty: string; kid: string }[] }>()
    const [prefix, symbols = ''] = (code ?? '').split('.')
    const bits = [...symbols].map((symbol) =>
      'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(symbol).toString(2).padStart(5, '0'),
    )
    const bytes = Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
    const key = keys.find(({ kid }) => kid.startsWith(bytes.toString('base64url', 0, 6)))
    const signed = Buffer.concat([Buffer.from(`${prefix}.`), bytes.subarray(0, 42)])
    const publicKey = createPublicKey({ key: { ...key }, format: 'jwk' })
    expect(verify(null, signed, publicKey, bytes.subarray(42))).toBe(true)
    expect(bytes.toString('hex', 6, 22)).toBe(bought.eventId.replaceAll('-', ''))
    expect(bytes.toString('hex', 22, 38)).toBe(id.replaceAll('-', ''))
    expect(bytes.readUInt32BE(38)).toBe(1)
    expect(bytes).toHaveLength(106)
  })

  it('[B230] the code is small for a scanner, and codes of earlier versions are good at the door', async () => {
    const bought = await buy(ledger, { buyerId: buyer.id })
    const { id, code } = await show(bought)
    expect(encode(code ?? '', { ecc: 'M', border: 0 }).size).toBeLessThanOrEqual(45)
    const older = jwtOf({ iss: 'seatwise', aud: bought.eventId, jti: id, seat: bought.etickets[0]?.seatId, iat: 1 })
    expect(encode(older, { ecc: 'M', border: 0 }).size).toBeGreaterThan(65)
    expectError(await scan({ code: older, eventId: randomUUID() }), 409, 'WRONG_EVENT')
    expect((await scan({ code: older })).statusCode).toBe(200)
    expectError(await scan({ code }), 409, 'ALREADY_USED')
  })

  it('[B35] the page to print shows a QR code that says the code, runs nothing and escapes everything', async () => {
    const bought = await buy(ledger, { buyerId: buyer.id, eventName: '<script>alert(1)</script>' })
    const { id, code } = await show(bought)
    const page = await get(`/api/etickets/${id}`, buyer, 'text/html,application/xhtml+xml')
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(page.headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-/)
    expect(page.headers['cache-control']).toBe('no-store')
    expect(page.body).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(page.body).not.toContain('<script')
    expect(page.body).toContain('Stalls, row A, seat 1')
    expect(page.body).toContain('<svg')
    expect(readQrCode(code ?? '')).toBe(code)
  })

  it('[W23] markup in event, place, seat type and row is text on the page to print and in the file that is mailed', async () => {
    const type = '<img src=x onerror=alert(1)>'
    const label = '"><svg onload=b>&'
    const rows = [{ label, seats: 1 }]
    const facts = { location: `<i>${type}</i>`, seatTypes: [{ name: type, price: 4500, currency: 'EUR', rows }] }
    const bought = await buy(ledger, { buyerId: buyer.id, eventName: '</title><script>c</script>', facts })
    const { id } = await show(bought)
    const page = (await get(`/api/etickets/${id}`, buyer, 'text/html')).body
    const shown = (await get(`/api/etickets/${id}`, buyer)).json<EticketView>()
    for (const text of [page, renderPrintablePage([shown])]) {
      // Nothing but our own drawing and our own elements: the mailed file is opened without any content policy.
      const elements = [...text.matchAll(/<([a-z0-9]+)/g)].map(([, name]) => name)
      const own = ['html', 'head', 'meta', 'title', 'style', 'body', 'article', 'h1', 'p', 'br', 'strong', 'svg']
      expect(elements.filter((name) => ![...own, 'path', 'rect', 'small'].includes(name ?? ''))).toEqual([])
      expect(elements.filter((name) => name === 'svg')).toHaveLength(1)
      expect(text).not.toMatch(/<[^>]*\son[a-z]+=/)
      for (const hostile of [type, label, facts.location]) expect(text).toContain(escapeHtml(hostile))
    }
  })

  it('[B35] checking in counts once: 30 scanners, one lets in, the others are told when', async () => {
    const bought = await buy(ledger, { buyerId: buyer.id })
    const { code } = await show(bought)
    const answers = await Promise.all(Array.from({ length: 30 }, () => scan({ code })))
    const [winner, ...second] = answers.filter(({ statusCode }) => statusCode === 200)
    expect(second).toEqual([])
    const { checkedInAt } = winner?.json<{ checkedInAt: string }>() ?? {}
    for (const answer of answers.filter((one) => one !== winner)) {
      expect(expectError(answer, 409, 'ALREADY_USED').checkedInAt).toBe(checkedInAt)
    }
    expect(await show(bought)).toMatchObject({ status: 'USED', checkedInAt })
  })

  it('[B35] a scanner that did not hear the answer asks again under the same key, and only it is let in again', async () => {
    const { code } = await show(await buy(ledger, { buyerId: buyer.id }))
    const other = await show(await buy(ledger, { buyerId: buyer.id }))
    const first = await scan({ code }, undefined, 'door-1-scan-7')
    expect(first.statusCode).toBe(200)
    expect((await scan({ code }, undefined, 'door-1-scan-7')).json()).toEqual(first.json())
    expectError(await scan({ code }, undefined, 'door-1-scan-8'), 409, 'ALREADY_USED')
    expectError(await scan({ code }), 409, 'ALREADY_USED')
    expectError(await scan({ code: other.code }, undefined, 'door-1-scan-7'), 422, 'KEY_REUSED')
  })

  it('[B35] only members of the event’s organization and admins check in, and only for the event at their door', async () => {
    const bought = await buy(ledger, { buyerId: buyer.id, organizerId: organizer.id })
    const { code } = await show(bought)
    expectError(await scan({ code }, buyer), 403, 'FORBIDDEN')
    expectError(await scan({ code }, await registerWithRole(app, ledger, 'organizer')), 404, 'NOT_FOUND')
    // The house's staff works at the doors of the house.
    expectError(await scan({ code }), 404, 'NOT_FOUND')
    expectError(await scan({ code, eventId: randomUUID() }), 409, 'WRONG_EVENT')
    expect(await show(bought)).toMatchObject({ status: 'VALID' })
    expect((await scan({ code, eventId: bought.eventId }, organizer)).statusCode).toBe(200)
  })

  it('[B34] [B35] after a refund the e-ticket is void, has no code, and is refused at the door', async () => {
    const bought = await buy(ledger, { buyerId: buyer.id })
    const { id, code } = await show(bought)
    await startRefund(ledger, { purchaseId: bought.purchaseId, reason: 'asked for' })
    await finishRefundsOf(ledger, bought.purchaseId)
    expectError(await scan({ code }), 409, 'ETICKET_VOID')
    expect(await show(bought)).toMatchObject({ status: 'VOID', code: null })
    const page = await get(`/api/etickets/${id}`, buyer, 'text/html')
    expect(page.body).toContain('This e-ticket is void.')
    expect(page.body).not.toContain('<svg')
  })

  /** As versions before 0.2 showed it. */
  const jwtOf = (claims: object): string => {
    const { kid, privateKey } = services.identity.keys.signer()
    const text = `${encodeJson({ alg: 'EdDSA', typ: 'seatwise-eticket+jwt', kid })}.${encodeJson(claims)}`
    return `${text}.${sign(null, Buffer.from(text), privateKey).toString('base64url')}`
  }
  const expectForged = async (forgery: string): Promise<void> => {
    expect(readEticketCode(services.identity.keys, forgery)).toBeNull()
    expectError(await scan({ code: forgery }), 400, 'BAD_ETICKET')
  }

  it('[B35] a code that we did not sign is refused in every form', async () => {
    const { code } = await show(await buy(ledger, { buyerId: buyer.id }))
    const whole = code ?? ''
    const symbols = whole.slice(4)
    const bytes = Buffer.from(fromBase32(symbols) ?? [])
    const spell = (changed: Uint8Array) => `SW1.${toBase32(changed)}`
    const flip = (at: number) => spell(bytes.map((byte, index) => (index === at ? byte ^ 1 : byte)))
    const content = bytes.subarray(0, 42)
    const stranger = generateKeyPairSync('ed25519').privateKey
    const { privateKey } = services.identity.keys.signer()
    const forgeries = [
      ...['nonsense', 'SW1.', `SW2.${symbols}`, symbols, whole.toLowerCase(), ` ${whole}`, `${whole}A`, `${whole}=`],
      // Each part of it: key, event, e-ticket, generation, signature.
      ...[0, 6, 22, 41, 42, 105].map(flip),
      spell(bytes.subarray(0, 105)),
      spell(Buffer.concat([bytes, Buffer.alloc(1)])),
      spell(Buffer.concat([content, sign(null, Buffer.concat([Buffer.from('SW1.'), content]), stranger)])),
      // Signed by us, but not as a code.
      spell(Buffer.concat([content, sign(null, content, privateKey)])),
    ]
    for (const forgery of forgeries) await expectForged(forgery)
    // The last symbol has two bits that say nothing: only one spelling is good.
    const other = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
    const last = other.indexOf(whole.at(-1) ?? '')
    await expectForged(whole.slice(0, -1) + other[last ^ 1])
    expect(readEticketCode(services.identity.keys, whole)).not.toBeNull()
  })

  it('[B35] a code in the form of earlier versions that we did not sign is refused', async () => {
    const bought = await buy(ledger, { buyerId: buyer.id })
    const code = jwtOf({ iss: 'seatwise', aud: bought.eventId, jti: bought.etickets[0]?.id, seat: '', iat: 1 })
    const [header = '', payload = '', signature = ''] = code.split('.')
    const { kid } = expectFields(decodePart(header), { kid: shape.text })
    const stranger = generateKeyPairSync('ed25519').privateKey
    const signed = (head: object, body = payload) => {
      const text = `${encodeJson(head)}.${body}`
      return `${text}.${sign(null, Buffer.from(text), stranger).toString('base64url')}`
    }
    const pass = services.roomTokens.passes.issue({ room: randomUUID(), number: 1, fence: 1, expiresAt: 1e12 }, 'x')
    const forgeries = [
      `${encodeJson({ alg: 'none', typ: 'seatwise-eticket+jwt', kid })}.${payload}.`,
      signed({ alg: 'EdDSA', typ: 'seatwise-eticket+jwt', kid }),
      signed({ alg: 'EdDSA', typ: 'seatwise-eticket+jwt', kid: 'unknown' }),
      `${header}.${encodeJson({ iss: 'seatwise', aud: randomUUID(), jti: randomUUID(), seat: '', iat: 1 })}.${signature}`,
      `${header}.${payload}.${signature}x`,
      `${header}.${payload}.${signature}.${signature}`,
      `${header}.${payload}.${flipFirst(signature)}`,
      pass,
    ]
    for (const forgery of forgeries) await expectForged(forgery)
    expect(readEticketCode(services.identity.keys, code)).not.toBeNull()
  })

  it('[B35] a code of ours for an e-ticket that is not there is not found', async () => {
    const code = jwtOf({ iss: 'seatwise', aud: randomUUID(), jti: randomUUID(), seat: randomUUID() })
    expectError(await scan({ code }), 404, 'NOT_FOUND')
    const gone = issueEticketCode(services.identity.keys, { id: randomUUID(), eventId: randomUUID(), generation: 1 })
    expectError(await scan({ code: gone }), 404, 'NOT_FOUND')
  })

  it('[B230] any bytes are spelled in one way, and read back', () => {
    const random = seededRandom(testSeed())
    for (let round = 0; round < 500; round += 1) {
      const bytes = Uint8Array.from({ length: Math.floor(random() * 120) }, () => Math.floor(random() * 256))
      expect(fromBase32(toBase32(bytes))).toEqual(bytes)
    }
    expect(toBase32(Buffer.from('foobar'))).toBe('MZXW6YTBOI')
    for (const bad of ['M', 'MZ1W', 'mzxw6ytboi', 'MZXW6YTBOI======', 'MZXW6YTBOJ', 'MÄ'])
      expect(fromBase32(bad)).toBeNull()
  })
})

const encodeJson = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const flipFirst = (text: string): string => `${text.startsWith('A') ? 'B' : 'A'}${text.slice(1)}`

/** Draws the code as the page does and reads it with an independent decoder. */
function readQrCode(code: string): string | undefined {
  const scale = 4
  const { data, size } = encode(code, { ecc: 'M', border: 4 })
  const width = size * scale
  const pixels = new Uint8ClampedArray(width * width * 4)
  for (let index = 0; index < width * width; index += 1) {
    const isBlack = data[Math.floor(index / width / scale)]?.[Math.floor((index % width) / scale)] === true
    pixels.set(isBlack ? [0, 0, 0, 255] : [255, 255, 255, 255], index * 4)
  }
  // A CommonJS module with types that declare something else.
  const read = (typeof jsQrModule === 'function' ? jsQrModule : (jsQrModule as { default: unknown }).default) as (
    pixels: Uint8ClampedArray,
    width: number,
    height: number,
  ) => { data: string } | null
  return read(pixels, width, width)?.data
}
