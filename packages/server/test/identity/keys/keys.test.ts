import { randomBytes, sign, verify } from 'node:crypto'
import type { Ledger } from '@seatwise/ledger'
import { forEachLedger } from '@seatwise/testbench'
import { createLocalJWKSet, jwtVerify, SignJWT } from 'jose'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { deriveKeys } from '../../../src/identity/keys/derive-key.ts'
import { seal, unseal } from '../../../src/identity/keys/seal.ts'
import {
  openSigningKeys,
  PUBLISHED_AFTER_MS,
  PUBLISHED_AHEAD_MS,
  SIGNING_MS,
  type SigningKeys,
} from '../../../src/identity/keys/signing-keys.ts'
import { openTestApp } from '../../support/accounts.ts'

const START_MS = Date.parse('2026-11-15T10:00:00Z')

/** Keys of a server that reads its time from `clock`. */
async function openAt(ledger: Ledger, clock: { nowMs: number }, ...secrets: Buffer[]): Promise<SigningKeys> {
  return await openSigningKeys(ledger, secrets, () => clock.nowMs)
}

async function rowsOf(ledger: Ledger) {
  return await ledger.db.selectFrom('signing_keys').selectAll().orderBy('generation').execute()
}

const kids = (keys: SigningKeys) => keys.jwks().keys.map(({ kid }) => kid)

forEachLedger('signing keys', (open) => {
  let ledger: Ledger
  beforeAll(async () => {
    ledger = await open()
  })
  beforeEach(async () => {
    await ledger.db.deleteFrom('signing_keys').execute()
  })

  it('[A26] the first server makes a key, and the published keys verify what it signs', async () => {
    const { app, services } = await openTestApp(ledger)
    const { kid, privateKey } = services.identity.keys.signer()
    const pass = await new SignJWT({ sub: 'ticket' }).setProtectedHeader({ alg: 'EdDSA', kid }).sign(privateKey)

    const answer = await app.inject('/.well-known/jwks.json')
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['cache-control']).toContain('public, max-age=')
    const published = answer.json<{ keys: { kid: string; d?: string }[] }>()
    expect(published.keys.every((key) => key.d === undefined)).toBe(true)
    const checked = await jwtVerify(pass, createLocalJWKSet(published), { algorithms: ['EdDSA'] })
    expect(checked.payload.sub).toBe('ticket')
    await app.close()
  })

  it('[A26] the private half is not in the ledger, and cannot be opened without the secret or under another name', async () => {
    const secret = randomBytes(32)
    const keys = await openAt(ledger, { nowMs: START_MS }, secret)
    const [row] = await rowsOf(ledger)
    const seed = Buffer.from(keys.signer().privateKey.export({ format: 'jwk' }).d ?? '', 'base64url')
    const sealed = Buffer.from(row?.sealed_private_key ?? '', 'base64url')
    expect(seed).toHaveLength(32)
    expect(sealed.includes(seed)).toBe(false)
    const [ours] = deriveKeys([secret], 'signing-key-seal')
    const [theirs] = deriveKeys([randomBytes(32)], 'signing-key-seal')
    expect(unseal(ours, row?.kid ?? '', row?.sealed_private_key ?? '').equals(seed)).toBe(true)
    expect(() => unseal(theirs, row?.kid ?? '', row?.sealed_private_key ?? '')).toThrow()
    expect(() => unseal(ours, 'another', row?.sealed_private_key ?? '')).toThrow()
  })

  it('[A26] all servers share the keys: what one signs another verifies', async () => {
    const [secret, clock] = [randomBytes(32), { nowMs: START_MS }]
    const [one, other] = [await openAt(ledger, clock, secret), await openAt(ledger, clock, secret)]
    const { kid, privateKey } = one.signer()
    const signature = sign(null, Buffer.from('pass'), privateKey)
    expect(other.signer().kid).toBe(kid)
    expect(verify(null, Buffer.from('pass'), other.verifier(kid) ?? '', signature)).toBe(true)
    expect(other.verifier('unknown')).toBe(null)
  })

  it('[A27] a key is published before it signs, signs for its period, then only verifies, and is deleted in the end', async () => {
    const clock = { nowMs: START_MS }
    const keys = await openAt(ledger, clock, randomBytes(32))
    const first = keys.signer().kid

    clock.nowMs = START_MS + SIGNING_MS - PUBLISHED_AHEAD_MS - 1
    await keys.refresh()
    expect(kids(keys)).toEqual([first])

    clock.nowMs += 1
    await keys.refresh()
    const [, second] = kids(keys)
    expect(kids(keys)).toHaveLength(2)
    expect(keys.signer().kid).toBe(first)

    clock.nowMs = START_MS + SIGNING_MS
    expect(keys.signer().kid).toBe(second)
    clock.nowMs += 1
    await keys.refresh()
    expect(keys.signer().kid).toBe(second)
    expect(keys.verifier(first)).not.toBe(null)
    expect((await rowsOf(ledger))[0]).toMatchObject({ kid: first, sealed_private_key: null, sealed_with: null })

    clock.nowMs = START_MS + SIGNING_MS + PUBLISHED_AFTER_MS + 1
    await keys.refresh()
    expect(keys.verifier(first)).toBe(null)
    expect(keys.signer().kid).not.toBe(second)
  })

  it('[A27] a server that was off for months signs at once with a new key', async () => {
    const secret = randomBytes(32)
    const before = (await openAt(ledger, { nowMs: START_MS }, secret)).signer().kid
    const after = await openAt(ledger, { nowMs: START_MS + 2 * SIGNING_MS }, secret)
    expect(after.signer().kid).not.toBe(before)
    expect(after.verifier(before)).not.toBe(null)
  })

  it('[A27] servers that start or rotate together make one key between them', async () => {
    const [secret, clock] = [randomBytes(32), { nowMs: START_MS }]
    const servers = await Promise.all(Array.from({ length: 8 }, () => openAt(ledger, clock, secret)))
    expect(new Set(servers.map((keys) => keys.signer().kid)).size).toBe(1)
    expect(await rowsOf(ledger)).toHaveLength(1)
    clock.nowMs += SIGNING_MS
    await Promise.all(servers.map((keys) => keys.refresh()))
    expect(new Set(servers.map((keys) => keys.signer().kid)).size).toBe(1)
    expect(await rowsOf(ledger)).toHaveLength(2)
  })

  it('[A27 control] without the unique generation the same race makes several keys', async () => {
    const secret = randomBytes(32)
    const generations = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const rows = await rowsOf(ledger)
        return rows.length + 1
      }),
    )
    // Every server would have made number one: only the constraint keeps seven of them out.
    expect(generations.filter((generation) => generation === 1).length).toBeGreaterThan(1)
    await openAt(ledger, { nowMs: START_MS }, secret)
    const [row] = await rowsOf(ledger)
    if (row === undefined) return expect.unreachable('no key')
    const twin = { ...row, kid: 'twin' }
    await expect(ledger.db.insertInto('signing_keys').values(twin).execute()).rejects.toThrow(/generation/)
    return undefined
  })

  it('[A28] after a change of secret the keys are sealed with the new one, and the old one can go', async () => {
    const [older, newer, clock] = [randomBytes(32), randomBytes(32), { nowMs: START_MS }]
    const { kid } = (await openAt(ledger, clock, older)).signer()
    expect((await openAt(ledger, clock, newer, older)).signer().kid).toBe(kid)
    expect((await openAt(ledger, clock, newer)).signer().kid).toBe(kid)
    expect(await rowsOf(ledger)).toHaveLength(1)
  })

  it('[A28] when the secret is lost old keys still verify and a new one signs', async () => {
    const clock = { nowMs: START_MS }
    const { kid } = (await openAt(ledger, clock, randomBytes(32))).signer()
    const keys = await openAt(ledger, clock, randomBytes(32))
    expect(keys.signer().kid).not.toBe(kid)
    expect(keys.verifier(kid)).not.toBe(null)
    expect(kids(keys)).toHaveLength(2)
  })
})

describe('sealing', () => {
  it('[A26] no changed bit of what is sealed can be opened', () => {
    const [key] = deriveKeys([randomBytes(32)], 'signing-key-seal')
    const sealed = Buffer.from(seal(key, 'label', Buffer.from('plain')), 'base64url')
    for (let bit = 0; bit < sealed.length * 8; bit += 1) {
      const changed = Buffer.from(sealed)
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      expect(() => unseal(key, 'label', changed.toString('base64url'))).toThrow()
    }
  })
})
