import { type EndReason, numbersIn, type TicketState } from '@seatwise/domain'
import type { TicketClass } from './contract.ts'
import type {
  Admitted,
  Adopted,
  Change,
  Corrected,
  Entered,
  Extended,
  Grouped,
  LogEntry,
  Moved,
  Reserved,
} from './log-entry.ts'
import type { LoadedTicket } from './room-state.ts'

/** A room rebuilt from its log. Rule L20: it equals the room's state. */
export interface ReplayedRoom {
  epoch: number
  seq: number
  /** Waiting and present tickets, in order. */
  line: ReplayedTicket[]
  /** In order of place. */
  away: ReplayedTicket[]
  /** By deadline. */
  floor: ReplayedTicket[]
  /** In the order in which they ended. */
  ended: ReplayedTicket[]
}

export interface ReplayedTicket {
  number: number
  identity: string
  class: TicketClass
  place: number
  generation: number
  state: TicketState
  reason: EndReason | null
  away: boolean
  deadline: number | null
  fence: number | null
  reservedSeats: number
  /** The deadline without a reservation. */
  sessionDeadline: number | null
  /** The ticket of the group that its visitor stands with. */
  standsWith?: number
  /** Visitors stand together as this ticket. */
  isGroup?: true
}

/** Rebuilds a room from the whole log of one epoch, and the tickets that it was loaded with. */
export function replay(entries: readonly LogEntry[], loaded: readonly LoadedTicket[] = []): ReplayedRoom {
  const live = new Map(loaded.map((ticket) => [ticket.number, fromLoaded(ticket)]))
  for (const { standsWith } of loaded) if (standsWith !== undefined) ticketOf(live, standsWith).isGroup = true
  const ended: ReplayedTicket[] = []
  let last: LogEntry | undefined
  for (const entry of entries) {
    assertNext(last, entry)
    apply(entry.change, live, ended)
    last = entry
  }
  const tickets = [...live.values()].filter(({ standsWith }) => standsWith === undefined)
  const waiting = tickets.filter(({ state }) => state === 'waiting')
  return {
    epoch: last?.epoch ?? 0,
    seq: last?.seq ?? 0,
    line: waiting.filter(({ away }) => !away).sort(by(({ place }) => place)),
    away: waiting.filter(({ away }) => away).sort(by(({ place }) => place)),
    floor: tickets.filter(({ state }) => state !== 'waiting').sort(by(({ deadline }) => deadline ?? 0)),
    ended,
  }
}

function apply(change: Change, live: Map<number, ReplayedTicket>, ended: ReplayedTicket[]): void {
  switch (change.kind) {
    case 'opened':
    case 'changed':
    case 'attended':
    case 'codes':
    case 'prices':
    case 'draw':
    case 'sealed':
    case 'revealed':
      return
    case 'grouped':
      group(change, live)
      return
    case 'classed': {
      const { class: ticketClass, place } = change
      Object.assign(ticketOf(live, change.number), { class: ticketClass, place })
      return
    }
    case 'joined':
    case 'restored': {
      const { number, identity, class: ticketClass, place } = change
      const generation = change.kind === 'restored' ? change.generation : 1
      if (live.has(number)) throw new Error(`The log draws ticket ${number} twice`)
      live.set(number, waitingTicket({ number, identity, class: ticketClass, place, generation }))
      return
    }
    case 'completed':
    case 'expired':
      for (const number of numbersIn(change)) {
        ended.push(endedTicket(ticketOf(live, number), change.kind, change.kind === 'expired' ? change.reason : null))
        endLive(number, live)
      }
      return
    case 'away':
    case 'back':
      for (const number of change.numbers) ticketOf(live, number).away = change.kind === 'away'
      return
    case 'corrected': {
      const ticket = ticketOf(live, change.number)
      if (change.state === 'completed') {
        endLive(change.number, live)
        ended.push(endedTicket(ticket, change.state, null))
      } else correct(ticket, change)
      return
    }
    case 'reserved':
      for (const number of change.numbers) reserve(ticketOf(live, number), change)
      return
    default:
      applyToTicket(change, ticketOf(live, change.number))
  }
}

/** With all who stand with it. */
function endLive(number: number, live: Map<number, ReplayedTicket>): void {
  const isGroup = live.get(number)?.isGroup === true
  live.delete(number)
  if (!isGroup) return
  for (const companion of live.values()) if (companion.standsWith === number) live.delete(companion.number)
}

function group({ number, members, left }: Grouped, live: Map<number, ReplayedTicket>): void {
  const ticket = ticketOf(live, number)
  ticket.isGroup = true
  if (left === number) ticket.identity = `!${number}`
  else if (left !== null) live.delete(left)
  for (const member of members) if (member !== number) ticketOf(live, member).standsWith = number
}

/** Moves the ticket to the floor, from the line, from away or within the floor. */
function correct(ticket: ReplayedTicket, { state, fence, deadline, sessionEnd, quantity }: Corrected): void {
  Object.assign(ticket, { state, fence, deadline, sessionDeadline: sessionEnd ?? deadline, away: false })
  ticket.reservedSeats = quantity
}

function reserve(ticket: ReplayedTicket, { quantity, deadline }: Reserved): void {
  ticket.reservedSeats = quantity
  ticket.deadline = deadline ?? ticket.sessionDeadline
}

type TicketChange = Admitted | Adopted | Entered | Extended | Moved

/** Applies a change that leaves the ticket alive. */
function applyToTicket(change: TicketChange, ticket: ReplayedTicket): void {
  switch (change.kind) {
    case 'admitted':
      ticket.state = change.active ? 'active' : 'admitted'
      ticket.fence = change.fence
      ticket.deadline = change.deadline
      ticket.sessionDeadline = change.deadline
      return
    case 'entered':
      ticket.state = 'active'
      ticket.sessionDeadline = change.deadline
      if (ticket.reservedSeats === 0) ticket.deadline = change.deadline
      return
    case 'extended':
      ticket.sessionDeadline = (ticket.sessionDeadline ?? 0) + change.deadline - (ticket.deadline ?? 0)
      ticket.deadline = change.deadline
      return
    case 'moved':
      ticket.generation = change.generation
      ticket.fence = change.fence ?? ticket.fence
      return
    case 'adopted':
      ticket.identity = change.identity
      return
  }
}

function waitingTicket(
  ticket: Pick<ReplayedTicket, 'number' | 'identity' | 'class' | 'place' | 'generation'>,
): ReplayedTicket {
  const floor = { deadline: null, fence: null, reservedSeats: 0, sessionDeadline: null }
  return { ...ticket, state: 'waiting', reason: null, away: false, ...floor }
}

function fromLoaded({
  number,
  identity,
  class: ticketClass,
  place,
  generation,
  ...rest
}: LoadedTicket): ReplayedTicket {
  const { state, away, deadline, sessionEnd, fence, reservedSeats, standsWith } = rest
  return {
    ...waitingTicket({ number, identity, class: ticketClass, place, generation }),
    ...{ state, deadline, fence, reservedSeats, sessionDeadline: sessionEnd ?? deadline },
    away,
    ...(standsWith === undefined ? {} : { standsWith }),
  }
}

function endedTicket(ticket: ReplayedTicket, state: 'completed' | 'expired', reason: EndReason | null): ReplayedTicket {
  return { ...waitingTicket(ticket), state, reason }
}

function ticketOf(live: ReadonlyMap<number, ReplayedTicket>, number: number): ReplayedTicket {
  const ticket = live.get(number)
  if (ticket === undefined) throw new Error(`The log changes ticket ${number}, which is not alive`)
  return ticket
}

function assertNext(last: LogEntry | undefined, { epoch, seq, at }: LogEntry): void {
  const isNext = last === undefined ? seq === 1 : epoch === last.epoch && seq === last.seq + 1 && at >= last.at
  if (!isNext) throw new Error(`The log has a gap or goes back at ${epoch}-${seq}`)
}

function by(score: (ticket: ReplayedTicket) => number): (left: ReplayedTicket, right: ReplayedTicket) => number {
  return (left, right) => score(left) - score(right) || left.number - right.number
}
