import type { EndReason } from './ticket-state.ts'

/*
 * What push tells, the same over WebSocket and Server-Sent Events. Every message is a hint: polling alone is always
 * enough. `epoch` and `seq` name the entry of the room's log as of which a message is true.
 */

/** `event:{id}:public`, `event:{id}:private:{ticketId}`, and the same with `room:` for rooms by their own id. */
export type Channel = string

/** Where a message stands in the history of its room. */
export interface PushPosition {
  readonly epoch: number
  readonly seq: number
}

/** Told to everybody who listens to a room. */
export type PublicNews =
  | QueueMove
  | Snapshot
  | SeatsChanged
  | { readonly type: 'MESSAGE'; readonly text: string | null }
  | { readonly type: 'SOLD_OUT' }
  | { readonly type: 'OCCUPANCY'; readonly viewers: number }
  | Presence

/** Told to whoever holds one ticket. */
export type PrivateNews =
  | { readonly type: 'POSITION'; readonly rank: number; readonly position: number }
  | TurnCame
  | TicketEnded
  | ReservationNews

export type PublicMessage = PushPosition & { readonly channel: Channel } & PublicNews
export type PrivateMessage = PushPosition & { readonly channel: Channel } & PrivateNews

/** What the connection itself is told. Only these have no place in a log. */
export type ConnectionMessage =
  | { readonly type: 'SUBSCRIBED'; readonly channels: readonly Channel[] }
  /** `TICKET_ENDED`, `TICKET_MOVED`: the access to a private channel is over. `ASKED`: the client wished it. */
  | { readonly type: 'UNSUBSCRIBED'; readonly channel: Channel; readonly code: UnsubscribedCode }
  | {
      readonly type: 'ERROR'
      readonly code: PushErrorCode
      readonly message: string
      readonly channel?: Channel
      /** Come back after this many milliseconds. */
      readonly retryAfterMs?: number
    }
  /** The server is about to stop. Connect again after this time, which is another one for everybody. */
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
 * The line moved between the entries `from` (not included) and `seq`. `moves` are to be applied in their order to a
 * rank as of `from`: see `applyMoves`. Null when there were too many: the next SNAPSHOT or poll tells.
 */
export interface QueueMove {
  readonly type: 'QUEUE_MOVE'
  readonly from: number
  /** The lowest rank that somebody left from; null when people only came. */
  readonly departedRank: number | null
  readonly waiting: number
  readonly moves: readonly Move[] | null
}

/** So many tickets left from this rank on (negative), or came in there (positive). */
export type Move = readonly [rank: number, by: number]

/** The *now* document, with `headCount`, which is `waiting` by the name that older clients know. */
export interface Snapshot {
  readonly type: 'SNAPSHOT'
  readonly avgServiceMs: number | null
  readonly headCount: number
  readonly [field: string]: unknown
}

/**
 * How seats differ from what they were in version `from`. Whoever has a version from `from` up can apply it, and has
 * then `version`; with `more`, only after the next ones of the same version.
 */
export interface SeatsChanged {
  readonly type: 'SEATS'
  readonly from: number
  readonly version: number
  readonly changes: readonly { readonly id: string; readonly status: string }[]
  readonly more?: true
}

/** Names of those who wait and agreed to be shown; only in rooms with `presence`, and for those who asked for it. */
export interface Presence {
  readonly type: 'PRESENCE'
  /** All of them at once, at most 200; otherwise who came and who went. */
  readonly present?: readonly ShownVisitor[]
  readonly joined?: readonly ShownVisitor[]
  readonly left?: readonly string[]
}

export interface ShownVisitor {
  readonly ticketId: string
  readonly name: string
  readonly avatar: string | null
}

/** It is your turn, or the time you have on the floor changed. `claim` fetches the pass, as often as you like. */
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

/** What a client may send over WebSocket. Server-Sent Events say the same in their address and headers. */
export type ClientMessage = Subscribe | { readonly type: 'unsubscribe'; readonly channels: readonly Channel[] } | Ping

export interface Subscribe {
  readonly type: 'subscribe'
  readonly channels: readonly Channel[]
  /** Needed for private channels unless the header or the cookie has it. */
  readonly ticketToken?: string
  /** The last position that the client has seen: it gets what it missed, or a SNAPSHOT. */
  readonly since?: PushPosition
  /** The version of the seat map that the client has: what changed since comes as SEATS. */
  readonly seats?: number
  /** Types of public messages that are of no use to this client, such as SEATS while it waits. */
  readonly without?: readonly PublicNews['type'][]
  /** Names of those who come and go, where the room has `presence`. */
  readonly presence?: boolean
}

/** Answered PONG; for clients that cannot see the pings of the protocol. */
export interface Ping {
  readonly type: 'ping'
}

/** WebSocket close codes beyond those of the protocol. Whoever is closed with one of them should poll for a while. */
export const PUSH_CLOSE = Object.freeze({
  /** The client reads more slowly than messages come. */
  TOO_SLOW: 4_008,
  /** The client sends too much, or what is not a message. */
  MISBEHAVED: 4_009,
  /** The client subscribed to nothing within the time for that. */
  IDLE: 4_010,
  /** Something went wrong on the server. */
  FAILED: 4_011,
})

/** Where a rank is after the line moved. Somebody whose own ticket left gets a rank nobody should show. */
export function applyMoves(rank: number, moves: readonly Move[]): number {
  let moved = rank
  for (const [at, by] of moves) {
    if (by > 0) {
      if (at <= moved) moved += by
    } else if (at < moved) moved -= Math.min(-by, moved - at)
  }
  return moved
}
