import { timingSafeEqual } from 'node:crypto'
import { senderOf } from '../../http/index.ts'
import { deriveKeys, Mac } from '../../identity/index.ts'
import type { VisitorIdentities } from '../tokens/visitor-identity.ts'
import type { ChallengedRoom, Proof } from './challenges.ts'

/** Visitors without a script wait so long instead of computing. */
const WAIT_SECONDS = 20
/** From its beginning on; later a visitor begins anew. */
const VALID_MS = 5 * 60_000

/** A wait that was begun, as the page sends it back. */
export interface Wait {
  readonly token: string
  /** Until it counts; 0 when it does. */
  readonly seconds: number
}

/**
 * Signed waits (R86). Servers store none: a wait is bound to its room and its address. When it is spent, the room's store
 * remembers the time for the address, and waits that began before then do not count: so one address has one at a time.
 */
export interface Waits {
  begin(room: ChallengedRoom, address: string): Wait
  /** The same wait again while it may count; null for one that cannot. */
  resume(room: ChallengedRoom, address: string, token: string): Wait | null
  /** What a join spends; null for a wait that does not count yet, or not here. */
  read(room: ChallengedRoom, address: string, token: string): (Proof & { readonly forMs: number }) | null
}

export function createWaits(secrets: readonly Buffer[], identities: VisitorIdentities, now: () => number): Waits {
  const macs = deriveKeys(secrets, 'signed-wait').map(({ key }) => new Mac(key))
  const sign = (mac: Mac, room: ChallengedRoom, address: string, begunMs: number): string =>
    mac.of([room.id, room.epoch, senderOf(address), begunMs].join(' '), 'base64url')

  function begunAt(room: ChallengedRoom, address: string, token: string): number | null {
    const [, begun, mac = ''] = /^(\d{1,15})\.([\w-]{43})$/.exec(token) ?? []
    const begunMs = Number(begun)
    const isOurs = macs.some((key) => isSame(sign(key, room, address, begunMs), mac))
    return isOurs && now() < begunMs + VALID_MS ? begunMs : null
  }

  function tell(token: string, begunMs: number): Wait {
    return { token, seconds: Math.max(0, Math.ceil((begunMs + WAIT_SECONDS * 1_000 - now()) / 1_000)) }
  }

  return {
    begin(room, address) {
      const [mac] = macs
      if (mac === undefined) throw new Error('A wait needs a secret.')
      const begunMs = Math.ceil(now())
      return tell(`${begunMs}.${sign(mac, room, address, begunMs)}`, begunMs)
    },
    resume(room, address, token) {
      const begunMs = begunAt(room, address, token)
      return begunMs === null ? null : tell(token, begunMs)
    },
    read(room, address, token) {
      const begunMs = begunAt(room, address, token)
      if (begunMs === null || now() < begunMs + WAIT_SECONDS * 1_000) return null
      return { key: `w:${identities.ofAddress(senderOf(address))}`, until: begunMs + VALID_MS, forMs: VALID_MS }
    },
  }
}

function isSame(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))
}
