import { Duplex } from 'node:stream'
import type { PgliteThread } from './thread.ts'

// As much as a socket hands over at once. A whole large answer in one piece would be parsed in one go, and stall the
// event loop for as long: 60,000 rows took 300 ms.
const CHUNK_BYTES = 65_536

/**
 * What the `pg` client takes for a socket: it carries the wire protocol to PostgreSQL in its thread. Both engines
 * are thereby spoken to by the same client, so values, parameters and errors are alike by construction.
 */
export class WorkerStream extends Duplex {
  readonly #thread: PgliteThread
  #hasStarted = false
  /** Messages of a request that is not complete yet. */
  #unsent: Uint8Array[] = []
  /** What is left of the answer that is being read; the client asks one thing at a time. */
  #unread: Uint8Array = new Uint8Array()
  #isDelivering = false

  constructor(thread: PgliteThread) {
    super()
    this.#thread = thread
  }

  connect(): void {
    this.#thread.attach(this, {
      onReady: () => this.emit('connect'),
      onAnswer: (bytes) => this.#receive(bytes),
      onGone: (error) => this.destroy(error),
    })
  }

  override _write(message: Uint8Array, _encoding: string, done: (error?: Error) => void): void {
    this.#unsent.push(message)
    // PostgreSQL answers a whole request at once, so we hand over whole requests: up to the message that asks for
    // an answer. The client writes one message at a time.
    if (this.#asksForAnswer(message)) {
      this.#thread.send(Buffer.concat(this.#unsent))
      this.#unsent = []
    }
    done()
  }

  override _read(): void {
    if (this.#unread.length === 0 || this.#isDelivering) return
    this.#isDelivering = true
    setImmediate(() => {
      this.#isDelivering = false
      const chunk = this.#unread.subarray(0, CHUNK_BYTES)
      this.#unread = this.#unread.subarray(CHUNK_BYTES)
      this.push(chunk)
    })
  }

  override _final(done: (error?: Error) => void): void {
    this.push(null)
    done()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#thread.detach(this)
    done(error)
  }

  #receive(bytes: Uint8Array): void {
    this.#unread = bytes.subarray(CHUNK_BYTES)
    this.push(bytes.subarray(0, CHUNK_BYTES))
  }

  #asksForAnswer(message: Uint8Array): boolean {
    if (!this.#hasStarted) {
      this.#hasStarted = true
      return true
    }
    const kind = String.fromCharCode(message[0] ?? 0)
    return kind === 'Q' || kind === 'S'
  }

  // The rest of what the client expects of a socket; a thread has no network.
  setNoDelay(): void {}
  setKeepAlive(): void {}
  ref(): void {}
  unref(): void {}
}
