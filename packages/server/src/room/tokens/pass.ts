import { sign, timingSafeEqual } from 'node:crypto'
import { RecentMap } from '../../access/recent-map.ts'
import { deriveKeys } from '../../keys/derive-key.ts'
import { Mac } from '../../keys/mac.ts'
import type { SigningKeys } from '../../keys/signing-keys.ts'

export const PASS_ISSUER = 'seatwise'
/** No other JWT of ours can be taken for a pass. */
export const PASS_TYPE = 'seatwise-pass+jwt'
const PASS_LENGTH_MAX = 1_024
const MAC_BYTES = 16
/** Most come back to where they were issued, to reserve: checking costs ten times as much. About 30 MB. */
const ISSUED_KEPT_MAX = 50_000

export interface PassClaims {
  room: string
  number: number
  fence: number
  /** Milliseconds; a pass ends with the second it falls into. */
  expiresAt: number
}

/**
 * Permission to be on the floor. Guards at other sites verify the Ed25519 signature offline with the published keys.
 * Our own box office checks thousands a second, which Ed25519 cannot (5,244 a second against 36,270 without, on two
 * cores); so the pass carries a MAC of its claims, too, and whether it still counts is read from the floor anyway.
 */
export interface Passes {
  /** The same claims give the same pass. */
  issue(claims: PassClaims, subject: string): string
  /** What a pass of ours says, whether or not it still counts; null for anything else. */
  read(pass: string): PassClaims | null
  /** Passes that are remembered because they were issued here. */
  readonly size: number
}

export function createPasses(secrets: readonly Buffer[], keys: SigningKeys): Passes {
  const macKeys = deriveKeys(secrets, 'pass').map(({ key }) => new Mac(key))
  const [current] = macKeys
  if (current === undefined) throw new Error('deriveKeys gave no key')
  const issued = new RecentMap<string, PassClaims>(ISSUED_KEPT_MAX)
  return {
    get size() {
      return issued.size
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
      issued.set(pass, { ...claims, expiresAt: seconds(claims.expiresAt) * 1000 })
      return pass
    },
    read(pass) {
      const known = issued.get(pass)
      if (known !== undefined) return known
      const claims = pass.length <= PASS_LENGTH_MAX ? parse(pass) : null
      if (claims === null) return null
      return macKeys.some((key) => timingSafeEqual(macOf(key, claims), claims.mac)) ? withoutMac(claims) : null
    },
  }
}

interface Parsed extends PassClaims {
  mac: Buffer
}

function parse(pass: string): Parsed | null {
  const payload = pass.split('.', 3)[1]
  if (payload === undefined) return null
  let value: Record<string, unknown>
  try {
    value = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>
  } catch {
    return null // Not JSON: not a pass.
  }
  if (value === null || typeof value !== 'object') return null
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
