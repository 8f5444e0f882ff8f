import { createHmac, timingSafeEqual } from 'node:crypto'

/*
 * The KnownUser v3 format, as the connectors of Queue-it read it: fields `key_value` joined by `~`, so that neither
 * character may be in a value; the last one is the HMAC-SHA256 of everything before it, in hexadecimal.
 *
 *   e room  q visitor  ts until when it may be presented  ce may the cookie be extended  cv minutes of the cookie
 *   rt how they came here  h hash
 */

/** As long as the format's author gives: enough for a slow redirect, too short to be passed on. */
const PRESENT_MS = 240_000
const MINUTE_MS = 60_000

export interface KnownUser {
  /** The name by which the site's connector knows the room. */
  readonly eventId: string
  /** The room in which the ticket is on the floor. */
  readonly room: string
  readonly number: number
  /** The room's clock, in milliseconds. */
  readonly now: number
  /** When the session on the floor ends. */
  readonly deadline: number
}

/** The token that admits a visitor at a site with such a connector, for as long as they may be on the floor. */
export function issueKnownUserToken(secretKey: string, user: KnownUser): string {
  const { eventId, room, number, now, deadline } = user
  const fields = [
    `e_${eventId}`,
    `q_${queueId(secretKey, room, number)}`,
    `ts_${Math.floor(Math.min(now + PRESENT_MS, deadline) / 1_000)}`,
    // The floor has a deadline; a self-renewing session would outlive it.
    'ce_false',
    `cv_${Math.max(1, Math.floor((deadline - now) / MINUTE_MS))}`,
    'rt_queue',
  ]
  const token = fields.join('~')
  return `${token}~h_${createHmac('sha256', secretKey).update(token).digest('hex')}`
}

/**
 * In the form of a UUID, as connectors expect: the number of the ticket and a MAC. Only the visitor who came in with it
 * and the site know one, so the site may give the slot back with it.
 */
function queueId(secretKey: string, room: string, number: number): string {
  const mac = createHmac('sha256', secretKey).update(`queue id|${room}|${number}`).digest('hex')
  const hex = number.toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-4${mac.slice(0, 3)}-a${mac.slice(3, 6)}-${mac.slice(6, 18)}`
}

/** The ticket number that an id was made for; null for anything but an id of this room. */
export function readQueueId(secretKey: string, room: string, id: string): number | null {
  const number = Number.parseInt(id.slice(0, 13).replace('-', ''), 16)
  if (!Number.isSafeInteger(number)) return null
  const expected = Buffer.from(queueId(secretKey, room, number))
  const given = Buffer.from(id)
  return given.length === expected.length && timingSafeEqual(given, expected) ? number : null
}
