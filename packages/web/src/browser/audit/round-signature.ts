import { bls12_381 } from '@noble/curves/bls12-381.js'
import type { SignedRound } from '@seatwise/checker'

const DST = 'BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_'

/** Whether the beacon signed the round. */
export function isRoundSigned({ digest, signature, publicKey }: SignedRound): boolean {
  const { shortSignatures } = bls12_381
  try {
    return shortSignatures.verify(bytesOf(signature), shortSignatures.hash(bytesOf(digest), DST), bytesOf(publicKey))
  } catch {
    // Not a point of the curve.
    return false
  }
}

function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
}
