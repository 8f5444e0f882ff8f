import { sign, timingSafeEqual, verify } from 'node:crypto'
import { deriveKeys, Mac, type SigningKeys } from '../../identity/index.ts'
import { RecentMap } from '../../kit/index.ts'

export const PASS_ISSUER = 'seatwise'
/** Its own media type, so that no other JWT of ours is accepted as a pass. */
export const PASS_TYPE = 'seatwise-pass+jwt'
const PASS_LENGTH_MAX = 1_024
const MAC_BYTES = 16
/** Most passes come back to the server that issued them; verifying costs fifty times a look-up. About 30 MB. */
const KNOWN_MAX = 50_000

export interface PassClaims {
  room: string
  number: number
  fence: number
  /** Milliseconds; a pass expires at the end of that second. */
  expiresAt: number
}

/**
 * Permission to be on the floor. Guards at other sites verify the Ed25519 signature offline with the published keys,
 * and so does this server, once for each pass that it did not issue itself: 5,244 a second on two cores, against 36,270
 * look-ups. The MAC in the claims is checked first, so that a forgery costs a MAC and no signature check.
 */
export interface Passes {
  /** The same claims give the same pass. */
  issue(claims: PassClaims, subject: string): string
  /** The claims of a pass, expired or not; null unless it is byte for byte one that was issued. */
  read(pass: string): PassClaims | null
  /** The number of cached passes, issued or verified here. */
  readonly size: number
}

export function createPasses(secrets: readonly Buffer[], keys: SigningKeys): Passes {
  const macKeys = deriveKeys(secrets, 'pass').map(({ key }) => new Mac(key))
  const [current] = macKeys
  if (current === undefined) throw new Error('deriveKeys gave no key')
  const known = new RecentMap<string, PassClaims>(KNOWN_MAX)

  function check(pass: string): PassClaims | null {
    const claims = pass.length <= PASS_LENGTH_MAX ? parse(pass) : null
    if (claims === null) return null
    if (!macKeys.some((key) => timingSafeEqual(macOf(key, claims), claims.mac))) return null
    return isSigned(pass, keys) ? withoutMac(claims) : null
  }

  return {
    get size() {
      return known.size
    },
    issue(claims, subject) {
      const { kid, privateKey } = keys.signer()
      const header = encodeJson({ alg: 'EdDSA', typ: PASS_TYPE, kid })
      const payload = encodeJson({
        iss: PASS_ISSUER,
        aud: claims.room,
        sub: subject,
        fence: claims.fence,
        exp: seconds(claims.expiresAt),
        num: claims.number,
        mac: macOf(current, claims).toString('base64url'),
      })
      const signature = sign(null, Buffer.from(`${header}.${payload}`), privateKey).toString('base64url')
      const pass = `${header}.${payload}.${signature}`
      known.set(pass, { ...claims, expiresAt: seconds(claims.expiresAt) * 1000 })
      return pass
    },
    read(pass) {
      const remembered = known.get(pass)
      if (remembered !== undefined) return remembered
      const claims = check(pass)
      if (claims !== null) known.set(pass, claims)
      return claims
    },
  }
}

/**
 * Whether one of our keys signed header and payload in this spelling. The signature has only one accepted spelling,
 * too: otherwise one pass had several texts, and the cache, which is keyed by the text, would miss it.
 */
function isSigned(pass: string, keys: SigningKeys): boolean {
  const [header = '', payload = '', signature = '', ...rest] = pass.split('.')
  const { alg, typ, kid } = decodeJson(header)
  if (rest.length > 0 || alg !== 'EdDSA' || typ !== PASS_TYPE || typeof kid !== 'string') return false
  const bytes = Buffer.from(signature, 'base64url')
  const key = bytes.toString('base64url') === signature ? keys.verifier(kid) : null
  return key !== null && verify(null, Buffer.from(`${header}.${payload}`), key, bytes)
}

interface Parsed extends PassClaims {
  mac: Buffer
}

function parse(pass: string): Parsed | null {
  const value = decodeJson(pass.split('.', 3)[1] ?? '')
  const { aud, num, fence, exp, mac } = value
  if (typeof aud !== 'string' || typeof mac !== 'string') return null
  if (!Number.isSafeInteger(num) || !Number.isSafeInteger(fence) || !Number.isSafeInteger(exp)) return null
  const bytes = Buffer.from(mac, 'base64url')
  if (bytes.length !== MAC_BYTES) return null
  return { room: aud, number: num as number, fence: fence as number, expiresAt: (exp as number) * 1000, mac: bytes }
}

function macOf(key: Mac, { room, number, fence, expiresAt }: PassClaims): Buffer {
  const mac = Buffer.allocUnsafe(MAC_BYTES)
  key.write(`${room}|${number}|${fence}|${seconds(expiresAt)}`, mac, 0, MAC_BYTES)
  return mac
}

function withoutMac({ room, number, fence, expiresAt }: Parsed): PassClaims {
  return { room, number, fence, expiresAt }
}

const seconds = (ms: number): number => Math.ceil(ms / 1000)

function encodeJson(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

/** An empty object for anything that is not a JSON object. */
function decodeJson(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
