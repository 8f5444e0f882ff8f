import type { Socket } from 'node:net'
import { onAnswers, open } from './http-socket.ts'

/*
 * An open loop: requests are due at a fixed rate, however slowly answers come. A request that finds no free connection
 * waits, and this waiting counts.
 */

export interface OpenLoopOptions {
  readonly url: URL
  readonly perSecond: number
  readonly seconds: number
  /** As many requests as may be under way. */
  readonly connections: number
  readonly nextRequest: () => Buffer | null
  readonly status: number
}

export interface OpenLoopResult {
  /** Good answers, and all others by their code. */
  readonly answered: number
  readonly refused: ReadonlyMap<string, number>
  /** Still waiting for a connection when the time was over. */
  readonly unsent: number
  /** Of each request that was due, from that moment on; those not sent have waited at least so long. */
  readonly milliseconds: readonly number[]
}

/** Small enough for the rates in question: a few dozen requests at a time. */
const TICK_MS = 5

export async function openLoop(options: OpenLoopOptions): Promise<OpenLoopResult> {
  const sockets = await Promise.all(Array.from({ length: options.connections }, () => open(options.url)))
  const loop = new Loop(options, sockets)
  try {
    return await loop.run()
  } finally {
    for (const socket of sockets)
      socket
        .removeAllListeners('close')
        .on('error', () => undefined)
        .destroy()
  }
}

class Loop {
  readonly #options: OpenLoopOptions
  readonly #sockets: readonly Socket[]
  readonly #free: Socket[]
  readonly #dueAt = new Map<Socket, number>()
  readonly #ended = Promise.withResolvers<void>()
  readonly #milliseconds: number[] = []
  readonly #refused = new Map<string, number>()
  #answered = 0
  #sent = 0
  #startedAt = 0
  #isOver = false

  constructor(options: OpenLoopOptions, sockets: readonly Socket[]) {
    this.#options = options
    this.#sockets = sockets
    this.#free = [...sockets]
  }

  async run(): Promise<OpenLoopResult> {
    const { url, seconds, perSecond } = this.#options
    for (const socket of this.#sockets) {
      socket.on('error', this.#ended.reject)
      socket.on('close', () => this.#ended.reject(new Error(`${url.href} closed a connection`)))
      let body = ''
      const end = (status: number): void => {
        this.#note(socket, status, body)
        body = ''
      }
      onAnswers(socket, end, (piece) => {
        body += piece.toString('latin1')
      })
    }
    this.#startedAt = performance.now()
    const timer = setInterval(() => this.#sendDue(), TICK_MS)
    try {
      await this.#ended.promise
    } finally {
      clearInterval(timer)
    }
    const due = Math.floor(seconds * perSecond)
    const unsent = due - this.#sent
    const waited = Array.from({ length: unsent }, (_, index) => seconds * 1_000 - this.#dueMs(this.#sent + index))
    const milliseconds = [...this.#milliseconds, ...waited]
    return { answered: this.#answered, refused: this.#refused, unsent, milliseconds }
  }

  #sendDue(): void {
    const { perSecond, seconds } = this.#options
    const elapsed = performance.now() - this.#startedAt
    // The last moment counts, too: what became due in it is sent if there is a connection, and nothing after that.
    const isOver = elapsed >= seconds * 1_000
    const due = this.#isOver ? this.#sent : Math.floor((Math.min(elapsed, seconds * 1_000) / 1_000) * perSecond)
    this.#isOver = isOver
    if (isOver && due === this.#sent && this.#dueAt.size === 0) this.#ended.resolve()
    while (this.#sent < due) {
      // In turn: a server hangs up on connections that never say anything.
      const socket = this.#free.shift()
      if (socket === undefined) return
      const request = this.#options.nextRequest()
      if (request === null) throw new Error('There are too few requests')
      this.#dueAt.set(socket, this.#startedAt + this.#dueMs(this.#sent))
      this.#sent += 1
      socket.write(request)
    }
  }

  #note(socket: Socket, status: number, body: string): void {
    const dueAt = this.#dueAt.get(socket)
    if (dueAt === undefined) throw new Error('An answer to nothing')
    this.#dueAt.delete(socket)
    this.#milliseconds.push(performance.now() - dueAt)
    if (status === this.#options.status) this.#answered += 1
    else this.#refuse(`${status} ${/"code":"(\w+)"/.exec(body)?.[1] ?? ''}`)
    this.#free.push(socket)
    this.#sendDue()
  }

  #refuse(code: string): void {
    this.#refused.set(code, (this.#refused.get(code) ?? 0) + 1)
  }

  #dueMs(index: number): number {
    return (index / this.#options.perSecond) * 1_000
  }
}
