import type { Socket } from 'node:net'
import type { Frame, FrameReader } from './frames.ts'

export interface LaneRules {
  /** How much later than it came this frame is delivered. */
  delayMs(frame: Frame): number
  /** True while this direction is cut. */
  isCut(): boolean
  /** Sees every frame when it comes. */
  inspect(frame: Frame): Verdict
  /** Breaks the connection. */
  reset(): void
}

/** `drop` keeps a frame from the other side; `reset` does so too, and breaks the connection once all before it is delivered. */
export type Verdict = 'forward' | 'drop' | 'reset'

/** More than this in flight makes the lane stop reading, so that a cut cannot fill the memory. */
const QUEUED_BYTES_MAX = 1_000_000

/**
 * One direction of one connection. Frames keep their order; a cut holds them back, as TCP does with a broken network,
 * and they arrive when it is healed.
 */
export class Lane {
  readonly #sink: Socket
  readonly #source: Socket
  readonly #rules: LaneRules
  readonly #queue: { frame: Frame; dueMs: number }[] = []
  #queuedBytes = 0
  #sourceEnded = false
  #resetAfterQueue = false
  #timer: NodeJS.Timeout | undefined

  constructor(source: Socket, sink: Socket, read: FrameReader, rules: LaneRules) {
    this.#source = source
    this.#sink = sink
    this.#rules = rules
    source.on('data', (chunk: Buffer) => {
      for (const frame of read(chunk)) {
        if (this.#resetAfterQueue) break
        const verdict = rules.inspect(frame)
        if (verdict === 'forward') this.#enqueue(frame)
        this.#resetAfterQueue = verdict === 'reset'
      }
      this.pump()
    })
    source.on('end', () => {
      this.#sourceEnded = true
      this.pump()
    })
    source.on('close', () => clearTimeout(this.#timer))
  }

  /** Delivers what is due. Called again whenever the rules changed. */
  pump(): void {
    clearTimeout(this.#timer)
    if (this.#sink.destroyed) return
    const isCut = this.#rules.isCut()
    if (!isCut) this.#deliver()
    if (isCut || this.#queuedBytes > QUEUED_BYTES_MAX) this.#source.pause()
    else this.#source.resume()
  }

  #deliver(): void {
    const now = performance.now()
    this.#sink.cork()
    while (this.#queue[0] !== undefined && this.#queue[0].dueMs <= now) {
      const next = this.#queue.shift()
      if (next === undefined) break
      this.#queuedBytes -= next.frame.bytes.length
      this.#sink.write(next.frame.bytes)
    }
    this.#sink.uncork()
    const first = this.#queue[0]
    if (first !== undefined) this.#timer = setTimeout(() => this.pump(), Math.max(1, first.dueMs - now))
    // The empty write comes back when everything before it has left this process.
    else if (this.#resetAfterQueue) this.#sink.write('', () => this.#rules.reset())
    else if (this.#sourceEnded) this.#sink.end()
  }

  #enqueue(frame: Frame): void {
    const earliest = this.#queue.at(-1)?.dueMs ?? 0
    this.#queue.push({ frame, dueMs: Math.max(earliest, performance.now() + this.#rules.delayMs(frame)) })
    this.#queuedBytes += frame.bytes.length
  }
}
