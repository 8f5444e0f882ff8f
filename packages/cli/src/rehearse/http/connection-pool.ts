import { connect as connectPlain, type Socket } from 'node:net'
import { connect as connectSecurely } from 'node:tls'
import { AnswerReader, type HttpAnswer } from './answer-reader.ts'

export interface PoolOptions {
  readonly url: URL
  /** Most requests under way at once. */
  readonly connectionsMax: number
  /** From the moment a request is due; waiting for a connection counts. */
  readonly answerMsMax: number
}

/** No answer came: it is unknown whether the request was applied. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
}

interface Asked {
  readonly request: string
  readonly dueAtMs: number
  resolve(answer: HttpAnswer): void
  reject(error: NoAnswer): void
}

interface Connection {
  readonly socket: Socket
  readonly reader: AnswerReader
  asked: Asked | null
}

const IMPATIENCE_MS = 250

/**
 * Connections that are kept open, one request at a time on each. Requests do not wait for one another: one that finds no
 * free connection waits here, and this waiting counts as part of its response time.
 */
export class ConnectionPool {
  readonly #options: PoolOptions
  readonly #free: Connection[] = []
  readonly #all = new Set<Connection>()
  /** Those who wait for a connection, oldest first; bounded by how many visitors there are. */
  #waiting: Asked[] = []
  #waitingFrom = 0
  readonly #impatience: NodeJS.Timeout
  #isClosed = false

  constructor(options: PoolOptions) {
    this.#options = options
    this.#impatience = setInterval(() => this.#giveUp(), IMPATIENCE_MS)
  }

  get open(): number {
    return this.#all.size
  }

  /** Sends one request, at most once. */
  send(request: string): Promise<HttpAnswer> {
    return new Promise((resolve, reject) => {
      const asked = { request, dueAtMs: performance.now(), resolve, reject }
      if (this.#isClosed) return reject(new NoAnswer('The rehearsal is over'))
      const connection = this.#free.pop()
      if (connection !== undefined) return this.#ask(connection, asked)
      this.#waiting.push(asked)
      if (this.#all.size < this.#options.connectionsMax) this.#connect()
      return undefined
    })
  }

  close(): void {
    this.#isClosed = true
    clearInterval(this.#impatience)
    for (const asked of this.#waiting.splice(this.#waitingFrom)) asked.reject(new NoAnswer('The rehearsal is over'))
    for (const { socket } of [...this.#all]) socket.destroy()
  }

  #connect(): void {
    const { url } = this.#options
    const isSecure = url.protocol === 'https:'
    const port = Number(url.port === '' ? (isSecure ? 443 : 80) : url.port)
    const host = url.hostname.replace(/^\[|\]$/g, '')
    const socket = isSecure
      ? connectSecurely({ host, port, servername: host })
      : connectPlain({ host, port, noDelay: true })
    const connection: Connection = { socket, reader: new AnswerReader(), asked: null }
    this.#all.add(connection)
    socket.once(isSecure ? 'secureConnect' : 'connect', () => this.#take(connection))
    socket.on('data', (chunk: Buffer) => this.#hear(connection, chunk))
    socket.on('error', () => socket.destroy())
    socket.once('close', () => this.#lose(connection))
  }

  #hear(connection: Connection, chunk: Buffer): void {
    let answer: HttpAnswer | null
    try {
      answer = connection.reader.read(chunk)
    } catch {
      connection.socket.destroy()
      return
    }
    if (answer === null) return
    const { asked } = connection
    connection.asked = null
    if (asked === null || /\r\nconnection: *close/i.test(answer.head)) connection.socket.destroy()
    else this.#take(connection)
    asked?.resolve(answer)
  }

  /** A connection is free: the request that has waited longest gets it. */
  #take(connection: Connection): void {
    const asked = this.#nextWaiting()
    if (asked === undefined) this.#free.push(connection)
    else this.#ask(connection, asked)
  }

  #nextWaiting(): Asked | undefined {
    const asked = this.#waiting[this.#waitingFrom]
    if (asked === undefined) return undefined
    this.#waitingFrom += 1
    // Not with every request: moving the rest costs as much as it is long.
    if (this.#waitingFrom > 1_000 && this.#waitingFrom * 2 > this.#waiting.length) {
      this.#waiting = this.#waiting.slice(this.#waitingFrom)
      this.#waitingFrom = 0
    }
    return asked
  }

  #ask(connection: Connection, asked: Asked): void {
    connection.asked = asked
    connection.socket.write(asked.request)
  }

  #lose(connection: Connection): void {
    this.#all.delete(connection)
    const free = this.#free.indexOf(connection)
    if (free >= 0) this.#free.splice(free, 1)
    connection.asked?.reject(new NoAnswer('The connection was closed before an answer came'))
    connection.asked = null
    if (!this.#isClosed && this.#waiting.length > this.#waitingFrom && this.#all.size === 0) this.#connect()
  }

  #giveUp(): void {
    const latest = performance.now() - this.#options.answerMsMax
    for (const { asked, socket } of this.#all) if (asked !== null && asked.dueAtMs < latest) socket.destroy()
    for (;;) {
      const oldest = this.#waiting[this.#waitingFrom]
      if (oldest === undefined || oldest.dueAtMs >= latest) break
      this.#nextWaiting()
      oldest.reject(new NoAnswer(`No connection was free within ${this.#options.answerMsMax} ms`))
    }
    const isShort = this.#waiting.length > this.#waitingFrom && this.#all.size < this.#options.connectionsMax
    if (isShort && !this.#isClosed) this.#connect()
  }
}
