import { setTimeout as delay } from 'node:timers/promises'
import { type Client, connectClient, createClientFor, discardClient } from './clients.ts'
import type { ConnectOptions } from './connect-redis.ts'
import { RedisTimeout, RedisUnreachable } from './connection.ts'
import { withDeadline } from './deadline.ts'
import type { RedisTarget } from './redis-url.ts'

const RETRY_MS_MAX = 1_000

/** The client for commands that do not block. While Redis cannot be reached, it retries in the background. */
export class ReconnectingClient {
  readonly #target: RedisTarget
  readonly #timeoutMs: number
  readonly #onError: (error: unknown) => void
  /** Null while there is no connection. */
  #client: Client | null = null
  /** The client of a connection attempt under way. */
  #candidate: Client | null = null
  /** The latest connection error. */
  #trouble: unknown
  /** The background work: reconnecting and discarding clients. */
  #mending: Promise<unknown> = Promise.resolve()
  readonly #underWay = new Set<Promise<unknown>>()
  readonly #closing = new AbortController()

  /** Waits for the first attempt only, whether it succeeds or not. */
  static async open(target: RedisTarget, options: Required<ConnectOptions>): Promise<ReconnectingClient> {
    const client = new ReconnectingClient(target, options)
    if (!(await client.#attempt())) client.#mending = client.#goOnTrying()
    return client
  }

  private constructor(target: RedisTarget, { commandTimeoutMs, onError }: Required<ConnectOptions>) {
    this.#target = target
    this.#timeoutMs = commandTimeoutMs
    this.#onError = onError
  }

  async send(key: string | null, args: readonly string[]): Promise<unknown> {
    if (this.#closing.signal.aborted) throw new Error('The connection to Redis is closed')
    const client = this.#client
    if (client === null) throw new RedisUnreachable(this.#trouble)
    const answer = withDeadline(client.send(key, args), args[0] ?? '', this.#timeoutMs)
    this.#underWay.add(answer)
    try {
      return await answer
    } catch (error) {
      // A connection that missed a deadline may be half-open.
      if (error instanceof RedisTimeout) this.#replace(client)
      throw error
    } finally {
      this.#underWay.delete(answer)
    }
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await Promise.allSettled(this.#underWay)
    const clients = [this.#client, this.#candidate].filter((client) => client !== null)
    await Promise.all(clients.map((client) => discardClient(client, this.#onError)))
    await this.#mending
  }

  #replace(old: Client): void {
    if (this.#closing.signal.aborted || this.#client !== old) return
    this.#client = null
    this.#mending = Promise.all([this.#mending, discardClient(old, this.#onError), this.#goOnTrying()])
  }

  async #goOnTrying(): Promise<void> {
    const { signal } = this.#closing
    for (let attempt = 0; !signal.aborted; attempt++) {
      // Jitter, so that a hundred servers do not reconnect at the same instant.
      const pauseMs = Math.min(RETRY_MS_MAX, 2 ** attempt * 25) * (0.5 + Math.random() / 2)
      await delay(pauseMs, undefined, { signal }).catch((error: unknown) => {
        if (!signal.aborted) throw error
      })
      if (!signal.aborted && (await this.#attempt())) return
    }
  }

  async #attempt(): Promise<boolean> {
    const client = createClientFor(this.#target, {
      onError: (error) => this.#tell(error),
      onLost: () => this.#replace(client),
    })
    this.#candidate = client
    try {
      await connectClient(client)
      this.#client = client
      return true
    } catch (error) {
      this.#tell(error)
      await discardClient(client, this.#onError)
      return false
    } finally {
      this.#candidate = null
    }
  }

  /** The library often reports one error twice, and also errors when it is closed on purpose. */
  #tell(error: unknown): void {
    if (error === this.#trouble || this.#closing.signal.aborted) return
    this.#trouble = error
    this.#onError(error)
  }
}
