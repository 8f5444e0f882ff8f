import type { RoomKeys } from '../room/room-keys.ts'
import { decodeBase64Url, decodeCanonical } from './base64url.ts'

const ISSUER = 'seatwise'
/** No other token that the room's keys sign can be taken for a pass. */
const TYPE = 'seatwise-pass+jwt'
const LENGTH_MAX = 1_024

/** What a pass says of its holder. */
export interface Pass {
  readonly ticketId: string
  /** A newer pass of the same ticket has a higher one. */
  readonly fence: number
  /** Milliseconds. */
  readonly expiresAt: number
}

/** The pass in a JWT of this room, if its signature is right and its time is not over; else null. */
export async function verifyPass(text: string, room: string, keys: RoomKeys, nowMs: number): Promise<Pass | null> {
  const [header, payload, signature, ...rest] = text.length <= LENGTH_MAX ? text.split('.') : []
  if (header === undefined || payload === undefined || signature === undefined || rest.length > 0) return null
  const kid = readHeader(header)
  const pass = readPass(text, room)
  const bytes = decodeCanonical(signature)
  if (kid === null || pass === null || bytes === null || pass.expiresAt <= nowMs) return null
  const key = await keys.find(kid)
  if (key === null) return null
  const signed = new TextEncoder().encode(`${header}.${payload}`)
  return (await crypto.subtle.verify('Ed25519', key, bytes, signed)) ? pass : null
}

/** The claims of a pass. Only for passes with a signature that was verified before. */
export function readPass(text: string, room: string): Pass | null {
  const { iss, aud, sub, fence, exp } = readJson(text.split('.', 2)[1] ?? '')
  if (iss !== ISSUER || aud !== room || typeof sub !== 'string' || sub === '') return null
  if (!isCount(fence) || !isCount(exp)) return null
  return { ticketId: sub, fence, expiresAt: exp * 1_000 }
}

/** The name of the key; null for whatever is not signed as passes are. */
function readHeader(header: string): string | null {
  const { alg, typ, kid, crit } = readJson(header)
  return alg === 'EdDSA' && typ === TYPE && typeof kid === 'string' && crit === undefined ? kid : null
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0
}

function readJson(part: string): Record<string, unknown> {
  const bytes = decodeBase64Url(part)
  if (bytes === null) return {}
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes))
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {} // Not JSON: it says nothing.
  }
}
