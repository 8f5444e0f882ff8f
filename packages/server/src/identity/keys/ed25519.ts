import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'

/** A public key in the format of RFC 8037. */
export interface Ed25519PublicJwk {
  kty: 'OKP'
  crv: 'Ed25519'
  x: string
  kid: string
  use: 'sig'
  alg: 'EdDSA'
}

export interface NewKeyPair {
  readonly kid: string
  /** Base64url, as in a JWK's "x". */
  readonly publicKey: string
  /** The private key's 32 bytes. */
  readonly seed: Buffer
}

export function generateKeyPair(): NewKeyPair {
  const { x, d } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
  if (x === undefined || d === undefined) throw new Error('An Ed25519 key has x and d')
  return { kid: thumbprint(x), publicKey: x, seed: Buffer.from(d, 'base64url') }
}

export function publicJwk(kid: string, publicKey: string): Ed25519PublicJwk {
  return { kty: 'OKP', crv: 'Ed25519', x: publicKey, kid, use: 'sig', alg: 'EdDSA' }
}

export function publicKeyOf(publicKey: string): KeyObject {
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: publicKey }, format: 'jwk' })
}

export function privateKeyOf(publicKey: string, seed: Buffer): KeyObject {
  const key = { kty: 'OKP', crv: 'Ed25519', x: publicKey, d: seed.toString('base64url') }
  return createPrivateKey({ key, format: 'jwk' })
}

/** RFC 7638: exactly these members, in this order. */
function thumbprint(x: string): string {
  return createHash('sha256').update(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`).digest('base64url')
}
