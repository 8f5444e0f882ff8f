/*
 * The input of the checker. One record is one JSON object on one line; the field `record` says which of five kinds it is:
 *
 *   log      what happened in a room, as the ledger's copy of its log has it
 *   ledger   what happened to seats, in the order in which PostgreSQL committed it
 *   client   what one client asked and was told
 *   fault    which fault the test injected, and when
 *   gauge    how full something with a bound was
 *
 * Two clocks appear and are never compared with each other: `atMs` is the clock of the room or of the ledger in
 * milliseconds since 1970; `monotonicMs` is the one monotonic clock of the machine that drove the clients.
 *
 * Log records of one room come in the order of (epoch, seq, part), ledger records in the order of commits. Kinds may be
 * mixed freely. Where a check compares a room's clock with the ledger's, it allows for their difference.
 */
export type HistoryRecord = LogRecord | LedgerRecord | ClientRecord | FaultRecord | GaugeRecord

// ── The log of a room ────────────────────────────────────────────────────────────────────────────────────────────────

export interface LogHead {
  record: 'log'
  room: string
  /** The epoch of the room's line that wrote this. Starts at 1 and only grows. */
  epoch: number
  /** Gap-free within the epoch, from 1. Entry 1 of every epoch is of the kind `epoch`. */
  seq: number
  /** For an entry that changed several tickets: one record for each, counted from 0, with the same `seq`. */
  part?: number
  /** The room's clock. Never runs backwards within an epoch. */
  atMs: number
  /** The operation id. An operation that is run twice acts once and is logged once. */
  operation: string
  /** The stated hash of the entry, and the text that was hashed together with the hash before it. */
  hash?: string
  hashedText?: string
  /** When the ledger began to copy its batch, by the ledger's clock. */
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
  /** A waiting ticket is away when it was silent for so long; it expires so long after admission passed it, or after so long away. */
  silenceMs?: number
  graceMs?: number
  awayMs?: number
}

/** A ticket, by its number in the room. */
interface OfTicket {
  ticket: number
}

/** The place in line. Equal places are ordered by ticket number. */
interface AtPlace extends OfTicket {
  place: number
  class: PriorityClass
  /** A pseudonym that is the same for the same visitor in the same room. */
  identity: string
}

export type LogRecord = LogHead &
  /** `tokens`: the initial level of the admission bucket, when it is known. */
  (
    | ({ kind: 'epoch'; reason: string; paused?: boolean; tokens?: number } & RoomLimits & Partial<PreviousEpoch>)
    | ({ kind: 'join' } & AtPlace)
    /** A ticket that the ledger had not seen, brought back to its old place by its token after a rebuild. */
    | ({ kind: 'return' } & AtPlace)
    /** A priority code raised the class of a ticket that waits and is present; `place` is where it stands from here on. */
    | ({ kind: 'promote'; place: number; class: PriorityClass } & OfTicket)
    /** A rebuild corrected a ticket by what the ledger knows beyond the log, such as a payment. */
    | ({ kind: 'correct'; state: 'admitted' | 'active' | 'completed' } & Correction & OfTicket)
    | ({ kind: 'away' } & OfTicket)
    | ({ kind: 'back' } & OfTicket)
    /** Servers take heartbeats again; since then none did, and silence in between does not count. */
    | { kind: 'attended'; unattendedSinceMs: number }
    /** Onto the floor. `fence` orders the passes of a room: a newer one is larger, and ends the older ones. */
    /** `by: operator`: an operator let it in, which uses no token of the rate. */
    | ({ kind: 'admit'; deadlineMs?: number; fence?: number; by?: 'operator' } & OfTicket)
    | ({ kind: 'enter'; deadlineMs?: number } & OfTicket)
    | ({ kind: 'extend'; deadlineMs: number; sessionEndMs?: number } & OfTicket)
    /** To another device: older passes and ticket tokens end here. */
    | ({ kind: 'handover'; generation: number; fence?: number } & OfTicket)
    /** A guest signed in: the ticket has another identity, and the same place. */
    | ({ kind: 'adopt'; identity: string } & OfTicket)
    /** Reserved seats, and got the deadline of the reservation; or lost the reservation: null. */
    | ({ kind: 'reserve'; deadlineMs: number | null } & OfTicket)
    | ({ kind: 'complete' } & OfTicket)
    | ({ kind: 'expire'; reason: ExpiryReason } & OfTicket)
    /** The visitor left. */
    | ({ kind: 'leave' } & OfTicket)
    /** Its visitor stands with another ticket from here on, as one. */
    | ({ kind: 'merged' } & OfTicket)
    /** How many visitors stand with a ticket. */
    | ({ kind: 'group'; people: number } & OfTicket)
    /** The operator ended it. */
    | ({ kind: 'terminate' } & OfTicket)
    /** All limits as they are from now on, changed or not. */
    | ({ kind: 'settings' } & RoomLimits)
    | { kind: 'pause'; reason: string }
    | { kind: 'resume' }
    /** Admission stopped, for a reason other than the operator's pause. */
    | { kind: 'hold'; reason: string }
    | { kind: 'unhold' }
    | { kind: 'message'; text: string }
    /** The price list in force from here on, as JSON; absent where the log tells only its hash. */
    | { kind: 'prices'; listHash: string; list?: string }
    /** What only verifiers of the public log need: it moves no ticket and changes no limit. */
    | { kind: 'said'; what: string }
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

/** Begins a new epoch: entries of the old one after `afterSeq` are lost and must never reach the ledger. */
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
     * A reservation. `epoch` is that of the room in which the holder's pass was given. Where it takes seats of an overdue
     * hold, the `expire` of that hold comes first.
     */
    | ({ kind: 'hold'; hold: string; buyer: string; seats: readonly string[]; expiresAtMs: number } & HoldDetails)
    | { kind: 'extend'; hold: string; expiresAtMs: number }
    /** The three ends of a hold. */
    | { kind: 'release'; hold: string; seats: readonly string[]; by?: 'buyer' | 'operator' }
    | { kind: 'expire'; hold: string; seats: readonly string[] }
    /**
     * `late`: the hold had ended before the payment came, and its seats (or equal ones) were free to be taken again.
     * `by`: the payer.
     */
    | { kind: 'sell'; hold: string; buyer: string; seats: readonly string[]; late?: boolean; by?: string }
    /** Sold seats that are free again. */
    /** Some or all seats of a sale came back; `amount` of the payment went back for them, `kept` stayed as fees. */
    | ({ kind: 'refund'; hold: string; seats: readonly string[] } & RefundMoney)
    /** The ledger's own counts at one instant. `exact`: right after the record before, so a replay must agree. */
    | { kind: 'count'; available: number; held: number; sold: number; blocked: number; total: number; exact?: boolean }
    /** A payment at the end of the history; one record for each. */
    | ({ kind: 'payment'; payment: string; hold: string; status: PaymentStatus; amount: number } & Money & ByOperation)
    /** The same payment in the provider's own books. */
    | ({ kind: 'provider'; payment: string } & Money)
    /** News of a reservation. `position`: its place in the order of all news. */
    | { kind: 'news'; news: string; hold: string; type: string; position: number; handed: boolean }
    /** The delivery of a piece of news to one receiver, at the end of the history; one record for each. */
    | ({ kind: 'delivery'; news: string; receiver: string; attempts: number } & Delivered)
    /** A guest signed in: the account owns everything of the guest from now on. */
    | { kind: 'adoption'; guest: string; account: string }
    /** An idempotency key and its effect. Also for payments, which are answered later. */
    | { kind: 'operation'; actor: string; operation: string; effect: string }
  )

/** `epoch`, `room`, `ticket` and `fence` are those of the pass it was claimed with. */
interface HoldDetails {
  epoch?: number
  room?: string
  ticket?: number
  fence?: number
  /** Its price. */
  amount?: number
  /** Sold at the door in the same instant: without a ticket, beyond the limit of one buyer if need be, paid to the seller. */
  door?: boolean
  /** The guest who reserved it, when the buyer got it by adopting that guest. */
  guest?: string
}

export type PaymentStatus = 'processing' | 'paid' | 'declined' | 'partly_refunded' | 'refunding' | 'refunded' | 'stuck'

interface RefundMoney {
  payment?: string
  amount?: number
  kept?: number
}

interface Delivered {
  /** Null: not yet, or never, if it was set aside. */
  deliveredAtMs: number | null
  setAside: boolean
}

interface Money {
  captured: number
  refunded: number
  /** Fees of refunded seats that stayed. */
  kept?: number
  /** On its way back: the provider may have sent it already. */
  pending?: number
}

interface ByOperation {
  /** The payer, and the key of the payment. */
  by?: string
  operation?: string
}

// ── Clients ──────────────────────────────────────────────────────────────────────────────────────────────────────────

/** One call is an `invoke`, then exactly one of the others with the same `call`, or nothing when the run ended. */
export interface ClientRecord {
  record: 'client'
  /** The client that asked. */
  client: string
  /** This attempt; a retry is another call with the same operation. */
  call: string
  /** `fail`: certainly not applied. `info`: unknown, as after a timeout. */
  phase: 'invoke' | 'ok' | 'fail' | 'info'
  monotonicMs: number
  /** When it was asked, if there is no `invoke`: for reads one record is enough. */
  invokedMs?: number
  /** The action, such as `join`, `status`, `reserve`, `purchase`, `refund`. */
  action: string
  /** True for reads. */
  read?: boolean
  /** The operation id under which the change is logged. */
  operation?: string
  room?: string
  event?: string
  /** The log entry that the answer names: as of which it is true, or which it made. */
  epoch?: number
  seq?: number
  /** The visitor, the same in all records of one visitor. */
  identity?: string
  /** The ticket of the call, and its state in the answer. */
  ticket?: number
  place?: number
  state?: 'waiting' | 'admitted' | 'active' | 'completed' | 'expired'
  /** How many tickets are before it. With `exact: false` it was read from the rank map. */
  rank?: number
  exact?: boolean
  /** The stated time until the turn, P50 and P90, and when it was stated, by the room's clock. */
  expectedMs?: number
  expectedMsMax?: number
  atMs?: number
  /** Fingerprints of all secrets in the answer. */
  secrets?: readonly string[]
  /** The call needed a pass, and was made with this fence. */
  isProtected?: boolean
  fence?: number
  /** The seats that the answer reports as bought, or as given back. */
  seats?: readonly string[]
  /** The id of the effect that the answer reports; null when it reports that there was none. */
  effect?: string | null
}

// ── Faults ───────────────────────────────────────────────────────────────────────────────────────────────────────────

export interface FaultRecord {
  record: 'fault'
  monotonicMs: number
  /** `point` faults begin and end at once. */
  phase: 'begin' | 'end' | 'point'
  /** The fault, such as `crash`, `pause`, `cut`, `lost-reply`, `flush`, `failover`. */
  fault: string
  /** Its target, such as `redis`, `postgres`, `server-2`. */
  target: string
  /** The same instant by the room's clock, if the test knows it. */
  atMs?: number
}

// ── Bounds ───────────────────────────────────────────────────────────────────────────────────────────────────────────

/** How full a queue, buffer or map was, and how full it may be. */
export interface GaugeRecord {
  record: 'gauge'
  monotonicMs: number
  /** The process, such as `server-2`. */
  source: string
  gauge: string
  value: number
  bound: number
}
