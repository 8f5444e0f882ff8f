import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import { decodePart, expectFields, shape } from '@seatwise/testbench'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createAccessTokens } from '../../src/identity/sessions/access-token.ts'
import { isOwnMethod, openWorld, victimsUrl, type World } from './security-world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

it('[X4] [ASVS-9.1.1] [ASVS-9.1.2] [ASVS-9.1.3] [ASVS-9.2.1] no forged access token is taken on any route', {
  timeout: 60_000,
}, async () => {
  const forgeries = await forgedTokens()
  const taken = []
  const rules = world.rules.filter((rule) => isOwnMethod(rule) && asksForToken(rule.access))
  expect(rules.length).toBeGreaterThan(40)
  for (const { method, url } of rules) {
    for (const [name, token] of forgeries) {
      const headers = { authorization: `Bearer ${token}` }
      const answer = await world.bench.server.app.inject({
        method: method as 'GET',
        url: victimsUrl(world, url),
        headers,
      })
      // A page shows an unknown visitor the way to signing in.
      const isShownTheWay = answer.statusCode === 303 && String(answer.headers.location).startsWith('/sign-in')
      if (answer.statusCode !== 401 && !isShownTheWay) taken.push(`${name}: ${method} ${url}: ${answer.statusCode}`)
    }
  }
  expect(taken).toEqual([])
})

it('[X5] [ASVS-9.2.2] [ASVS-9.2.3] a token of one kind is not taken for another', async () => {
  const { bench, alice, purchase, sale } = world
  const kinds = {
    access: alice.authorization.slice('Bearer '.length),
    ticket: alice.ticket,
    pass: alice.pass,
    eticket: purchase.etickets[0]?.code ?? '',
    priority: await priorityCode(),
  }
  for (const [kind, token] of Object.entries(kinds)) {
    expect(token).not.toBe('')
    const as = `Bearer ${token}`
    const body = { seatIds: [world.freeSeatId] }
    const calls = {
      access: await bench.call('GET', '/api/reservations', { as }),
      ticket: await bench.call('GET', `${sale}/queue/status`, { ticket: token }),
      pass: await bench.call('POST', `${sale}/reservations`, {
        ...{ as: bench.buyer(), pass: token, body },
        headers: { 'idempotency-key': `as-${kind}` },
      }),
      eticket: await bench.call('POST', '/api/checkin', { as: world.olivia.authorization, body: { code: token } }),
      priority: await bench.call('POST', `${sale}/queue/join`, { as: bench.buyer(), body: { priorityCode: token } }),
    }
    for (const [place, { statusCode }] of Object.entries(calls)) {
      // A pass is her own, so that another visitor is refused with it even in its own place.
      const isRight = place === kind && kind !== 'pass'
      expect([kind, place, statusCode < 300]).toEqual([kind, place, isRight])
      if (!isRight) expect([kind, place, statusCode >= 400 && statusCode < 500]).toEqual([kind, place, true])
    }
  }
})

const asksForToken = (access: unknown) => access === 'signed-in' || Array.isArray(access)

async function priorityCode(): Promise<string> {
  const body = { class: 1, count: 1, expiresAt: new Date(Date.now() + 3_600_000) }
  const answer = await world.bench.call('POST', `${world.sale}/priority-codes`, {
    as: world.olivia.authorization,
    body,
  })
  return answer.json<{ codes: string[] }>().codes[0] ?? ''
}

async function forgedTokens(): Promise<[string, string][]> {
  const genuine = world.admin.authorization.slice('Bearer '.length)
  const [header = '', claims = '', signature = ''] = genuine.split('.')
  const { kid, typ } = expectFields(decodePart(header), { kid: shape.text, typ: shape.text })
  const jwks = (await world.bench.server.app.inject('/.well-known/jwks.json')).json<{
    keys: { x: string; kid: string }[]
  }>()
  const [publicKey = { x: '', kid: '' }] = jwks.keys
  const own = generateKeyPairSync('ed25519')
  const withHeader = (fields: object) => `${encode({ kid, typ, ...fields })}.${claims}`
  const hmac = (text: string, key: Buffer | string) =>
    `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`
  const expired = createAccessTokens(world.bench.server.secrets, () => Date.now() - 365 * 86_400_000)
  return [
    ['no algorithm', `${withHeader({ alg: 'none' })}.`],
    ['no algorithm, signature kept', `${withHeader({ alg: 'none' })}.${signature}`],
    ['NONE in capitals', `${withHeader({ alg: 'NONE' })}.`],
    ['empty secret', hmac(withHeader({ alg: 'HS256' }), '')],
    ['public key as secret', hmac(withHeader({ alg: 'HS256' }), Buffer.from(publicKey.x, 'base64url'))],
    ['public key as secret, by its id', hmac(withHeader({ alg: 'HS256', kid: publicKey.kid }), publicKey.x)],
    ['own key', signed(withHeader({ alg: 'EdDSA' }), own.privateKey)],
    [
      'own key in the header',
      signed(withHeader({ alg: 'EdDSA', jwk: own.publicKey.export({ format: 'jwk' }) }), own.privateKey),
    ],
    ['own key by address', signed(withHeader({ alg: 'EdDSA', jku: 'https://evil.example/jwks' }), own.privateKey)],
    ['key id that is a path', hmac(withHeader({ alg: 'HS256', kid: '../../../../dev/null' }), '')],
    ['longer algorithm', `${withHeader({ alg: 'HS512' })}.${signature}`],
    ['other claims', `${header}.${encode({ ...decodePart(claims), sub: world.olivia.id })}.${signature}`],
    ['first bit of the signature', `${header}.${claims}.${flipFirst(signature)}`],
    ['cut off', genuine.slice(0, -1)],
    ['without signature', `${header}.${claims}`],
    ['twice', `${genuine}.${genuine}`],
    ['expired', expired.issue({ id: world.admin.id, role: 'admin' }).accessToken],
    [
      'another server’s',
      createAccessTokens([Buffer.alloc(32, 5)], Date.now).issue({ id: world.admin.id, role: 'admin' }).accessToken,
    ],
    ['a megabyte less than none', 'a'.repeat(8_000)],
  ]
}

function signed(text: string, key: Parameters<typeof sign>[2]): string {
  return `${text}.${sign(null, Buffer.from(text), key).toString('base64url')}`
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

function flipFirst(signature: string): string {
  return `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`
}
