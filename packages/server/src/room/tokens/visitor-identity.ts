import { deriveKeys } from '../../keys/derive-key.ts'
import { Mac } from '../../keys/mac.ts'

/** 96 bits in base64url: among ten million visitors of a room, the chance that two are taken for one is below 10⁻¹⁵. */
const IDENTITY_LENGTH = 16

export interface VisitorIdentities {
  /** What "the same visitor" means in a room: a hash of the account's or guest's id, 16 base64url characters. */
  of(visitorId: string): string
  /** What "the same address" means, without keeping the address where it is not needed. */
  ofAddress(sender: string): string
  /** The id of the guest whom a join with this key makes, however often it is sent. */
  guestOf(room: string, sender: string, key: string): string
}

/**
 * Keyed, so that a copy of Redis does not tell who was there. The key comes from the oldest secret, because identities
 * must stay the same when secrets rotate in the middle of a sale.
 */
export function createVisitorIdentities(secrets: readonly Buffer[]): VisitorIdentities {
  const oldest = deriveKeys(secrets, 'visitor-identity').at(-1)
  if (oldest === undefined) throw new Error('deriveKeys gave no key')
  const mac = new Mac(oldest.key)
  const hash = (kind: string, value: string) => mac.of(`${kind}:${value}`, 'base64url').slice(0, IDENTITY_LENGTH)
  return {
    of: (visitorId) => hash('visitor', visitorId),
    ofAddress: (sender) => hash('address', sender),
    guestOf: (room, sender, key) => uuidOf(mac.of(`guest:${room}:${sender}:${key}`, 'latin1')),
  }
}

/** RFC 9562's version 8: bytes of our own making. */
function uuidOf(latin1: string): string {
  const bytes = Buffer.from(latin1.slice(0, 16), 'latin1')
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
