import { timingSafeEqual } from 'node:crypto'
import { type Actor, ROLES, type Role, type SaleScope, type TokenSession } from '../../http/index.ts'
import { RecentMap } from '../../kit/index.ts'
import { deriveKeys } from '../keys/derive-key.ts'
import { Mac } from '../keys/mac.ts'

export const ACCESS_TOKEN_ISSUER = 'seatwise'
export const ACCESS_TOKEN_AUDIENCE = 'seatwise-api'
/** RFC 9068's media type, so that no other JWT of ours, such as a pass, can be taken for an access token. */
export const ACCESS_TOKEN_TYPE = 'at+jwt'

/** Half a day: long enough for any sale. What must end earlier is in the list of ended sessions (ended-sessions.ts). */
export const ACCESS_TOKEN_SECONDS = 12 * 60 * 60

/** The longest name and avatar make 1,700 characters; nothing longer is hashed. */
const ACCESS_TOKEN_LENGTH_MAX = 2_048

/**
 * How far ahead of our clock the one may have been that issued a token: as far as a token lasts. What we signed was issued
 * by one of us, so a time to come only tells that one of two clocks is wrong, and that must lock nobody out (F4).
 */
export const ISSUED_AHEAD_SECONDS_MAX = 12 * 60 * 60

/** How long after its issue a token can be valid on a server whose clock is as wrong as we bear. */
export const TOKEN_VALID_SECONDS_MAX = ACCESS_TOKEN_SECONDS + ISSUED_AHEAD_SECONDS_MAX

/** About 10 MB. A client that asks again is then checked by one look-up instead of a MAC and a parser. */
const VERIFIED_TOKENS_MAX = 20_000

export interface IssuedToken {
  accessToken: string
  /** Seconds. */
  expiresIn: number
}

export interface AccessTokens {
  /** A token that lasts half a day; for an actor who was read from a token, as long as that one. */
  issue(actor: Actor): IssuedToken
  /** Null for whatever is not a token of ours that is valid now, or whose session ended. Never throws, never waits. */
  verify(token: string): Actor | null
  /** The same, whether or not its session ended: for finding out what became of it. */
  read(token: string): Actor | null
  /** The same token under the first secret; null when it is that already, or not valid. */
  renew(token: string): IssuedToken | null
  /** Tokens that are remembered as verified. */
  readonly size: number
}

/** What all tokens of one secret begin with, and what signs the rest of them. */
interface TokenKey {
  readonly start: string
  readonly mac: Mac
}

/** An actor who was read from a token: such a one has an end. */
type ReadActor = Actor & { readonly expiresAt: number }

/**
 * Access tokens: JWT, HS256. The header of a token is compared byte for byte with the headers we write, one per
 * secret, so there is no algorithm, key id or critical extension that a forger could choose.
 */
export function createAccessTokens(
  secrets: readonly Buffer[],
  now: () => number,
  isEnded: (actor: Actor) => boolean = () => false,
): AccessTokens {
  const keys = deriveKeys(secrets, 'access-token').map(({ id, key }): TokenKey => {
    const start = `${encodeJson({ alg: 'HS256', typ: ACCESS_TOKEN_TYPE, kid: id })}.`
    return { start, mac: new Mac(key, start) }
  })
  const [current] = keys
  if (current === undefined) throw new Error('deriveKeys gave no key')
  const verified = new RecentMap<string, ReadActor>(VERIFIED_TOKENS_MAX)

  const issue = (actor: Actor): IssuedToken => {
    const issuedAt = Math.floor(now() / 1_000)
    const expiresAt = actor.expiresAt ?? issuedAt + ACCESS_TOKEN_SECONDS
    const payload = encodeJson(claimsOf(actor, issuedAt, expiresAt))
    const accessToken = `${current.start}${payload}.${current.mac.of(payload, 'base64url')}`
    return { accessToken, expiresIn: expiresAt - issuedAt }
  }

  function read(token: string): ReadActor | null {
    const nowSeconds = now() / 1_000
    const known = verified.get(token)
    const actor = known ?? checkToken(token, keys, nowSeconds)
    if (actor === null || actor.expiresAt <= nowSeconds) return null
    if (known === undefined) verified.set(token, actor)
    return actor
  }

  return {
    get size() {
      return verified.size
    },
    issue,
    read,
    // What is remembered is only that a token is ours: whether its session ended is asked each time.
    verify(token) {
      const actor = read(token)
      return actor === null || isEnded(actor) ? null : actor
    },
    renew(token) {
      if (keys.length === 1 || token.startsWith(current.start)) return null
      const actor = read(token)
      return actor === null || isEnded(actor) ? null : issue(actor)
    },
  }
}

function claimsOf({ id, role, name, avatar, session, sale }: Actor, issuedAt: number, expiresAt: number): object {
  return {
    iss: ACCESS_TOKEN_ISSUER,
    aud: ACCESS_TOKEN_AUDIENCE,
    sub: id,
    role,
    ...(session === undefined ? {} : { sid: session.id, ver: session.version }),
    ...(name ? { name } : {}),
    ...(avatar ? { avatar } : {}),
    ...(sale === undefined ? {} : { sale }),
    iat: issuedAt,
    exp: expiresAt,
  }
}

function encodeJson(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

/** Of 32 bytes in base64url. */
const SIGNATURE_LENGTH = 43

/** The signature is compared as text, so that no second spelling of the same bytes is accepted. */
function checkToken(token: string, keys: readonly TokenKey[], nowSeconds: number): ReadActor | null {
  if (token.length > ACCESS_TOKEN_LENGTH_MAX) return null
  const key = keys.find(({ start }) => token.startsWith(start))
  const payloadEnd = token.length - SIGNATURE_LENGTH - 1
  if (key === undefined || token[payloadEnd] !== '.') return null
  const payload = token.slice(key.start.length, payloadEnd)
  const expected = Buffer.from(key.mac.of(payload, 'base64url'))
  const given = Buffer.from(token.slice(payloadEnd + 1))
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null
  return readClaims(parseObject(Buffer.from(payload, 'base64url').toString()), nowSeconds)
}

/** Only what we signed comes here. It is checked all the same: a secret may have been used for something else. */
function readClaims(claims: Record<string, unknown> | null, nowSeconds: number): ReadActor | null {
  if (claims === null || claims.iss !== ACCESS_TOKEN_ISSUER || claims.aud !== ACCESS_TOKEN_AUDIENCE) return null
  const { sub, role, iat, exp, nbf, name, avatar } = claims
  if (typeof sub !== 'string' || sub === '' || !isRole(role)) return null
  if (!isWhole(iat) || !isWhole(exp) || iat > nowSeconds + ISSUED_AHEAD_SECONDS_MAX || exp <= nowSeconds) return null
  if (nbf !== undefined && (!isWhole(nbf) || nbf > nowSeconds)) return null
  const session = readSession(claims)
  const sale = readSale(claims.sale)
  if (session === null || sale === null) return null
  return {
    ...{ id: sub, role, name: textIn(name), avatar: textIn(avatar), expiresAt: exp },
    ...(session === undefined ? {} : { session }),
    ...(sale === undefined ? {} : { sale }),
  }
}

/** Undefined without one, as guests and tokens from before there were sessions are; null when it is not one of ours. */
function readSession({ sid, ver }: Record<string, unknown>): TokenSession | undefined | null {
  if (sid === undefined && ver === undefined) return undefined
  return typeof sid === 'string' && sid !== '' && isWhole(ver) ? { id: sid, version: ver } : null
}

/** Undefined for a token that is good everywhere; null when it is not one of ours. */
function readSale(value: unknown): SaleScope | undefined | null {
  if (value === undefined) return undefined
  const { roomId, eventId } = (value ?? {}) as Partial<Record<keyof SaleScope, unknown>>
  const isSale = typeof roomId === 'string' && (typeof eventId === 'string' || eventId === null)
  return isSale ? { roomId, eventId } : null
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
const isWhole = (value: unknown): value is number => Number.isSafeInteger(value)
