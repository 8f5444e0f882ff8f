import { createHash, type KeyObject, sign, verify } from 'node:crypto'
import type { SigningKey } from '../../identity/index.ts'

/** The tree that a checkpoint is about, and the name of its log. */
export interface CheckpointOf {
  readonly origin: string
  readonly size: number
  readonly root: Uint8Array
}

/** The kind of signature in a signed note: Ed25519. */
const ED25519 = 0x01
const KEY_ID_BYTES = 4

/**
 * A checkpoint (C2SP tlog-checkpoint) as a signed note (C2SP signed-note): three lines, and a signature over them that is named
 * after the log. So existing witnesses of transparency logs can read ours.
 */
export function writeCheckpoint({ origin, size, root }: CheckpointOf, key: SigningKey): string {
  const text = `${origin}\n${size}\n${Buffer.from(root).toString('base64')}\n`
  const signature = Buffer.concat([keyId(origin, key.publicKey), sign(null, Buffer.from(text), key.privateKey)])
  return `${text}\n— ${origin} ${signature.toString('base64')}\n`
}

/** What a checkpoint says, if this key signed it; null otherwise. */
export function readCheckpoint(note: string, key: KeyObject): CheckpointOf | null {
  const [text = '', signed = '', ...rest] = note.split('\n\n')
  const [origin = '', size = '', root = '', ...more] = text.split('\n')
  const name = `— ${origin} `
  if (rest.length > 0 || more.length > 0 || !signed.startsWith(name)) return null
  const signature = Buffer.from(signed.slice(name.length), 'base64').subarray(KEY_ID_BYTES)
  if (!/^\d{1,15}$/.test(size) || !verify(null, Buffer.from(`${text}\n`), key, signature)) return null
  return { origin, size: Number(size), root: Buffer.from(root, 'base64') }
}

/** The first bytes of SHA-256(name ‖ newline ‖ kind ‖ public key). */
function keyId(name: string, publicKey: Uint8Array): Buffer {
  const hash = createHash('sha256').update(name).update(Uint8Array.of(0x0a, ED25519)).update(publicKey)
  return hash.digest().subarray(0, KEY_ID_BYTES)
}

/** The name of a room's log: a URL without its scheme, which no two logs share. */
export function originOf(host: string, roomId: string): string {
  return `${host}/rooms/${roomId}`
}

/** The host of this site, with its port where it is not the usual one. */
export function hostOf({ publicUrl }: { readonly publicUrl: string | null }): string {
  return publicUrl === null ? 'localhost' : new URL(publicUrl).host
}
