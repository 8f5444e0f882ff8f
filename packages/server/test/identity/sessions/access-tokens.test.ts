import { createHmac, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { jwtVerify } from 'jose'
import { describe, expect, it } from 'vitest'
import { ACCOUNT_ROLES, type Actor, ROLES } from '../../../src/http/access/access.ts'
import { deriveKeys } from '../../../src/identity/keys/derive-key.ts'
import {
  ACCESS_TOKEN_AUDIENCE,
  ACCESS_TOKEN_ISSUER,
  ISSUED_AHEAD_SECONDS_MAX,
} from '../../../src/identity/sessions/access-claims.ts'
import { ACCESS_TOKEN_SECONDS, createAccessTokens } from '../../../src/identity/sessions/access-token.ts'
import { ACCESS_TOKEN_TYPE } from '../../../src/identity/sessions/signed-claims.ts'

const NOW_SECONDS = 1_794_736_800
const secret = randomBytes(32)
const [ours] = deriveKeys([secret], 'access-token')
const clock = { nowMs: NOW_SECONDS * 1_000 }
const tokens = createAccessTokens([secret], () => clock.nowMs)
/** Without the memory of verified tokens, so that every check is a check. */
const verifyFresh = (token: string) => createAccessTokens([secret], () => clock.nowMs).verify(token)

const HEADER = { alg: 'HS256', typ: ACCESS_TOKEN_TYPE, kid: ours.id }
const CLAIMS = {
  iss: ACCESS_TOKEN_ISSUER,
  aud: ACCESS_TOKEN_AUDIENCE,
  sub: 'b3c7f1f0-0000-7000-8000-000000000001',
  role: 'buyer',
  iat: NOW_SECONDS,
  exp: NOW_SECONDS + 60,
}

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A token signed with the right key, whatever it says. */
function forge(header: unknown, claims: unknown, key: KeyObject | Buffer = ours.key): string {
  const signed = `${typeof header === 'string' ? header : encode(header)}.${encode(claims)}`
  return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`
}

/** An implementation that is not ours, told the same rules. */
async function joseAccepts(token: string): Promise<boolean> {
  try {
    const { payload, protectedHeader } = await jwtVerify(token, ours.key, {
      algorithms: ['HS256'],
      typ: ACCESS_TOKEN_TYPE,
      issuer: ACCESS_TOKEN_ISSUER,
      audience: ACCESS_TOKEN_AUDIENCE,
      currentDate: new Date(clock.nowMs),
      requiredClaims: ['sub', 'role', 'iat', 'exp'],
    })
    const isAhead = Number(payload.iat) > NOW_SECONDS + ISSUED_AHEAD_SECONDS_MAX
    return (
      protectedHeader.kid === ours.id && ROLES.some((role) => role === payload.role) && payload.sub !== '' && !isAhead
    )
  } catch {
    return false
  }
}

const anyActor = fc.record(
  {
    id: fc.uuid(),
    role: fc.constantFrom(...ROLES),
    name: fc.string({ minLength: 1, maxLength: 100, unit: 'grapheme' }),
    session: fc.record({ id: fc.uuid(), version: fc.nat() }),
  },
  { requiredKeys: ['id', 'role'] },
)

describe('access tokens', () => {
  it('[A16] a token names its subject, role, lifetime, issuer and audience', () => {
    const { accessToken, expiresIn } = tokens.issue({ id: CLAIMS.sub, role: 'organizer' })
    const [header, payload] = accessToken.split('.').map((part) => Buffer.from(part, 'base64url').toString())
    expect(expiresIn).toBe(12 * 60 * 60)
    expect(JSON.parse(header ?? '')).toEqual(HEADER)
    expect(JSON.parse(payload ?? '')).toEqual({
      ...CLAIMS,
      role: 'organizer',
      exp: NOW_SECONDS + ACCESS_TOKEN_SECONDS,
    })
    expect(Buffer.from(ours.id, 'base64url').equals(secret.subarray(0, 9))).toBe(false)
  })

  it('[P11] every token that we issue is accepted until the second it expires, by us and by another implementation', async () => {
    await fc.assert(
      fc.asyncProperty(anyActor, fc.integer({ min: -10, max: 2 * ACCESS_TOKEN_SECONDS }), async (actor, ageSeconds) => {
        clock.nowMs = NOW_SECONDS * 1_000
        const { accessToken } = tokens.issue(actor)
        clock.nowMs = (NOW_SECONDS + ageSeconds) * 1_000
        const expiresAt = NOW_SECONDS + ACCESS_TOKEN_SECONDS
        const expected: Actor | null = ageSeconds < ACCESS_TOKEN_SECONDS ? { ...actor, expiresAt } : null
        // Twice: a cached token must expire like one that is not cached.
        expect(tokens.verify(accessToken)).toEqual(expected)
        expect(tokens.verify(accessToken)).toEqual(expected)
        expect(verifyFresh(accessToken)).toEqual(expected)
        expect(await joseAccepts(accessToken)).toBe(expected !== null)
      }),
      { numRuns: 300 },
    )
    clock.nowMs = NOW_SECONDS * 1_000
  })

  it('[P11] a cached token still expires', () => {
    const own = createAccessTokens([secret], () => clock.nowMs)
    const { accessToken } = own.issue({ id: 'ada', role: 'buyer' })
    const remembered = Array.from({ length: 4 }, () => (own.verify(accessToken) === null ? null : own.size))
    expect(remembered).toEqual([1, 1, 1, 1])
    clock.nowMs = (NOW_SECONDS + ACCESS_TOKEN_SECONDS) * 1_000
    expect(own.verify(accessToken)).toBeNull()
    clock.nowMs = NOW_SECONDS * 1_000
    expect(own.verify(`${accessToken.slice(0, -1)}x`)).toBeNull()
    expect(own.size).toBe(1)
  })

  it('[P11] a token with any claims is accepted exactly when another implementation, told the same rules, accepts it', async () => {
    const seconds = fc.oneof(
      fc.integer({ min: NOW_SECONDS - 5, max: NOW_SECONDS + 5 }),
      fc.constantFrom(NOW_SECONDS - 1e9, NOW_SECONDS + 1e9),
      fc.constantFrom(undefined, null, 'tomorrow', [], `${NOW_SECONDS + 60}`),
    )
    const claims = fc.record({
      iss: fc.oneof(
        { weight: 4, arbitrary: fc.constant(CLAIMS.iss) },
        fc.constantFrom('Seatwise', '', null, undefined, [CLAIMS.iss]),
      ),
      aud: fc.oneof(
        { weight: 4, arbitrary: fc.constant(CLAIMS.aud) },
        fc.constantFrom('seatwise-pass', '', null, undefined),
      ),
      sub: fc.oneof({ weight: 4, arbitrary: fc.constant(CLAIMS.sub) }, fc.constantFrom('', undefined)),
      role: fc.oneof(
        { weight: 4, arbitrary: fc.constantFrom(...ROLES) },
        fc.constantFrom('root', '', undefined, null, ['admin']),
      ),
      iat: fc.oneof({ weight: 4, arbitrary: fc.constant(NOW_SECONDS) }, seconds),
      exp: fc.oneof({ weight: 4, arbitrary: fc.constant(NOW_SECONDS + 60) }, seconds),
      nbf: fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, seconds),
    })
    let accepted = 0
    await fc.assert(
      fc.asyncProperty(claims, async (claim) => {
        const token = forge(HEADER, claim)
        const isAccepted = verifyFresh(token) !== null
        expect(isAccepted).toBe(await joseAccepts(token))
        if (isAccepted) accepted += 1
      }),
      { numRuns: 1_000 },
    )
    expect(accepted).toBeGreaterThan(20)
  })

  it('[P11] no single changed character or bit of a token is accepted', () => {
    const { accessToken } = tokens.issue({ id: CLAIMS.sub, role: 'buyer' })
    for (let index = 0; index < accessToken.length; index += 1) {
      for (let bit = 0; bit < 8; bit += 1) {
        const bytes = Buffer.from(accessToken)
        bytes[index] = (bytes[index] ?? 0) ^ (1 << bit)
        expect(verifyFresh(bytes.toString('latin1'))).toBe(null)
      }
      expect(verifyFresh(accessToken.slice(0, index))).toBe(null)
      expect(verifyFresh(accessToken.slice(0, index) + accessToken.slice(index + 1))).toBe(null)
    }
  })

  it('[P11] no text makes the check throw, and none that we did not sign is accepted', () => {
    const part = fc.oneof(
      fc.string(),
      fc.base64String(),
      fc.json().map((json) => Buffer.from(json).toString('base64url')),
    )
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(part, { maxLength: 6 }).map((parts) => parts.join('.')),
      fc.tuple(part, part).map(([payload, signature]) => `${encode(HEADER)}.${payload}.${signature}`),
    )
    fc.assert(
      fc.property(text, (token) => {
        expect(tokens.verify(token)).toBe(null)
      }),
      { numRuns: 1_000 },
    )
  })
})

describe('forged access tokens', () => {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2_048 })
  const valid = forge(HEADER, CLAIMS)
  const [header = '', payload = '', signature = ''] = valid.split('.')
  const padded = (text: string) => text + '='.repeat((4 - (text.length % 4)) % 4)
  const publicKeyPem = rsa.publicKey.export({ format: 'pem', type: 'spki' }) as string

  it('[A17] the token that the forgeries below start from is accepted', () => {
    expect(verifyFresh(valid)).toEqual({ id: CLAIMS.sub, role: 'buyer', expiresAt: CLAIMS.exp })
  })

  it.each([
    ['alg none, no signature', `${encode({ ...HEADER, alg: 'none' })}.${payload}.`],
    ['alg none, kept signature', `${encode({ ...HEADER, alg: 'none' })}.${payload}.${signature}`],
    ['alg nOnE', forge({ ...HEADER, alg: 'nOnE' }, CLAIMS)],
    ['alg missing', forge({ typ: HEADER.typ, kid: HEADER.kid }, CLAIMS)],
    ['alg HS512', forge({ ...HEADER, alg: 'HS512' }, CLAIMS)],
    ['alg RS256', forge({ ...HEADER, alg: 'RS256' }, CLAIMS)],
    ['alg EdDSA', forge({ ...HEADER, alg: 'EdDSA' }, CLAIMS)],
    ['HS256 keyed with a public key', forge(HEADER, CLAIMS, Buffer.from(publicKeyPem))],
    ['HS256 keyed with the raw secret', forge(HEADER, CLAIMS, secret)],
    ['HS256 keyed with nothing', forge(HEADER, CLAIMS, Buffer.alloc(0))],
    ['HS256 keyed with the key id', forge(HEADER, CLAIMS, Buffer.from(ours.id))],
    ['the key of another purpose', forge(HEADER, CLAIMS, deriveKeys([secret], 'ticket-token')[0].key)],
    ['kid unknown', forge({ ...HEADER, kid: 'AAAAAAAAAAAA' }, CLAIMS)],
    ['kid missing', forge({ alg: HEADER.alg, typ: HEADER.typ }, CLAIMS)],
    ['kid a path', forge({ ...HEADER, kid: '../../../../dev/null' }, CLAIMS, Buffer.alloc(0))],
    ['kid SQL', forge({ ...HEADER, kid: "' or 1=1 --" }, CLAIMS)],
    ['kid a list', forge({ ...HEADER, kid: [ours.id] }, CLAIMS)],
    ['kid __proto__', forge({ ...HEADER, kid: '__proto__' }, CLAIMS)],
    [
      'a duplicate kid',
      forge(Buffer.from(`{"kid":"x",${JSON.stringify(HEADER).slice(1)}`).toString('base64url'), CLAIMS),
    ],
    ['a critical extension', forge({ ...HEADER, crit: ['exp'] }, CLAIMS)],
    ['an unencoded payload', forge({ ...HEADER, b64: false, crit: ['b64'] }, CLAIMS)],
    ['an embedded key', forge({ ...HEADER, jwk: rsa.publicKey.export({ format: 'jwk' }) }, CLAIMS)],
    ['a key URL', forge({ ...HEADER, jku: 'https://attacker.example/jwks.json' }, CLAIMS)],
    ['typ JWT', forge({ ...HEADER, typ: 'JWT' }, CLAIMS)],
    ['typ of a pass', forge({ ...HEADER, typ: 'pass+jwt' }, CLAIMS)],
    ['a padded header', `${header}=.${payload}.${signature}`],
    ['a padded signature', `${header}.${payload}.${padded(signature)}`],
    [
      'another spelling of the signature',
      `${header}.${payload}.${signature.slice(0, -1)}${neighbour(signature.at(-1) ?? '')}`,
    ],
    ['white space around', ` ${valid}\n`],
    ['white space inside', `${header}. ${payload}.${signature}`],
    ['the plain alphabet', `${header}.${payload}.${Buffer.from(signature, 'base64url').toString('base64')}`],
    ['a fourth part', `${valid}.${signature}`],
    ['an empty fourth part', `${valid}.`],
    ['two parts', `${header}.${payload}`],
    ['no payload', `${header}..${createHmac('sha256', ours.key).update(`${header}.`).digest('base64url')}`],
    ['an encrypted token’s form', `${header}.${payload}.${signature}.${payload}.${signature}`],
    ['JSON serialization', JSON.stringify({ protected: header, payload, signature })],
    ['a huge token', forge(HEADER, { ...CLAIMS, padding: 'x'.repeat(1_000_000) })],
    ['dots only', '.'.repeat(1_000_000)],
    ['claims that are a list', forge(HEADER, [CLAIMS])],
    ['claims that are null', forge(HEADER, null)],
    ['issued in the future', forge(HEADER, { ...CLAIMS, iat: NOW_SECONDS + ISSUED_AHEAD_SECONDS_MAX + 1 })],
    ['not valid yet', forge(HEADER, { ...CLAIMS, nbf: NOW_SECONDS + 1 })],
    ['expired this second', forge(HEADER, { ...CLAIMS, exp: NOW_SECONDS })],
    ['never expires', forge(HEADER, { ...CLAIMS, exp: undefined })],
    ['expires at infinity', forge(HEADER, { ...CLAIMS, exp: '1e999' })],
    ['a fraction of a second', forge(HEADER, { ...CLAIMS, exp: NOW_SECONDS + 0.5 })],
    ['a session without a version', forge(HEADER, { ...CLAIMS, sid: CLAIMS.sub })],
    ['a session version that is text', forge(HEADER, { ...CLAIMS, sid: CLAIMS.sub, ver: '1' })],
    ['a version without a session', forge(HEADER, { ...CLAIMS, ver: 1 })],
    ['several audiences', forge(HEADER, { ...CLAIMS, aud: [CLAIMS.aud, 'seatwise-pass'] })],
  ])('[A17] refused: %s', (_name, token) => {
    expect(verifyFresh(token)).toBe(null)
  })

  it('[A18] the first secret signs, all verify, and removing a secret invalidates its tokens', () => {
    const [older, newer] = [randomBytes(32), randomBytes(32)]
    const now = () => clock.nowMs
    const before = createAccessTokens([older], now)
    const during = createAccessTokens([newer, older], now)
    const after = createAccessTokens([newer], now)
    for (const role of ACCOUNT_ROLES) {
      const [old, fresh] = [before.issue({ id: 'a', role }).accessToken, during.issue({ id: 'a', role }).accessToken]
      expect([before, during, after].map((some) => some.verify(old) !== null)).toEqual([true, true, false])
      expect([before, during, after].map((some) => some.verify(fresh) !== null)).toEqual([false, true, true])
    }
  })

  it('[A39] a token of an older secret is renewed: the same claims and the same end under the first secret, once', () => {
    const [older, newer] = [randomBytes(32), randomBytes(32)]
    const before = createAccessTokens([older], () => clock.nowMs)
    const actor = { id: 'a', role: 'guest', name: 'Ada', session: { id: 's', version: 3 } } as const
    const { accessToken } = before.issue(actor)
    clock.nowMs += 60_000
    const during = createAccessTokens([newer, older], () => clock.nowMs)
    const renewed = during.renew(accessToken)
    const after = createAccessTokens([newer], () => clock.nowMs)
    expect(after.verify(renewed?.accessToken ?? '')).toEqual(before.verify(accessToken))
    expect(renewed?.expiresIn).toBe(ACCESS_TOKEN_SECONDS - 60)
    const ofNoUse = [renewed?.accessToken ?? '', `${accessToken}x`, '', 'forged']
    expect(ofNoUse.map((token) => during.renew(token))).toEqual([null, null, null, null])
    expect([before.renew(accessToken), after.renew(accessToken)]).toEqual([null, null])
    const ended = createAccessTokens(
      [newer, older],
      () => clock.nowMs,
      () => true,
    )
    expect(ended.renew(accessToken)).toBe(null)
    clock.nowMs = NOW_SECONDS * 1_000
  })

  it('[A18] keys of different purposes and secrets are all different', () => {
    const secrets = [secret, randomBytes(32)]
    const keys = (['access-token', 'signing-key-seal', 'ticket-token'] as const).flatMap((use) =>
      deriveKeys(secrets, use),
    )
    expect(new Set(keys.map(({ id }) => id)).size).toBe(6)
    expect(new Set(keys.map(({ key }) => key.export().toString('hex'))).size).toBe(6)
  })
})

/** The next letter of the alphabet differs only in bits that a 32-byte signature does not use. */
function neighbour(letter: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  return alphabet[alphabet.indexOf(letter) ^ 1] ?? ''
}
