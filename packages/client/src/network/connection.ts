import { createTimer } from '../device/timer.ts'
import type { Environment, PushMessage } from '../types.ts'

export interface ConnectionParts {
  readonly url: string
  /** The first thing to say. */
  readonly subscription: () => Subscription
  readonly hear: (message: PushMessage) => void
  /** The other end is gone, with the code it gave; 0 when it fell silent. Not called after closing. */
  readonly gone: (code: number) => void
}

/** What is listened to, as the push contract has it. */
export interface Subscription {
  readonly channels: readonly string[]
  /** Types of messages that are of no use. */
  readonly without: readonly string[]
  readonly [field: string]: unknown
}

/** Another way to listen than the server's own socket. Returns how to stop. */
export type Listen = (parts: ListenParts) => () => void

export interface ListenParts extends ConnectionParts {
  /** Asks the server for something of this room, with the visitor's proof. */
  readonly ask: <Body>(path: string) => Promise<Body>
  /** Messages may be missing: only an answer has all of it. */
  readonly missed: () => void
  /** Whether names of those who come and go are wanted. */
  readonly presence: boolean
  /** The server's own socket. */
  readonly socket: () => () => void
}

/** Rooms say something every few seconds; a socket that is silent for longer may be dead without knowing. */
const SILENCE_MS = 45_000
const PONG_MS = 10_000

/** One socket, from opening to its end. Returns how to close it. */
export function connect(environment: Environment, { url, subscription, hear, gone }: ConnectionParts): () => void {
  const timer = createTimer(environment)
  const socket = environment.openSocket(url)
  const send = (message: object) => socket.send(JSON.stringify(message))
  const expectWords = () =>
    timer(SILENCE_MS, () => {
      timer(PONG_MS, () => end(0))
      try {
        send({ type: 'ping' })
      } catch {
        // Still being opened after all this time: as good as silent.
      }
    })
  const close = () => {
    timer(null)
    socket.onopen = socket.onmessage = socket.onclose = null
    socket.close()
  }
  const end = (code: number) => {
    close()
    gone(code)
  }
  socket.onopen = () => send({ type: 'subscribe', ...subscription() })
  socket.onmessage = ({ data }) => {
    expectWords()
    hear(JSON.parse(String(data)))
  }
  socket.onclose = ({ code }) => end(code)
  expectWords()
  return close
}
