import { sign, verify } from 'node:crypto'
import type { SigningKeys } from '../../identity/index.ts'

const ETICKET_ISSUER = 'seatwise'
/** Keeps any other JWT of ours from being accepted as an e-ticket. */
const ETICKET_TYPE = 'seatwise-eticket+jwt'
/** Ours are about 400 characters long. */
const CODE_LENGTH_MAX = 1_024

/** The content of an e-ticket's code. A scanner at the door can verify it with the published keys alone. */
export interface EticketClaims {
  readonly id: string
  readonly eventId: string
  readonly seatId: string
  /** Raised by each transfer: codes of earlier generations are void. */
  readonly generation: number
}

/**
 * The code of an e-ticket: a JWT (EdDSA). It is signed each time it is shown, so that a ticket bought long ago is
 * signed by a key that is still published. All codes of one generation are equivalent, and only one of them admits.
 */
export function issueEticketCode(
  keys: SigningKeys,
  { id, eventId, seatId, generation, issuedAt }: EticketClaims & { readonly issuedAt: Date },
): string {
  const { kid, privateKey } = keys.signer()
  const header = encodeJson({ alg: 'EdDSA', typ: ETICKET_TYPE, kid })
  const iat = Math.floor(issuedAt.getTime() / 1_000)
  // Most e-tickets are never transferred: the claim is left out for those, and their codes stay short.
  const transferred = generation === 1 ? {} : { gen: generation }
  const payload = encodeJson({ iss: ETICKET_ISSUER, aud: eventId, jti: id, seat: seatId, iat, ...transferred })
  const signature = sign(null, Buffer.from(`${header}.${payload}`), privateKey).toString('base64url')
  return `${header}.${payload}.${signature}`
}

/** The content of a code; null unless we signed exactly these bytes. */
export function readEticketCode(keys: SigningKeys, code: string): EticketClaims | null {
  if (code.length > CODE_LENGTH_MAX) return null
  const [header = '', payload = '', signature = '', ...rest] = code.split('.')
  const { alg, typ, kid } = decodeJson(header)
  if (rest.length > 0 || alg !== 'EdDSA' || typ !== ETICKET_TYPE || typeof kid !== 'string') return null
  const key = keys.verifier(kid)
  if (key === null || !isCanonical(signature)) return null
  if (!verify(null, Buffer.from(`${header}.${payload}`), key, Buffer.from(signature, 'base64url'))) return null
  const { iss, aud, jti, seat, gen: generation = 1 } = decodeJson(payload)
  if (iss !== ETICKET_ISSUER || typeof aud !== 'string' || typeof jti !== 'string' || typeof seat !== 'string')
    return null
  return typeof generation === 'number' ? { id: jti, eventId: aud, seatId: seat, generation } : null
}

function encodeJson(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
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
