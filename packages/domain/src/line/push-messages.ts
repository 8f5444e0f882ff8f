import type { EndReason } from './ticket-state.ts'

/*
 * Push messages, the same over WebSocket and Server-Sent Events. Every message is a hint: polling alone is always
 * enough. `epoch` and `seq` name the log entry of the room as of which a message is true.
 */

/** `event:{id}:public`, `event:{id}:private:{ticketId}`, and the same with `room:` for rooms by their own id. */
export type Channel = string

/** The position of a message in the log of its room. */
export interface PushPosition {
  readonly epoch: number
  readonly seq: number
}

/** Sent to every subscriber of a room. */
export type PublicNews =
  | QueueMove
  | Snapshot
  | SeatsChanged
  | { readonly type: 'MESSAGE'; readonly text: string | null }
  | { readonly type: 'SOLD_OUT' }
  | { readonly type: 'OCCUPANCY'; readonly viewers: number }
  | Presence

/** Sent to the holder of one ticket. */
export type PrivateNews =
  | { readonly type: 'POSITION'; readonly rank: number; readonly position: number }
  | TurnCame
  | TicketEnded
  | ReservationNews

export type PublicMessage = PushPosition & { readonly channel: Channel } & PublicNews
export type PrivateMessage = PushPosition & { readonly channel: Channel } & PrivateNews

/** Messages about the connection itself. Only these have no log position. */
export type ConnectionMessage =
  | { readonly type: 'SUBSCRIBED'; readonly channels: readonly Channel[] }
  /** `TICKET_ENDED`, `TICKET_MOVED`: the access to a private channel is over. `ASKED`: the client unsubscribed. */
  | { readonly type: 'UNSUBSCRIBED'; readonly channel: Channel; readonly code: UnsubscribedCode }
  | {
      readonly type: 'ERROR'
      readonly code: PushErrorCode
      readonly message: string
      readonly channel?: Channel
      /** Retry after this many milliseconds. */
      readonly retryAfterMs?: number
    }
  /** The server is about to stop. Reconnect after this time, which differs for each client. */
  | { readonly type: 'GOING_AWAY'; readonly reconnectAfterMs: number }
  | { readonly type: 'PONG' }

export type PushMessage = PublicMessage | PrivateMessage | ConnectionMessage
export type UnsubscribedCode = 'TICKET_ENDED' | 'TICKET_MOVED' | 'ASKED'
export type PushErrorCode =
  | 'FORBIDDEN_CHANNEL'
  | 'TICKET_MOVED'
  | 'TICKET_ENDED'
  | 'NOT_FOUND'
  | 'TOO_MANY_CHANNELS'
  | 'BAD_MESSAGE'
  | 'UNAVAILABLE'

/**
 * The line moved between the entries `from` (exclusive) and `seq`. `moves` are applied in order to a rank as of `from`, see
 * `applyMoves`. Null when there were too many: the next SNAPSHOT or poll gives the rank.
 */
export interface QueueMove {
  readonly type: 'QUEUE_MOVE'
  readonly from: number
  /** The lowest rank that a ticket left from; null when tickets only joined. */
  readonly departedRank: number | null
  readonly waiting: number
  readonly moves: readonly Move[] | null
}

/** How many tickets left from this rank on (negative), or joined there (positive). */
export type Move = readonly [rank: number, by: number]

/** The *now* document, with `headCount`, which is `waiting` under the name that older clients use. */
export interface Snapshot {
  readonly type: 'SNAPSHOT'
  readonly avgServiceMs: number | null
  readonly headCount: number
  readonly [field: string]: unknown
}

/**
 * Seats that changed since version `from`. A client with version `from` or later applies it, and then has `version`; with
 * `more`, only after the following messages of the same version.
 */
export interface SeatsChanged {
  readonly type: 'SEATS'
  readonly from: number
  readonly version: number
  readonly changes: readonly { readonly id: string; readonly status: string }[]
  readonly more?: true
}

/** Names of waiting visitors who agreed to be shown; only in rooms with `presence`, and for clients that asked for them. */
export interface Presence {
  readonly type: 'PRESENCE'
  /** All of them, at most 200; otherwise the names that joined and left. */
  readonly present?: readonly ShownVisitor[]
  readonly joined?: readonly ShownVisitor[]
  readonly left?: readonly string[]
}

export interface ShownVisitor {
  readonly ticketId: string
  readonly name: string
  readonly avatar: string | null
}

/** The turn has come, or the time on the floor changed. `POST …/queue/claim` fetches the pass, any number of times. */
export interface TurnCame {
  readonly type: 'ACTIVE'
  readonly status: 'admitted' | 'active'
  readonly expiresAt: string
  readonly claim: true
}

export interface TicketEnded {
  readonly type: 'ENDED'
  readonly status: 'completed' | 'expired'
  readonly reason: EndReason | null
}

/** The reservation as `GET /api/reservations/:id` shows it. */
export interface ReservationNews {
  readonly type: 'RESERVATION_CREATED' | 'RESERVATION_EXPIRED' | 'RESERVATION_CANCELED' | 'PAYMENT_SUCCESS'
  readonly reservation: { readonly id: string; readonly status: string; readonly [field: string]: unknown }
}

/** Messages of a client over WebSocket. Server-Sent Events carry the same in their address and headers. */
export type ClientMessage = Subscribe | { readonly type: 'unsubscribe'; readonly channels: readonly Channel[] } | Ping

export interface Subscribe {
  readonly type: 'subscribe'
  readonly channels: readonly Channel[]
  /** Needed for private channels unless the header or the cookie has it. */
  readonly ticketToken?: string
  /** The last position that the client has seen: it gets the messages since, or a SNAPSHOT. */
  readonly since?: PushPosition
  /** The version of the seat map that the client has: changes since come as SEATS. */
  readonly seats?: number
  /** Types of public messages that this client does not need, such as SEATS while it waits. */
  readonly without?: readonly PublicNews['type'][]
  /** Whether the client wants names of visitors, where the room has `presence`. */
  readonly presence?: boolean
}

/** Answered PONG; for clients that cannot see the pings of the protocol. */
export interface Ping {
  readonly type: 'ping'
}

/** WebSocket close codes beyond those of the protocol. A client closed with one of them should poll for a while. */
export const PUSH_CLOSE = Object.freeze({
  /** The client reads more slowly than messages come. */
  TOO_SLOW: 4_008,
  /** The client sends too much, or something that is not a message. */
  MISBEHAVED: 4_009,
  /** The client subscribed to nothing within the time for that. */
  IDLE: 4_010,
  /** Something went wrong on the server. */
  FAILED: 4_011,
})

/** A rank after the line moved. For a ticket that left itself the result has no meaning. */
export function applyMoves(rank: number, moves: readonly Move[]): number {
  let moved = rank
  for (const [at, by] of moves) {
    if (by > 0) {
      if (at <= moved) moved += by
    } else if (at < moved) moved -= Math.min(-by, moved - at)
  }
  return moved
}
