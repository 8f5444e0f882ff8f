import { decodeBase64Url } from '../session/base64url.ts'
import type { RoomClient } from './room-client.ts'

/** A key is published days before it signs; this is for keys that were taken away. */
const REFRESH_MS = 3_600_000
/** Made-up key names must not make the guard call the room more often than this. */
const RETRY_MS = 10_000
/** Without any key no visitor can come in, so the guard asks more often. */
const FIRST_RETRY_MS = 1_000
const KEYS_MAX = 100

/** The public keys that sign passes, fetched when one is first needed and kept. */
export interface RoomKeys {
  /** Null when there is no such key. Throws when none could ever be fetched. */
  find(kid: string): Promise<CryptoKey | null>
}

export function createRoomKeys(client: RoomClient, now: () => number): RoomKeys {
  let keys: ReadonlyMap<string, CryptoKey> | null = null
  let fetchedAt = Number.NEGATIVE_INFINITY
  let triedAt = Number.NEGATIVE_INFINITY
  let failure: unknown
  let fetching: Promise<void> | null = null

  async function refresh(): Promise<void> {
    triedAt = now()
    try {
      keys = await importKeys(await client.keys())
      fetchedAt = now()
    } catch (error) {
      failure = error
    } finally {
      fetching = null
    }
  }

  return {
    async find(kid) {
      const isNeeded = keys === null || !keys.has(kid) || now() - fetchedAt > REFRESH_MS
      const retryMs = keys === null ? FIRST_RETRY_MS : RETRY_MS
      if (fetching === null && isNeeded && now() - triedAt >= retryMs) fetching = refresh()
      // A key that is known need not wait for news about the others.
      if (fetching !== null && !keys?.has(kid)) await fetching
      if (keys === null) throw new Error('The keys of the room could not be fetched', { cause: failure })
      return keys.get(kid) ?? null
    },
  }
}

async function importKeys(document: unknown): Promise<ReadonlyMap<string, CryptoKey>> {
  if (typeof document !== 'object' || document === null || !('keys' in document) || !Array.isArray(document.keys)) {
    throw new Error('The room did not answer with a list of keys')
  }
  const keys = new Map<string, CryptoKey>()
  for (const jwk of document.keys.slice(0, KEYS_MAX) as Partial<Record<string, unknown>>[]) {
    const { kty, crv, kid, x } = jwk ?? {}
    if (kty !== 'OKP' || crv !== 'Ed25519' || typeof kid !== 'string' || typeof x !== 'string') continue
    const bytes = decodeBase64Url(x)
    if (bytes?.length === 32) keys.set(kid, await crypto.subtle.importKey('raw', bytes, 'Ed25519', false, ['verify']))
  }
  return keys
}
