import { sign, verify } from 'node:crypto'
import {
  ETICKET_PREFIX,
  type EticketClaims,
  eticketToSign,
  KEY_SYMBOLS,
  spellEticketCode,
  splitEticketCode,
} from '@seatwise/domain'
import type { SigningKeys } from '../../identity/index.ts'
import { readEticketJwt } from './eticket-jwt.ts'

/**
 * The code of an e-ticket. It is signed each time it is shown, so that a ticket bought long ago is signed by a key that
 * is still published. All codes of one generation are equivalent, and only one of them admits.
 */
export function issueEticketCode(keys: SigningKeys, claims: EticketClaims): string {
  const { kid, privateKey } = keys.signer()
  const signed = eticketToSign(Buffer.from(kid.slice(0, KEY_SYMBOLS), 'base64url'), claims)
  return spellEticketCode(signed, sign(null, signed, privateKey))
}

/** The content of a code, also of one that an earlier version printed; null unless we signed exactly this. */
export function readEticketCode(keys: SigningKeys, code: string): EticketClaims | null {
  if (!code.startsWith(ETICKET_PREFIX)) return readEticketJwt(keys, code)
  const read = splitEticketCode(code)
  if (read === null) return null
  const key = keys.verifierStarting(Buffer.from(read.key).toString('base64url'))
  return key !== null && verify(null, read.signed, key, read.signature) ? read.claims : null
}
