import { setTimeout as delay } from 'node:timers/promises'
import { type Client, createClientFor } from './clients.ts'
import { type RedisConnection, RedisTimeout } from './connection.ts'
import { parseRedisUrl, type RedisPlace } from './redis-url.ts'

export interface ConnectOptions {
  url: string
  /** How long a command may take, from sending to its answer. */
  commandTimeoutMs?: number
  /** Told of every trouble with a connection; they mend themselves. */
  onError: (error: unknown) => void
}

const COMMAND_TIMEOUT_MS = 2_000
const CONNECT_TIMEOUT_MS = 5_000
const RETRY_CONNECT_MS = 500
/** Connections for commands that block; whoever comes when all are taken waits a moment instead. */
const BLOCKING_MAX = 64
const BLOCKING_SUBSTITUTE_MS = 50

/** Connects to Redis as REDIS_URL says. Fails when it is not there; later it reconnects by itself. */
export async function connectRedis(options: ConnectOptions): Promise<RedisConnection> {
  const place = parseRedisUrl(options.url)
  return new Connection(place, await openClient(place, options.onError), options)
}

class Connection implements RedisConnection {
  readonly #place: RedisPlace
  readonly #timeoutMs: number
  readonly #onError: (error: unknown) => void
  #client: Client
  #retry: NodeJS.Timeout | undefined
  readonly #underWay = new Set<Promise<unknown>>()
  readonly #idle: Client[] = []
  readonly #busy = new Set<Client>()
  #opening = 0
  #isClosed = false

  constructor(place: RedisPlace, client: Client, { commandTimeoutMs = COMMAND_TIMEOUT_MS, onError }: ConnectOptions) {
    this.#place = place
    this.#client = client
    this.#timeoutMs = commandTimeoutMs
    this.#onError = onError
  }

  async send(key: string, args: readonly string[]): Promise<unknown> {
    if (this.#isClosed) throw new Error('The connection to Redis is closed')
    const client = this.#client
    const answer = withDeadline(client.send(key, args), args[0], this.#timeoutMs)
    this.#underWay.add(answer)
    try {
      return await answer
    } catch (error) {
      if (error instanceof RedisTimeout) this.#replace(client)
      throw error
    } finally {
      this.#underWay.delete(answer)
    }
  }

  async sendBlocking(key: string, args: readonly string[], blockMs: number): Promise<boolean> {
    if (this.#isClosed) return false
    const client = await this.#borrow()
    if (client === null) {
      await delay(Math.min(blockMs, BLOCKING_SUBSTITUTE_MS))
      return !this.#isClosed
    }
    try {
      await withDeadline(client.send(key, args), args[0], blockMs + this.#timeoutMs)
    } catch (error) {
      this.#busy.delete(client)
      await client.destroy()
      if (this.#isClosed) return false
      throw error
    }
    this.#busy.delete(client)
    if (this.#isClosed) return false
    this.#idle.push(client)
    return true
  }

  /** Answers under way are waited for, as long as their deadlines allow; whoever blocks is let go. */
  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    clearTimeout(this.#retry)
    await Promise.allSettled(this.#underWay)
    await Promise.all([this.#client, ...this.#idle, ...this.#busy].map((client) => client.destroy()))
  }

  /** A connection that missed a deadline may be dead without knowing it, so another one takes its place. */
  #replace(late: Client): void {
    if (this.#isClosed || this.#client !== late) return
    const client = createClientFor(this.#place, this.#onError)
    this.#client = client
    late.destroy().catch(this.#onError)
    client.connect().catch((error: unknown) => {
      this.#onError(error)
      this.#retry = setTimeout(() => this.#replace(client), RETRY_CONNECT_MS)
    })
  }

  /** A client of one's own, or null when too many are taken. */
  async #borrow(): Promise<Client | null> {
    if (this.#busy.size + this.#opening >= BLOCKING_MAX) return null
    this.#opening++
    try {
      const client = this.#idle.pop() ?? (await openClient(this.#place, this.#onError))
      this.#busy.add(client)
      if (this.#isClosed) await client.destroy()
      return client
    } finally {
      this.#opening--
    }
  }
}

async function openClient(place: RedisPlace, onError: (error: unknown) => void): Promise<Client> {
  const client = createClientFor(place, onError)
  try {
    await withDeadline(client.connect(), 'a connection', CONNECT_TIMEOUT_MS)
    return client
  } catch (error) {
    await client.destroy()
    throw error
  }
}

async function withDeadline<Answer>(answer: Promise<Answer>, what = '', timeoutMs: number): Promise<Answer> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new RedisTimeout(what, timeoutMs)), timeoutMs)
  try {
    return await Promise.race([answer, promise])
  } finally {
    clearTimeout(timer)
  }
}
