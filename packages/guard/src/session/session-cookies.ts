import type { Settings } from '../options.ts'
import { RecentMap } from '../recent-map.ts'
import { decodeCanonical, encodeBase64Url } from './base64url.ts'
import { type Pass, readPass } from './passes.ts'

/*
 * The session cookie: its creation time, the pass it was issued for, and a MAC over both and the room, joined by dots.
 * It contains the pass because freeing the slot needs it, and because the pass defines the session's rights.
 */

/** A visitor who came in with a pass. */
export interface Session extends Pass {
  readonly pass: string
  /** Milliseconds. */
  readonly enteredAt: number
}

/** About 50 MB. A session that is not kept here costs a MAC at its next request. */
const KNOWN_MAX = 50_000
/** A parent domain may have set cookies of that name; only the first few are looked at. */
const CANDIDATES_MAX = 4
const VALUE_LENGTH_MAX = 1_200
/** 32 bytes in base64url. */
const MAC_LENGTH = 43

export interface SessionCookies {
  /** The session in a Cookie header if it was verified before; null when there is none in it; else undefined. */
  known(header: string | undefined): Session | null | undefined
  /** The same, verified now. */
  verify(header: string | undefined): Promise<Session | null>
  /** For a Set-Cookie header. */
  issue(session: Session): Promise<string>
  /** How many are known without a MAC. */
  readonly size: number
  /** For a Set-Cookie header that ends a session. */
  readonly clear: string
}

export function createSessionCookies({ room, site, secrets, now }: Settings): SessionCookies {
  const isSecure = site.protocol === 'https:'
  // With this prefix browsers let no other host and no plain HTTP set it.
  const name = `${isSecure ? '__Host-' : ''}seatwise-guard-${room.slice(0, 8)}`
  const attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
  // When first needed: some platforms do not let a program wait for anything while it is loaded.
  let imported: Promise<CryptoKey[]> | null = null
  const keys = (): Promise<CryptoKey[]> => (imported ??= Promise.all(secrets.map(importKey)))
  const known = new RecentMap<string, Known>(KNOWN_MAX)
  const bytesOf = (text: string) => new TextEncoder().encode(`seatwise-guard|1|${room}|${text}`)

  async function open(value: string): Promise<Session | null> {
    const end = value.lastIndexOf('.')
    const mac = decodeCanonical(value.slice(end + 1))
    if (end === -1 || mac === null || value.length > VALUE_LENGTH_MAX) return null
    const signed = bytesOf(value.slice(0, end))
    for (const key of await keys()) {
      if (await crypto.subtle.verify('HMAC', key, mac, signed)) return parse(value, end, room)
    }
    return null
  }

  return {
    get size() {
      return known.size
    },
    clear: `${name}=; Max-Age=0; ${attributes}`,
    known(header) {
      const values = valuesOf(header, name)
      if (values.length === 0) return null
      for (const value of values) {
        const found = known.get(macOf(value))
        if (found?.value === value) return found.session
      }
      return undefined
    },
    async verify(header) {
      for (const value of valuesOf(header, name)) {
        const session = await open(value)
        if (session === null) continue
        known.set(macOf(value), { value, session })
        return session
      }
      return null
    },
    async issue(session) {
      const [current] = await keys()
      if (current === undefined) throw new Error('There is no secret to sign with')
      const text = `${session.enteredAt.toString(36)}.${session.pass}`
      const value = `${text}.${encodeBase64Url(await crypto.subtle.sign('HMAC', current, bytesOf(text)))}`
      const maxAge = Math.max(0, Math.ceil((session.expiresAt - now()) / 1_000))
      return `${name}=${value}; Max-Age=${maxAge}; ${attributes}`
    },
  }
}

function importKey(secret: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify'])
}

interface Known {
  readonly value: string
  readonly session: Session
}

/** The end of a value, which is enough to find it: looking up all of it costs three times as much. */
function macOf(value: string): string {
  return value.slice(-MAC_LENGTH)
}

/** Only what we signed comes here. */
function parse(value: string, end: number, room: string): Session | null {
  const start = value.indexOf('.')
  const text = value.slice(start + 1, end)
  const enteredAt = Number.parseInt(value.slice(0, start), 36)
  const pass = readPass(text, room)
  return pass === null || !Number.isSafeInteger(enteredAt) ? null : { ...pass, pass: text, enteredAt }
}

/** The values of all cookies of this name, the first ones first. */
function valuesOf(header: string | undefined, name: string): string[] {
  if (header === undefined) return NONE
  const values: string[] = []
  let at = header.indexOf(`${name}=`)
  while (at !== -1 && values.length < CANDIDATES_MAX) {
    const end = header.indexOf(';', at)
    const isWhole = at === 0 || header[at - 1] === ' ' || header[at - 1] === ';'
    if (isWhole) values.push(header.slice(at + name.length + 1, end === -1 ? undefined : end).trimEnd())
    at = end === -1 ? -1 : header.indexOf(`${name}=`, end)
  }
  return values
}

const NONE: string[] = []
