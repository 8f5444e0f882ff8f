import { timingSafeEqual } from 'node:crypto'
import { type Actor, ROLES, type Role } from '../access/access.ts'
import { RecentMap } from '../access/recent-map.ts'
import { deriveKeys } from '../keys/derive-key.ts'
import { Mac } from '../keys/mac.ts'

export const ACCESS_TOKEN_ISSUER = 'seatwise'
export const ACCESS_TOKEN_AUDIENCE = 'seatwise-api'
/** RFC 9068's media type, so that no other JWT of ours, such as a pass, can be taken for an access token. */
export const ACCESS_TOKEN_TYPE = 'at+jwt'

/**
 * Half a day: long enough for any sale, and the longest that a deleted buyer's token outlives the account. Staff,
 * organizers and admins do not wait for it: their role is looked up again (see current-role.ts).
 */
export const ACCESS_TOKEN_SECONDS = 12 * 60 * 60

/** Ours are about 300 characters; nothing longer is hashed. */
const ACCESS_TOKEN_LENGTH_MAX = 1_024

/**
 * How far ahead of our clock the one may have been that issued a token: as far as a token lasts. What we signed was issued
 * by one of us, so a time to come only tells that one of two clocks is wrong, and that must lock nobody out (F4).
 */
export const ISSUED_AHEAD_SECONDS_MAX = 12 * 60 * 60

/** Where it is noted which tokens were met lately: 256 KB. Two that share a slot forget each other, which costs a check. */
const MET_SLOTS = 65_536
/** Added to what is noted of a token that is also remembered. */
const REMEMBERED = 1

/** About 10 MB. A visitor who polls is then checked by one look-up (measured: 0.4 µs instead of 4 µs). */
const VERIFIED_TOKENS_MAX = 20_000

export interface IssuedToken {
  accessToken: string
  /** Seconds. */
  expiresIn: number
}

export interface AccessTokens {
  issue(actor: Actor): IssuedToken
  /** Null for whatever is not a token of ours that is valid now. Never throws, never waits. */
  verify(token: string): Actor | null
  /** Tokens that are remembered as verified. */
  readonly size: number
}

interface Claims {
  readonly actor: Actor
  readonly expiresAtSeconds: number
}

/**
 * Access tokens: JWT, HS256. The header of a token is compared byte for byte with the headers we write, one per
 * secret, so there is no algorithm, key id or critical extension that a forger could choose.
 */
export function createAccessTokens(secrets: readonly Buffer[], now: () => number): AccessTokens {
  const keys = deriveKeys(secrets, 'access-token').map(({ id, key }) => {
    const start = `${encodeHeader(id)}.`
    return { start, mac: new Mac(key, start) }
  })
  const [current] = keys
  if (current === undefined) throw new Error('deriveKeys gave no key')
  const verified = new RecentMap<string, Claims>(VERIFIED_TOKENS_MAX)
  const metBefore = new Uint32Array(MET_SLOTS)

  return {
    get size() {
      return verified.size
    },
    issue(actor) {
      const issuedAt = Math.floor(now() / 1_000)
      const payload = encodePayload(actor, issuedAt)
      const signature = current.mac.of(payload, 'base64url')
      return { accessToken: `${current.start}${payload}.${signature}`, expiresIn: ACCESS_TOKEN_SECONDS }
    },
    verify(token) {
      const nowSeconds = now() / 1_000
      const mark = markOf(token)
      const slot = (mark / 2) % MET_SLOTS
      const met = metBefore[slot] ?? 0
      // Hashing a token to look for it is not for free: whoever was met once at most is not looked for.
      const remembered = met === mark + REMEMBERED ? verified.get(token) : undefined
      const claims = remembered ?? checkToken(token, keys, nowSeconds)
      if (claims === null) return null
      if (remembered === undefined) {
        // Most visitors of a rush are met once: remembering all of them would cost more than it saves.
        const isMetAgain = met - (met % 2) === mark
        metBefore[slot] = isMetAgain ? mark + REMEMBERED : mark
        if (isMetAgain) verified.set(token, claims)
      }
      return claims.expiresAtSeconds > nowSeconds ? claims.actor : null
    },
  }
}

function encodeHeader(kid: string): string {
  return encodeJson({ alg: 'HS256', typ: ACCESS_TOKEN_TYPE, kid })
}

function encodePayload(actor: Actor, issuedAt: number): string {
  return encodeJson({
    iss: ACCESS_TOKEN_ISSUER,
    aud: ACCESS_TOKEN_AUDIENCE,
    sub: actor.id,
    role: actor.role,
    ...(actor.name ? { name: actor.name } : {}),
    ...(actor.avatar ? { avatar: actor.avatar } : {}),
    iat: issuedAt,
    exp: issuedAt + ACCESS_TOKEN_SECONDS,
  })
}

function encodeJson(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

/** An even number of 32 bits, from a token's signature and so as good as random. */
function markOf(token: string): number {
  let mark = 0
  for (let index = token.length - 8; index < token.length; index++) {
    mark = (Math.imul(mark, 31) + token.charCodeAt(index)) >>> 0
  }
  return mark - (mark % 2)
}

/** What tokens of one secret begin with, and what signs the rest of them. */
interface TokenKey {
  readonly start: string
  readonly mac: Mac
}

/** The signature is compared as text, so that no second spelling of the same bytes is accepted. */
function checkToken(token: string, keys: readonly TokenKey[], nowSeconds: number): Claims | null {
  if (token.length > ACCESS_TOKEN_LENGTH_MAX) return null
  const key = keys.find(({ start }) => token.startsWith(start))
  const payloadEnd = token.length - SIGNATURE_LENGTH - 1
  if (key === undefined || token[payloadEnd] !== '.') return null
  // A character that takes more than a byte leaves less than all of them written, and is not ours.
  if (GIVEN.write(token.slice(payloadEnd + 1), 'utf8') !== SIGNATURE_LENGTH) return null
  const payload = token.slice(key.start.length, payloadEnd)
  EXPECTED.write(key.mac.of(payload, 'base64url'), 'latin1')
  return timingSafeEqual(GIVEN, EXPECTED) ? readClaims(payload, nowSeconds) : null
}

/** Of 32 bytes in base64url. */
const SIGNATURE_LENGTH = 43
/** Used again for each check, which never waits: making buffers would cost as much as comparing. */
const GIVEN = Buffer.alloc(SIGNATURE_LENGTH)
const EXPECTED = Buffer.alloc(SIGNATURE_LENGTH)
const PAYLOAD = Buffer.alloc(ACCESS_TOKEN_LENGTH_MAX)

/** Only what we signed comes here. It is checked all the same: a secret may have been used for something else. */
function readClaims(payload: string, nowSeconds: number): Claims | null {
  const claims = parsePayload(PAYLOAD.toString('utf8', 0, PAYLOAD.write(payload, 'base64url')))
  if (claims === null || claims.iss !== ACCESS_TOKEN_ISSUER || claims.aud !== ACCESS_TOKEN_AUDIENCE) return null
  const { sub, role, iat, exp, nbf, name, avatar } = claims
  if (typeof sub !== 'string' || sub === '' || !isRole(role)) return null
  if (!isSeconds(iat) || !isSeconds(exp) || iat > nowSeconds + ISSUED_AHEAD_SECONDS_MAX || exp <= nowSeconds)
    return null
  if (nbf !== undefined && (!isSeconds(nbf) || nbf > nowSeconds)) return null
  return { actor: { id: sub, role, name: textIn(name), avatar: textIn(avatar) }, expiresAtSeconds: exp }
}

const PLAIN_TEXT = String.raw`"([^"\\]*)"`
/** What `encodePayload` writes, unless a text in it needs to be escaped. */
const PLAIN_PAYLOAD = new RegExp(
  `^{"iss":"${ACCESS_TOKEN_ISSUER}","aud":"${ACCESS_TOKEN_AUDIENCE}","sub":${PLAIN_TEXT},"role":${PLAIN_TEXT}` +
    String.raw`(?:,"name":${PLAIN_TEXT})?(?:,"avatar":${PLAIN_TEXT})?,"iat":(\d+),"exp":(\d+)}$`,
)

/** A parser that knows nothing of what it reads takes 5 µs in a server under load; this takes one. */
function parsePayload(text: string): Record<string, unknown> | null {
  const match = PLAIN_PAYLOAD.exec(text)
  if (match === null) return parseObject(text)
  const [, sub, role, name, avatar, iat, exp] = match
  const [iss, aud] = [ACCESS_TOKEN_ISSUER, ACCESS_TOKEN_AUDIENCE]
  return { iss, aud, sub, role, name, avatar, iat: Number(iat), exp: Number(exp) }
}

function textIn(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    // An object with whatever fields; each is looked at before it is used.
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null
  } catch {
    return null // Not JSON: not a token.
  }
}

const isRole = (value: unknown): value is Role => ROLES.some((role) => role === value)
const isSeconds = (value: unknown): value is number => Number.isSafeInteger(value)
