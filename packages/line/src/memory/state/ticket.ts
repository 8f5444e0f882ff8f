import type { EndReason, TicketState } from '@seatwise/domain'
import type { TicketClass } from '../../contract.ts'

/** One ticket. A live ticket is in the line, away, or on the floor; an ended one is kept until the ledger has its end. */
export interface Ticket {
  readonly number: number
  /** Changes when a guest signs in. */
  identity: string
  /** Raised by a priority code. */
  class: TicketClass
  /** Changes when the line is drawn, and when a code moves the ticket forward. */
  place: number
  readonly joinedAt: number
  limitKey: string | null
  generation: number
  state: TicketState
  reason: EndReason | null
  /** When it was last seen, see presence.ts. Used only while it waits. */
  seen: number
  shown: { name: string; avatar: string | null } | null
  /** It waits, but was not seen in time. */
  away: boolean
  /** End of the grace time, while it is away and admission has passed its place. */
  graceUntil: number | null
  /** Only on the floor. */
  floor: FloorRecord | null
  extended: boolean
  /** The operation that moved it last, so that repeating it moves once. */
  movedBy: string | null
  /** The ticket of the group that its visitor stands with; null for a ticket that stands for itself. */
  standsWith: Ticket | null
  /** The tickets of the others who stand with this one. */
  companions: Ticket[]
}

export interface FloorRecord {
  deadline: number
  fence: number
  /** The deadline without a reservation. */
  sessionDeadline: number
  /** Seats of its reservation; 0 when it has none. */
  reservedSeats: number
  /** Version of the seat map that `reservedSeats` is from: results of an older one are ignored. */
  seatsVersion: number
  /** The operation that gave more time, so that repeating it answers the same. */
  extendedBy: string | null
}

/** What every new ticket has. */
export const UNMOVED = {
  graceUntil: null,
  floor: null,
  movedBy: null,
  standsWith: null,
  reason: null,
  away: false,
} as const
