import { createSecretKey, randomBytes } from 'node:crypto'
import { keepLastingKey, type Ledger } from '@seatwise/ledger'
import { Mac } from '../../identity/index.ts'

/** 96 bits in base64url: among ten million visitors of a room, the chance of a collision is below 10⁻¹⁵. */
const IDENTITY_LENGTH = 16
const KEY_BYTES = 32

export interface VisitorIdentities {
  /** Identifies a visitor in a room: a hash of the account's or guest's id, 16 base64url characters. */
  of(visitorId: string): string
  /** Identifies an address without storing it where it is not needed. */
  ofAddress(sender: string): string
  /** Identifies a device in the ledger, which thereby cannot tell its cookie. */
  ofDevice(deviceId: string): string
  /** The id of the guest that a join with this key creates; the same for each retry. */
  guestOf(room: string, sender: string, key: string): string
}

/**
 * Keyed hashes, so that a copy of Redis does not reveal its visitors. The key is stored in the ledger and not derived
 * from a secret: a line outlives secrets, and a visitor with a changed identity would lose their ticket.
 */
export async function openVisitorIdentities({ db }: Pick<Ledger, 'db'>): Promise<VisitorIdentities> {
  return createVisitorIdentities(await keepLastingKey(db, 'visitor-identity', randomBytes(KEY_BYTES)))
}

export function createVisitorIdentities(key: Buffer): VisitorIdentities {
  const mac = new Mac(createSecretKey(key))
  const hash = (kind: string, value: string) => mac.of(`${kind}:${value}`, 'base64url').slice(0, IDENTITY_LENGTH)
  return {
    of: (visitorId) => hash('visitor', visitorId),
    ofAddress: (sender) => hash('address', sender),
    ofDevice: (deviceId) => hash('device', deviceId),
    guestOf: (room, sender, guestKey) => uuidOf(mac.of(`guest:${room}:${sender}:${guestKey}`, 'latin1')),
  }
}

/** RFC 9562's version 8: bytes of our own making. */
function uuidOf(latin1: string): string {
  const bytes = Buffer.from(latin1.slice(0, 16), 'latin1')
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
