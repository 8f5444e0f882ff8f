import type { Outgoing } from './outgoing.ts'

/** Sends bytes to one client. Everything above it is the same for WebSocket and Server-Sent Events. */
export interface Wire {
  readonly transport: 'websocket' | 'sse'
  /** Bytes that the client has not read yet. */
  readonly buffered: number
  write(outgoing: Outgoing): void
  /** Asks the client whether it is alive. */
  ping(): void
  /** Sends a close message, and then ends. */
  close(code: number, reason: string): void
  /** Ends at once. */
  destroy(): void
}

/** What a wire reports to its connection. */
export interface WireEvents {
  /** The client has answered. */
  readonly onAlive: () => void
  readonly onMessage: (text: string) => void
  readonly onGone: () => void
}
