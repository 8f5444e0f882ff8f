import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'

/** What a key is for. Purposes never share a key, so that a signature for one is worthless for another. */
export type KeyPurpose =
  | 'access-token'
  | 'sign-in-mail'
  | 'signing-key-seal'
  | 'ticket-token'
  | 'handover-code'
  | 'group-code'
  | 'pass'
  | 'webhook-secret'
  | 'sandbox-webhook'
  | 'connector-secret'
  | 'challenge'
  | 'signed-wait'
  | 'device'
  | 'draw-secret'

/** A secret's key for one purpose, with a public name that reveals nothing about the secret. */
export interface DerivedKey {
  readonly id: string
  readonly key: KeyObject
}

const KEY_BYTES = 32
/** 72 bits: secrets are few, so names never collide, and tokens stay short. */
const KEY_ID_BYTES = 9

/** One key per secret, in the order of the secrets: the first one signs, all of them verify. */
export function deriveKeys(secrets: readonly Buffer[], purpose: KeyPurpose): readonly [DerivedKey, ...DerivedKey[]] {
  const [first, ...others] = secrets.map((secret) => deriveKey(secret, purpose))
  if (first === undefined) throw new Error('At least one secret is needed to derive keys.')
  return [first, ...others]
}

function deriveKey(secret: Buffer, purpose: KeyPurpose): DerivedKey {
  return {
    id: expand(secret, `seatwise/${purpose}/key-id`, KEY_ID_BYTES).toString('base64url'),
    key: createSecretKey(expand(secret, `seatwise/${purpose}/key`, KEY_BYTES)),
  }
}

/** HKDF (RFC 5869). The salt is empty because the secret is already random and of full strength. */
function expand(secret: Buffer, label: string, length: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', label, length))
}
