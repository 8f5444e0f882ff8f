import { sign, verify } from 'node:crypto'
import type { SigningKeys } from '../../identity/index.ts'
import { fromBase32, isUuid, toBase32 } from '../../kit/index.ts'
import { readEticketJwt } from './eticket-jwt.ts'

/*
 * SW1.<base32 of key, event, e-ticket, generation, signature>
 *
 * A QR code of these 174 symbols has 45 modules a side; the JWT of earlier versions needs 73. The signature covers the
 * prefix, which is also what keeps any other text that our keys sign from being taken for a code.
 */
const PREFIX = 'SW1.'
/** The first symbols of the key's id: enough to tell our few keys apart. */
const KEY_SYMBOLS = 8
const KEY_BYTES = 6
const UUID_BYTES = 16
const GENERATION_BYTES = 4
const SIGNATURE_BYTES = 64
const SIGNED_BYTES = KEY_BYTES + 2 * UUID_BYTES + GENERATION_BYTES

/** The content of an e-ticket's code. A scanner at the door can verify it with the published keys alone. */
export interface EticketClaims {
  readonly id: string
  readonly eventId: string
  /** Raised by each transfer: codes of earlier generations are void. */
  readonly generation: number
}

/**
 * The code of an e-ticket. It is signed each time it is shown, so that a ticket bought long ago is signed by a key that
 * is still published. All codes of one generation are equivalent, and only one of them admits.
 */
export function issueEticketCode(keys: SigningKeys, { id, eventId, generation }: EticketClaims): string {
  const { kid, privateKey } = keys.signer()
  const content = Buffer.alloc(SIGNED_BYTES)
  content.write(kid.slice(0, KEY_SYMBOLS), 0, 'base64url')
  content.write(hexOf(eventId), KEY_BYTES, 'hex')
  content.write(hexOf(id), KEY_BYTES + UUID_BYTES, 'hex')
  content.writeUInt32BE(generation, KEY_BYTES + 2 * UUID_BYTES)
  const signature = sign(null, toSign(content), privateKey)
  return PREFIX + toBase32(Buffer.concat([content, signature]))
}

/** The content of a code, also of one that an earlier version printed; null unless we signed exactly this. */
export function readEticketCode(keys: SigningKeys, code: string): EticketClaims | null {
  if (!code.startsWith(PREFIX)) return readEticketJwt(keys, code)
  const bytes = Buffer.from(fromBase32(code.slice(PREFIX.length)) ?? [])
  if (bytes.length !== SIGNED_BYTES + SIGNATURE_BYTES) return null
  const content = bytes.subarray(0, SIGNED_BYTES)
  const key = keys.verifierStarting(content.toString('base64url', 0, KEY_BYTES))
  if (key === null || !verify(null, toSign(content), key, bytes.subarray(SIGNED_BYTES))) return null
  const [eventId, id] = [uuidAt(content, KEY_BYTES), uuidAt(content, KEY_BYTES + UUID_BYTES)]
  return { id, eventId, generation: content.readUInt32BE(KEY_BYTES + 2 * UUID_BYTES) }
}

const toSign = (content: Buffer): Buffer => Buffer.concat([Buffer.from(PREFIX), content])

function hexOf(uuid: string): string {
  if (!isUuid(uuid)) throw new Error('Events and e-tickets are named by UUIDs')
  return uuid.replaceAll('-', '')
}

function uuidAt(bytes: Buffer, at: number): string {
  const hex = bytes.toString('hex', at, at + UUID_BYTES)
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
