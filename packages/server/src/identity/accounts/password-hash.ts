import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { SeatwiseError } from '@seatwise/domain'
import { createTurnstile } from '../../kit/index.ts'

/** The cost parameters. Stored with every hash, so that they can be raised later. */
export interface HashCost {
  /** KiB. */
  readonly memory: number
  readonly passes: number
  readonly parallelism: number
}

/** OWASP's minimum for argon2id: 19 MiB, two passes. Measured 43 ms on a shared 2-core machine, November 2026. */
export const HASH_COST: HashCost = Object.freeze({ memory: 19_456, passes: 2, parallelism: 1 })

/** The thread pool has four threads, and file access needs some: two hash, the others stay free. 38 MiB at most. */
export const HASHING_MAX = 2
/** About a second and a half of work. Further callers are asked to retry, which is better than a timeout. */
export const HASHING_WAITING_MAX = 64

const SALT_BYTES = 16
const TAG_BYTES = 32
/** RFC 9106's version 1.3, the only one in use. */
const VERSION = 19

export interface PasswordHasher {
  /** In PHC string format. Throws OVERLOADED when the queue is full. */
  hash(password: string): Promise<string>
  /** Costs the same with and without a hash, so that the response time does not reveal unknown accounts. */
  verify(password: string, stored: string | null): Promise<boolean>
  /** Whether a hash was made with a lower cost than today's. */
  isOutdated(stored: string): boolean
  /** The length of the queue. */
  readonly waiting: number
  /** How often `verify` ran argon2. */
  readonly verifications: number
}

const runArgon2 = promisify<'argon2id', Argon2Parameters, Buffer>(argon2)

export function createPasswordHasher(
  cost: HashCost = HASH_COST,
  limits = { runningMax: HASHING_MAX, waitingMax: HASHING_WAITING_MAX },
): PasswordHasher {
  const turnstile = createTurnstile(limits)
  // No password matches it: the tag is random, not computed.
  const nobody = encodeHash(cost, randomBytes(SALT_BYTES), randomBytes(TAG_BYTES))
  let verifications = 0

  async function compute(password: string, { memory, passes, parallelism }: HashCost, salt: Buffer): Promise<Buffer> {
    const entry = turnstile.enter()
    if (entry === null) throw new SeatwiseError('OVERLOADED', { retryAfterSeconds: 2 })
    await entry
    try {
      const message = Buffer.from(normalizePassword(password))
      return await runArgon2('argon2id', { message, nonce: salt, memory, passes, parallelism, tagLength: TAG_BYTES })
    } finally {
      turnstile.leave()
    }
  }

  return {
    get waiting() {
      return turnstile.waiting
    },
    async hash(password) {
      const salt = randomBytes(SALT_BYTES)
      return encodeHash(cost, salt, await compute(password, cost, salt))
    },
    async verify(password, stored) {
      verifications += 1
      const { salt, tag, ...storedCost } = decodeHash(stored ?? nobody)
      const computed = await compute(password, storedCost, salt)
      return timingSafeEqual(computed, tag) && stored !== null
    },
    isOutdated(stored) {
      const { memory, passes, parallelism } = decodeHash(stored)
      return memory < cost.memory || passes < cost.passes || parallelism < cost.parallelism
    },
    get verifications() {
      return verifications
    },
  }
}

/** Normalises Unicode, so that the same password typed on another keyboard matches. */
export function normalizePassword(password: string): string {
  return password.normalize('NFKC')
}

function encodeHash({ memory, passes, parallelism }: HashCost, salt: Buffer, tag: Buffer): string {
  return `$argon2id$v=${VERSION}$m=${memory},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(tag)}`
}

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/

function decodeHash(stored: string): HashCost & { salt: Buffer; tag: Buffer } {
  const [, memory, passes, parallelism, salt, tag] = PHC.exec(stored) ?? []
  if (salt === undefined || tag === undefined) throw new Error('A stored password hash is not argon2id in PHC format')
  return {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  }
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}
