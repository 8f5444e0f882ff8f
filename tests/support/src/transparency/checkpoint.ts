import { createHash, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'

export interface HeadJson {
  readonly size: number
  readonly root: string
  readonly at: string
  readonly kid: string
  readonly checkpoint: string
}

export interface JwkJson {
  readonly kid: string
  readonly x: string
}

/** What is wrong with a head: null when it is signed by a published key for this log and says what the note says. */
export function headProblem(head: HeadJson, keys: readonly JwkJson[], origin: string | null): string | null {
  const jwk = keys.find(({ kid }) => kid === head.kid)
  if (jwk === undefined) return `no published key ${head.kid}`
  const cut = head.checkpoint.indexOf('\n\n')
  if (cut < 0) return 'the checkpoint has no signature'
  const text = head.checkpoint.slice(0, cut + 1)
  const [name, size, root, ...rest] = text.split('\n')
  if (rest.join() !== '' || name === undefined || root === undefined) return 'the checkpoint is not three lines'
  if (origin !== null && name !== origin) return `the checkpoint is of ${name}`
  if (Number(size) !== head.size) return 'the size is not the one that is signed'
  if (Buffer.from(root, 'base64').toString('hex') !== head.root) return 'the root is not the one that is signed'
  const line = head.checkpoint.slice(cut + 2)
  const [dash, signer, encoded] = line.trimEnd().split(' ')
  if (dash !== '—' || signer !== name || encoded === undefined) return 'the signature is not by the log'
  const signature = Buffer.from(encoded, 'base64')
  const raw = Buffer.from(jwk.x, 'base64url')
  if (!signature.subarray(0, 4).equals(noteKeyId(name, raw))) return 'the signature names another key'
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: jwk.x }, format: 'jwk' })
  return verify(null, Buffer.from(text), key, signature.subarray(4)) ? null : 'the signature is wrong'
}

export function originIn(head: HeadJson): string {
  return head.checkpoint.split('\n', 1)[0] ?? ''
}

/** Signs a head as a log would: for frauds by an operator, who has the key. */
export function signHead(of: { origin: string; size: number; root: string }, by: { jwk: JwkJson; key: KeyObject }) {
  const text = `${of.origin}\n${of.size}\n${Buffer.from(of.root, 'hex').toString('base64')}\n`
  const signature = sign(null, Buffer.from(text), by.key)
  const id = noteKeyId(of.origin, Buffer.from(by.jwk.x, 'base64url'))
  const note = `${text}\n— ${of.origin} ${Buffer.concat([id, signature]).toString('base64')}\n`
  return { size: of.size, root: of.root, at: new Date().toISOString(), kid: by.jwk.kid, checkpoint: note }
}

function noteKeyId(name: string, publicKey: Uint8Array): Buffer {
  const hash = createHash('sha256').update(name).update(Uint8Array.of(0x0a, 0x01)).update(publicKey)
  return hash.digest().subarray(0, 4)
}
