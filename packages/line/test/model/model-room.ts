import { type EndReason, fenceOf, rankMapRanks } from '@seatwise/domain'
import type {
  ActRefusal,
  Change,
  ChangeReply,
  EndReply,
  EndRequest,
  EnterReply,
  ExtendReply,
  ExtendRequest,
  FloorItem,
  LoadedTicket,
  LogEntry,
  LookQuestion,
  MoveReply,
  MoveRequest,
  PassQuestion,
  PassReply,
  RangeItem,
  RoomChange,
  RoomNow,
  RoomState,
  TicketAct,
  TicketView,
} from '../../src/index.ts'
import { gateSums, type ModelTake } from './model-gate.ts'
import {
  by,
  isAway,
  isLive,
  isOnFloor,
  isWaiting,
  type ModelTicket,
  newTicket,
  unknownView,
  viewOf,
} from './model-ticket.ts'

/**
 * The plain model of a room: one array of tickets, filtered and sorted for every question. It knows the rules of the
 * specification and nothing of how a store keeps them.
 */
export class ModelRoom {
  readonly epoch: number
  readonly state: RoomState
  readonly loadedAt: number
  readonly loadedVersion: number
  now: number
  attendedAt: number
  attendedSince: number
  held: string | null = null
  level = 0
  refilledAt: number
  tickets: ModelTicket[] = []
  usedCodes: string[]
  readonly spent = new Map<string, number>()
  takes: ModelTake[] = []
  changes = new Map<string, ChangeReply>()
  /** The whole log of this epoch, also what was trimmed. */
  log: LogEntry[] = []
  followedSeq = 0
  unfollowedSince: number | null = null
  nextNumber: number

  constructor(epoch: number, now: number, state: RoomState, loaded: readonly LoadedTicket[]) {
    this.epoch = epoch
    this.now = now
    this.loadedAt = now
    this.loadedVersion = state.stockVersion
    this.refilledAt = now
    this.attendedAt = now
    this.attendedSince = now
    this.state = { ...structuredClone(state) }
    this.usedCodes = [...state.usedCodes]
    this.nextNumber = state.nextNumber
    this.tickets = loaded.map(({ sessionEnd, ...ticket }) =>
      newTicket({
        ...ticket,
        seenAt: now,
        session: sessionEnd ?? ticket.deadline,
        seatsVersion: state.stockVersion,
      }),
    )
    const { reason, nextNumber } = state
    const floor = this.floorTickets().length
    const { settings, paused, opensAt, closesAt, stock } = structuredClone(state)
    const rules = { settings, paused, soldOut: this.soldOut, opensAt, closesAt, stock }
    this.append('load', { kind: 'opened', reason, nextNumber, waiting: this.line().length, floor, rules })
  }

  get soldOut(): boolean {
    return this.state.stock === 0 && this.state.heldSeats === 0
  }

  get seq(): number {
    return this.log.length
  }

  line(): ModelTicket[] {
    return this.tickets.filter(isWaiting).sort(by(({ place }) => place))
  }

  /** Those that admission has not passed come first. */
  awayTickets(): ModelTicket[] {
    const away = this.tickets.filter(isAway)
    const passed = away.filter(({ graceUntil }) => graceUntil !== null).sort(by(({ graceUntil }) => graceUntil ?? 0))
    return [...away.filter(({ graceUntil }) => graceUntil === null).sort(by(({ place }) => place)), ...passed]
  }

  floorTickets(): ModelTicket[] {
    return this.tickets.filter(isOnFloor).sort(by(({ deadline }) => deadline ?? 0))
  }

  rank(ticket: ModelTicket): number {
    return this.line().indexOf(ticket)
  }

  append(operation: string, change: Change): number {
    this.unfollowedSince ??= this.now
    const seq = this.seq + 1
    this.log.push({ epoch: this.epoch, seq, at: this.now, operation, change })
    return seq
  }

  view(ticket: ModelTicket): TicketView {
    return viewOf(ticket, this.line(), this.seq, this.now)
  }

  finish(
    ticket: ModelTicket,
    as: Exclude<EndRequest['as'], 'paid'> | 'no_show' | 'sale_ended',
    operation: string,
  ): void {
    if (as === 'completed') {
      this.#close(ticket, as)
      ticket.endedSeq = this.append(operation, { kind: 'completed', number: ticket.number })
    } else this.finishAll([ticket], as, operation)
  }

  /** Tickets that expire for one reason share an entry; all of them have a rank, or none has. */
  finishAll(tickets: readonly ModelTicket[], reason: EndReason, operation: string): void {
    if (tickets.length === 0) return
    const ranks = tickets.flatMap((ticket) => {
      const rank = isWaiting(ticket) ? [this.rank(ticket)] : []
      this.#close(ticket, reason)
      return rank
    })
    const numbers = tickets.map(({ number }) => number)
    const seq = this.append(operation, { kind: 'expired', numbers, reason, ranks: ranks.length > 0 ? ranks : null })
    for (const ticket of tickets) ticket.endedSeq = seq
  }

  /** One after the other, in one entry. */
  markAway(tickets: readonly ModelTicket[], operation: string): void {
    if (tickets.length === 0) return
    const ranks = tickets.map((ticket) => {
      const rank = this.rank(ticket)
      ticket.away = true
      return rank
    })
    this.append(operation, { kind: 'away', numbers: tickets.map(({ number }) => number), ranks })
  }

  #close(ticket: ModelTicket, as: 'completed' | EndReason): void {
    ticket.state = as === 'completed' ? 'completed' : 'expired'
    ticket.reason = as === 'completed' ? null : as
    Object.assign(ticket, {
      away: false,
      graceUntil: null,
      deadline: null,
      session: null,
      fence: null,
      reservedSeats: 0,
      shown: null,
    })
  }

  expireIfOverdue(ticket: ModelTicket, operation: string): void {
    if (isOnFloor(ticket) && (ticket.deadline ?? 0) <= this.now) this.finish(ticket, 'timeout', operation)
  }

  /** Known tickets only: those that ended long ago are forgotten. */
  find(number: number, identity: string | null, operation: string): ModelTicket | undefined {
    const ticket = this.tickets.find((other) => other.number === number)
    if (ticket === undefined || (identity !== null && ticket.identity !== identity)) return undefined
    this.expireIfOverdue(ticket, operation)
    return ticket
  }

  see(ticket: ModelTicket, operation: string): boolean {
    if (!this.#bringBack(ticket)) return false
    this.append(operation, { kind: 'back', numbers: [ticket.number], ranks: [this.rank(ticket)] })
    return true
  }

  #bringBack(ticket: ModelTicket): boolean {
    const wasAway = ticket.away
    Object.assign(ticket, { seenAt: this.now, away: false, graceUntil: null })
    return wasAway
  }

  look({ number, identity, generation, heartbeat }: LookQuestion): TicketView {
    const ticket = this.find(number, identity, 'look')
    if (ticket === undefined) return unknownView(number, this.line().length, this.seq, this.now)
    const isHeartbeat = heartbeat && generation >= ticket.generation && ticket.state === 'waiting'
    const back = isHeartbeat && this.see(ticket, 'look')
    return { ...this.view(ticket), back }
  }

  heartbeat(numbers: readonly number[]): { back: number[] } {
    const back: number[] = []
    const ranks: number[] = []
    for (const number of numbers) {
      const ticket = this.tickets.find((other) => other.number === number)
      if (ticket?.state !== 'waiting' || !this.#bringBack(ticket)) continue
      back.push(number)
      ranks.push(this.rank(ticket))
    }
    if (back.length > 0) this.append('heartbeat', { kind: 'back', numbers: back, ranks })
    return { back }
  }

  /** The ticket an act is about, or why it is refused. */
  #find(act: TicketAct, operation: string): ModelTicket | ActRefusal {
    const ticket = this.find(act.number, act.identity, operation)
    if (ticket === undefined) return { status: 'unknown', seq: this.seq }
    return act.generation < ticket.generation ? { status: 'moved', seq: this.seq } : ticket
  }

  enter(act: TicketAct): EnterReply {
    const ticket = this.#find(act, 'enter')
    if ('status' in ticket) return ticket
    if (ticket.state === 'admitted') {
      ticket.state = 'active'
      ticket.session = this.now + this.state.settings.sessionSeconds * 1_000
      if (ticket.reservedSeats === 0) ticket.deadline = ticket.session
      this.append('enter', { kind: 'entered', number: ticket.number, deadline: ticket.session })
    }
    return { status: ticket.state === 'active' ? 'active' : 'not_admitted', ...this.view(ticket) }
  }

  end({ as: how, operation, ...act }: EndRequest): EndReply {
    const as = how === 'paid' ? 'completed' : how
    const found =
      how === 'terminated' || how === 'paid' ? this.find(act.number, null, operation) : this.#find(act, operation)
    if (found === undefined) return { status: 'unknown', seq: this.seq }
    if ('status' in found) return found
    if (!isLive(found)) return { status: 'was_ended', ...this.view(found) }
    if (as === 'completed' && !isOnFloor(found)) return { status: 'not_on_floor', ...this.view(found) }
    this.finish(found, as, operation)
    return { status: 'ended', ...this.view(found) }
  }

  extend({ byMs, operation, ...act }: ExtendRequest): ExtendReply {
    const ticket = this.#find(act, operation)
    if ('status' in ticket) return ticket
    if (!isOnFloor(ticket)) return { status: 'not_on_floor', ...this.view(ticket) }
    if (ticket.extended) {
      return { status: ticket.extendedBy === operation ? 'extended' : 'already_extended', ...this.view(ticket) }
    }
    const deadline = (ticket.deadline ?? 0) + byMs
    const session = (ticket.session ?? 0) + byMs
    Object.assign(ticket, { deadline, session, extended: true, extendedBy: operation })
    this.append(operation, { kind: 'extended', number: ticket.number, deadline, sessionEnd: session })
    return { status: 'extended', ...this.view(ticket) }
  }

  move({ operation, ...act }: MoveRequest): MoveReply {
    const ticket = this.find(act.number, act.identity, operation)
    if (ticket === undefined) return { status: 'unknown', seq: this.seq }
    if (isLive(ticket) && ticket.movedBy === operation) return { status: 'moved_here', ...this.view(ticket) }
    if (act.generation < ticket.generation) return { status: 'moved', seq: this.seq }
    if (!isLive(ticket)) return { status: 'over', ...this.view(ticket) }
    ticket.generation += 1
    ticket.movedBy = operation
    if (isOnFloor(ticket)) ticket.fence = fenceOf(this.epoch, this.seq + 1)
    const { number, generation, fence } = ticket
    this.append(operation, { kind: 'moved', number, generation, fence })
    return { status: 'moved_here', ...this.view(ticket) }
  }

  check({ number, fence }: PassQuestion): PassReply {
    const ticket = this.floorTickets().find((other) => other.number === number && other.fence === fence)
    if (ticket === undefined || (ticket.deadline ?? 0) <= this.now) {
      return {
        status: 'stale',
        state: this.tickets.find((other) => other.number === number)?.state ?? null,
        seq: this.seq,
      }
    }
    const { identity, generation, deadline, reservedSeats } = ticket
    return { status: 'counts', number, identity, generation, deadline: deadline ?? 0, reservedSeats, seq: this.seq }
  }

  change({ operation, ...given }: RoomChange): ChangeReply {
    const before = this.changes.get(operation)
    if (before !== undefined) return before
    if (given.settings !== undefined) {
      this.refill()
      Object.assign(this.state.settings, given.settings)
      this.level = Math.min(this.level, this.state.settings.burst * 60_000)
    }
    const { by: who, settings: _, held, ...fields } = given
    if (held !== undefined) this.held = held
    Object.assign(this.state, fields)
    if (Object.keys(given).length > 1) this.append(operation, { kind: 'changed', ...given, by: who })
    const reply = { seq: this.seq, isRefused: false }
    this.changes.set(operation, reply)
    return reply
  }

  refill(): void {
    const { ratePerMinute, burst } = this.state.settings
    this.level = Math.min(burst * 60_000, this.level + (this.now - this.refilledAt) * ratePerMinute)
    this.refilledAt = this.now
  }

  trim(upToSeq: number): void {
    const until = Math.min(upToSeq, this.seq)
    if (until <= this.followedSeq) return
    this.followedSeq = until
    this.unfollowedSince = until === this.seq ? null : this.now
    this.tickets = this.tickets.filter(({ endedSeq }) => endedSeq === null || endedSeq > until)
  }

  readNow(): RoomNow {
    const line = this.line()
    const floor = this.floorTickets()
    const admitted = floor.filter(({ state }) => state === 'admitted').length
    const { paused, message, opensAt, closesAt, settings, logMax, stock, heldSeats, stockVersion } = this.state
    return {
      ...{ epoch: this.epoch, seq: this.seq, now: this.now, waiting: line.length, away: this.awayTickets().length },
      ...{ floor: floor.length, admitted, active: floor.length - admitted, nextNumber: this.nextNumber },
      ...{ paused, held: this.held, soldOut: this.soldOut, message, opensAt, closesAt, settings },
      ...{ joinsFrom: null, draw: null, drawnBelow: 0 },
      ...{ stock, heldSeats, stockVersion, ...gateSums(this) },
      logFill: (this.seq - this.followedSeq) / logMax,
      samples: rankMapRanks(line.length).map((rank) => ({ place: line[rank]?.place ?? Number.NaN, rank })),
    }
  }

  range(): RangeItem[] {
    return this.line().map(({ number, place, class: ticketClass, shown }, rank) => {
      return { number, place, rank, class: ticketClass, shown }
    })
  }

  /** The generation of every ticket of class 0 that waits and is present, by number. */
  present(): Map<number, number> {
    const plain = this.line().filter((ticket) => ticket.class === 0)
    const tickets = plain.toSorted((one, other) => one.number - other.number)
    return new Map(tickets.map(({ number, generation }) => [number, generation]))
  }

  floor(): FloorItem[] {
    return this.floorTickets().map(({ number, state, deadline, fence, reservedSeats }) => {
      return {
        number,
        state: state === 'admitted' ? state : 'active',
        deadline: deadline ?? 0,
        fence: fence ?? 0,
        reservedSeats,
      }
    })
  }

  /** What a store still has of the log. */
  keptLog(): LogEntry[] {
    return this.log.slice(Math.max(0, this.followedSeq - 1))
  }
}
