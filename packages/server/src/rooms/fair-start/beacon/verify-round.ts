import { hash } from 'node:crypto'
import { bls12_381 } from '@noble/curves/bls12-381.js'
import type { BeaconChain } from '../../../config/index.ts'

export interface BeaconRound {
  readonly chain: BeaconChain
  readonly round: number
  /** On G1, in hex. */
  readonly signature: string
}

const DST = 'BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_'

/** Whether a chain signed this round (`bls-unchained-g1-rfc9380`). Takes about 40 ms, so it runs in a thread. */
export function isSigned({ chain, round, signature }: BeaconRound): boolean {
  const message = Buffer.alloc(8)
  message.writeBigUInt64BE(BigInt(round))
  return isRoundSigned({ digest: hash('sha256', message, 'hex'), signature, publicKey: chain.publicKey })
}

/** The same, of the digest of a round. All in hex. */
export function isRoundSigned(signed: { digest: string; signature: string; publicKey: string }): boolean {
  const { digest, signature, publicKey } = signed
  if (!/^[0-9a-f]{96}$/.test(signature)) return false
  const { shortSignatures } = bls12_381
  try {
    return shortSignatures.verify(bytes(signature), shortSignatures.hash(bytes(digest), DST), bytes(publicKey))
  } catch {
    // Not a point of the curve.
    return false
  }
}

const bytes = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, 'hex'))
