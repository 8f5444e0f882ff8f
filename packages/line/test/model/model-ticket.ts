import type { EndReason, TicketState } from '@seatwise/domain'
import type { TicketClass, TicketView } from '../../src/index.ts'

/** Everything the model knows of a ticket, live or ended. Plain fields, no index. */
export interface ModelTicket {
  number: number
  identity: string
  class: TicketClass
  place: number
  joinedAt: number
  generation: number
  state: TicketState
  reason: EndReason | null
  seenAt: number
  away: boolean
  /** While it is away and admission has passed its place. */
  graceUntil: number | null
  deadline: number | null
  session: number | null
  fence: number | null
  reservedSeats: number
  /** Version of the seat map that last told what it has. */
  seatsVersion: number
  extended: boolean
  extendedBy: string | null
  movedBy: string | null
  limitKey: string | null
  shown: { name: string; avatar: string | null } | null
  endedSeq: number | null
}

export function newTicket(
  ticket: Pick<ModelTicket, 'number' | 'identity' | 'class' | 'place' | 'joinedAt' | 'seenAt'> & Partial<ModelTicket>,
): ModelTicket {
  return {
    generation: 1,
    state: 'waiting',
    reason: null,
    away: false,
    graceUntil: null,
    deadline: null,
    session: null,
    fence: null,
    reservedSeats: 0,
    seatsVersion: 0,
    extended: false,
    extendedBy: null,
    movedBy: null,
    limitKey: null,
    shown: null,
    endedSeq: null,
    ...ticket,
  }
}

export function isLive({ state }: ModelTicket): boolean {
  return state !== 'completed' && state !== 'expired'
}

export function isOnFloor({ state }: ModelTicket): boolean {
  return state === 'admitted' || state === 'active'
}

export function isWaiting({ state, away }: ModelTicket): boolean {
  return state === 'waiting' && !away
}

export function isAway({ away }: ModelTicket): boolean {
  return away
}

/** Orders by a score, ties by number. */
export function by(score: (ticket: ModelTicket) => number): (left: ModelTicket, right: ModelTicket) => number {
  return (left, right) => score(left) - score(right) || left.number - right.number
}

export function viewOf(ticket: ModelTicket, line: readonly ModelTicket[], seq: number, now: number): TicketView {
  const { number, state, reason, place, class: ticketClass, generation, joinedAt, deadline, fence, extended } = ticket
  const rank = isWaiting(ticket) ? line.indexOf(ticket) : null
  return {
    ...{ number, state, reason, away: isAway(ticket), back: false, place, rank, class: ticketClass, generation },
    joinedAt,
    ...{ deadline, fence, extended, waiting: line.length, seq, now },
  }
}

export function unknownView(number: number, waiting: number, seq: number, now: number): TicketView {
  return {
    ...{ number, state: null, reason: null, away: false, back: false, place: 0, rank: null, class: 0 },
    ...{ generation: 0, joinedAt: 0 },
    ...{ deadline: null, fence: null, extended: false, waiting, seq, now },
  }
}
