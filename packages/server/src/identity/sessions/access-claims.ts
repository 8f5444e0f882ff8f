import { type Actor, ROLES, type Role, type SaleScope, type TokenSession } from '../../http/index.ts'

export const ACCESS_TOKEN_ISSUER = 'seatwise'
export const ACCESS_TOKEN_AUDIENCE = 'seatwise-api'

/**
 * How far the clock of the issuing server may be ahead of ours: as far as a token lasts. Only our servers issue tokens,
 * so an issue time in the future means that one of two clocks is wrong; no visitor is locked out for that (F4).
 */
export const ISSUED_AHEAD_SECONDS_MAX = 12 * 60 * 60

/** An actor that was read from a token, and therefore expires. */
export type ReadActor = Actor & { readonly expiresAt: number }

/** The claims of an access token. Times are in seconds since 1970. */
export function writeClaims({ id, role, name, avatar, session, sale }: Actor, issuedAt: number, expiresAt: number) {
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

/**
 * The actor of claims that are valid now; null otherwise. The signature was verified before, but the claims are checked
 * too: the operator may have used the secret for something else.
 */
export function readClaims(claims: unknown, nowSeconds: number): ReadActor | null {
  const { iss, aud, sub, role, name, avatar, sid, ver, sale: saleClaim, iat, exp, nbf } = fieldsOf(claims)
  if (iss !== ACCESS_TOKEN_ISSUER || aud !== ACCESS_TOKEN_AUDIENCE) return null
  if (!isName(sub) || !isRole(role)) return null
  if (!isWhole(iat) || iat > nowSeconds + ISSUED_AHEAD_SECONDS_MAX) return null
  if (!isWhole(exp) || exp <= nowSeconds) return null
  if (nbf !== undefined && !(isWhole(nbf) && nbf <= nowSeconds)) return null
  const session = readSession(sid, ver)
  const sale = readSale(saleClaim)
  if (session === null || sale === null) return null
  return {
    ...{ id: sub, role, name: textIn(name), avatar: textIn(avatar), expiresAt: exp },
    ...(session === undefined ? {} : { session }),
    ...(sale === undefined ? {} : { sale }),
  }
}

/** Undefined without a session, as for guests and for tokens that predate sessions; null when it is malformed. */
function readSession(sid: unknown, ver: unknown): TokenSession | undefined | null {
  if (sid === undefined && ver === undefined) return undefined
  return isName(sid) && isWhole(ver) ? { id: sid, version: ver } : null
}

/** Undefined for a token that is not limited to one sale; null when it is malformed. */
function readSale(claim: unknown): SaleScope | undefined | null {
  if (claim === undefined) return undefined
  const { roomId, eventId } = fieldsOf(claim)
  const isSale = typeof roomId === 'string' && (typeof eventId === 'string' || eventId === null)
  return isSale ? { roomId, eventId } : null
}

/** The fields of an object, of unknown type; empty for any other value. */
function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

const textIn = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
const isName = (value: unknown): value is string => typeof value === 'string' && value !== ''
const isRole = (value: unknown): value is Role => ROLES.some((role) => role === value)
const isWhole = (value: unknown): value is number => Number.isSafeInteger(value)
