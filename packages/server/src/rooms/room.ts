import type {
  LogEntry,
  PaceChange,
  PacePreview,
  PollPolicy,
  RankMap,
  RoomSettings,
  ShownEstimate,
  TicketClass,
} from '@seatwise/domain'
import type { RoomRow } from '@seatwise/ledger'
import type {
  AdoptReply,
  AdoptRequest,
  EndReply,
  EndRequest,
  EnterReply,
  ExtendReply,
  ExtendRequest,
  FloorItem,
  JoinReply,
  JoinRequest,
  MoveReply,
  MoveRequest,
  RangeItem,
  RoomChange,
  RoomNow,
  Settlement,
  SettleReply,
  TakeReply,
  TakeRequest,
  TicketAct,
  TicketView,
} from '@seatwise/line'
import type { Document } from '../kit/index.ts'
import type { AdmittedNow } from './admit-now.ts'
import type { Announced } from './announce.ts'
import type { Head } from './transparency/room-heads.ts'
import type { Transparency } from './transparency/room-transparency.ts'

/** The claims of a ticket token. */
export interface TicketClaims extends TicketAct {
  room: string
  place: number
  class: TicketClass
  epoch: number
  joinedAt: number
}

/** The epoch of an answer: with its `seq`, the log entry as of which the answer is true. */
export interface OfEpoch {
  epoch: number
}

/** What the holder of a ticket may know. */
export type RoomView = TicketView & OfEpoch

/** A ticket's position, and whether it is exact. */
export interface Position {
  view: RoomView
  /** False: the position was read from the rank map, without asking the store. */
  exact: boolean
}

/** A waiting ticket, and its position as read from the rank map. */
export type FarView = RoomView & { rank: number }

/** The public state of a room; the same for every reader. */
export interface NowDocument {
  seq: number
  epoch: number
  /** `pre`: visitors wait for the line to open, without positions; also while it is drawn. */
  phase: 'before' | 'pre' | 'open' | 'paused' | 'sold_out' | 'ended'
  /** Null in a room without a sale. */
  opensAt: string | null
  waiting: number
  active: number
  capacity: number
  ratePerMinute: number
  avgServiceMs: number | null
  remainingSeats: number | null
  rankMap: RankMap
  poll: PollPolicy
  message: string | null
  at: string
  /** The latest signed head of the room's log; null before the first. */
  head: Head | null
}

/** One server's handle on one room. Every method may throw REBUILDING or UNAVAILABLE, both with Retry-After. */
export interface Room {
  readonly id: string
  /** As of the last change this server has read. */
  readonly row: RoomRow
  readonly epoch: number
  /** Only visitors with an access code join and reserve now. */
  readonly isPresale: boolean
  /** At most a second old. */
  readonly settings: RoomSettings
  /** The latest *now* that this server has, without asking for a newer one. */
  readonly document: NowDocument
  /** Whether its event was cancelled; reads the ledger at most once a second. */
  isCancelled(): Promise<boolean>
  join(request: JoinRequest): Promise<JoinReply & OfEpoch>
  /** Throws OVERLOADED if a join that arrived now would wait too long; called before any work is done for it. */
  refuseCrowd(): void
  /** Records a heartbeat and returns the ticket's position. Restores a ticket that was lost with an epoch. */
  look(ticket: TicketClaims): Promise<Position>
  /** The same for a ticket far from the head, without asking the store; null when only the store can tell. */
  lookFar(ticket: TicketClaims): FarView | null
  enter(ticket: TicketAct): Promise<EnterReply>
  end(request: EndRequest): Promise<EndReply>
  extend(request: ExtendRequest): Promise<ExtendReply>
  move(request: MoveRequest): Promise<MoveReply & OfEpoch>
  /** Moves a guest's ticket to the account they signed in to. */
  adopt(request: AdoptRequest): Promise<AdoptReply & OfEpoch>
  /**
   * Written to the ledger and its trail first, so that it survives a rebuild; then effective at the next admission.
   * `undoes`: the act in the trail that this reverts.
   */
  change(change: Omit<RoomChange, 'operation'>, undoes?: number): Promise<void>
  /** Moves the start of the sale, if the room has a pre-queue or a draw; LINE_STARTED when it is too late. Rule J2. */
  moveStart(salesStartAt: Date, by: string): Promise<void>
  /**
   * Says in the room's log what only verifiers need; it is in the ledger when this returns. False when the room must be empty
   * for it, and is not.
   */
  announce(announced: Announced, by: string, options?: { onlyWhileEmpty?: boolean }): Promise<boolean>
  /** An operator lets up to so many visitors in now, past the rate; a repeated operation does so once. */
  admitNow(count: number, operation: string): Promise<AdmittedNow>
  /** What that would do, by the store's word of this moment. */
  previewAdmission(count: number): Promise<AdmittedNow>
  /** When the last visitor would be admitted, now and with other settings. */
  preview(change: PaceChange): PacePreview
  /** Passes claims on to the ledger, or refuses them without asking it. */
  take(requests: readonly TakeRequest[]): Promise<TakeReply[]>
  /** Reports decided claims and the remaining stock to the line; code that changed seats must call it at once. */
  settle(settlement: Settlement): Promise<SettleReply>
  /** At most a second old. */
  now(): Promise<{ document: NowDocument; answer: Document; now: Pick<RoomNow, 'away'> }>
  /** The same, read from the store now. */
  freshNow(): Promise<{ document: NowDocument; answer: Document; now: Pick<RoomNow, 'promised' | 'taken'> }>
  /** Records a heartbeat for the ticket; sent in a batch, within a second or so. */
  heartbeat(number: number): void
  /** The holder on the floor under this fence; null when there is none, or no longer. */
  holderOf(number: number, fence: number): Promise<Holder | null>
  /** Whether the ticket has completed, according to line and ledger. */
  hasCompleted(number: number, fence: number): Promise<boolean>
  /** Heads, proofs and receipts of the room's log. */
  readonly transparency: Transparency
  range(fromRank: number, toRank: number): Promise<RangeItem[]>
  floor(limit: number): Promise<FloorItem[]>
  /** The pace, as measured from the log that this server reads. */
  readonly pace: { avgServiceMs: number | null; admissionsPerSecond: number }
  /** The place of a ticket, as far as this server knows: not before the line opens. */
  placeOf(ticket: TicketClaims): number | null
  /** Whether a waiting visitor was passed over while absent, and came back only now. */
  isJustBack(number: number): boolean
  /** The estimate of when a waiting visitor's turn comes. */
  estimate(number: number, rank: number): ShownEstimate
  pollAfterMs(rank: number | null, waitSeconds: number | null): number
  /** Whether a visitor at this rank should open a push connection. */
  shouldListen(rank: number | null): boolean
  /** Forgets the log as far as the ledger has it, also what slower readers might still read. */
  forgetFollowed(): Promise<void>
  /** Subscribes to the log as this server reads it, until the returned function is called. */
  onEntries(listener: (entries: readonly LogEntry[]) => void): () => void
}

/** A visitor on the floor: until when, and how many seats they have. */
export interface Holder extends TicketAct {
  readonly deadline: number
  readonly reservedSeats: number
  /** The identities of all who stand with the ticket of a group. */
  readonly people?: readonly string[]
}

/** All rooms; each opens at the first request for it. */
export interface Rooms {
  ofEvent(eventId: string): Promise<Room>
  byId(roomId: string): Promise<Room>
  /** The same rooms, if they are open on this server now: the caller need not wait for a promise. */
  openRoomOfEvent(eventId: string): Room | undefined
  openRoomById(roomId: string): Room | undefined
  /** The rooms that are open on this server now. */
  openRooms(): Iterable<Room>
  /** Calls back for every room that opens on this server from now on, before its log is read. */
  onOpen(listener: (room: Room) => void): void
  /** From now on, rooms with a running sale open without a request. */
  start(): void
  /** Called before another start of the sale is stored: throws LINE_STARTED when it may not move any more. */
  moveStart(eventId: string, salesStartAt: Date, by: string): Promise<void>
  /** The sale window or the seats of an event changed. */
  saleChanged(eventId: string, by: string): Promise<void>
  close(): Promise<void>
}
