import { timingSafeEqual } from 'node:crypto'
import { deriveKeys } from '../keys/derive-key.ts'
import { Mac } from '../keys/mac.ts'

/** RFC 9068's media type, so that no other JWT of ours, such as a pass, is accepted as an access token. */
export const ACCESS_TOKEN_TYPE = 'at+jwt'

/** The longest name and avatar make 1,700 characters; longer input is refused without hashing. */
const ACCESS_TOKEN_LENGTH_MAX = 2_048
/** The length of 32 bytes in base64url. */
const SIGNATURE_LENGTH = 43

/** Signs claims and verifies them. It does not interpret them. */
export interface ClaimSigner {
  /** Signs with the first secret. */
  sign(claims: object): string
  /** The claims of a token that one of our secrets signed; null for any other text. Never throws. */
  open(token: string): unknown
  /** Whether a token's header names the first secret: only `open` verifies it. */
  isOfFirstSecret(token: string): boolean
}

/** The header of all tokens of one secret, and the key that signs them. */
interface TokenKey {
  readonly start: string
  readonly mac: Mac
}

/**
 * JWT, HS256. The header of a token is compared byte for byte with the headers we write, one per secret, so a forger
 * cannot choose an algorithm, a key id or a critical extension.
 */
export function createClaimSigner(secrets: readonly Buffer[]): ClaimSigner {
  const keys = deriveKeys(secrets, 'access-token').map(({ id, key }): TokenKey => {
    const start = `${encodeJson({ alg: 'HS256', typ: ACCESS_TOKEN_TYPE, kid: id })}.`
    return { start, mac: new Mac(key, start) }
  })
  const [first] = keys
  if (first === undefined) throw new Error('deriveKeys gave no key')
  return {
    sign(claims) {
      const payload = encodeJson(claims)
      return `${first.start}${payload}.${first.mac.of(payload, 'base64url')}`
    },
    open(token) {
      if (token.length > ACCESS_TOKEN_LENGTH_MAX) return null
      const key = keys.find(({ start }) => token.startsWith(start))
      const payloadEnd = token.length - SIGNATURE_LENGTH - 1
      if (key === undefined || token[payloadEnd] !== '.') return null
      const payload = token.slice(key.start.length, payloadEnd)
      const isSigned = isSameText(token.slice(payloadEnd + 1), key.mac.of(payload, 'base64url'))
      return isSigned ? decodeJson(payload) : null
    },
    isOfFirstSecret: (token) => token.startsWith(first.start),
  }
}

/** Compares signatures as text, so that no second spelling of the same bytes is accepted, and in constant time. */
function isSameText(given: string, expected: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(expected)]
  return left.length === right.length && timingSafeEqual(left, right)
}

function encodeJson(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

function decodeJson(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString())
  } catch {
    return null // Not JSON: not a token.
  }
}
