import { Worker } from 'node:worker_threads'
import { SeatwiseError } from '@seatwise/domain'
import type { Paper } from './paper.ts'
import type { Drawn } from './thread.ts'

/** A page takes about 20 ms, so that the last of them waits for about two seconds. */
const WAITING_MAX = 100
const RETRY_SECONDS = 2
/** The largest settlement takes less than a second. */
const PAPER_MS_MAX = 10_000
/** pdfkit and its fonts take 40 MB, which most servers never need. */
const IDLE_MS = 60_000

interface Job {
  readonly paper: Paper
  resolve(bytes: Uint8Array): void
  reject(error: Error): void
}

export interface PressOptions {
  readonly waitingMax?: number
  readonly idleMs?: number
}

/**
 * Draws PDFs in one thread, one after the other, so that neither a crowd of downloads nor a long document delays other
 * requests (B159). The thread is started by the first paper, and ends when none was asked for in a while.
 */
export class Press {
  readonly #waitingMax: number
  readonly #idleMs: number
  readonly #waiting: Job[] = []
  #drawing: Job | null = null
  #worker: Worker | null = null
  #timer: NodeJS.Timeout | undefined

  constructor({ waitingMax = WAITING_MAX, idleMs = IDLE_MS }: PressOptions = {}) {
    this.#waitingMax = waitingMax
    this.#idleMs = idleMs
  }

  /** Papers that are drawn or wait for it. */
  get pending(): number {
    return this.#waiting.length + (this.#drawing === null ? 0 : 1)
  }

  get isIdle(): boolean {
    return this.#worker === null
  }

  /** Rejects with 503 when too many wait. */
  async print(paper: Paper): Promise<Uint8Array> {
    this.refuseCrowd()
    return await new Promise((resolve, reject) => {
      this.#waiting.push({ paper, resolve, reject })
      this.#next()
    })
  }

  /** Throws what `print` would, before the paper's facts are read. */
  refuseCrowd(): void {
    if (this.pending <= this.#waitingMax) return
    throw new SeatwiseError('OVERLOADED', {
      message: 'Too many documents are being made; try again in a moment',
      retryAfterSeconds: RETRY_SECONDS,
    })
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer)
    const worker = this.#worker
    this.#worker = null
    const closing = new SeatwiseError('UNAVAILABLE', { retryAfterSeconds: RETRY_SECONDS })
    for (const job of [this.#drawing, ...this.#waiting.splice(0)]) job?.reject(closing)
    this.#drawing = null
    await worker?.terminate()
  }

  #next(): void {
    if (this.#drawing !== null) return
    const job = this.#waiting.shift() ?? null
    this.#drawing = job
    clearTimeout(this.#timer)
    if (job === null) {
      this.#timer = setTimeout(() => this.#stop(), this.#idleMs).unref()
      return
    }
    this.#worker ??= this.#start()
    this.#worker.postMessage(job.paper)
    this.#timer = setTimeout(() => this.#fail(new Error('A document took too long to draw')), PAPER_MS_MAX).unref()
  }

  #start(): Worker {
    const worker = new Worker(new URL('./thread.ts', import.meta.url), { name: 'press' })
    worker.unref()
    const isCurrent = (): boolean => this.#worker === worker
    worker.on('message', (drawn: Drawn) => {
      if (!isCurrent()) return
      const job = this.#drawing
      this.#drawing = null
      if ('bytes' in drawn) job?.resolve(drawn.bytes)
      else job?.reject(new Error(`A document could not be drawn: ${drawn.problem}`))
      this.#next()
    })
    worker.on('error', (cause) => {
      if (isCurrent()) this.#fail(new Error('The thread that draws documents has stopped', { cause }))
    })
    return worker
  }

  /** The paper under way fails alone: the next one gets a new thread. */
  #fail(error: Error): void {
    const job = this.#drawing
    this.#drawing = null
    this.#stop()
    job?.reject(error)
    this.#next()
  }

  #stop(): void {
    const worker = this.#worker
    this.#worker = null
    // Nothing is left to save in it, and nothing waits for its end.
    void worker?.terminate()
  }
}
