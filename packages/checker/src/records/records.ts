/*
 * What the checker reads. One record is one JSON object on one line; the field `record` says which of five kinds it is:
 *
 *   log      what happened in a room, as the ledger's copy of its log has it
 *   ledger   what happened to seats, in the order in which PostgreSQL committed it
 *   client   what one client asked and was told
 *   fault    what the test broke, and when
 *   gauge    how full something with a bound was
 *
 * Two clocks appear and are never compared with each other: `atMs` is the clock of the room or of the ledger in
 * milliseconds since 1970; `monotonicMs` is the one monotonic clock of the machine that drove the clients.
 *
 * Log records of one room come in the order of (epoch, seq, part), ledger records in the order of commits. Kinds may be
 * mixed freely. Where a check has to compare a room's clock with the ledger's, it allows for what they may differ.
 */
export type HistoryRecord = LogRecord | LedgerRecord | ClientRecord | FaultRecord | GaugeRecord

// ── The log of a room ────────────────────────────────────────────────────────────────────────────────────────────────

export interface LogHead {
  record: 'log'
  room: string
  /** Which incarnation of the room's line wrote this. Starts at 1 and only grows. */
  epoch: number
  /** Gap-free within the epoch, from 1. Entry 1 of every epoch is of the kind `epoch`. */
  seq: number
  /** For an entry that changed several tickets: one record for each, counted from 0, with the same `seq`. */
  part?: number
  /** The room's clock. Never runs backwards within an epoch. */
  atMs: number
  /** The operation id. The same operation run twice acts, and is logged, once. */
  operation: string
  /** The hash that is stated of the entry, and the text that it is to be the hash of, with the hash before it. */
  hash?: string
  hashedText?: string
  /** When the ledger began to copy it, together with others, by its own clock. */
  copiedAtMs?: number
}

/** 0 normal, 1 elevated, 2 VIP, 3 premium. */
export type PriorityClass = 0 | 1 | 2 | 3

export type ExpiryReason = 'no_show' | 'timeout' | 'cancelled' | 'terminated' | 'sold_out' | 'sale_ended'

/** The limits that admission must keep. */
export interface RoomLimits {
  capacity: number
  ratePerMinute: number
  burst: number
  /** The most seats of the event that one buyer may have, where there is one. */
  seatsPerBuyer?: number
  /** How long one admission may last: the session, after it one reservation, and after that the time for paying. */
  sessionMs?: number
  reservationMs?: number
  payingMs?: number
}

/** Which ticket, by its number in the room. */
interface OfTicket {
  ticket: number
}

/** Where in line. Equal places are ordered by ticket number. */
interface AtPlace extends OfTicket {
  place: number
  class: PriorityClass
  /** A pseudonym that is the same for the same person in the same room. */
  identity: string
}

export type LogRecord = LogHead &
  /** `tokens`: what the admission bucket begins with, when that is known. */
  (
    | ({ kind: 'epoch'; reason: string; paused?: boolean; tokens?: number } & RoomLimits & Partial<PreviousEpoch>)
    | ({ kind: 'join' } & AtPlace)
    /** A ticket that the ledger had not seen, brought back to its old place by its token after a rebuild. */
    | ({ kind: 'return' } & AtPlace)
    /** What a rebuild made of a ticket because the ledger knew better than the log, such as a paid reservation. */
    | ({ kind: 'correct'; state: 'admitted' | 'active' | 'completed' } & Correction & OfTicket)
    | ({ kind: 'away' } & OfTicket)
    | ({ kind: 'back' } & OfTicket)
    /** Onto the floor. `fence` orders the passes of a room: a newer one is larger, and ends the older ones. */
    | ({ kind: 'admit'; deadlineMs?: number; fence?: number } & OfTicket)
    | ({ kind: 'enter'; deadlineMs?: number } & OfTicket)
    | ({ kind: 'extend'; deadlineMs: number; sessionEndMs?: number } & OfTicket)
    /** To another device: older passes and ticket tokens end here. */
    | ({ kind: 'handover'; generation: number; fence?: number } & OfTicket)
    /** A guest signed in: the ticket is somebody else's by name, and stands where it stood. */
    | ({ kind: 'adopt'; identity: string } & OfTicket)
    /** Took seats, and with them the deadline of the reservation; or lost them again: null. */
    | ({ kind: 'reserve'; deadlineMs: number | null } & OfTicket)
    | ({ kind: 'complete' } & OfTicket)
    | ({ kind: 'expire'; reason: ExpiryReason } & OfTicket)
    /** The visitor went by themselves. */
    | ({ kind: 'leave' } & OfTicket)
    /** The operator ended it. */
    | ({ kind: 'terminate' } & OfTicket)
    /** All limits as they are from now on, changed or not. */
    | ({ kind: 'settings' } & RoomLimits)
    | { kind: 'pause'; reason: string }
    | { kind: 'resume' }
    /** Nobody is let in, for a reason that is not the operator's. */
    | { kind: 'hold'; reason: string }
    | { kind: 'unhold' }
    | { kind: 'message'; text: string }
    /** Seats that may still be promised; null when stock does not matter. */
    | { kind: 'stock'; remaining: number | null }
    | { kind: 'sold-out'; isSoldOut?: boolean }
    /** When the sale is on, by the room's clock; both ends belong to it. */
    | { kind: 'window'; opensAtMs: number; closesAtMs: number }
  )

/** All null for a ticket that has completed. */
interface Correction {
  deadlineMs: number | null
  sessionEndMs: number | null
  fence: number | null
  hasReservation: boolean
}

/** Where the new epoch begins: what the old one logged after `afterSeq` is lost and must never reach the ledger. */
interface PreviousEpoch {
  afterEpoch: number
  afterSeq: number
}

export type LogKind = LogRecord['kind']

// ── The ledger ───────────────────────────────────────────────────────────────────────────────────────────────────────

export interface LedgerHead {
  record: 'ledger'
  event: string
  /** PostgreSQL's clock. */
  atMs: number
}

export type LedgerRecord = LedgerHead &
  /** All seats of the event, from now on: at creation, and when the organiser adds or removes some. */
  (
    | { kind: 'total'; total: number }
    | { kind: 'block'; seats: readonly string[] }
    | { kind: 'unblock'; seats: readonly string[] }
    /**
     * A reservation. `epoch` is that of the room in which the holder's pass was given. Where it takes seats of a hold
     * whose time was over, that hold's `expire` comes first.
     */
    | ({ kind: 'hold'; hold: string; buyer: string; seats: readonly string[]; expiresAtMs: number } & HoldDetails)
    | { kind: 'extend'; hold: string; expiresAtMs: number }
    /** The three ends of a hold. */
    | { kind: 'release'; hold: string; seats: readonly string[]; by?: 'buyer' | 'operator' }
    | { kind: 'expire'; hold: string; seats: readonly string[] }
    /**
     * `late`: the hold had ended before the money came, and its seats (or equal ones) were free to be taken again.
     * `by`: who paid.
     */
    | { kind: 'sell'; hold: string; buyer: string; seats: readonly string[]; late?: boolean; by?: string }
    /** Sold seats that are free again. */
    | { kind: 'refund'; hold: string; seats: readonly string[] }
    /** What the ledger itself counted at one instant; `exact`: the instant after the record before, so a replay agrees. */
    | { kind: 'count'; available: number; held: number; sold: number; blocked: number; total: number; exact?: boolean }
    /** A payment as the history leaves it; one for each. */
    | ({ kind: 'payment'; payment: string; hold: string; status: PaymentStatus; amount: number } & Money & ByOperation)
    /** What the books of the provider say about it, which are not ours. */
    | ({ kind: 'provider'; payment: string } & Money)
    /** Something about a reservation that the world is to hear. `position`: where in the order of all that is told. */
    | { kind: 'news'; news: string; hold: string; type: string; position: number; handed: boolean }
    /** How far one receiver was told it; one for each, as the history leaves it. */
    | ({ kind: 'delivery'; news: string; receiver: string; attempts: number } & Delivered)
    /** A guest signed in: everything that was theirs is the account's from now on. */
    | { kind: 'adoption'; guest: string; account: string }
    /** A key under which something took effect, and what that was. Also for payments, whose answer comes later. */
    | { kind: 'operation'; actor: string; operation: string; effect: string }
  )

/** `epoch`, `room`, `ticket` and `fence` are those of the pass it was claimed with. */
interface HoldDetails {
  epoch?: number
  room?: string
  ticket?: number
  fence?: number
  /** What it costs. */
  amount?: number
  /** Who reserved it, when the buyer has it by adopting that guest. */
  guest?: string
}

export type PaymentStatus = 'processing' | 'paid' | 'declined' | 'refunding' | 'refunded' | 'stuck'

interface Delivered {
  /** Null: not yet, or never, if it was set aside. */
  deliveredAtMs: number | null
  setAside: boolean
}

interface Money {
  captured: number
  refunded: number
}

interface ByOperation {
  /** Who paid, and under which key. */
  by?: string
  operation?: string
}

// ── Clients ──────────────────────────────────────────────────────────────────────────────────────────────────────────

/** One call is an `invoke`, then exactly one of the others with the same `call`, or nothing when the run ended. */
export interface ClientRecord {
  record: 'client'
  /** Who asked. */
  client: string
  /** This attempt; a retry is another call with the same operation. */
  call: string
  /** `fail`: surely not applied. `info`: unknown, as after a timeout. */
  phase: 'invoke' | 'ok' | 'fail' | 'info'
  monotonicMs: number
  /** When it was asked, where that is not written down as an `invoke`: of reads, one record is enough. */
  invokedMs?: number
  /** What was asked, such as `join`, `status`, `reserve`, `purchase`, `refund`. */
  action: string
  /** True for questions that change nothing. */
  read?: boolean
  /** The operation id under which the change is logged. */
  operation?: string
  room?: string
  event?: string
  /** The log entry that the answer names: as of which it is true, or which it made. */
  epoch?: number
  seq?: number
  /** Who it is for, the same in all records of one visitor. */
  identity?: string
  /** The ticket that it is about, and what the answer says of it. */
  ticket?: number
  place?: number
  state?: 'waiting' | 'admitted' | 'active' | 'completed' | 'expired'
  /** How many stand before it. With `exact: false` it was read from the rank map. */
  rank?: number
  exact?: boolean
  /** How long they were told that it takes until their turn, most likely and at most, and when, by the room's clock. */
  expectedMs?: number
  expectedMsMax?: number
  atMs?: number
  /** Fingerprints of the secrets that the answer contains, wherever they stand in it. */
  secrets?: readonly string[]
  /** The call needed a pass, and was made with this fence. */
  isProtected?: boolean
  fence?: number
  /** The seats that the answer says are now bought, or given back. */
  seats?: readonly string[]
  /** The id of what the answer says was made; null when it says that nothing took effect. */
  effect?: string | null
}

// ── Faults ───────────────────────────────────────────────────────────────────────────────────────────────────────────

export interface FaultRecord {
  record: 'fault'
  monotonicMs: number
  /** `point` faults begin and end at once. */
  phase: 'begin' | 'end' | 'point'
  /** What was done, such as `crash`, `pause`, `cut`, `lost-reply`, `flush`, `failover`. */
  fault: string
  /** To what, such as `redis`, `postgres`, `server-2`. */
  target: string
  /** The same instant by the room's clock, when the test could know it. */
  atMs?: number
}

// ── Bounds ───────────────────────────────────────────────────────────────────────────────────────────────────────────

/** How full a queue, buffer or map was, and how full it may be. */
export interface GaugeRecord {
  record: 'gauge'
  monotonicMs: number
  /** Whose, such as `server-2`. */
  source: string
  gauge: string
  value: number
  bound: number
}
