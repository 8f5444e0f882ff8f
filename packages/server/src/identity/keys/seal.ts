import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { DerivedKey } from './derive-key.ts'

const ALGORITHM = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Encrypts so that only a holder of the same secret can decrypt, and only under the same label. */
export function seal(key: DerivedKey, label: string, plain: Buffer): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(ALGORITHM, key.key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(label))
  const sealed = [cipher.update(plain), cipher.final()]
  return Buffer.concat([nonce, cipher.getAuthTag(), ...sealed]).toString('base64url')
}

/** Throws when the key or the label differs, or when a bit was changed. */
export function unseal(key: DerivedKey, label: string, sealed: string): Buffer {
  const bytes = Buffer.from(sealed, 'base64url')
  const nonce = bytes.subarray(0, NONCE_BYTES)
  const decipher = createDecipheriv(ALGORITHM, key.key, nonce, { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(label))
    .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()])
}
