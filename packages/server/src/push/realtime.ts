import type { Room, TicketClaims } from '../rooms/index.ts'

/** The push provider. No sale depends on it: polling alone is always enough. */
export interface Realtime {
  readonly provider: 'builtin' | 'ably'
  /** What the holder of a ticket needs in order to listen; `address` is `event:{id}` or `room:{id}`. */
  accessFor(room: Room, address: string, ticket: TicketClaims, shown?: ShownAs | null): Promise<RealtimeAccess>
  close(): Promise<void>
}

export interface RealtimeAccess {
  readonly provider: Realtime['provider']
  readonly channels: readonly string[]
  /** The address of the built-in hub. */
  readonly url?: string
  /** Ably's own client exchanges it for a token. */
  readonly tokenRequest?: object
  /** Options of Ably's client, where Ably is not at its usual hosts. */
  readonly clientOptions?: object
  /** The name with which the token allows to enter the presence of the public channel; null: it does not. */
  readonly shown?: ShownAs | null
}

/** A visitor who agreed to be shown. */
export interface ShownAs {
  readonly name: string
  readonly avatar: string | null
}
