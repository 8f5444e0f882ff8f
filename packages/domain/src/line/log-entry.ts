import type { RoomSettings } from './room-settings.ts'
import type { TicketClass } from './ticket-class.ts'
import type { EndReason } from './ticket-state.ts'

/**
 * One change of a room. `seq` counts from 1 in every epoch, without gaps. A step that changes several tickets appends one
 * entry for each, all with the same time and operation. Tickets share an entry, of at most NUMBERS_MAX, where crowds change
 * together: when they reserve, go away, come back or expire.
 */
export interface LogEntry {
  epoch: number
  seq: number
  /** Milliseconds of the room's clock; never goes back. */
  at: number
  /** Id of the operation that caused it; if the request has none, the name of the step: join, look, load, … */
  operation: string
  change: Change
}

/** The most tickets that share an entry, so that no entry is large. */
export const NUMBERS_MAX = 1_000

export type Change = Opened | Joined | Restored | TicketChange | Changed | Attended | Announcement

/** What is only said, for verifiers of the public log: it moves no ticket and changes no setting. */
export type Announcement = CodesMade | PricesListed | DrawAnnounced | Sealed | Revealed

/** Changes of a live ticket. */
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
  | Classed
  | Grouped

/** The first entry of every epoch. */
export interface Opened {
  kind: 'opened'
  reason: string
  nextNumber: number
  waiting: number
  floor: number
  /** The rules from here on, until a `changed` entry: so that the log can be verified without other data. */
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
  /** SHA-256 of the priority code's text, in hex, as a `codes` entry lists it. */
  code: string | null
  limitKey: string | null
  shown: { name: string; avatar: string | null } | null
  /** JSON for the ledger: name, avatar, address, user agent, metadata. Never shown to other visitors. */
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
  /** The room has `claimSeconds: 0`: the ticket is active at once. */
  active: boolean
  /** An operator let the ticket in, past the rate. Absent for the usual admission. Rule M29. */
  by?: 'operator'
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
  numbers: readonly number[]
  reason: EndReason
  /** The ranks they left from, one after the other; null when they were away or on the floor. */
  ranks: readonly number[] | null
}

/** The tickets were not seen in time: they keep their places, and no rank counts them. */
export interface Away {
  kind: 'away'
  numbers: readonly number[]
  /** The ranks they left from, one after the other: each is the rank after those before it have left. */
  ranks: readonly number[]
}

/** Away tickets were seen again: they are back at their places. */
export interface Back {
  kind: 'back'
  numbers: readonly number[]
  /** The ranks they came back to, one after the other. */
  ranks: readonly number[]
}

/** Servers take heartbeats again. From `unattendedSince` until now none did, so that silence in between does not count. */
export interface Attended {
  kind: 'attended'
  unattendedSince: number
}

export interface Extended {
  kind: 'extended'
  number: number
  deadline: number
  /** Differs from the deadline while the ticket has a reservation. */
  sessionEnd: number
}

export interface Moved {
  kind: 'moved'
  number: number
  generation: number
  /** The new fence, when the ticket is on the floor. */
  fence: number | null
}

/** A guest signed in: the account owns the ticket now. */
export interface Adopted {
  kind: 'adopted'
  number: number
  identity: string
  userId: string
}

/**
 * Tickets on the floor reserved `quantity` seats each, until `deadline`, or lost their reservation (null and 0). Hundreds
 * do so in one transaction of the ledger: an entry for each would cost more than the seats.
 */
export interface Reserved {
  kind: 'reserved'
  numbers: readonly number[]
  deadline: number | null
  quantity: number
}

/**
 * A rebuild corrected a ticket by what the ledger knows beyond the log, the end of which was lost: that the ticket has paid,
 * or which seats it has or no longer has. Follows the first entry of an epoch. Rule L41.
 */
export interface Corrected {
  kind: 'corrected'
  number: number
  /** The state in the log. */
  from: 'waiting' | 'admitted' | 'active'
  state: 'admitted' | 'active' | 'completed'
  /** Null for a completed ticket. `sessionEnd` is also null before the ticket enters. */
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
  /** From when joining is possible before `opensAt`; null: not before. */
  joinsFrom?: number | null
  stock?: number | null
  soldOut?: boolean
}

/** A priority code was applied to a ticket that waits: it stands further ahead, or where it stood. */
export interface Classed {
  kind: 'classed'
  number: number
  class: TicketClass
  /** As in `joined`. */
  code: string
  place: number
  rank: number
  /** The rank it left. */
  fromRank: number
}

/**
 * From here on the visitors who drew `members` stand together as the ticket `number`, at its place. Also written when one of
 * them leaves: then `members` lacks that number, which may be the ticket's own. Rules L150 and L152.
 */
export interface Grouped {
  kind: 'grouped'
  number: number
  members: readonly number[]
  /** The ticket that stood for itself until now, and the rank that it left; null when none did. */
  merged: number | null
  fromRank: number | null
  /** The visitor who left; null when the group grew. */
  left: number | null
}

/** Priority codes were made; only who has one can have its class. */
export interface CodesMade {
  kind: 'codes'
  class: TicketClass
  /** SHA-256 of the text of each, in hex. */
  hashes: readonly string[]
}

/** The price list that is in force from here on. */
export interface PricesListed {
  kind: 'prices'
  /** SHA-256 of the list's text, in hex. */
  hash: string
  /** JSON: tax rate, fees and seat types that are not hidden. */
  list: string
}

/** The draw that will order the line: said before the first ticket is drawn, and again when its round changes. */
export interface DrawAnnounced {
  kind: 'draw'
  mode: 'commit' | 'drand'
  /** SHA-256 of the secret, in hex. */
  commitment: string
  /** With `drand`: the hash of the beacon's chain, and the round whose randomness will count. */
  chain?: string
  round?: number
}

/** The tickets that wait or are away now take part in the draw. Rule J5. */
export interface Sealed {
  kind: 'sealed'
  count: number
  /** Tickets from this number on joined later. */
  nextNumber: number
}

/** The drawn order is in force. All in hex. */
export interface Revealed {
  kind: 'revealed'
  secret: string
  /** The beacon's. */
  signature?: string
}

/** Whether a change is an announcement: most readers of the log have nothing to do then. */
export function isAnnouncement(change: Change): change is Announcement {
  return ANNOUNCEMENTS.has(change.kind)
}

const ANNOUNCEMENTS: ReadonlySet<Change['kind']> = new Set<Announcement['kind']>([
  ...(['codes', 'prices', 'draw', 'sealed', 'revealed'] as const),
])

/** The tickets that a change is about. */
export function numbersIn(change: Change): readonly number[] {
  if ('numbers' in change) return change.numbers
  if (change.kind === 'grouped') return numbersInGroup(change)
  return 'number' in change ? [change.number] : []
}

function numbersInGroup({ number, members, merged, left }: Grouped): readonly number[] {
  const all = [number, ...members, merged, left].filter((found) => found !== null)
  return [...new Set(all)]
}
