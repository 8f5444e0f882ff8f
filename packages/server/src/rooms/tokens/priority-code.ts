import { hash, randomBytes, sign, verify } from 'node:crypto'
import type { TicketClass } from '@seatwise/domain'
import type { SigningKeys } from '../../identity/index.ts'

/*
 * A priority code: 36 bytes and an Ed25519 signature, in base64url, after the name of the key that signed it.
 *
 *   version 1 · room 16 · class 1 · expires at 6 · id 12
 */
const VERSION = 1
const OFFSET = { room: 1, class: 17, expiresAt: 18, id: 24 }
const BODY_BYTES = 36
const ID_BYTES = 12
const SIGNATURE_BYTES = 64
const CODE_LENGTH_MAX = 300

export interface PriorityCode {
  room: string
  class: Exclude<TicketClass, 0>
  expiresAt: number
  /** Makes the code valid for one ticket only. */
  id: string
}

/** Creates a code for one ticket of a class above normal. */
export function issuePriorityCode(keys: SigningKeys, code: Omit<PriorityCode, 'id'>): string {
  const body = Buffer.allocUnsafe(BODY_BYTES)
  body[0] = VERSION
  body.write(code.room.replaceAll('-', ''), OFFSET.room, 'hex')
  body[OFFSET.class] = code.class
  body.writeUIntBE(code.expiresAt, OFFSET.expiresAt, 6)
  randomBytes(ID_BYTES).copy(body, OFFSET.id)
  const { kid, privateKey } = keys.signer()
  return `${kid}.${Buffer.concat([body, sign(null, body, privateKey)]).toString('base64url')}`
}

/** What the public log says of a code: the code itself cannot be learned from it. */
export function hashOfCode(code: string): string {
  return hash('sha256', code, 'hex')
}

/** What a code grants; null unless we signed it. Callers check whether it has expired or was used. */
export function readPriorityCode(keys: SigningKeys, code: string): PriorityCode | null {
  if (code.length > CODE_LENGTH_MAX) return null
  const [kid = '', encoded = '', ...rest] = code.split('.')
  const bytes = Buffer.from(encoded, 'base64url')
  // A second spelling of the same bytes is not accepted.
  if (rest.length > 0 || bytes.toString('base64url') !== encoded) return null
  const key = keys.verifier(kid)
  if (key === null || bytes.length !== BODY_BYTES + SIGNATURE_BYTES || bytes[0] !== VERSION) return null
  const body = bytes.subarray(0, BODY_BYTES)
  if (!verify(null, body, key, bytes.subarray(BODY_BYTES))) return null
  const hex = body.toString('hex', OFFSET.room, OFFSET.class)
  return {
    room: `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`,
    // Only what we encoded has a valid signature.
    class: body[OFFSET.class] as PriorityCode['class'],
    expiresAt: body.readUIntBE(OFFSET.expiresAt, 6),
    id: body.toString('base64url', OFFSET.id),
  }
}
