import type { EndReason, RoomSettings, TicketClass, TicketState } from '@seatwise/domain'
import type { Settlement, SettleReply, TakeReply, TakeRequest } from './gate.ts'
import type { Corrected, LogEntry, OpeningRules } from './log-entry.ts'

/**
 * The line and the floor of every room, behind one contract with two implementations: `memory` and `redis`.
 *
 * Each method is one atomic step of one room. It either changes the state and appends what it changed to the room's
 * log, or changes nothing. Every step is idempotent: run twice (because a reply was lost), it answers the same and
 * acts once. Requests that arrive together travel together, so every method takes many; each is answered as if it were a
 * step of its own, in the order given and at one instant, so `seq`, `rank` and `waiting` are those after that request.
 *
 * A step first settles every ticket that it names with its right identity: one on the floor whose deadline has come
 * (deadline ≤ now) expires as `timeout`, an away one whose grace is over (now > until) as `no_show`. So nobody is shown
 * a state that the log does not have. `heartbeat` settles only away tickets.
 *
 * Expected outcomes are values. `LineLost` is thrown when the state itself cannot be trusted and must be rebuilt.
 */
export interface Line {
  /** Draws tickets, in the order given. One live ticket for each identity. */
  join(at: RoomAt, requests: readonly JoinRequest[]): Promise<JoinReply[]>
  /**
   * Answers where tickets stand. Those asking with `heartbeat` count as seen now, and come back if they were away.
   * A question with an older generation is answered, but is no heartbeat: the caller compares generations.
   */
  look(at: RoomAt, questions: readonly LookQuestion[]): Promise<TicketView[]>
  /** Marks tickets as seen without asking anything; returns those that came back from being away. */
  heartbeat(at: RoomAt, numbers: readonly number[]): Promise<{ back: number[] }>
  /**
   * Clears the floor of those whose time is over, then lets in as many as capacity, rate and stock allow. An operation
   * among the last 32 that appended something to the log is not run again: its first answer is given once more.
   */
  admit(at: RoomAt, limit: AdmitLimit): Promise<Admission>
  /** Makes admitted tickets active. */
  enter(at: RoomAt, requests: readonly TicketAct[]): Promise<EnterReply[]>
  /** Ends tickets: by leaving, completing or an operator. Ending twice answers as the first time. */
  end(at: RoomAt, requests: readonly EndRequest[]): Promise<EndReply[]>
  /** Gives more time on the floor, once for each ticket. */
  extend(at: RoomAt, requests: readonly ExtendRequest[]): Promise<ExtendReply[]>
  /** Hands tickets to another device: raises the generation, so that older ticket tokens are refused. */
  move(at: RoomAt, requests: readonly MoveRequest[]): Promise<MoveReply[]>
  /**
   * Gives the live ticket of one identity to another, with its place, floor and pass: a guest signed in. Refused where
   * the other one has a live ticket of its own. It no longer shares a limit; older ticket tokens are unknown.
   */
  adopt(at: RoomAt, requests: readonly AdoptRequest[]): Promise<AdoptReply[]>
  /** Tells whether passes count: whether their tickets are on the floor under the same fence, in time. */
  check(at: RoomAt, questions: readonly PassQuestion[]): Promise<PassReply[]>
  /**
   * The gate: lets claims through to the ledger as far as the stock allows that everyone else on the floor still gets
   * the seat they are promised (M21). What is taken stays so until it is settled, or for TAKE_MS. Logs nothing.
   */
  take(at: RoomAt, requests: readonly TakeRequest[]): Promise<TakeReply[]>
  /**
   * Tells what the ledger made of claims, and what is left. Whoever changed seats settles it, with its results; news
   * without results is for changes that nobody settles. Repeating it, or coming late, changes nothing (M24).
   */
  settle(at: RoomAt, settlement: Settlement): Promise<SettleReply>
  /**
   * Re-creates tickets that the ledger had not seen when their epoch ended, at exactly their old place. The line knows
   * only what was not trimmed yet, so the caller first asks the ledger for rows of the number or the identity.
   */
  restore(at: RoomAt, requests: readonly RestoreRequest[]): Promise<JoinReply[]>
  /**
   * Changes settings, pause, message or sale window. Effective at the next admission. Logs what was given, also when it
   * was so before; an operation among the last 32 changes is not applied again.
   */
  change(at: RoomAt, change: RoomChange): Promise<{ seq: number }>
  /** What the public may know, with sampled points of place and rank. */
  now(at: RoomAt): Promise<RoomNow>
  /** Tickets by rank, both ends inclusive, with names of those who agreed to be shown. At most 200. */
  range(at: RoomAt, fromRank: number, toRank: number): Promise<RangeItem[]>
  /** Everyone on the floor, by deadline, at most `limit`. */
  floor(at: RoomAt, limit: number): Promise<FloorItem[]>
  /** Entries after `afterSeq`, oldest first; waits up to `waitMs` for the first one. */
  readLog(at: RoomAt, afterSeq: number, options: { limit: number; waitMs: number }): Promise<LogEntry[]>
  /**
   * The ledger has everything up to `upToSeq`. Forgets the tickets that ended up to there and the log before it; the
   * entry `upToSeq` itself stays, so that the follower can recognise its own history (M19, L22), and so do the `keep`
   * entries before it (0 unless given), for those who read the log more slowly than the ledger does.
   */
  trim(at: RoomAt, upToSeq: number, keep?: number): Promise<void>

  /** The epoch under which the room's state stands, or null when there is none. */
  epochOf(room: string): Promise<number | null>
  /**
   * Begins loading a room under a new epoch. Whatever was being loaded under it before is dropped. LineLost when the
   * room already stands under this epoch or a newer one.
   */
  beginLoad(room: string, epoch: number, state: RoomState): Promise<void>
  /** Adds tickets to a room being loaded; called in chunks. A number loaded twice counts once. */
  loadTickets(room: string, epoch: number, tickets: readonly LoadedTicket[]): Promise<void>
  /**
   * Makes the loaded state the room's, unless a newer epoch is there already (then LineLost is thrown). The room's
   * clock goes on from the earlier epoch's if that is still there. Away tickets get a whole grace time. Before anything
   * else happens, the tickets are corrected by what the ledger knows better, and the log says so.
   */
  finishLoad(room: string, epoch: number, corrections?: readonly Corrected[]): Promise<void>
  /** Drops everything of a room. */
  drop(room: string): Promise<void>
  close(): Promise<void>
}

/** Which room, under which epoch, and the highest `seq` the caller has seen: a lower one in the store means loss. */
export interface RoomAt {
  room: string
  epoch: number
  seenSeq: number
}

/** The state of a room is gone, older than what was already seen, or of another epoch. Only a rebuild helps. */
export class LineLost extends Error {
  override readonly name = 'LineLost'
  readonly room: string
  readonly why: 'missing' | 'other-epoch' | 'regressed'
  constructor(room: string, why: 'missing' | 'other-epoch' | 'regressed') {
    super(`The line of room ${room} must be rebuilt: ${why}`)
    this.room = room
    this.why = why
  }
}

export type { TicketClass } from '@seatwise/domain'

export interface JoinRequest {
  /** Hash of the account or guest, 16 base64url characters; what "the same visitor" means. */
  identity: string
  class: TicketClass
  /** Id of the single-use priority code that grants the class. */
  code?: string
  /** Visitors with the same key are counted together (guests of one address); `max` 0 counts without a limit. */
  limit?: { key: string; max: number }
  /** Shown to neighbours; present only when the visitor agreed. */
  shown?: { name: string; avatar: string | null }
  /** Kept in the log for the ledger only, never shown to others: name, avatar, address, user agent, metadata. JSON. */
  profile: string
}

export type JoinReply =
  | ({ status: 'joined' | 'present' } & TicketView) // drawn now, or the live ticket this identity already has
  | {
      status:
        | 'not_started'
        | 'sale_ended'
        | 'full'
        | 'sold_out'
        | 'log_full'
        | 'code_used'
        | 'limit_reached'
        | 'refused'
      seq: number
    }

/** Everything one visitor may know of their own ticket. Times are milliseconds of the room's clock. */
export interface TicketView {
  number: number
  /** Null when the room has forgotten a ticket that ended, or never drew it: then the ledger knows. */
  state: TicketState | null
  reason: EndReason | null
  away: boolean
  place: number
  /** Waiting and not away: how many stand before. Otherwise null. */
  rank: number | null
  class: TicketClass
  generation: number
  joinedAt: number
  /** Claim window or session end, while on the floor. */
  deadline: number | null
  /** Raised by every admission and every hand-over; an older pass is refused. Only on the floor. */
  fence: number | null
  extended: boolean
  waiting: number
  seq: number
  now: number
}

export interface TicketAct {
  number: number
  identity: string
  generation: number
}

export interface LookQuestion extends TicketAct {
  heartbeat: boolean
}

export interface AdmitLimit {
  /** Most tickets looked at in one call: bounds how long it blocks the store. */
  batch: number
  operation: string
}

export interface Admission {
  admitted: { number: number; class: TicketClass; fence: number; deadline: number; waitedMs: number }[]
  ended: { number: number; reason: EndReason }[]
  away: number[]
  /** Why nobody may go in, whatever the capacity. `unfollowed`: the ledger is too far behind the log (M19). */
  heldBy: 'paused' | 'held' | 'unfollowed' | 'not_open' | 'closed' | 'sold_out' | null
  /** The batch was full: call again at once. */
  more: boolean
  waiting: number
  /** Tickets on the floor, and how many of them have no reservation yet. */
  floor: number
  unreserved: number
  /**
   * When calling again could change something by itself; null: nothing to wait for. Now when there is more; otherwise
   * the earliest of: the first floor deadline, the first away ticket's until + 1, closesAt + 1 if anybody waits or is
   * away and the sale is not over, opensAt if somebody waits for that alone, the next token if somebody waits for that
   * alone, the first return of a take if somebody waits and there is neither slot nor stock.
   */
  nextAt: number | null
  seq: number
  now: number
}

/** Refusals that concern the ticket itself. `moved`: a newer generation exists. `unknown`: ask the ledger. */
export type ActRefusal = { status: 'moved' | 'unknown'; seq: number }

export type EnterReply = ({ status: 'active' } & TicketView) | ({ status: 'not_admitted' } & TicketView) | ActRefusal

export interface EndRequest extends TicketAct {
  /** `completed`, or why it expired. An operator's termination and `paid`, by the box office, ignore whose ticket it is. */
  as: 'completed' | 'paid' | 'cancelled' | 'terminated' | 'sold_out' | 'timeout'
  operation: string
}

/** `not_on_floor`: only a ticket on the floor can be completed. */
export type EndReply =
  | ({ status: 'ended' | 'was_ended' } & TicketView)
  | ({ status: 'not_on_floor' } & TicketView)
  | ActRefusal

export interface ExtendRequest extends TicketAct {
  byMs: number
  operation: string
}

export type ExtendReply =
  | ({ status: 'extended' } & TicketView) // also when the same operation did it before
  | ({ status: 'already_extended' | 'not_on_floor' } & TicketView)
  | ActRefusal

export interface MoveRequest extends TicketAct {
  operation: string
}

export type MoveReply = ({ status: 'moved_here' } & TicketView) | ActRefusal | ({ status: 'over' } & TicketView)

export interface AdoptRequest {
  fromIdentity: string
  toIdentity: string
  /** The account, for the ledger. */
  userId: string
  operation: string
}

/**
 * `nothing`: the first identity has no live ticket. `has_own`: the other one has, and keeps it; the first one's has ended as
 * cancelled, unless it has reserved something or is about to.
 */
export type AdoptReply = ({ status: 'adopted' } & TicketView) | { status: 'nothing' | 'has_own'; seq: number }

export interface PassQuestion {
  number: number
  fence: number
}

export type PassReply =
  | ({ status: 'counts'; deadline: number; reservedSeats: number; seq: number } & TicketAct)
  /** `state` of the ticket, as far as the room knows it: whoever completed may say so again. */
  | { status: 'stale'; state: TicketState | null; seq: number }

export interface RestoreRequest {
  number: number
  place: number
  class: TicketClass
  identity: string
  generation: number
  epoch: number
  joinedAt: number
}

export interface RoomChange {
  operation: string
  /** Who did it, for the log. */
  by: string
  settings?: Partial<RoomSettings>
  paused?: boolean
  /** Why nobody is let in, when it is not the operator's pause: for instance the ledger is away. Null ends it. */
  held?: string | null
  message?: string | null
  opensAt?: number
  /** The last instant of the sale: it is over when now > closesAt. */
  closesAt?: number
}

export interface RoomNow {
  epoch: number
  seq: number
  now: number
  waiting: number
  away: number
  floor: number
  admitted: number
  active: number
  nextNumber: number
  paused: boolean
  held: string | null
  soldOut: boolean
  message: string | null
  opensAt: number
  closesAt: number
  /** Available seats as the ledger last told; null when stock does not matter. */
  stock: number | null
  heldSeats: number
  stockVersion: number
  /** Seats that claims under way may still cost, and seats promised to those on the floor who have none. */
  taken: number
  promised: number
  settings: RoomSettings
  /** How full the log is, 0 to 1. */
  logFill: number
  /** Places at chosen ranks, first and last included; see `rankMapSamples` in the domain. */
  samples: { place: number; rank: number }[]
}

export interface RangeItem {
  number: number
  place: number
  rank: number
  class: TicketClass
  shown: { name: string; avatar: string | null } | null
}

export interface FloorItem {
  number: number
  state: 'admitted' | 'active'
  deadline: number
  fence: number
  reservedSeats: number
}

/** Below every lane: stands for the last place of a class that has none yet. */
export const NO_PLACE: number = Number.MIN_SAFE_INTEGER

/** What a room starts from: fresh, or rebuilt from the ledger. */
export interface RoomState {
  settings: RoomSettings
  paused: boolean
  message: string | null
  opensAt: number
  closesAt: number
  /** Seats that can be promised; null means that stock does not matter. The version is that of both counts. */
  stock: number | null
  heldSeats: number
  stockVersion: number
  /** The next ticket number; leaves room for every ticket the lost log could have held. */
  nextNumber: number
  /** Restored tickets of an epoch must have a number above its high-water mark; epoch → mark. */
  marks: Record<number, number>
  /** Last place given to each class, so that each stays first come, first served; NO_PLACE where there is none. */
  lastPlaces: [number, number, number, number]
  usedCodes: string[]
  /** Most entries the log may hold; joins are refused at 80 %. */
  logMax: number
  /** How long entries may stay unfollowed before nobody is admitted any more (M19); null: for ever. */
  followWithinMs: number | null
  reason: string
}

/** The part of it that the first entry of the log tells. */
export function rulesOf({ settings, paused, opensAt, closesAt, stock, heldSeats }: RoomState): OpeningRules {
  return { settings: { ...settings }, paused, soldOut: isSoldOut({ stock, heldSeats }), opensAt, closesAt, stock }
}

/** All is sold or blocked, and nothing that is held can come back. Rule B14. */
export function isSoldOut({ stock, heldSeats }: Pick<RoomState, 'stock' | 'heldSeats'>): boolean {
  return stock === 0 && heldSeats === 0
}

export interface LoadedTicket {
  number: number
  identity: string
  class: TicketClass
  place: number
  generation: number
  joinedAt: number
  state: 'waiting' | 'admitted' | 'active'
  away: boolean
  /** Floor only. `sessionEnd` is null before the claim; it differs from the deadline while a reservation stands. */
  deadline: number | null
  sessionEnd: number | null
  fence: number | null
  extended: boolean
  reservedSeats: number
  limitKey: string | null
  shown: { name: string; avatar: string | null } | null
}
