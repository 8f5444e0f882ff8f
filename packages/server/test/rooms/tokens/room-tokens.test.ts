import { createHmac, generateKeyPairSync, randomBytes, randomUUID, sign } from 'node:crypto'
import { decodePart, openScratchLedger } from '@seatwise/testbench'
import fc from 'fast-check'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { deriveKeys } from '../../../src/identity/keys/derive-key.ts'
import { openSigningKeys, type SigningKeys } from '../../../src/identity/keys/signing-keys.ts'
import type { TicketClaims } from '../../../src/rooms/room.ts'
import { issueKnownUserToken } from '../../../src/rooms/tokens/known-user-token.ts'
import { createPasses, PASS_ISSUER, PASS_TYPE } from '../../../src/rooms/tokens/pass.ts'
import { issuePriorityCode, readPriorityCode } from '../../../src/rooms/tokens/priority-code.ts'
import { createTicketTokens } from '../../../src/rooms/tokens/ticket-token.ts'
import { createVisitorIdentities } from '../../../src/rooms/tokens/visitor-identity.ts'

const secret = randomBytes(32)

const claims: TicketClaims = {
  room: randomUUID(),
  number: 1_042,
  place: 1_041.5,
  class: 2,
  identity: randomBytes(12).toString('base64url'),
  generation: 3,
  epoch: 7,
  joinedAt: Date.parse('2026-11-15T10:00:00.123Z'),
}

describe('ticket tokens', () => {
  const tokens = createTicketTokens([secret])

  it('[R2] a token contains exactly the claims it was made from', () => {
    const arbitrary = fc.record({
      room: fc.uuid(),
      number: fc.integer({ min: 1, max: 2 ** 40 - 1 }),
      place: fc.double({ noNaN: true, noDefaultInfinity: true }),
      class: fc.constantFrom(0 as const, 1 as const, 2 as const, 3 as const),
      identity: fc
        .uint8Array({ minLength: 12, maxLength: 12 })
        .map((bytes) => Buffer.from(bytes).toString('base64url')),
      generation: fc.integer({ min: 1, max: 65_535 }),
      epoch: fc.integer({ min: 1, max: 2 ** 24 - 1 }),
      joinedAt: fc.integer({ min: 0, max: 2 ** 47 }),
    })
    fc.assert(
      fc.property(arbitrary, (wanted) => {
        expect(tokens.read(tokens.issue(wanted))).toEqual(wanted)
      }),
    )
  })

  it('[R2] a token in which any bit is different is not ours', () => {
    const bytes = Buffer.from(tokens.issue(claims), 'base64url')
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const flipped = Buffer.from(bytes)
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      expect(tokens.read(flipped.toString('base64url')), `bit ${bit}`).toBeNull()
    }
  })

  it('[R2] a token that is cut off, longer, or spelled differently is not ours', () => {
    const token = tokens.issue(claims)
    for (let length = 0; length < token.length; length++) expect(tokens.read(token.slice(0, length))).toBeNull()
    for (const other of [`${token}A`, `${token}=`, ` ${token}`, token.replace(/.$/, '+'), token.toUpperCase()]) {
      if (other !== token) expect(tokens.read(other), other).toBeNull()
    }
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), (text) => {
        expect(tokens.read(text)).toBeNull()
      }),
    )
  })

  it('[R2] a token of a retired secret is good while the secret is listed, and not afterwards', () => {
    const next = randomBytes(32)
    const old = tokens.issue(claims)
    const rotating = createTicketTokens([next, secret])
    expect(rotating.read(old)).toEqual(claims)
    expect(createTicketTokens([next]).read(old)).toBeNull()
    expect(createTicketTokens([next]).read(rotating.issue(claims))).toEqual(claims)
  })

  it('[R2] a token of another version is refused, also with a valid MAC', () => {
    const [key] = deriveKeys([secret], 'ticket-token')
    const body = Buffer.from(tokens.issue(claims), 'base64url').subarray(0, 55)
    const withVersion = (version: number): string => {
      const other = Buffer.from(body)
      other[0] = version
      const mac = createHmac('sha256', key?.key ?? '')
        .update(other)
        .digest()
        .subarray(0, 16)
      return Buffer.concat([other, mac]).toString('base64url')
    }
    expect(tokens.read(withVersion(1))).toEqual(claims)
    expect(tokens.read(withVersion(2))).toBeNull()
  })

  it('[R1][A38] the identity is derived with the key in the ledger, and cannot be computed without it', () => {
    const [key, visitor] = [randomBytes(32), randomUUID()]
    const identity = createVisitorIdentities(key).of(visitor)
    expect(identity).toMatch(/^[\w-]{16}$/)
    expect(createVisitorIdentities(key).of(visitor)).toBe(identity)
    expect(createVisitorIdentities(randomBytes(32)).of(visitor)).not.toBe(identity)
    expect(createVisitorIdentities(key).ofAddress(visitor)).not.toBe(identity)
  })

  it('[A39] a ticket token of an older secret is renewed: the same claims under the first secret, once', () => {
    const [older, newer] = [randomBytes(32), randomBytes(32)]
    const token = createTicketTokens([older]).issue(claims)
    const during = createTicketTokens([newer, older])
    const renewed = during.renew(token)
    expect(createTicketTokens([newer]).read(renewed ?? '')).toEqual(claims)
    expect(createTicketTokens([newer]).read(token)).toBeNull()
    expect([renewed ?? '', `${token}x`, ''].map((text) => during.renew(text))).toEqual([null, null, null])
    expect(createTicketTokens([older]).renew(token)).toBeNull()
  })
})

describe('what is signed for others', () => {
  let keys: SigningKeys
  let close: () => Promise<void>
  beforeAll(async () => {
    const ledger = await openScratchLedger()
    keys = await openSigningKeys(ledger, [secret], Date.now)
    close = () => ledger.close()
  })
  afterAll(() => close())

  const pass = { room: randomUUID(), number: 12, fence: 4_294_967_299, expiresAt: Date.now() + 60_500 }
  const verifyOffline = (token: string) =>
    jwtVerify(token, createLocalJWKSet(keys.jwks()), {
      issuer: PASS_ISSUER,
      audience: pass.room,
      typ: PASS_TYPE,
      algorithms: ['EdDSA'],
    })

  it('[R7] a pass is verified offline with the published keys, and says room, ticket, fence and end', async () => {
    const passes = createPasses([secret], keys)
    const token = passes.issue(pass, 'tkt_12')
    const { payload } = await verifyOffline(token)
    expect(payload).toMatchObject({ aud: pass.room, sub: 'tkt_12', fence: pass.fence })
    expect(payload.exp).toBe(Math.ceil(pass.expiresAt / 1000))
    expect(passes.issue(pass, 'tkt_12')).toBe(token)
    expect(passes.read(token)).toEqual({ ...pass, expiresAt: Math.ceil(pass.expiresAt / 1000) * 1000 })
  })

  it('[R7] a pass says the same to the server that issued it, which remembers it, and to every other', () => {
    const passes = createPasses([secret], keys)
    const token = passes.issue(pass, 'tkt_12')
    expect(passes.read(token)).toEqual(createPasses([secret], keys).read(token))
  })

  it('[R7] a pass that was altered is refused, offline and by us', async () => {
    const passes = createPasses([secret], keys)
    const [header = '', payload = '', signature = ''] = passes.issue(pass, 'tkt_12').split('.')
    const content = decodePart(payload)
    for (const change of [{ fence: pass.fence + 1 }, { exp: 9_999_999_999 }, { aud: randomUUID() }, { num: 13 }]) {
      const altered = Buffer.from(JSON.stringify({ ...content, ...change })).toString('base64url')
      const token = `${header}.${altered}.${signature}`
      await expect(verifyOffline(token)).rejects.toThrow()
      expect(passes.read(token)).toBeNull()
    }
    const { privateKey } = generateKeyPairSync('ed25519')
    const foreign = sign(null, Buffer.from(`${header}.${payload}`), privateKey).toString('base64url')
    await expect(verifyOffline(`${header}.${payload}.${foreign}`)).rejects.toThrow()
    for (const token of ['', '.', '..', 'a.b.c', `${header}.${Buffer.from('null').toString('base64url')}.x`]) {
      expect(passes.read(token)).toBeNull()
    }
    expect(createPasses([randomBytes(32)], keys).read(passes.issue(pass, 'tkt_12'))).toBeNull()
  })

  it('[R32] a pass counts only byte for byte as it was issued, here and on a server that did not issue it', () => {
    const issuer = createPasses([secret], keys)
    const token = issuer.issue(pass, 'tkt_12')
    const servers = { issuer, other: createPasses([secret], keys) }
    for (const altered of alterationsOf(token)) {
      for (const [name, passes] of Object.entries(servers))
        expect(passes.read(altered), `${name}: ${altered}`).toBeNull()
    }
    // And the untouched one counts on both, also after all those.
    for (const passes of Object.values(servers)) expect(passes.read(token)).toMatchObject({ fence: pass.fence })
  })

  it('[R32] a verified pass is remembered, and a refused one is not', () => {
    const token = createPasses([secret], keys).issue(pass, 'tkt_12')
    const other = createPasses([secret], keys)
    expect(other.read(`${token.slice(0, -4)}AAAA`)).toBeNull()
    expect(other.size).toBe(0)
    expect(other.read(token)).toEqual(other.read(token))
    expect(other.size).toBe(1)
  })

  it('[R32] the keys are read again when another server signed with one that was not known', async () => {
    const ledger = await openScratchLedger()
    try {
      const early = await openSigningKeys(ledger, [secret], Date.now)
      // Its secret is gone, so that the other server signs with a new key at once.
      const late = await openSigningKeys(ledger, [randomBytes(32)], Date.now)
      const { kid } = late.signer()
      expect(early.verifier(kid)).toBeNull()
      await vi.waitFor(() => expect(early.verifier(kid)).not.toBeNull())
    } finally {
      await ledger.close()
    }
  })

  it('[G37] a KnownUser token ends with the session on the floor, however little of it is left', () => {
    const now = 1_800_000_000_000
    const fieldsOf = (leftMs: number) => {
      const user = { eventId: 'shop', room: randomUUID(), number: 7, now, deadline: now + leftMs }
      const text = issueKnownUserToken('a key', user)
      return Object.fromEntries(text.split('~').map((field) => field.split('_', 2) as [string, string]))
    }
    for (const leftMs of [60_000, 61_000, 119_999, 239_999, 600_000]) {
      const { ts, cv, ce } = fieldsOf(leftMs)
      expect(Number(ts) * 1_000).toBeLessThanOrEqual(now + Math.min(leftMs, 240_000))
      expect(Number(cv) * 60_000).toBeLessThanOrEqual(leftMs)
      expect(ce).toBe('false')
    }
    expect(Number(fieldsOf(30_000).ts) * 1_000).toBeLessThanOrEqual(now + 30_000)
  })

  it('[R3] a priority code contains what was signed, and is refused when a bit of it is different', () => {
    const wanted = { room: randomUUID(), class: 2 as const, expiresAt: Date.now() + 60_000 }
    const code = issuePriorityCode(keys, wanted)
    expect(readPriorityCode(keys, code)).toMatchObject(wanted)
    expect(issuePriorityCode(keys, wanted)).not.toBe(code)
    const [kid = '', encoded = ''] = code.split('.')
    const bytes = Buffer.from(encoded, 'base64url')
    for (let bit = 0; bit < bytes.length * 8; bit += 3) {
      const flipped = Buffer.from(bytes)
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      expect(readPriorityCode(keys, `${kid}.${flipped.toString('base64url')}`), `bit ${bit}`).toBeNull()
    }
    for (const other of ['', kid, `nobody.${encoded}`, code.slice(0, -4), `${'x'.repeat(400)}.${encoded}`]) {
      expect(readPriorityCode(keys, other)).toBeNull()
    }
    for (const other of [`${code}=`, `${code}.`, `${code}.more`, `${kid}. ${encoded}`, `${kid}.${encoded}!`]) {
      expect(readPriorityCode(keys, other), other).toBeNull()
    }
  })
})

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** Texts that differ from a JWT in one character, and others that say the same in another spelling. */
function* alterationsOf(token: string): Generator<string> {
  for (let at = 0; at < token.length; at++) {
    const place = ALPHABET.indexOf(token[at] ?? '')
    // The lowest bit is the one that a decoder ignores in a last character.
    for (const bit of [1, 32]) {
      const other = place === -1 ? '_' : (ALPHABET[place ^ bit] ?? '')
      yield token.slice(0, at) + other + token.slice(at + 1)
    }
    yield token.slice(0, at)
  }
  const parts = token.split('.')
  const [header = '', payload = '', signature = ''] = parts
  const reversed = Buffer.from(signature, 'base64url').reverse().toString('base64url')
  yield* [
    `${token}=`,
    `${token}.`,
    `${token}.x`,
    ` ${token}`,
    `${token}\n`,
    `${header}.${payload}.`,
    `${header}.${payload}`,
  ]
  yield* [`.${payload}.${signature}`, `${header}.${payload}.${reversed}`]
  for (const [index, part] of parts.entries()) {
    const spelled = (text: string) => parts.map((one, other) => (other === index ? text : one)).join('.')
    yield* [spelled(`${part}=`), spelled(`${part}!`), spelled(`${part.slice(0, 4)} ${part.slice(4)}`)]
    const standard = part.replaceAll('-', '+').replaceAll('_', '/')
    if (standard !== part) yield spelled(standard)
    if (part === signature) continue
    const value = decodePart(part)
    const written = [
      { ...value, extra: 1 },
      { ...value, sub: 'tkt_13' },
      Object.fromEntries(Object.entries(value).reverse()),
    ]
    yield* written.map((one) => spelled(Buffer.from(JSON.stringify(one)).toString('base64url')))
    yield spelled(Buffer.from(JSON.stringify(value, null, 1)).toString('base64url'))
  }
}
