import { Duplex } from 'node:stream'
import type { PgliteThread } from './thread.ts'

/**
 * What the `pg` client takes for a socket: it carries the wire protocol to PostgreSQL in its thread. Both engines
 * are thereby spoken to by the same client, so values, parameters and errors are alike by construction.
 */
export class WorkerStream extends Duplex {
  readonly #thread: PgliteThread
  #unsent: Buffer[] = []
  #hasStarted = false

  constructor(thread: PgliteThread) {
    super()
    this.#thread = thread
  }

  connect(): void {
    this.#thread.attach({
      onReady: () => this.emit('connect'),
      onAnswer: (bytes) => this.push(bytes),
      onGone: (error) => this.destroy(error),
    })
  }

  override _write(message: Buffer, _encoding: string, done: (error?: Error) => void): void {
    this.#unsent.push(message)
    // PostgreSQL answers a whole request at once, so we hand over whole requests: up to the message that asks for
    // an answer. A client writes message by message, and one write never holds the end of one and the start of another.
    if (this.#asksForAnswer(message)) {
      this.#thread.send(Buffer.concat(this.#unsent))
      this.#unsent = []
    }
    done()
  }

  override _read(): void {
    // Answers are pushed as they come; how much can be outstanding is bounded by what one request returns.
  }

  override _final(done: (error?: Error) => void): void {
    this.push(null)
    done()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#thread.detach()
    done(error)
  }

  #asksForAnswer(message: Buffer): boolean {
    if (!this.#hasStarted) {
      this.#hasStarted = true
      return true
    }
    const kind = String.fromCharCode(message[0] ?? 0)
    return kind === 'Q' || kind === 'S'
  }

  // The rest of what `pg` expects of a socket; a thread has no network.
  setNoDelay(): void {}
  setKeepAlive(): void {}
  ref(): void {}
  unref(): void {}
}
