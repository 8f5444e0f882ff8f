import type { Room, TicketClaims } from '../rooms/index.ts'

/** Who pushes. Nothing in a sale depends on it: polling alone is always enough. */
export interface Realtime {
  readonly provider: 'builtin' | 'ably'
  /** What the holder of a ticket needs in order to listen; `address` is `event:{id}` or `room:{id}`. */
  accessFor(room: Room, address: string, ticket: TicketClaims): Promise<RealtimeAccess>
  close(): Promise<void>
}

export interface RealtimeAccess {
  readonly provider: Realtime['provider']
  readonly channels: readonly string[]
  /** Where the built-in hub is. */
  readonly url?: string
  /** What Ably's own client trades for a token. */
  readonly tokenRequest?: object
}
