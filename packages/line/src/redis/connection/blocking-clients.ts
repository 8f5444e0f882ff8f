import { setTimeout as delay } from 'node:timers/promises'
import { type Client, connectClient, createClientFor, discardClient } from './clients.ts'
import type { ConnectOptions } from './connect-redis.ts'
import { withDeadline } from './deadline.ts'
import type { RedisTarget } from './redis-url.ts'

/** Connections for blocking commands; when all are in use, a caller waits for a moment instead. */
const CLIENTS_MAX = 64
const SUBSTITUTE_MS = 50

/** A pool of clients for blocking commands: each runs one at a time, is reused, and is discarded when it fails. */
export class BlockingClients {
  readonly #target: RedisTarget
  readonly #timeoutMs: number
  readonly #onError: (error: unknown) => void
  readonly #clients = new Set<Client>()
  readonly #idle = new Set<Client>()
  #isClosed = false

  constructor(target: RedisTarget, { commandTimeoutMs, onError }: Required<ConnectOptions>) {
    this.#target = target
    this.#timeoutMs = commandTimeoutMs
    this.#onError = onError
  }

  /** False when the pool was closed while the command blocked. */
  async send(key: string, args: readonly string[], blockMs: number): Promise<boolean> {
    if (this.#isClosed) return false
    try {
      const client = await this.#borrow()
      if (client === null) await delay(Math.min(blockMs, SUBSTITUTE_MS))
      else await this.#use(client, key, args, blockMs)
    } catch (error) {
      if (!this.#isClosed) throw error
    }
    return !this.#isClosed
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([...this.#clients].map((client) => this.#discard(client)))
  }

  async #use(client: Client, key: string, args: readonly string[], blockMs: number): Promise<void> {
    try {
      await withDeadline(client.send(key, args), args[0] ?? '', blockMs + this.#timeoutMs)
    } catch (error) {
      await this.#discard(client)
      throw error
    }
    if (this.#clients.has(client)) this.#idle.add(client)
  }

  /** An idle or new client, or null when too many are in use. */
  async #borrow(): Promise<Client | null> {
    const [idle] = this.#idle
    if (idle !== undefined) {
      this.#idle.delete(idle)
      return idle
    }
    if (this.#clients.size >= CLIENTS_MAX) return null
    const client = createClientFor(this.#target, {
      onError: (error) => this.#tell(error),
      onLost: () => void this.#discard(client),
    })
    this.#clients.add(client)
    try {
      await connectClient(client)
      return client
    } catch (error) {
      await this.#discard(client)
      throw error
    }
  }

  async #discard(client: Client): Promise<void> {
    this.#clients.delete(client)
    this.#idle.delete(client)
    await discardClient(client, this.#onError)
  }

  #tell(error: unknown): void {
    if (!this.#isClosed) this.#onError(error)
  }
}
