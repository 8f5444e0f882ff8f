import type { Outgoing } from './outgoing.ts'

/** How bytes get to one client. Everything above it is the same for WebSocket and Server-Sent Events. */
export interface Wire {
  readonly transport: 'websocket' | 'sse'
  /** Bytes that the client has not taken yet. */
  readonly buffered: number
  write(outgoing: Outgoing): void
  /** Asks the other end whether it is there. */
  ping(): void
  /** Says goodbye, and then ends. */
  close(code: number, reason: string): void
  /** Ends at once. */
  destroy(): void
}

/** What a wire tells its connection. */
export interface WireEvents {
  /** The other end is there. */
  readonly onAlive: () => void
  readonly onMessage: (text: string) => void
  readonly onGone: () => void
}
