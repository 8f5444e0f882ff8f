import { backOffMs } from './schedule.ts'
import type { Environment, PushMessage, Socket } from './types.ts'

export interface ListenerParts {
  readonly environment: Environment
  readonly url: string
  /** What to subscribe to, asked for each time, because token and position change. */
  readonly subscription: () => { readonly channels: readonly string[] } & Readonly<Record<string, unknown>>
  readonly hear: (message: PushMessage) => void
  /** Whether the room sees us through this socket has changed. */
  readonly changed: () => void
}

/** Rooms say something every few seconds; a socket that is silent for longer may be dead without knowing. */
const SILENCE_MS = 45_000
const PONG_MS = 10_000
/** Closed for reading too slowly or the like: polling is better for a while. */
const POLL_INSTEAD_MS = 120_000
const CLOSE_CODE_OWN = 4_000

/** A socket that comes back by itself, at times spread out, for as long as it is wanted. */
export class Listener {
  readonly #parts: ListenerParts
  #socket: Socket | null = null
  #timer: unknown = null
  #failures = 0
  #reconnectAfterMs: number | null = null
  #isWanted = false
  /** The private channel is subscribed: the room sees us, and we hear of our turn. */
  isListening = false

  constructor(parts: ListenerParts) {
    this.#parts = parts
  }

  /** Wanted or not: opens what is missing, closes what is not needed. */
  want(isWanted: boolean): void {
    if (isWanted === this.#isWanted) return
    this.#isWanted = isWanted
    if (isWanted) this.#open()
    else this.#drop()
  }

  /** The socket cannot be trusted any more, after a sleep: a new one. */
  renew(): void {
    if (!this.#isWanted) return
    this.#drop()
    this.#open()
  }

  /** What is to be heard has changed. */
  subscribe(): void {
    if (this.isListening) this.#send({ type: 'subscribe', ...this.#parts.subscription() })
  }

  #open(): void {
    const { environment, url } = this.#parts
    if (environment.openSocket === null) return
    try {
      const socket = environment.openSocket(url)
      this.#socket = socket
      socket.onopen = () => this.#send({ type: 'subscribe', ...this.#parts.subscription() })
      socket.onmessage = ({ data }) => this.#received(String(data))
      socket.onclose = ({ code }) => this.#closed(code)
      this.#expectWords(SILENCE_MS, () => this.#askForWord())
    } catch {
      // Forbidden by the page's own policy: polling alone is always enough.
      this.#closed(CLOSE_CODE_OWN)
    }
  }

  #received(text: string): void {
    const message: PushMessage = JSON.parse(text)
    this.#expectWords(SILENCE_MS, () => this.#askForWord())
    const isPrivate = (channel: unknown) => String(channel).includes(':private:')
    if (message.type === 'SUBSCRIBED') {
      this.#failures = 0
      this.#setListening((message.channels as unknown[]).some(isPrivate))
    } else if (message.type === 'GOING_AWAY') {
      this.#reconnectAfterMs = Number(message.reconnectAfterMs)
    } else if ((message.type === 'UNSUBSCRIBED' || message.type === 'ERROR') && isPrivate(message.channel)) {
      this.#setListening(false)
    }
    this.#parts.hear(message)
  }

  #closed(code: number): void {
    const { environment } = this.#parts
    this.#forget()
    if (!this.#isWanted) return
    const backOff = backOffMs(this.#failures++, 0, environment.random())
    const spread = code > CLOSE_CODE_OWN ? POLL_INSTEAD_MS * (1 + environment.random()) : backOff
    this.#wait(this.#reconnectAfterMs ?? spread, () => this.#open())
    this.#reconnectAfterMs = null
  }

  #askForWord(): void {
    this.#send({ type: 'ping' })
    this.#expectWords(PONG_MS, () => {
      this.#drop()
      this.#closed(0)
    })
  }

  #expectWords(ms: number, otherwise: () => void): void {
    this.#wait(ms, otherwise)
  }

  #wait(ms: number, run: () => void): void {
    const { clearTimer, setTimer } = this.#parts.environment
    clearTimer(this.#timer)
    this.#timer = setTimer(run, ms)
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
    this.#forget()
    socket?.close()
  }

  #forget(): void {
    const socket = this.#socket
    if (socket !== null) {
      socket.onopen = null
      socket.onmessage = null
      socket.onclose = null
    }
    this.#socket = null
    this.#parts.environment.clearTimer(this.#timer)
    this.#setListening(false)
  }

  #setListening(isListening: boolean): void {
    if (this.isListening === isListening) return
    this.isListening = isListening
    this.#parts.changed()
  }
}
