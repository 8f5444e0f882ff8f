import { fromBase32, toBase32 } from '../kit/base32.ts'

/*
 * SW1.<base32 of key, event, e-ticket, generation, signature>
 *
 * A QR code of these 174 symbols has 45 modules a side; the JWT of earlier versions needs 73. The signature covers the
 * prefix, which is also what keeps any other text that our keys sign from being taken for a code.
 */
export const ETICKET_PREFIX = 'SW1.'
/** The first symbols of the key's id: enough to tell our few keys apart. */
export const KEY_SYMBOLS = 8
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

/** What a code says, and what has to be verified before any of it counts. */
interface UnverifiedEticket {
  readonly claims: EticketClaims
  /** The first bytes of the id of the key that signed. */
  readonly key: Uint8Array<ArrayBuffer>
  readonly signed: Uint8Array<ArrayBuffer>
  readonly signature: Uint8Array<ArrayBuffer>
}

/** What the signature of an e-ticket covers; `key` are the first bytes of the id of the key that signs. */
export function eticketToSign(key: Uint8Array, { id, eventId, generation }: EticketClaims): Uint8Array<ArrayBuffer> {
  const content = new Uint8Array(SIGNED_BYTES)
  content.set(key.subarray(0, KEY_BYTES))
  content.set(bytesOf(eventId), KEY_BYTES)
  content.set(bytesOf(id), KEY_BYTES + UUID_BYTES)
  new DataView(content.buffer).setUint32(KEY_BYTES + 2 * UUID_BYTES, generation)
  return withPrefix(content)
}

export function spellEticketCode(signed: Uint8Array, signature: Uint8Array): string {
  const bytes = new Uint8Array(SIGNED_BYTES + SIGNATURE_BYTES)
  bytes.set(signed.subarray(ETICKET_PREFIX.length))
  bytes.set(signature, SIGNED_BYTES)
  return ETICKET_PREFIX + toBase32(bytes)
}

/** Takes a code apart; null unless it has the form that we give codes. */
export function splitEticketCode(code: string): UnverifiedEticket | null {
  const bytes = code.startsWith(ETICKET_PREFIX) ? fromBase32(code.slice(ETICKET_PREFIX.length)) : null
  if (bytes === null || bytes.length !== SIGNED_BYTES + SIGNATURE_BYTES) return null
  const content = bytes.slice(0, SIGNED_BYTES)
  return {
    claims: {
      id: uuidAt(content, KEY_BYTES + UUID_BYTES),
      eventId: uuidAt(content, KEY_BYTES),
      generation: new DataView(content.buffer).getUint32(KEY_BYTES + 2 * UUID_BYTES),
    },
    key: content.slice(0, KEY_BYTES),
    signed: withPrefix(content),
    signature: bytes.slice(SIGNED_BYTES),
  }
}

function withPrefix(content: Uint8Array): Uint8Array<ArrayBuffer> {
  const signed = new Uint8Array(ETICKET_PREFIX.length + content.length)
  signed.set([...ETICKET_PREFIX].map((symbol) => symbol.charCodeAt(0)))
  signed.set(content, ETICKET_PREFIX.length)
  return signed
}

function bytesOf(uuid: string): Uint8Array {
  const hex = uuid.replaceAll('-', '')
  if (!/^[0-9a-f]{32}$/.test(hex)) throw new Error('Events and e-tickets are named by UUIDs')
  return Uint8Array.from({ length: UUID_BYTES }, (_unused, at) => Number.parseInt(hex.slice(2 * at, 2 * at + 2), 16))
}

function uuidAt(bytes: Uint8Array, at: number): string {
  const hex = [...bytes.subarray(at, at + UUID_BYTES)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
