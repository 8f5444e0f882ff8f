import type { RoomSettings } from '@seatwise/domain'
import type { Admission, ChangeReply } from '../../contract.ts'
import type { Change, LogEntry } from '../../log-entry.ts'
import { type DrawProgress, PLAIN_START, type RoomState } from '../../room-state.ts'
import type { Bucket } from '../rules/bucket.ts'
import { ChunkBounds } from './chunk-bounds.ts'
import { OrderedNumbers } from './ordered-numbers.ts'
import { RecentMap } from './recent-map.ts'
import type { Ticket } from './ticket.ts'

/** How many operations are remembered: more than callers have under way when a reply is lost. Rule L33. */
const REMEMBERED_MAX = 32

/**
 * The state of one room under one epoch. Only the steps in `../steps` change it, each in one synchronous call.
 */
export interface Room {
  readonly id: string
  readonly epoch: number
  /** The room's clock as of the last step; it never goes back. */
  now: number
  loadedAt: number
  /** Version of the seat map with which the room was loaded; reservations up to it are known. */
  readonly loadedVersion: number

  settings: RoomSettings
  paused: boolean
  held: string | null
  message: string | null
  opensAt: number
  closesAt: number
  joinsFrom: number | null
  hasStarted: boolean
  draw: RoomDraw | null
  /** The ledger's seat counts, as of `stockVersion`. */
  stock: number | null
  heldSeats: number
  stockVersion: number
  bucket: Bucket

  nextNumber: number
  /** Numbers below this one may be restored, if the mark of their epoch allows it. */
  readonly firstNewNumber: number
  readonly marks: Readonly<Record<number, number>>
  lastPlaces: [number, number, number, number]

  /** Live tickets by number, and the live ticket of each identity. */
  readonly tickets: Map<number, Ticket>
  readonly identities: Map<string, Ticket>
  /** Tickets of visitors who stand with another ticket, by number. */
  readonly companions: Map<number, Ticket>
  /** Waiting and present tickets, by place. */
  readonly line: OrderedNumbers
  /** Away tickets that admission has not passed, by place, and those that it has, by the end of their grace time. */
  readonly away: OrderedNumbers
  readonly passed: OrderedNumbers
  /** The highest place that was admitted. */
  passedPlace: number
  /** No waiting, and no away, ticket of a chunk was last seen before its bound. */
  readonly oldestWaiting: ChunkBounds
  readonly oldestAway: ChunkBounds
  /** When a server last gave its word that it takes heartbeats, and since when it was given without a gap. */
  attendedAt: number
  attendedSince: number
  /** Tickets on the floor, by deadline. */
  readonly floor: OrderedNumbers
  admitted: number
  /** Takes of each ticket: claims that passed the gate and are not settled. `takeEnds`: when the first of a ticket returns. */
  readonly takes: Map<number, readonly Take[]>
  readonly takeEnds: OrderedNumbers
  /** Tickets on the floor without a reservation, tickets that are promised a seat, and seats that takes may still cost. */
  unreserved: number
  promised: number
  taken: number
  readonly usedCodes: Set<string>
  /** What was good for one ticket and is spent: until when it is remembered, in the order of spending. */
  readonly spent: Map<string, number>
  /** Live tickets that share a limit, by its key. */
  readonly limits: Map<string, number>

  /** Tickets that ended after `followedSeq`, in the order in which they ended. */
  readonly ended: Map<number, EndedTicket>
  /** The last ended ticket of each identity. */
  readonly endedIdentities: Map<string, number>
  /** Answers of the last changes, and of the last admissions that changed something. */
  readonly changes: RecentMap<ChangeReply>
  readonly admissions: RecentMap<Admission>

  /** Oldest first. Begins with entry `keptFrom`, at or before `followedSeq`, by which the follower recognises its history. */
  readonly log: LogEntry[]
  keptFrom: number
  readonly logMax: number
  seq: number
  /** The ledger has the log up to here. */
  followedSeq: number
  /** Since when there has been something to follow without any progress; null: nothing to follow. */
  unfollowedSince: number | null
  readonly followWithinMs: number | null
}

export interface RoomDraw {
  progress: DrawProgress
  /** No seal before that. */
  sealFrom: number
  drawnBelow: number
}

export interface Take {
  readonly operation: string
  /** Seats asked for; 0: the ticket is about to give its seats back. */
  readonly quantity: number
  readonly endsAt: number
}

export interface EndedTicket {
  readonly ticket: Ticket
  readonly seq: number
}

/** Without a clock: `startClock` gives it one. */
export function createRoom(id: string, epoch: number, state: RoomState): Room {
  return {
    id,
    epoch,
    now: 0,
    loadedAt: 0,
    loadedVersion: state.stockVersion,
    settings: { ...state.settings },
    paused: state.paused,
    held: null,
    message: state.message,
    opensAt: state.opensAt,
    closesAt: state.closesAt,
    ...startOf(state),
    stock: state.stock,
    heldSeats: state.heldSeats,
    stockVersion: state.stockVersion,
    bucket: { level: 0, refilledAt: 0 },
    nextNumber: state.nextNumber,
    firstNewNumber: state.nextNumber,
    marks: { ...state.marks },
    lastPlaces: [...state.lastPlaces],
    tickets: new Map(),
    identities: new Map(),
    companions: new Map(),
    line: new OrderedNumbers(),
    away: new OrderedNumbers(),
    passed: new OrderedNumbers(),
    passedPlace: state.passedPlace,
    oldestWaiting: new ChunkBounds(),
    oldestAway: new ChunkBounds(),
    attendedAt: 0,
    attendedSince: 0,
    floor: new OrderedNumbers(),
    admitted: 0,
    takes: new Map(),
    takeEnds: new OrderedNumbers(),
    unreserved: 0,
    promised: 0,
    taken: 0,
    usedCodes: new Set(state.usedCodes),
    spent: new Map(),
    limits: new Map(),
    ended: new Map(),
    endedIdentities: new Map(),
    changes: new RecentMap(REMEMBERED_MAX),
    admissions: new RecentMap(REMEMBERED_MAX),
    log: [],
    keptFrom: 1,
    logMax: state.logMax,
    seq: 0,
    followedSeq: 0,
    unfollowedSince: null,
    followWithinMs: state.followWithinMs,
  }
}

function startOf({ start = PLAIN_START }: RoomState): Pick<Room, 'joinsFrom' | 'hasStarted' | 'draw'> {
  const { joinsFrom, hasStarted, draw } = start
  if (draw === null) return { joinsFrom, hasStarted, draw }
  // `startClock` adds the time.
  const { progress, sealAfterMs: sealFrom, drawnBelow } = draw
  return { joinsFrom, hasStarted, draw: { progress, sealFrom, drawnBelow } }
}

/** The room begins to live: until then it has no time. */
export function startClock(room: Room, now: number): void {
  Object.assign(room, { now, loadedAt: now, attendedAt: now, attendedSince: now })
  room.bucket = { level: 0, refilledAt: now }
  // Until then, it is the time that the seal waits after a load, if the sale has opened before.
  if (room.draw !== null) room.draw.sealFrom = room.opensAt <= now ? now + room.draw.sealFrom : 0
}

/** Appends one change to the log. `seq` changes nowhere else. Rule L18. */
export function append(room: Room, operation: string, change: Change): number {
  room.seq++
  room.unfollowedSince ??= room.now
  room.log.push({ epoch: room.epoch, seq: room.seq, at: room.now, operation, change })
  return room.seq
}

/** Entries after a seq, oldest first, without trimmed ones. */
export function entriesAfter(room: Room, afterSeq: number, max: number): LogEntry[] {
  const from = Math.max(0, afterSeq + 1 - room.keptFrom)
  return room.log.slice(from, from + max)
}

export function isOver(room: Room): boolean {
  return room.now > room.closesAt
}

/** The line has a draw that is not revealed: no ticket is admitted, and none of its tickets expires for being away. */
export function isUndrawn(room: Room): boolean {
  return room.draw !== null && room.draw.progress !== 'revealed'
}

export function countAway(room: Room): number {
  return room.away.size + room.passed.size
}

/** How many present tickets wait before this one. Rule L28. */
export function rankOf(room: Room, ticket: Ticket): number {
  return room.line.countBefore(ticket.place, ticket.number)
}
