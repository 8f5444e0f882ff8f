import type {
  LogEntry,
  PaceChange,
  PacePreview,
  PollPolicy,
  RankMap,
  RoomSettings,
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
  Settlement,
  SettleReply,
  TakeReply,
  TakeRequest,
  TicketAct,
  TicketView,
} from '@seatwise/line'
import type { Document } from '../kit/index.ts'
import type { ShownEstimate } from './picture/estimates.ts'

/** What a ticket token proves. */
export interface TicketClaims extends TicketAct {
  room: string
  place: number
  class: TicketClass
  epoch: number
  joinedAt: number
}

/** The epoch under which something was told: with its `seq`, the entry of the log as of which it is true. */
export interface OfEpoch {
  epoch: number
}

/** What the holder of a ticket may know. */
export type RoomView = TicketView & OfEpoch

/** Where a ticket stands, and how well that is known. */
export interface Position {
  view: RoomView
  /** False: the position was read from the rank map, without asking the store. */
  exact: boolean
}

/** A ticket that waits, and its position as read from the rank map. */
export type FarView = RoomView & { rank: number }

/** What the public may know of a room; the same for everybody. */
export interface NowDocument {
  seq: number
  epoch: number
  phase: 'before' | 'open' | 'paused' | 'sold_out' | 'ended'
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
}

/** One server's handle on one room. Every method may throw REBUILDING or UNAVAILABLE, both with Retry-After. */
export interface Room {
  readonly id: string
  /** As of the last change this server has seen. */
  readonly row: RoomRow
  readonly epoch: number
  /** At most a second old. */
  readonly settings: RoomSettings
  join(request: JoinRequest): Promise<JoinReply & OfEpoch>
  /** A heartbeat, and the answer to where the ticket stands. Brings back a ticket that was lost with an epoch. */
  look(ticket: TicketClaims): Promise<Position>
  /** The same for a ticket far from the head, without asking the store; null when only the store can tell. */
  lookFar(ticket: TicketClaims): FarView | null
  enter(ticket: TicketAct): Promise<EnterReply>
  end(request: EndRequest): Promise<EndReply>
  extend(request: ExtendRequest): Promise<ExtendReply>
  move(request: MoveRequest): Promise<MoveReply & OfEpoch>
  /** Gives a guest's ticket to the account they signed in to. */
  adopt(request: AdoptRequest): Promise<AdoptReply & OfEpoch>
  /**
   * Written to the ledger first, so that it survives a rebuild, and noted in the trail; then effective at the next
   * admission. `undoes`: the act in the trail that this takes back.
   */
  change(change: Omit<RoomChange, 'operation'>, undoes?: number): Promise<void>
  /** When the last visitor would go in, now and with other settings. */
  preview(change: PaceChange): PacePreview
  /** Lets claims through to the ledger, or refuses them without asking it. */
  take(requests: readonly TakeRequest[]): Promise<TakeReply[]>
  /** What the ledger made of claims, and what is left; to be called by whoever changed seats, at once. */
  settle(settlement: Settlement): Promise<SettleReply>
  /** At most a second old. */
  now(): Promise<{ document: NowDocument; answer: Document }>
  /** The same, asked from the store now. */
  freshNow(): Promise<{ document: NowDocument; answer: Document }>
  /** The ticket was seen: to be delivered with others, within a second or so. */
  heartbeat(number: number): void
  /** Whoever is on the floor under this fence; null when nobody is, or no longer. */
  holderOf(number: number, fence: number): Promise<Holder | null>
  /** Whether the ticket has completed, as far as line and ledger know. */
  hasCompleted(number: number, fence: number): Promise<boolean>
  range(fromRank: number, toRank: number): Promise<RangeItem[]>
  floor(limit: number): Promise<FloorItem[]>
  /** What the log of this server tells about the pace. */
  readonly pace: { avgServiceMs: number | null; admissionsPerSecond: number }
  /** Whether somebody who waits was passed over while they were away, and came back only now. */
  isJustBack(number: number): boolean
  /** What to tell a waiting visitor about when their turn comes. */
  estimate(number: number, rank: number): ShownEstimate
  pollAfterMs(rank: number | null, waitSeconds: number | null): number
  /** Whether a visitor at this rank should open a push connection. */
  shouldListen(rank: number | null): boolean
  /** The log as this server follows it, until the returned function is called. */
  onEntries(listener: (entries: readonly LogEntry[]) => void): () => void
}

/** Somebody on the floor: until when, and how many seats they have. */
export interface Holder extends TicketAct {
  readonly deadline: number
  readonly reservedSeats: number
}

/** All rooms, opened when first asked for. */
export interface Rooms {
  ofEvent(eventId: string): Promise<Room>
  byId(roomId: string): Promise<Room>
  /** The same rooms, if they are open on this server now: the caller need not wait, not even for a promise. */
  openRoomOfEvent(eventId: string): Room | undefined
  openRoomById(roomId: string): Room | undefined
  /** Those that are open on this server now. */
  openRooms(): Iterable<Room>
  /** Tells of every room that opens on this server from now on, before its log is read. */
  onOpen(listener: (room: Room) => void): void
  /** From now on, rooms whose sale is on are opened without being asked for. */
  start(): void
  /** The sale window or the seats of an event changed. */
  saleChanged(eventId: string, by: string): Promise<void>
  close(): Promise<void>
}
