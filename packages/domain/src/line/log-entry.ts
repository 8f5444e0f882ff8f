import type { RoomSettings } from './room-settings.ts'
import type { TicketClass } from './ticket-class.ts'
import type { EndReason } from './ticket-state.ts'

/**
 * One thing that happened in a room. `seq` counts from 1 in every epoch, without gaps; a step that changes several
 * tickets appends one entry for each, all with the same time and operation. Only those who reserved together share one.
 */
export interface LogEntry {
  epoch: number
  seq: number
  /** Milliseconds of the room's clock; never goes back. */
  at: number
  /** Id of the operation that caused it; where the request has none, the name of the step: join, look, load, … */
  operation: string
  change: Change
}

export type Change = Opened | Joined | Restored | TicketChange | Changed

/** What can happen to a ticket that is there. */
export type TicketChange =
  | Admitted
  | Entered
  | Completed
  | Expired
  | Away
  | Back
  | Extended
  | Moved
  | Adopted
  | Reserved
  | Corrected

/** The first entry of every epoch. */
export interface Opened {
  kind: 'opened'
  reason: string
  nextNumber: number
  waiting: number
  floor: number
  /** What holds from here on, until a `changed` entry says otherwise: whoever reads the log can judge it by itself. */
  rules: OpeningRules
}

export interface OpeningRules {
  settings: RoomSettings
  paused: boolean
  soldOut: boolean
  opensAt: number
  closesAt: number
  stock: number | null
}

export interface Joined {
  kind: 'joined'
  number: number
  identity: string
  class: TicketClass
  place: number
  rank: number
  code: string | null
  limitKey: string | null
  shown: { name: string; avatar: string | null } | null
  /** JSON for the ledger: name, avatar, address, user agent, metadata. Never shown to others. */
  profile: string
}

export interface Restored {
  kind: 'restored'
  number: number
  identity: string
  class: TicketClass
  place: number
  rank: number
  generation: number
  joinedAt: number
  fromEpoch: number
}

export interface Admitted {
  kind: 'admitted'
  number: number
  class: TicketClass
  fence: number
  deadline: number
  /** The room has no claim window: the ticket is active at once. */
  active: boolean
}

export interface Entered {
  kind: 'entered'
  number: number
  /** End of the session, and the ticket's deadline unless it has a reservation already. */
  deadline: number
}

export interface Completed {
  kind: 'completed'
  number: number
}

export interface Expired {
  kind: 'expired'
  number: number
  reason: EndReason
  /** Rank it left from, when it was waiting and present. */
  rank: number | null
}

export interface Away {
  kind: 'away'
  number: number
  until: number
}

export interface Back {
  kind: 'back'
  number: number
  rank: number
}

export interface Extended {
  kind: 'extended'
  number: number
  deadline: number
  /** Differs from the deadline while a reservation stands. */
  sessionEnd: number
}

export interface Moved {
  kind: 'moved'
  number: number
  generation: number
  /** The new fence, when the ticket is on the floor. */
  fence: number | null
}

/** A guest signed in: the ticket is an account's now. */
export interface Adopted {
  kind: 'adopted'
  number: number
  identity: string
  userId: string
}

/**
 * Tickets on the floor took so many seats each (and the reservation's deadline became their own), or lost them (null and
 * 0). Hundreds do so at a time, in one transaction of the ledger: an entry for each would cost more than the seats.
 */
export interface Reserved {
  kind: 'reserved'
  numbers: readonly number[]
  deadline: number | null
  quantity: number
}

/**
 * What the ledger knew better of a ticket than the log it was rebuilt from, whose end was lost: that it has paid, or which
 * seats it has or has no more. Follows the first entry of an epoch.
 */
export interface Corrected {
  kind: 'corrected'
  number: number
  /** What the log had left of it. */
  from: 'waiting' | 'admitted' | 'active'
  state: 'admitted' | 'active' | 'completed'
  /** These are null for a ticket that has completed. `sessionEnd` is also null before the claim. */
  fence: number | null
  deadline: number | null
  sessionEnd: number | null
  quantity: number
}

export interface Changed {
  kind: 'changed'
  by: string
  settings?: Partial<RoomSettings>
  paused?: boolean
  held?: string | null
  message?: string | null
  opensAt?: number
  closesAt?: number
  stock?: number | null
  soldOut?: boolean
}

/** The tickets that a change is about. */
export function numbersIn(change: Change): readonly number[] {
  if (change.kind === 'reserved') return change.numbers
  return 'number' in change ? [change.number] : []
}
