import { Worker } from 'node:worker_threads'
import type { WorkerData, WorkerMessage } from './worker.ts'

/** The one connection that may talk to PostgreSQL in its thread at a time. */
export interface Listener {
  onReady(): void
  onAnswer(bytes: Uint8Array): void
  onGone(error: Error): void
}

/**
 * Starts PostgreSQL in a worker thread, so that a large statement does not stall the server's event loop, and
 * notices when that thread ends: then the request under way fails, and so does every later one.
 */
export class PgliteThread {
  readonly #worker: Worker
  readonly #exited: Promise<void>
  #isReady = false
  #isClosing = false
  #gone: Error | undefined
  #listener: Listener | undefined
  /** Requests sent and not answered yet. Answers to a listener that left are dropped by this count. */
  #unanswered = 0
  #stale = 0

  constructor(dataDir: string) {
    const workerData: WorkerData = { dataDir }
    this.#worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData, name: 'ledger' })
    this.#worker.on('message', (message: WorkerMessage) => this.#take(message))
    this.#worker.on('error', (error) => this.#end(error))
    this.#exited = new Promise((resolve) => {
      this.#worker.once('exit', (code) => {
        this.#end(new Error(`it exited with code ${code}`))
        resolve()
      })
    })
  }

  attach(listener: Listener): void {
    if (this.#listener !== undefined) throw new Error('The embedded ledger has one session, and it is in use.')
    this.#listener = listener
    this.#stale = this.#unanswered
    if (this.#gone !== undefined) listener.onGone(this.#gone)
    else if (this.#isReady) process.nextTick(() => listener.onReady())
  }

  detach(): void {
    this.#listener = undefined
  }

  send(request: Uint8Array): void {
    if (this.#gone !== undefined) return
    this.#unanswered += 1
    this.#worker.postMessage(request)
  }

  /** Lets PostgreSQL finish and shut down, then ends the thread. */
  async close(): Promise<void> {
    this.#isClosing = true
    this.#worker.postMessage(null)
    await this.#exited
  }

  /** Ends the thread at once, as a crash would. */
  async terminate(): Promise<void> {
    await this.#worker.terminate()
  }

  #take(message: WorkerMessage): void {
    switch (message.type) {
      case 'ready':
        this.#isReady = true
        this.#listener?.onReady()
        return
      case 'answer':
        this.#unanswered -= 1
        if (this.#stale > 0) this.#stale -= 1
        else this.#listener?.onAnswer(message.bytes)
        return
    }
  }

  #end(cause: unknown): void {
    if (this.#gone !== undefined) return
    const reason = cause instanceof Error ? cause.message : String(cause)
    this.#gone = new Error(`The embedded ledger has stopped: ${reason}. Restart the server.`, { cause })
    if (!this.#isClosing) this.#listener?.onGone(this.#gone)
  }
}
