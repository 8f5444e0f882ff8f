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
  if (!/^[0-9a-f]{96}$/.test(signature)) return false
  const message = Buffer.alloc(8)
  message.writeBigUInt64BE(BigInt(round))
  const { shortSignatures } = bls12_381
  try {
    const point = shortSignatures.hash(Uint8Array.from(hash('sha256', message, 'buffer')), DST)
    return shortSignatures.verify(bytes(signature), point, bytes(chain.publicKey))
  } catch {
    // Not a point of the curve.
    return false
  }
}

const bytes = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, 'hex'))
