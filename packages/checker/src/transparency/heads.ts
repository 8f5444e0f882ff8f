import { sha256, toHex, utf8 } from './sha256.ts'

/** A signed head of a log, as it is served. */
export interface Head {
  readonly size: number
  readonly root: string
  readonly at: string
  readonly kid: string
  readonly checkpoint: string
}

/** A key of `/.well-known/jwks.json`. */
export interface PublishedKey {
  readonly kid: string
  readonly x: string
}

/** `unknown`: this platform cannot verify Ed25519; all else about the head is right. */
export type HeadVerdict = { readonly status: 'good' | 'unknown' } | { readonly status: 'bad'; readonly why: string }

/** The name of the log that a head is of. */
export function originOf({ checkpoint }: Head): string {
  return checkpoint.split('\n', 1)[0] ?? ''
}

/** Judges a head by its signed note (C2SP signed-note, tlog-checkpoint): what it says, and whether a published key signed it. */
export async function judgeHead(head: Head, keys: readonly PublishedKey[], origin: string): Promise<HeadVerdict> {
  const bad = (why: string): HeadVerdict => ({ status: 'bad', why })
  const found = /^([^\n]+)\n(\d+)\n([A-Za-z0-9+/=]+)\n\n— (\S+) ([A-Za-z0-9+/=]+)\n/.exec(head.checkpoint)
  if (found === null) return bad('its checkpoint cannot be read')
  const [, name = '', size, root = '', signer, signed = ''] = found
  if (name !== origin || signer !== origin) return bad(`it is of another log, ${name}`)
  if (Number(size) !== head.size) return bad('another size was signed')
  if (toHex(fromBase64(root)) !== head.root) return bad('another root was signed')
  const key = keys.find(({ kid }) => kid === head.kid)
  if (key === undefined) return bad(`its key ${head.kid} is not published`)
  const publicKey = fromBase64(key.x.replaceAll('-', '+').replaceAll('_', '/'))
  const signature = fromBase64(signed)
  const id = sha256(Uint8Array.from([...utf8(name), 0x0a, 0x01, ...publicKey])).subarray(0, 4)
  if (toHex(signature.subarray(0, 4)) !== toHex(id)) return bad('it names another key')
  const isSigned = await verifyEd25519(publicKey, signature.slice(4), utf8(`${name}\n${size}\n${root}\n`))
  if (isSigned === null) return { status: 'unknown' }
  return isSigned ? { status: 'good' } : bad('its signature is wrong')
}

/** Null where the platform has no Ed25519. */
async function verifyEd25519(
  publicKey: Uint8Array<ArrayBuffer>,
  signature: Uint8Array<ArrayBuffer>,
  text: Uint8Array,
): Promise<boolean | null> {
  let key: Awaited<ReturnType<typeof crypto.subtle.importKey>>
  try {
    key = await crypto.subtle.importKey('raw', publicKey, { name: 'Ed25519' }, false, ['verify'])
  } catch {
    return null
  }
  return await crypto.subtle.verify({ name: 'Ed25519' }, key, signature, Uint8Array.from(text))
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return new Uint8Array(0)
  }
}
