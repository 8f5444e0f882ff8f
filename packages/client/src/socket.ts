import { backOffMs } from './schedule.ts'
import { createTimer } from './timer.ts'
import type { Environment, PushMessage, Socket } from './types.ts'

export interface ListenerParts {
  readonly url: string
  /** What to subscribe to, asked for each time, because token and position change. */
  readonly subscription: () => object
  readonly hear: (message: PushMessage) => void
  /** Whether the room sees us through this socket has changed. */
  readonly changed: () => void
}

/** Rooms say something every few seconds; a socket that is silent for longer may be dead without knowing. */
const SILENCE_MS = 45_000
const PONG_MS = 10_000
/** Closed with a code of the server's own, for reading too slowly or the like: polling is better for a while. */
const OWN_CODES = 4_000
const POLL_INSTEAD_MS = 120_000

/** A socket that comes back by itself, at times spread out, for as long as it is wanted. */
export class Listener {
  /** The private channel is subscribed: the room sees us, and we hear of our turn. */
  isListening = false
  readonly #environment: Environment
  readonly #parts: ListenerParts
  readonly #timer
  #socket: Socket | null = null
  #isWanted = false
  #failures = 0
  /** When to come back, where the server said so. */
  #comeBackMs = 0

  constructor(environment: Environment, parts: ListenerParts) {
    this.#environment = environment
    this.#parts = parts
    this.#timer = createTimer(environment)
  }

  /** Wanted or not: opens what is missing, closes what is not needed. */
  want(isWanted: boolean): void {
    if (isWanted === this.#isWanted) return
    this.#isWanted = isWanted
    this.renew()
  }

  /** The socket cannot be trusted any more, as after a sleep: a new one, if any. */
  renew(): void {
    this.#drop()
    if (this.#isWanted) this.#open()
  }

  #open(): void {
    try {
      const socket = this.#environment.openSocket(this.#parts.url)
      this.#socket = socket
      socket.onopen = () => this.#send({ type: 'subscribe', ...this.#parts.subscription() })
      socket.onmessage = ({ data }) => this.#received(JSON.parse(String(data)))
      socket.onclose = ({ code }) => this.#closed(code)
      this.#expectWords()
    } catch {
      // Not to be had here: polling alone is always enough.
      this.#closed(OWN_CODES + 1)
    }
  }

  #expectWords(): void {
    this.#timer(SILENCE_MS, () => {
      this.#send({ type: 'ping' })
      this.#timer(PONG_MS, () => this.#closed(0))
    })
  }

  #received(message: PushMessage): void {
    this.#expectWords()
    const { type, channel } = message
    const isPrivate = (name: unknown) => String(name).includes(':private:')
    if (type === 'SUBSCRIBED') {
      this.#failures = 0
      this.#setListening((message.channels as unknown[]).some(isPrivate))
    } else if (type === 'GOING_AWAY') this.#comeBackMs = Number(message.reconnectAfterMs)
    else if ((type === 'UNSUBSCRIBED' || type === 'ERROR') && isPrivate(channel)) {
      this.#setListening(false)
      if (message.retryAfterMs) this.#comeBack(Number(message.retryAfterMs))
    }
    this.#parts.hear(message)
  }

  #closed(code: number): void {
    const random = this.#environment.random()
    const spread = code > OWN_CODES ? POLL_INSTEAD_MS * (1 + random) : backOffMs(this.#failures++, 0, random)
    this.#comeBack(this.#comeBackMs || spread)
    this.#comeBackMs = 0
  }

  #comeBack(ms: number): void {
    this.#drop()
    this.#timer(ms, () => this.#open())
  }

  #send(message: object): void {
    try {
      this.#socket?.send(JSON.stringify(message))
    } catch {
      // Not open yet or not any more: opening says it again.
    }
  }

  #drop(): void {
    const socket = this.#socket
    this.#socket = null
    this.#timer(null)
    if (socket) {
      socket.onopen = socket.onmessage = socket.onclose = null
      socket.close()
    }
    this.#setListening(false)
  }

  #setListening(isListening: boolean): void {
    if (this.isListening === isListening) return
    this.isListening = isListening
    this.#parts.changed()
  }
}
