import type { KeyObject } from 'node:crypto'
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'

/** Fits every message of ours; a longer one grows the buffer. */
const MESSAGE_BYTES = 2_048

/**
 * HMAC-SHA256 (RFC 2104) with one key, for use in every request.
 *
 * Node's own HMAC allocates three objects outside of the heap for each message. With this one a join takes 10 to 30 %
 * less of the server's processor time, measured end to end in turns; a property test compares the two.
 */
export class Mac {
  /** The state before a message (the key's block and what all messages begin with), and the copy that a message changes. */
  readonly #keyed
  readonly #current
  readonly #mac: Buffer
  #message = Buffer.alloc(MESSAGE_BYTES)

  /** `start` is the common prefix of all messages; callers leave it out. */
  constructor(key: KeyObject, start = '') {
    this.#keyed = hmac.create(sha256, key.export()).update(Buffer.from(start))
    this.#current = this.#keyed.clone()
    this.#mac = Buffer.alloc(this.#keyed.outputLen)
  }

  /** The MAC of bytes, or of text in UTF-8. */
  of(message: Uint8Array | string, encoding: 'base64url' | 'latin1'): string {
    this.#compute(message)
    return this.#mac.toString(encoding)
  }

  /** Writes the first bytes of the MAC into a buffer. */
  write(message: Uint8Array | string, target: Uint8Array, from: number, length: number): void {
    this.#compute(message)
    for (let index = 0; index < length; index += 1) target[from + index] = this.#mac[index] ?? 0
  }

  #compute(message: Uint8Array | string): void {
    const bytes = typeof message === 'string' ? this.#encode(message) : message
    this.#keyed._cloneInto(this.#current).update(bytes).digestInto(this.#mac)
  }

  #encode(text: string): Uint8Array {
    const bytesMax = 3 * text.length
    if (bytesMax > this.#message.length) this.#message = Buffer.alloc(bytesMax)
    return this.#message.subarray(0, this.#message.write(text, 'utf8'))
  }
}
