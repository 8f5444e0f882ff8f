import { timingSafeEqual } from 'node:crypto'
import type { TicketClass } from '@seatwise/domain'
import { deriveKeys, Mac } from '../../identity/index.ts'
import { RecentMap } from '../../kit/index.ts'
import type { TicketClaims } from '../room.ts'

/*
 * The ticket token. Tokens are issued by the million, so a JWT is too expensive. 55 bytes, the most that SHA-256 takes
 * in one block, under a MAC of 16, in base64url:
 *
 *   version 1 · key 1 · room 16 · number 5 · place 8 · class 1 · identity 12 · generation 2 · epoch 3 · joined at 6
 */

const VERSION = 1
const OFFSET = {
  key: 1,
  room: 2,
  number: 18,
  place: 23,
  class: 31,
  identity: 32,
  generation: 44,
  epoch: 46,
  joinedAt: 49,
}
const BODY_BYTES = 55
const MAC_BYTES = 16
const TOKEN_LENGTH = Math.ceil(((BODY_BYTES + MAC_BYTES) * 4) / 3)

export interface TicketTokens {
  issue(claims: TicketClaims): string
  /** Null for anything but a ticket token of ours. */
  read(token: string): TicketClaims | null
  /** The same ticket signed with the first secret; null when it already is, or when it is not ours. */
  renew(token: string): string | null
  /** The number of cached verified tokens. */
  readonly size: number
}

/** About 60 MB. A visitor's next poll is then recognised by one look-up, which takes a quarter of checking the MAC. */
const VERIFIED_MAX = 200_000

/** The first secret signs, all verify; a byte in the token names the secret, so that checking costs one MAC. */
export function createTicketTokens(secrets: readonly Buffer[]): TicketTokens {
  const keys = deriveKeys(secrets, 'ticket-token').map(({ id, key }) => ({
    mac: new Mac(key),
    tag: Buffer.from(id, 'base64url')[0] ?? 0,
  }))
  const [current] = keys
  if (current === undefined) throw new Error('deriveKeys gave no key')
  // Reused for each token: nothing here is asynchronous.
  const expected = Buffer.alloc(MAC_BYTES)
  const written = Buffer.alloc(BODY_BYTES + MAC_BYTES)
  const writtenBody = written.subarray(0, BODY_BYTES)
  const verified = new RecentMap<string, TicketClaims>(VERIFIED_MAX)

  function check(text: string): TicketClaims | null {
    if (text.length !== TOKEN_LENGTH) return null
    const token = Buffer.from(text, 'base64url')
    // A second spelling of the same bytes is not accepted.
    if (token.length !== BODY_BYTES + MAC_BYTES || token.toString('base64url') !== text) return null
    const body = token.subarray(0, BODY_BYTES)
    const given = token.subarray(BODY_BYTES)
    const isOurs = keys.some(({ tag, mac }) => {
      if (tag !== token[OFFSET.key]) return false
      mac.write(body, expected, 0, MAC_BYTES)
      return timingSafeEqual(expected, given)
    })
    return isOurs && token[0] === VERSION ? decode(body) : null
  }

  const issue = (claims: TicketClaims): string => {
    encode(written, claims, current.tag)
    current.mac.write(writtenBody, written, BODY_BYTES, MAC_BYTES)
    return written.toString('base64url')
  }

  function read(text: string): TicketClaims | null {
    const known = verified.get(text)
    if (known !== undefined) return known
    const claims = check(text)
    if (claims !== null) verified.set(text, Object.freeze(claims))
    return claims
  }

  return {
    get size() {
      return verified.size
    },
    issue,
    read,
    renew(text) {
      const claims = keys.length === 1 ? null : read(text)
      if (claims === null) return null
      // The same claims give the same token with one secret, and a different one with another.
      const fresh = issue(claims)
      return fresh === text ? null : fresh
    },
  }
}

function encode(token: Buffer, claims: TicketClaims, keyTag: number): void {
  token[0] = VERSION
  token[OFFSET.key] = keyTag
  token.write(claims.room.replaceAll('-', ''), OFFSET.room, 'hex')
  token.writeUIntBE(claims.number, OFFSET.number, 5)
  token.writeDoubleBE(claims.place, OFFSET.place)
  token[OFFSET.class] = claims.class
  token.write(claims.identity, OFFSET.identity, 'base64url')
  token.writeUInt16BE(claims.generation, OFFSET.generation)
  token.writeUIntBE(claims.epoch, OFFSET.epoch, 3)
  token.writeUIntBE(claims.joinedAt, OFFSET.joinedAt, 6)
}

function decode(body: Buffer): TicketClaims {
  const hex = body.toString('hex', OFFSET.room, OFFSET.number)
  return {
    room: `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`,
    number: body.readUIntBE(OFFSET.number, 5),
    place: body.readDoubleBE(OFFSET.place),
    // Only what we encoded has a valid MAC.
    class: body[OFFSET.class] as TicketClass,
    identity: body.toString('base64url', OFFSET.identity, OFFSET.generation),
    generation: body.readUInt16BE(OFFSET.generation),
    epoch: body.readUIntBE(OFFSET.epoch, 3),
    joinedAt: body.readUIntBE(OFFSET.joinedAt, 6),
  }
}

/**
 * The public id of a ticket: the first characters of the room, so that tickets of two rooms are not confused in a
 * support mail, and the number. It proves nothing; the ticket token does.
 */
export function ticketId(room: string, number: number): string {
  return `tkt_${room.slice(0, 8)}${number.toString(36)}`
}

/** The number of a ticket of this room, or null. */
export function ticketNumber(room: string, id: string): number | null {
  const match = /^tkt_([0-9a-f]{8})([0-9a-z]{1,10})$/.exec(id)
  if (match === null || match[1] !== room.slice(0, 8)) return null
  const number = Number.parseInt(match[2] ?? '', 36)
  return Number.isSafeInteger(number) && number > 0 ? number : null
}

/**
 * Whether another device than the owner's holds a ticket. Each hand-over raises the generation, and so does taking the
 * ticket back; nothing else does, and only the owner's device can hand over. So the parity of the generation tells, in
 * every token and after every rebuild.
 */
export function isHandedOver({ generation }: { readonly generation: number }): boolean {
  return generation % 2 === 0
}
