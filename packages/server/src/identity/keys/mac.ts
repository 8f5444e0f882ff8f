import { createHmac, type Hmac, type KeyObject } from 'node:crypto'

/**
 * HMAC-SHA256 (RFC 2104) with one key, over messages that all begin with the same text. Node's own: one written in
 * JavaScript saved 2 % of a join, measured end to end in turns in November 2026, less than the measurement's noise.
 */
export class Mac {
  readonly #key: KeyObject
  readonly #start: string

  /** `start` is the common prefix of all messages; callers leave it out. */
  constructor(key: KeyObject, start = '') {
    this.#key = key
    this.#start = start
  }

  /** The MAC of bytes, or of text in UTF-8. */
  of(message: Uint8Array | string, encoding: 'base64url' | 'latin1'): string {
    return this.#compute(message).digest(encoding)
  }

  /** Writes the first bytes of the MAC into a buffer. */
  write(message: Uint8Array | string, target: Uint8Array, from: number, length: number): void {
    target.set(this.#compute(message).digest().subarray(0, length), from)
  }

  #compute(message: Uint8Array | string): Hmac {
    const hmac = createHmac('sha256', this.#key)
    return (this.#start === '' ? hmac : hmac.update(this.#start)).update(message)
  }
}
