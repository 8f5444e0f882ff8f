import { createHash, createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import { deriveKeys, Mac } from '../../identity/index.ts'

/** A proof of work as ALTCHA's version 1 defines it: find `number` for which SHA-256 of `salt + number` is `challenge`. */
export interface Challenge {
  readonly algorithm: typeof ALGORITHM
  readonly challenge: string
  readonly salt: string
  readonly signature: string
  readonly maxnumber: number
}

/** What a challenge is bound to. A rebuilt line forgets which proofs were spent, so challenges of its old epoch end. */
export interface ChallengedRoom {
  readonly id: string
  readonly epoch: number
}

/** A proof that is right, of this room and in time; whether it was spent before, only the room's store knows. */
export interface Proof {
  readonly key: string
  readonly until: number
}

export interface Challenges {
  draw(room: ChallengedRoom, maxnumber: number): Challenge
  /** Null for a proof that does not count here and now. */
  read(room: ChallengedRoom, proof: string): Proof | null
}

const ALGORITHM = 'SHA-256'
const CHALLENGE_SECONDS = 5 * 60
const RANDOM_BYTES = 12
/** 128 bits of the challenge: two of one room never share it. */
const KEY_LENGTH = 32
const PROOF_LENGTH_MAX = 1_000

/**
 * Signed and not stored, so that every server verifies what any server drew (R82). The end and the room stand in the
 * salt, in front of a last `&`, over which the number cannot reach.
 */
export function createChallenges(secrets: readonly Buffer[], now: () => number): Challenges {
  const macs = deriveKeys(secrets, 'challenge').map(({ key }) => new Mac(key))
  const sign = (mac: Mac, room: ChallengedRoom, challenge: string): string =>
    createHmac('sha256', mac.of([room.id, room.epoch].join(' '), 'base64url'))
      .update(challenge)
      .digest('hex')
  return {
    draw(room, maxnumber) {
      const expires = Math.ceil(now() / 1_000) + CHALLENGE_SECONDS
      const salt = `${randomBytes(RANDOM_BYTES).toString('hex')}?expires=${expires}&room=${room.id}&`
      const challenge = hashOf(salt, randomInt(maxnumber + 1))
      const [mac] = macs
      if (mac === undefined) throw new Error('A challenge needs a secret.')
      return { algorithm: ALGORITHM, challenge, salt, signature: sign(mac, room, challenge), maxnumber }
    },
    read(room, text) {
      const proof = parse(text)
      const [, expires, roomId] = /^[^?&]+\?expires=(\d{1,12})&room=([^&]+)&$/.exec(proof?.salt ?? '') ?? []
      if (proof === null || roomId !== room.id || Number(expires) * 1_000 <= now()) return null
      if (hashOf(proof.salt, proof.number) !== proof.challenge) return null
      const isOurs = macs.some((mac) => isSame(sign(mac, room, proof.challenge), proof.signature))
      return isOurs ? { key: proof.challenge.slice(0, KEY_LENGTH), until: Number(expires) * 1_000 } : null
    },
  }
}

function hashOf(salt: string, number: number): string {
  return createHash('sha256').update(`${salt}${number}`).digest('hex')
}

function isSame(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)]
  return left.length === right.length && timingSafeEqual(left, right)
}

function parse(text: string): { challenge: string; salt: string; signature: string; number: number } | null {
  if (text.length > PROOF_LENGTH_MAX) return null
  try {
    const { algorithm, challenge, salt, signature, number } = Object(
      JSON.parse(Buffer.from(text, 'base64').toString()),
    ) as Record<string, unknown>
    const isComplete = typeof challenge === 'string' && typeof salt === 'string' && typeof signature === 'string'
    if (algorithm !== ALGORITHM || !isComplete || !Number.isSafeInteger(number)) return null
    return { challenge, salt, signature, number: Number(number) }
  } catch {
    return null
  }
}
