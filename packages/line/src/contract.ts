import type { CodesMade, EndReason, PricesListed, RoomSettings, TicketClass, TicketState } from '@seatwise/domain'
import type { DrawNote, DrawnPlace, Revealing, Seal } from './fair-start.ts'
import type { Settlement, SettleReply, TakeReply, TakeRequest } from './gate.ts'
import type { Corrected, LogEntry } from './log-entry.ts'
import type { OnceOnly } from './once-only.ts'
import type { FloorItem, PresentPage, RangeItem, RoomNow } from './room-reads.ts'
import type { LoadedTicket, RoomState } from './room-state.ts'

/**
 * The line and the floor of every room, behind one contract with two implementations: `memory` and `redis`.
 *
 * Each method is one atomic step of one room. It either changes the state and appends what it changed to the room's
 * log, or changes nothing. Every step is idempotent: run twice (because a reply was lost), it answers the same and
 * acts once. Requests that arrive together travel together, so every method takes many; each is answered as if it were a
 * step of its own, in the order given and at one instant, so `seq`, `rank` and `waiting` are those after that request.
 *
 * A step first expires the overdue tickets among those it names with the right identity: on the floor past the deadline
 * (deadline ≤ now) as `timeout`. So no answer shows a state that the log does not have. An away ticket is not overdue before
 * `sweep` has ended it: until then its visitor may come back.
 *
 * Expected outcomes are values. `LineLost` is thrown when the state itself cannot be trusted and must be rebuilt.
 */
export interface Line {
  /**
   * Draws tickets, in the order given. One live ticket for each identity: joining again with a code of a higher class moves
   * a ticket that waits forward, never back.
   */
  join(at: RoomAt, requests: readonly JoinRequest[]): Promise<JoinReply[]>
  /**
   * Answers with the state and position of tickets. A question with `heartbeat` marks its ticket as seen, and brings it
   * back if it was away. A question with an older generation is answered, but is no heartbeat: the caller compares
   * generations.
   */
  look(at: RoomAt, questions: readonly LookQuestion[]): Promise<TicketView[]>
  /** Marks tickets as seen without asking anything; returns those that came back from being away. */
  heartbeat(at: RoomAt, numbers: readonly number[]): Promise<{ back: number[] }>
  /**
   * Marks away the waiting tickets that were not seen for `heartbeatTimeoutSeconds`, wherever they stand, and expires as
   * `no_show` the away ones that admission passed `graceSeconds` ago, or that have been away for `awaySeconds`. Each call is
   * a server's word that it takes heartbeats: silence counts only while calls are at most 3 s apart. Changes at most `batch`
   * tickets; 0 only gives the word.
   */
  sweep(at: RoomAt, limit: SweepLimit): Promise<Sweep>
  /**
   * Expires overdue tickets, then admits as many as capacity, rate and stock allow. An operation among the last 32 that
   * appended to the log is not run again: its first answer is repeated.
   */
  admit(at: RoomAt, limit: AdmitLimit): Promise<Admission>
  /** Makes admitted tickets active: the visitor steps onto the floor. */
  enter(at: RoomAt, requests: readonly TicketAct[]): Promise<EnterReply[]>
  /** Ends tickets: the visitor leaves or completes, the buyer has paid, or an operator terminates. Idempotent. */
  end(at: RoomAt, requests: readonly EndRequest[]): Promise<EndReply[]>
  /** Gives more time on the floor, once for each ticket. */
  extend(at: RoomAt, requests: readonly ExtendRequest[]): Promise<ExtendReply[]>
  /** Hands tickets to another device: raises the generation, so that older ticket tokens are refused. */
  move(at: RoomAt, requests: readonly MoveRequest[]): Promise<MoveReply[]>
  /**
   * Gives the live ticket of one identity to another, with its place, slot and pass: a guest signed in. Refused when the
   * other identity has a live ticket of its own. The ticket no longer shares a limit; older ticket tokens are unknown.
   */
  adopt(at: RoomAt, requests: readonly AdoptRequest[]): Promise<AdoptReply[]>
  /** Tells whether passes are valid: their tickets are on the floor under the same fence, before the deadline. */
  check(at: RoomAt, questions: readonly PassQuestion[]): Promise<PassReply[]>
  /**
   * The gate: lets claims through to the ledger, as long as every other ticket on the floor still gets the seat it is
   * promised (M21). A take lasts until it is settled, or for TAKE_MS. Logs nothing.
   */
  take(at: RoomAt, requests: readonly TakeRequest[]): Promise<TakeReply[]>
  /**
   * Tells the gate the ledger's word: the outcome of claims, and the seat counts after them. The server that changed seats
   * settles with its results; other changes of the counts are settled without results. A repeated or late call changes
   * nothing (M24).
   */
  settle(at: RoomAt, settlement: Settlement): Promise<SettleReply>
  /**
   * Re-creates tickets that the ledger had not seen when their epoch ended, at exactly their old place. The line does not
   * know trimmed tickets, so the caller first asks the ledger for rows of the number or the identity.
   */
  restore(at: RoomAt, requests: readonly RestoreRequest[]): Promise<JoinReply[]>
  /**
   * Changes settings, pause, message or sale window, effective at the next admission. Logs every given field, also when
   * its value is the same as before. An operation among the last 32 changes is not applied again.
   */
  change(at: RoomAt, change: RoomChange): Promise<ChangeReply>
  /**
   * Seals the line of a room with a draw, once its sale opens: from then on the set of drawn tickets is fixed. Repeated, it
   * answers the same.
   */
  seal(at: RoomAt): Promise<Seal>
  /** Gives drawn tickets their places while the line is sealed, at most 1,000 at a time. Others, and ended ones, it leaves. */
  rearrange(at: RoomAt, places: readonly DrawnPlace[]): Promise<void>
  /** Ends the draw when all places were given. Repeated, it changes nothing. */
  reveal(at: RoomAt, revealing: Revealing): Promise<{ seq: number }>
  /** The public state of a room, with sampled points of place and rank. */
  now(at: RoomAt): Promise<RoomNow>
  /** Tickets by rank, both ends inclusive, with names of visitors who agreed to be shown. At most 200. */
  range(at: RoomAt, fromRank: number, toRank: number): Promise<RangeItem[]>
  /**
   * Which tickets wait and are present, from a number on, a page at a time: for a server that did not read the log from
   * its beginning.
   */
  present(at: RoomAt, fromNumber: number): Promise<PresentPage>
  /** Tickets on the floor, by deadline, at most `limit`. */
  floor(at: RoomAt, limit: number): Promise<FloorItem[]>
  /** Entries after `afterSeq`, oldest first; waits up to `waitMs` for the first one. */
  readLog(at: RoomAt, afterSeq: number, options: { limit: number; waitMs: number }): Promise<LogEntry[]>
  /**
   * The ledger has everything up to `upToSeq`. Forgets the tickets that ended up to there and the log before it. The
   * entry `upToSeq` itself stays, so that the follower can recognise its own history (M19, L22), and so do the `keep`
   * entries before it (default 0), for readers of the log that are slower than the ledger.
   */
  trim(at: RoomAt, upToSeq: number, keep?: number): Promise<void>

  /** The room's current epoch, or null when the room has no state. */
  epochOf(room: string): Promise<number | null>
  /**
   * Begins loading a room under a new epoch. An unfinished load under the same epoch is dropped. Throws LineLost when the
   * room is already open under this epoch or a newer one.
   */
  beginLoad(room: string, epoch: number, state: RoomState): Promise<void>
  /** Adds tickets to a room being loaded; called in chunks. A number loaded twice counts once. */
  loadTickets(room: string, epoch: number, tickets: readonly LoadedTicket[]): Promise<void>
  /**
   * Makes the loaded room visible, unless a newer epoch is there already (then LineLost is thrown). The room's clock
   * continues from the earlier epoch's, if that is still there. Every ticket counts as seen now. Before any other step
   * the tickets are corrected by what the ledger knows beyond the log, and the log tells each correction.
   */
  finishLoad(room: string, epoch: number, corrections?: readonly Corrected[]): Promise<void>
  /** Removes all state of a room. */
  drop(room: string): Promise<void>
  close(): Promise<void>
}

/** The room, its epoch, and the highest `seq` the caller has seen: a lower one in the store means loss. */
export interface RoomAt {
  room: string
  epoch: number
  seenSeq: number
}

/** The state of a room is gone, older than what was already seen, or of another epoch. The room must be rebuilt. */
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
export type { OnceOnly } from './once-only.ts'

export interface JoinRequest {
  /** Hash of the account or guest, 16 base64url characters. The same identity is the same visitor. */
  identity: string
  class: TicketClass
  /** Id of the single-use priority code that grants the class. */
  code?: string
  /** Visitors with the same key are counted together (guests of one address); `max` 0 counts without a limit. */
  limit?: { key: string; max: number }
  /** Tickets that this device drew before: refused while `max` of them or more are live. */
  held?: { numbers: readonly number[]; max: number }
  /**
   * What drawing a ticket costs: without it nothing, null when it is missing. A visitor who has a live ticket pays
   * nothing, and a refused join spends nothing.
   */
  proof?: OnceOnly | null
  /** The number of a visitor to stand together with. Rule L150. */
  group?: number
  /** Shown to neighbours; present only when the visitor agreed. */
  shown?: { name: string; avatar: string | null }
  /** Logged for the ledger only, never shown to other visitors: name, avatar, address, user agent, metadata. JSON. */
  profile: string
}

export type JoinReply =
  | ({ status: 'joined' | 'present' } & TicketView) // drawn now, or the live ticket this identity already has
  | {
      status:
        | 'not_started'
        | 'drawing' // with a class above 0, whose place is chosen once the line is drawn
        | 'sale_ended'
        | 'full'
        | 'sold_out'
        | 'log_full'
        | 'code_used'
        | 'limit_reached'
        | 'held'
        | 'proof_missing'
        | 'proof_spent'
        | 'group_over'
        | 'group_full'
        | 'in_group'
        | 'refused'
      seq: number
    }

/** A ticket as its holder may see it. Times are milliseconds of the room's clock. */
export interface TicketView {
  number: number
  /** Null when the room has forgotten an ended ticket, or never drew it: then the ledger knows. */
  state: TicketState | null
  reason: EndReason | null
  away: boolean
  /** This very step brought it back from being away. */
  back: boolean
  place: number
  /** How many present tickets wait before it; null unless it is waiting and not away. */
  rank: number | null
  class: TicketClass
  generation: number
  joinedAt: number
  /** End of the time to enter, of the session or of the reservation, while on the floor. */
  deadline: number | null
  /** Raised by every admission and every hand-over; an older pass is refused. Only on the floor. */
  fence: number | null
  extended: boolean
  waiting: number
  seq: number
  now: number
  /** The visitor stands with a group, whose ticket this is: the number that is theirs, and how many they are. Rule L151. */
  group?: { number: number; people: number }
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
  /** Most tickets one call may touch: bounds how long it blocks the store. */
  batch: number
  operation: string
  /**
   * An operator lets in at most this many now, past the rate and without using it up, never past capacity or stock.
   * Without it, the rate decides. Rule M29.
   */
  operatorCount?: number
}

export interface SweepLimit {
  /** Most tickets one call may change, at most 1,000: bounds how long it blocks the store. */
  batch: number
}

export interface Sweep {
  /** How many tickets were marked away, and how many expired. */
  away: number
  expired: number
  /** Call again at once. */
  more: boolean
  seq: number
}

export interface Admission {
  admitted: { number: number; class: TicketClass; fence: number; deadline: number; waitedMs: number }[]
  ended: { number: number; reason: EndReason }[]
  /** Heads of the line that were not seen in time. */
  away: number[]
  /**
   * Why no ticket may be admitted, whatever the capacity. `unfollowed`: the ledger is too far behind the log (M19);
   * `not_drawn`: the sale opens with a draw, which is not revealed yet (J8).
   */
  heldBy: 'paused' | 'held' | 'unfollowed' | 'not_open' | 'not_drawn' | 'closed' | 'sold_out' | null
  /** The batch was full: call again at once. */
  more: boolean
  waiting: number
  /** Tickets on the floor, and how many of them have no reservation yet. */
  floor: number
  unreserved: number
  /**
   * When calling again could change something by itself (M18); null: never. Now when there is more; otherwise the earliest
   * of: the first floor deadline, closesAt + 1 if a ticket waits or is away and the sale
   * is not over, opensAt if tickets wait only for that, the next token if tickets wait only for that, the first return of a
   * take if a ticket waits and there is neither slot nor stock.
   */
  nextAt: number | null
  seq: number
  now: number
}

/** Refusals that concern the ticket itself. `moved`: a newer generation exists. `unknown`: ask the ledger. */
export type ActRefusal = { status: 'moved' | 'unknown'; seq: number }

export type EnterReply = ({ status: 'active' } & TicketView) | ({ status: 'not_admitted' } & TicketView) | ActRefusal

export interface EndRequest extends TicketAct {
  /** `completed`, or why it expires. `terminated` (an operator) and `paid` (the box office) do not check the identity. */
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
 * `nothing`: the first identity has no live ticket. `has_own`: the other identity has one and keeps it; the first
 * identity's ticket has ended as cancelled, unless it has reserved seats or has a claim under way.
 */
export type AdoptReply = ({ status: 'adopted' } & TicketView) | { status: 'nothing' | 'has_own'; seq: number }

export interface PassQuestion {
  number: number
  fence: number
}

export type PassReply =
  /** `people`: the identities of all who stand with the ticket of a group. */
  | ({ status: 'counts'; deadline: number; reservedSeats: number; seq: number; people?: string[] } & TicketAct)
  /** `state` of the ticket, if the room knows it: a visitor who repeats completing is answered by it. */
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
  /** The operator or service that makes the change, for the log. */
  by: string
  settings?: Partial<RoomSettings>
  paused?: boolean
  /** Why no ticket is admitted, apart from the operator's pause: for instance the ledger is away. Null ends it. */
  held?: string | null
  message?: string | null
  opensAt?: number
  /** The last instant of the sale: it is over when now > closesAt. */
  closesAt?: number
  /** From when joining is possible before `opensAt`; null: not before. */
  joinsFrom?: number | null
  /** The draw to announce; null: the room has none any more. */
  draw?: DrawNote | null
  /** Only said, for verifiers of the public log. */
  announce?: CodesMade | PricesListed
  /**
   * The change is refused otherwise. `unstarted`: the room has drawn no ticket yet. `unsealed`: the line is not sealed, and
   * the sale has not opened. `empty`: no ticket waits, is away or is on the floor.
   */
  onlyWhile?: 'unstarted' | 'unsealed' | 'empty'
}

export interface ChangeReply {
  seq: number
  /** The room is past the state that `onlyWhile` names; nothing has changed. */
  isRefused: boolean
}

export type * from './fair-start.ts'
export type * from './room-reads.ts'
