import type { Listen } from './network/connection.ts'

/**
 * What the client offers. One word per thing, the words of the API: a *place* is your ticket in a line as this device
 * knows it; its *state* is where it stands; the *room* is public knowledge.
 */

/** Where the line is, and with what this device talks to it. */
export type PlaceOptions = RoomAddress & {
  /** Origin of the Seatwise server. In a page of that server it can be left out. */
  readonly url?: string
  /** The visitor's access token, or how to get the current one. Pages with a session cookie need none. */
  readonly accessToken?: string | (() => string | null)
  /**
   * `cookie`: the HttpOnly cookie that the server set proves the ticket, and no script can read it. `storage`: this
   * client keeps the ticket token. Default: `cookie` in pages of the server itself, otherwise `storage`.
   */
  readonly proof?: 'cookie' | 'storage'
  /** Where what must survive a reload is kept. Default: `localStorage`, or memory where it is absent or forbidden. */
  readonly storage?: PlaceStorage
  /** `auto`: a socket whenever the room wants one. `off`: polling alone, which is always enough. */
  readonly push?: 'auto' | 'off'
  /** Another way to listen than the server's own socket: `throughAbly(() => import('ably'))`. */
  readonly listen?: Listen
  /** Names of those who come and go, in rooms that have `presence`: as PRESENCE messages. */
  readonly presence?: boolean
  /**
   * `auto`: the receipt of joining is fetched and kept, and later heads of the room's log are compared with it. `off`: they are
   * not.
   */
  readonly receipts?: 'auto' | 'off'
  /** For pages with a seat map: the version they have, from which on SEATS messages come. */
  readonly seats?: () => number
  /** What belongs to the machine: replaced in tests. */
  readonly environment?: Partial<Environment>
}

export type RoomAddress =
  | { readonly eventId: string; readonly roomId?: undefined }
  | { readonly roomId: string; readonly eventId?: undefined }

export type JoinOptions = PlaceOptions & {
  readonly join?: {
    readonly priorityCode?: string
    /** An access code of the event: needed in its presale. */
    readonly code?: string
    readonly group?: string // the code of a group to stand together with
    readonly name?: string
    readonly avatar?: string | null
    readonly showMe?: boolean
    readonly metadata?: Readonly<Record<string, unknown>>
  }
  /** Called while a proof of work is computed, with the part of the numbers that was tried, from 0 to 1. */
  readonly onSolving?: (part: number) => void
}

/** A proof of work that the server asks for before joining: ALTCHA's, version 1. */
export interface Challenge {
  readonly algorithm: 'SHA-256'
  readonly challenge: string
  readonly salt: string
  readonly signature: string
  readonly maxnumber: number
}

export type AcceptOptions = PlaceOptions & { readonly code: string }

/** A place in a line. It polls, listens and corrects itself until it is over or closed. */
export interface Place extends AsyncIterable<PlaceState> {
  readonly state: PlaceState
  /** Calls the listener with every new state, not with the present one; returns how to stop. */
  on(listener: (state: PlaceState) => void): () => void
  /** What the room pushes besides (SEATS, MESSAGE, OCCUPANCY, …), as it comes. Hints: some may be missing. */
  onMessage(listener: (message: PushMessage) => void): () => void

  /** Takes the turn: `admitted` becomes `active`. Safe to repeat. */
  claim(): Promise<PlaceState>
  /** More time, once. */
  extend(): Promise<PlaceState>
  /** Done: frees the slot for the next. Paying does it by itself. */
  complete(): Promise<PlaceState>
  leave(): Promise<PlaceState>
  /** A short-lived code; the device that accepts it has the place from then on, and this one becomes `moved`. */
  handOver(): Promise<{ readonly code: string; readonly expiresAt: string }>
  /** A code by which others stand together with this visitor, as one ticket at the place of the last; `joinGroup` takes it. */
  invite(): Promise<{ readonly code: string; readonly people: number; readonly peopleMax: number }>
  joinGroup(code: string): Promise<PlaceState>
  neighbors(around?: number): Promise<readonly Neighbor[]>
  /** Lets those around see this name; null lets them see none. */
  showAs(name: string | null): Promise<{ readonly name: string | null }>
  /** Asks now instead of when it is due. */
  refresh(): Promise<PlaceState>

  /** Repeats under one key until the outcome is known, also over a reload: never takes seats twice. */
  reserve(wish: Wish): Promise<Reservation>
  cancel(reservationId: string): Promise<Reservation>
  /** Says where the e-tickets go, which a guest has to do before paying, and answers what the event asks. */
  setAddressee(reservationId: string, addressee: Addressee): Promise<Reservation>
  /** `PROCESSING` has an `action` where the buyer must go first; `awaitOutcome` waits for the end. */
  pay(reservationId: string, paymentMethod?: string): Promise<Purchase | PurchaseUnderWay>
  awaitOutcome(operationId: string): Promise<Purchase>

  /** Stops polling and listening. The place itself stays: `leave` gives it up. */
  close(): void
}

/** Who a reservation is for, and the answers to what its event asks in `checkout`. What is left out stays. */
export interface Addressee {
  readonly email?: string
  readonly name?: string
  /** Of the mail: `en`, `ko` or `vi`. */
  readonly language?: string
  readonly names?: readonly { readonly seatId: string; readonly name: string }[]
  readonly answers?: readonly { readonly questionId: string; readonly seatId?: string; readonly answer: string }[]
  readonly acceptTerms?: true
  /** The address of the terms that the buyer saw. */
  readonly termsUrl?: string
  readonly marketing?: boolean
}

export type PlaceState = Waiting | Admitted | Active | Completed | Expired | Moved | Lost

/** What every state has. */
export interface Known {
  readonly ticketId: string
  readonly name: string | null
  readonly avatar: string | null
  readonly joinedAt: string
  readonly group?: { readonly people: number } | undefined // absent for one who stands alone
  /** How well the server can be reached. Whatever it says, the place is kept by the server, not by this device. */
  readonly reach: Reach
  /** The room's public document; null until it was read once. */
  readonly room: RoomNow | null
  /** People who look at this room, where it is known. */
  readonly viewers: number | null
  /** Evidence that the room's public log was rewritten: the visitor should be told. */
  readonly logConflict?: LogConflict | undefined
}

/** `ok`; `retrying` after answers failed to come; `offline` when the device says so. */
export type Reach = 'ok' | 'retrying' | 'offline'

export interface Waiting extends Known {
  readonly status: 'waiting'
  /** This device was not seen for a while, and is back at the same place now. True for a moment, so that it can be told. */
  readonly away: boolean
  /** From 0. Never rises without `riseReason`. */
  readonly rank: number
  /** From 1. */
  readonly position: number
  readonly exact: boolean
  /** Why the position is worse than the one shown before; null when it is not. */
  readonly riseReason: RiseReason | null
  readonly queueLength: number
  readonly eta: Eta
  /** Show `remainingMs(countdown, Date.now())`: it never jumps up. Null while nothing is known. */
  readonly countdown: Countdown | null
}

/**
 * `came_ahead`: a visitor with priority, or one who returned to their place. `restored`: the line was rebuilt. `corrected`:
 * this device had counted wrongly. `grouped`: another visitor has joined the group, which stands at that visitor's place.
 */
export type RiseReason = 'came_ahead' | 'restored' | 'corrected' | 'grouped'

/**
 * Seconds until the turn: one of two visitors waits for longer than `p50`, one of ten for longer than `p90`. Both are null
 * only with `reason` `paused`, `not_open` or `seats_may_run_out`.
 */
export interface Eta {
  readonly p50: number | null
  readonly p90: number | null
  /** `configured`: a first estimate, before the sale could be measured. */
  readonly basis: 'measured' | 'configured'
  /** Why the estimate got worse, why there is none, or that the seats may be sold before (`seats_may_run_out`). */
  readonly reason: string | null
}

/** It is your turn: `claim()` before `endsAt`. */
export interface Admitted extends Known {
  readonly status: 'admitted'
  readonly expiresAt: string
  /** `expiresAt` on this device's clock, in ms: `endsAt - Date.now()` is the time left, however wrong the clock is. */
  readonly endsAt: number
  /** More time was given already. */
  readonly extended: boolean
}

export interface Active extends Known {
  readonly status: 'active'
  readonly expiresAt: string
  readonly endsAt: number
  readonly extended: boolean
  /** The pass, for calls of your own to what the room protects. */
  readonly activeToken: string
  readonly reservation: Reservation | null
}

export interface Completed extends Known {
  readonly status: 'completed'
}

export interface Expired extends Known {
  readonly status: 'expired'
  readonly reason: ExpiryReason
}

export type ExpiryReason = 'no_show' | 'timeout' | 'cancelled' | 'terminated' | 'sold_out' | 'sale_ended'

/** Another device has the place now. */
export interface Moved extends Known {
  readonly status: 'moved'
}

/** The server does not know this ticket: joining again is the way on. */
export interface Lost extends Known {
  readonly status: 'lost'
  readonly code: string
}

/** The rubber band: at `at` it showed `ms`; it runs `rate` times as fast as the clock until `until`, then as fast. */
export interface Countdown {
  readonly at: number
  readonly ms: number
  readonly rate: number
  readonly until: number
}

/** `GET …/queue/now`. */
export interface RoomNow {
  readonly seq: number
  readonly epoch: number
  readonly phase: 'before' | 'pre' | 'open' | 'paused' | 'sold_out' | 'ended'
  readonly waiting: number
  readonly active: number
  readonly capacity: number
  readonly ratePerMinute: number
  readonly avgServiceMs: number | null
  readonly remainingSeats: number | null
  readonly rankMap: readonly (readonly [place: number, rank: number])[]
  readonly poll: PollPolicy
  readonly message: string | null
  readonly at: string
  /** The latest; a server before 0.2 tells none. */
  readonly head?: LogHead | null
}

/** A signed head of the room's public log: docs/transparency.md. */
export interface LogHead {
  readonly size: number
  readonly root: string
  readonly at: string
  readonly kid: string
  readonly checkpoint: string
}

/** Proves that one's own joining is in the log. */
export interface LogReceipt {
  readonly entry: string
  readonly index: number
  readonly head: LogHead
  readonly proof: { readonly hashes: readonly string[] }
}

/** Two heads of which neither extends the other. Both the same: a receipt that proves nothing. */
export interface LogConflict {
  readonly heads: readonly [LogHead, LogHead]
}

export interface PollPolicy {
  readonly nearRank: number
  readonly nearMs: number
  readonly farMs: number
  readonly pushRank: number
  readonly jitter: number
}

export interface PushMessage {
  readonly type: string
  readonly seq?: number
  readonly epoch?: number
  readonly [field: string]: unknown
}

export interface Neighbor {
  readonly position: number
  readonly name: string | null
  readonly avatar: string | null
  readonly you: boolean
}

export type Wish = WishedSeats & {
  /** Of the event: a discount, access to hidden seat types, or both. */
  readonly code?: string
  /** How many seats have which of the prices of their types; left out, each has the first one. */
  readonly variants?: readonly { readonly variantId: string; readonly quantity: number }[]
}

type WishedSeats =
  | { readonly seatIds: readonly string[] }
  | { readonly seatTypeId: string; readonly quantity: number; readonly accessible?: boolean }

export interface Reservation {
  readonly id: string
  readonly eventId: string
  readonly status: 'PENDING_PAYMENT' | 'PAID' | 'CANCELED' | 'EXPIRED' | 'REFUNDED'
  readonly items: readonly {
    readonly seatId: string
    readonly seatTypeId: string
    readonly row: string | null
    readonly number: number | null
    readonly price: number
  }[]
  readonly amount: number
  readonly currency: string
  readonly expiresAt: string
}

export interface Purchase {
  readonly id: string
  readonly status: string
  readonly reservation: Reservation
  readonly etickets: readonly {
    readonly id: string
    readonly code: string
    readonly seatId: string
    /** What is typed at the door; a server before 0.2 sends none. */
    readonly shortCode?: string
  }[]
}

export interface PurchaseUnderWay {
  readonly id: string
  readonly status: 'PROCESSING'
  readonly operationId: string
  /** Where the buyer has to go: the page of the payment provider, or of the bank. */
  readonly action?: { readonly kind?: 'redirect'; readonly url: string }
}

export interface PlaceStorage {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
  removeItem(key: string): void
}

/** Everything outside the program. The defaults are the platform's own. */
export interface Environment {
  readonly fetch: typeof fetch
  readonly now: () => number
  readonly random: () => number
  /** A unique idempotency key. */
  readonly newKey: () => string
  readonly setTimer: (run: () => void, ms: number) => unknown
  readonly clearTimer: (timer: unknown) => void
  readonly openSocket: (url: string) => Socket
  /** The page, if there is one. */
  readonly page: Page | null
  /** Other tabs of the same visitor, if there can be any and they can be talked to. */
  readonly tabs: Tabs | null
}

/** Compared as a method, so that the platform's handlers, which take a whole event, fit it. */
type Handler<Told extends unknown[]> = { handle(...told: Told): void }['handle']

/** The part of WebSocket that is used. */
export interface Socket {
  send(text: string): void
  close(): void
  onopen: Handler<[event?: unknown]> | null
  onmessage: Handler<[event: { readonly data: unknown }]> | null
  onclose: Handler<[event: { readonly code: number }]> | null
}

export interface Page {
  isHidden(): boolean
  isOnline(): boolean
  /** `visible`, `hidden`, `online`, `offline`: whatever changed. Returns how to stop. */
  onChange(listener: () => void): () => void
}

/** Web Locks choose the tab that polls, a BroadcastChannel tells the others. */
export interface Tabs {
  readonly locks: LockManagerLike
  openChannel(name: string): ChannelLike
}

export interface LockManagerLike {
  request(
    name: string,
    options: { readonly steal?: boolean; readonly signal?: AbortSignal },
    whileHeld: () => Promise<void>,
  ): Promise<unknown>
}

export interface ChannelLike {
  postMessage(message: unknown): void
  close(): void
  onmessage: Handler<[event: { readonly data: unknown }]> | null
}
