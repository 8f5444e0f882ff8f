import { Worker } from 'node:worker_threads'
import type { WorkerData, WorkerMessage, WorkerRequest } from './worker.ts'

/** What a connection wants to hear from the thread. */
export interface Listener {
  onReady(): void
  onAnswer(bytes: Uint8Array): void
  onGone(error: Error): void
}

/**
 * Runs PostgreSQL in a worker thread, so that a large statement does not stall the server's event loop, and notices
 * when that thread ends: then the request under way fails, and so does every later one.
 */
export class PgliteThread {
  readonly #worker: Worker
  readonly #exited: Promise<void>
  #isReady = false
  readonly #opened: PromiseWithResolvers<void> = Promise.withResolvers()
  #gone: Error | undefined
  /** The connection that has the session, if any. */
  #owner: object | undefined
  #listener: Listener | undefined
  /** Copies not made yet, in the order of asking. */
  readonly #copies: PromiseWithResolvers<Date>[] = []
  /** Requests not answered yet, and how many of them were sent by a connection that is gone: their answers are dropped. */
  #unanswered = 0
  #unwanted = 0

  constructor(dataDir: string) {
    const workerData: WorkerData = { dataDir }
    this.#worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData, name: 'ledger' })
    this.#worker.on('message', (message: WorkerMessage) => this.#take(message))
    this.#worker.on('error', (error) => this.#end(error))
    // It may end before any caller waits for it.
    this.#opened.promise.catch(() => {})
    this.#exited = new Promise((resolve) => {
      this.#worker.once('exit', (code) => {
        this.#end(new Error(`its thread exited with code ${code}`))
        resolve()
      })
    })
  }

  /** Resolves once the cluster is open, which may have to be made first; rejects when the thread ends, or after so long. */
  async opened(withinMs: number): Promise<void> {
    const { promise, reject } = Promise.withResolvers<never>()
    const seconds = Math.round(withinMs / 1_000)
    const timer = setTimeout(() => reject(new Error(`it was not open after ${seconds} s`)), withinMs)
    await Promise.race([this.#opened.promise, promise]).finally(() => clearTimeout(timer))
  }

  attach(owner: object, listener: Listener): void {
    if (this.#owner !== undefined) throw new Error('The embedded ledger has one session, and it is in use.')
    this.#owner = owner
    this.#listener = listener
    const gone = this.#gone
    if (gone !== undefined) process.nextTick(() => listener.onGone(gone))
    else if (this.#isReady) process.nextTick(() => listener.onReady())
  }

  detach(owner: object): void {
    if (this.#owner !== owner) return
    this.#owner = undefined
    this.#listener = undefined
    this.#unwanted = this.#unanswered
  }

  send(request: Uint8Array): void {
    if (this.#gone !== undefined) return
    this.#unanswered += 1
    this.#post(request)
  }

  /** Copies the cluster to a new folder between two requests; resolves with the time until which it holds everything. */
  async copyTo(folder: string): Promise<Date> {
    if (this.#gone !== undefined) throw this.#gone
    const copy = Promise.withResolvers<Date>()
    this.#copies.push(copy)
    this.#post({ copyTo: folder })
    return await copy.promise
  }

  /** Lets PostgreSQL finish what it was asked and shut down, then ends the thread. */
  async close(): Promise<void> {
    this.#post(null)
    await this.#exited
  }

  /** Ends the thread at once, as a crash would. */
  async terminate(): Promise<void> {
    await this.#worker.terminate()
  }

  #post(request: WorkerRequest): void {
    this.#worker.postMessage(request)
  }

  #take(message: WorkerMessage): void {
    switch (message.type) {
      case 'ready':
        this.#isReady = true
        this.#opened.resolve()
        this.#listener?.onReady()
        return
      case 'answer':
        this.#unanswered -= 1
        if (this.#unwanted > 0) this.#unwanted -= 1
        else this.#listener?.onAnswer(message.bytes)
        return
      case 'copied': {
        const copy = this.#copies.shift()
        if (message.error === undefined) copy?.resolve(new Date(message.at))
        else copy?.reject(message.error)
        return
      }
    }
  }

  #end(cause: unknown): void {
    if (this.#gone !== undefined) return
    const reason = cause instanceof Error ? cause.message : String(cause)
    this.#gone = new Error(`The embedded ledger has stopped (${reason}); restart the server.`, { cause })
    this.#opened.reject(this.#gone)
    for (const copy of this.#copies.splice(0)) copy.reject(this.#gone)
    this.#listener?.onGone(this.#gone)
  }
}
