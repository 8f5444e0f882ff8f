import type { PricesListed, RoomSettings, TicketClass } from '@seatwise/domain'
import type { DrawNote } from './contract.ts'
import type { OpeningRules } from './log-entry.ts'

/** Below every lane: the last place of a class that has no ticket yet. */
export const NO_PLACE: number = Number.MIN_SAFE_INTEGER

/** The state a room is loaded with: fresh, or rebuilt from the ledger. */
export interface RoomState {
  settings: RoomSettings
  paused: boolean
  message: string | null
  opensAt: number
  closesAt: number
  /** Absent: a room that has neither pre-queue nor draw, and has drawn no ticket yet. */
  start?: StartState
  /** The price list in force, which the log tells with every epoch; absent where there is none. */
  prices?: PricesListed
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
  /** The highest place that was admitted: admission has passed the away tickets before it. NO_PLACE where there is none. */
  passedPlace: number
  usedCodes: string[]
  /** Most entries the log may hold; joins are refused at 80 %. */
  logMax: number
  /** How long entries may stay unfollowed before admission stops (M19); null: without bound. */
  followWithinMs: number | null
  reason: string
}

export type DrawProgress = 'announced' | 'sealed' | 'revealed'

/** How visitors come in before the sale opens. */
export interface StartState {
  /** From when joining is possible before `opensAt`; null: not before. */
  joinsFrom: number | null
  /** A ticket was drawn in this room, in whatever epoch. */
  hasStarted: boolean
  draw: DrawState | null
}

export const PLAIN_START: StartState = { joinsFrom: null, hasStarted: false, draw: null }

/** The draw of a room as it is loaded. */
export interface DrawState {
  note: DrawNote
  /** The log has not announced it yet: it does so right after its first entry. */
  isNew: boolean
  progress: DrawProgress
  /** If the sale has opened before the load: how long the seal waits, so that visitors whose tickets were lost come back. Rule J10. */
  sealAfterMs: number
  /** The next ticket number at the seal; 0 before. */
  drawnBelow: number
}

/** The part of the state that the first log entry tells. */
export function rulesOf({ settings, paused, opensAt, closesAt, stock, heldSeats }: RoomState): OpeningRules {
  return { settings: { ...settings }, paused, soldOut: isSoldOut({ stock, heldSeats }), opensAt, closesAt, stock }
}

/** Every seat is sold or blocked, and none is held that could return. Rule B14. */
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
  /** On the floor only. `sessionEnd` is null before the ticket enters; it differs from the deadline while it has a reservation. */
  deadline: number | null
  sessionEnd: number | null
  fence: number | null
  extended: boolean
  reservedSeats: number
  limitKey: string | null
  shown: { name: string; avatar: string | null } | null
  /** Its visitor stands with the ticket of this number, which is loaded before. */
  standsWith?: number
}
