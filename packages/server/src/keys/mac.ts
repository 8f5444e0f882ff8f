import { hash, type KeyObject } from 'node:crypto'

const BLOCK_BYTES = 64
const HASH_BYTES = 32
/** Room for every message of ours; a longer one makes more room. */
const MESSAGE_BYTES = 2_048

/**
 * HMAC-SHA256 (RFC 2104) under one key, for what every request needs.
 *
 * Node's own makes three objects with memory outside of the heap for each MAC: in a server under load that took 30 µs.
 * Hashing bytes that lie there already makes none, so that two hashes in one call each take a fifteenth of it.
 */
export class Mac {
  /** The key's inner block, behind it the message; the key's outer block, behind it the inner hash. */
  #inner: Buffer
  readonly #outer = Buffer.alloc(BLOCK_BYTES + HASH_BYTES)

  constructor(key: KeyObject) {
    const given = key.export()
    const bytes = given.length > BLOCK_BYTES ? hash('sha256', given, 'buffer') : given
    this.#inner = Buffer.alloc(BLOCK_BYTES + MESSAGE_BYTES)
    for (let index = 0; index < BLOCK_BYTES; index += 1) {
      const byte = bytes[index] ?? 0
      this.#inner[index] = byte ^ 0x36
      this.#outer[index] = byte ^ 0x5c
    }
  }

  /** The MAC of bytes, or of text in UTF-8. */
  of(message: Uint8Array | string, encoding: 'base64url' | 'latin1'): string {
    const length = typeof message === 'string' ? this.#writeText(message) : this.#writeBytes(message)
    const innerHash = hash('sha256', this.#inner.subarray(0, BLOCK_BYTES + length), 'latin1')
    this.#outer.write(innerHash, BLOCK_BYTES, 'latin1')
    return hash('sha256', this.#outer, encoding)
  }

  /** Writes the first bytes of the MAC into a buffer. */
  write(message: Uint8Array | string, target: Buffer, from: number, length: number): void {
    target.write(this.of(message, 'latin1'), from, length, 'latin1')
  }

  #writeText(text: string): number {
    this.#makeRoom(3 * text.length)
    return this.#inner.write(text, BLOCK_BYTES, 'utf8')
  }

  #writeBytes(bytes: Uint8Array): number {
    this.#makeRoom(bytes.length)
    this.#inner.set(bytes, BLOCK_BYTES)
    return bytes.length
  }

  #makeRoom(bytes: number): void {
    if (BLOCK_BYTES + bytes <= this.#inner.length) return
    const larger = Buffer.alloc(BLOCK_BYTES + bytes)
    this.#inner.copy(larger, 0, 0, BLOCK_BYTES)
    this.#inner = larger
  }
}
