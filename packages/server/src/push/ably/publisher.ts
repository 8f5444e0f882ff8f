import { randomUUID } from 'node:crypto'
import type { PublicNews, PushPosition } from '@seatwise/domain'
import type { Logger } from 'pino'
import { waitMs } from '../../kit/index.ts'
import type { AblyClient } from './ably-client.ts'

/** The most messages that wait to be published, in all rooms. */
const QUEUED_MAX = 10_000
const ATTEMPTS_MAX = 6
const RETRY_MS = 200
/** One entry of the log may have several different messages of these types; they are never republished. */
const UNREPEATABLE: ReadonlySet<string> = new Set<PublicNews['type']>(['SNAPSHOT', 'SEATS', 'OCCUPANCY', 'PRESENCE'])

/**
 * Publishes in order, channel by channel, with retries: at least once, under ids by which Ably drops duplicates. No
 * caller waits for it. Messages that come while the queue is full are dropped and counted: push is a hint.
 */
export class Publisher {
  readonly #client: AblyClient
  readonly #log: Logger
  readonly #onOutcome: (outcome: 'published' | 'failed' | 'dropped') => void
  readonly #channels = new Map<string, Promise<void>>()
  #queued = 0
  #isFailing = false

  constructor(client: AblyClient, log: Logger, onOutcome: (outcome: 'published' | 'failed' | 'dropped') => void) {
    this.#client = client
    this.#log = log
    this.#onOutcome = onOutcome
  }

  get queued(): number {
    return this.#queued
  }

  publish(channel: string, position: PushPosition, message: { readonly type: string }): void {
    if (this.#queued >= QUEUED_MAX) {
      this.#onOutcome('dropped')
      return
    }
    const isRepeatable = !UNREPEATABLE.has(message.type)
    const id = `${position.epoch}-${position.seq}-${message.type}${isRepeatable ? '' : `-${randomUUID()}`}`
    this.#queued += 1
    const data = JSON.stringify({ ...message, channel, ...position })
    const done = (this.#channels.get(channel) ?? Promise.resolve())
      .then(() => this.#insist(channel, { id, name: message.type, data }))
      .finally(() => {
        this.#queued -= 1
        if (this.#channels.get(channel) === done) this.#channels.delete(channel)
      })
    this.#channels.set(channel, done)
  }

  async #insist(channel: string, message: { id: string; name: string; data: string }): Promise<void> {
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
      try {
        await this.#client.publish(channel, message)
        this.#isFailing = false
        this.#onOutcome('published')
        return
      } catch (err) {
        if (!this.#isFailing) this.#log.warn({ err }, 'Ably rejects messages, retrying')
        this.#isFailing = true
        await waitMs(RETRY_MS * 2 ** attempt * (0.5 + Math.random() / 2))
      }
    }
    this.#onOutcome('failed')
  }
}
