import { verify } from 'node:crypto'
import type { EticketClaims } from '@seatwise/domain'
import type { SigningKeys } from '../../identity/index.ts'

const ETICKET_ISSUER = 'seatwise'
/** Keeps any other JWT of ours from being accepted as an e-ticket. */
const ETICKET_TYPE = 'seatwise-eticket+jwt'
/** Ours are about 400 characters long. */
const CODE_LENGTH_MAX = 1_024

/**
 * The content of a code that a version before 0.2 showed, a JWT (EdDSA); null unless we signed exactly these bytes. Such codes
 * are on paper until their events are over.
 */
export function readEticketJwt(keys: SigningKeys, code: string): EticketClaims | null {
  if (code.length > CODE_LENGTH_MAX) return null
  const [header = '', payload = '', signature = '', ...rest] = code.split('.')
  const { alg, typ, kid } = decodeJson(header)
  if (rest.length > 0 || alg !== 'EdDSA' || typ !== ETICKET_TYPE || typeof kid !== 'string') return null
  const key = keys.verifier(kid)
  if (key === null || !isCanonical(signature)) return null
  if (!verify(null, Buffer.from(`${header}.${payload}`), key, Buffer.from(signature, 'base64url'))) return null
  const { iss, aud, jti, gen: generation = 1 } = decodeJson(payload)
  if (iss !== ETICKET_ISSUER || typeof aud !== 'string' || typeof jti !== 'string') return null
  return typeof generation === 'number' ? { id: jti, eventId: aud, generation } : null
}

/** An empty object for anything that is not a JSON object. */
function decodeJson(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {} // Not JSON: nothing of ours.
  }
}

/** Base64 can spell the same bytes in several ways; only the canonical one is accepted. */
const isCanonical = (text: string): boolean => Buffer.from(text, 'base64url').toString('base64url') === text
