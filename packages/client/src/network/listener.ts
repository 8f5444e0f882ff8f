import { createTimer } from '../device/timer.ts'
import type { Environment, PushMessage } from '../types.ts'
import { type ConnectionParts, connect, type ListenParts } from './connection.ts'
import { backOffMs } from './schedule.ts'

export interface ListenerParts extends Omit<ConnectionParts, 'gone'> {
  /** Whether the room sees us through this socket has changed. */
  readonly changed: () => void
  /** Another way to listen than the server's own socket. */
  readonly listen?: ((parts: ConnectionParts & Pick<ListenParts, 'socket'>) => () => void) | undefined
}

/** A socket that comes back by itself, at times spread out, for as long as it is wanted. */
export interface Listener {
  /** The private channel is subscribed: the room sees us, and we hear of our turn. */
  isListening(): boolean
  want(isWanted: boolean): void
  /** The socket cannot be trusted any more, as after a sleep: a new one, if any. */
  renew(): void
}

/** Closed with a code of the server's own, for reading too slowly or the like: polling is better for a while. */
const OWN_CODES = 4_000
const POLL_INSTEAD_MS = 120_000

export function createListener(environment: Environment, parts: ListenerParts): Listener {
  const timer = createTimer(environment)
  let close = () => {}
  let isWanted = false
  let isListening = false
  let failures = 0
  /** When to come back, where the server said so. */
  let comeBackMs = 0

  const setListening = (isNow: boolean) => {
    if (isListening === isNow) return
    isListening = isNow
    parts.changed()
  }
  const hear = (message: PushMessage) => {
    const { type, channel, channels, reconnectAfterMs, retryAfterMs } = message as PushMessage & ConnectionNews
    if (channels) {
      failures = 0
      setListening(channels.some(isPrivate))
    } else if (reconnectAfterMs) comeBackMs = reconnectAfterMs
    else if (/^(UNSUBSCRIBED|ERROR)$/.test(type) && isPrivate(channel)) {
      setListening(false)
      if (retryAfterMs) comeBackIn(retryAfterMs)
    }
    parts.hear(message)
  }
  const gone = (code: number) => {
    const random = environment.random()
    const spread = code > OWN_CODES ? POLL_INSTEAD_MS * (1 + random) : backOffMs(failures++, 0, random)
    comeBackIn(comeBackMs || spread)
    comeBackMs = 0
  }
  const end = () => {
    timer(null)
    close()
    setListening(false)
  }
  const open = () => {
    try {
      const told = { ...parts, hear, gone }
      const socket = () => connect(environment, told)
      close = parts.listen?.({ ...told, socket }) ?? socket()
    } catch {
      // No socket here: polling alone is always enough.
      gone(OWN_CODES + 1)
    }
  }
  const comeBackIn = (ms: number) => {
    end()
    timer(ms, open)
  }
  const renew = () => {
    end()
    if (isWanted) open()
  }
  return {
    isListening: () => isListening,
    renew,
    want(isWantedNow) {
      if (isWanted === isWantedNow) return
      isWanted = isWantedNow
      renew()
    },
  }
}

/** What a connection is told about itself, as the push contract has it. */
interface ConnectionNews {
  readonly channel?: string
  readonly channels?: readonly string[]
  readonly reconnectAfterMs?: number
  readonly retryAfterMs?: number
}

const isPrivate = (channel: string | undefined) => /:private:/.test(channel ?? '')
