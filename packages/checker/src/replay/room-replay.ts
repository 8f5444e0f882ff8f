import type { LogRecord, PriorityClass, RoomLimits } from '../records/records.ts'

export interface ReplayedTicket {
  readonly number: number
  readonly place: number
  readonly class: PriorityClass
  /** Null when its join was not recorded. */
  identity: string | null
  state: 'waiting' | 'floor' | 'ended'
  isAway: boolean
  /** On the floor: the deadline, if the log has it. */
  deadlineMs: number | null
  /** The deadline without a reservation. */
  sessionEndMs: number | null
  hasReservation: boolean
  fence: number | null
}

/**
 * The state of one room, replayed from its log. It continues across rebuilds: the new epoch begins with what the ledger had
 * of the old one, and its `correct` and `return` entries tell the differences.
 */
export class RoomReplay {
  readonly tickets = new Map<number, ReplayedTicket>()
  readonly floor = new Set<number>()
  /** How many tickets wait and are present. */
  present = 0
  limits: RoomLimits | undefined
  #last: { epoch: number; seq: number; part: number } = { epoch: 0, seq: 0, part: 0 }

  /** Applies the entry; false when it was applied before: an entry may be recorded twice. */
  apply(entry: LogRecord): boolean {
    if (!this.#isNew(entry)) return false
    switch (entry.kind) {
      case 'epoch':
      case 'settings':
        this.limits = { capacity: entry.capacity, ratePerMinute: entry.ratePerMinute, burst: entry.burst }
        break
      case 'join':
      case 'return':
        this.#put(entry)
        break
      case 'promote':
        // A new object: indexes that hold the one from before then see that it is out of date.
        this.tickets.set(entry.ticket, { ...this.#ticket(entry.ticket), place: entry.place, class: entry.class })
        break
      case 'correct':
        this.#correct(entry)
        break
      case 'away':
      case 'back':
        this.#change(entry.ticket, (ticket) => {
          ticket.isAway = entry.kind === 'away'
        })
        break
      case 'adopt':
        this.#change(entry.ticket, (ticket) => {
          ticket.identity = entry.identity
        })
        break
      case 'complete':
      case 'expire':
      case 'leave':
      case 'merged':
      case 'terminate':
        this.#move(entry.ticket, 'ended')
        break
      case 'admit':
        this.#move(entry.ticket, 'floor')
        this.#applyToFloor(entry)
        break
      case 'enter':
      case 'extend':
      case 'handover':
      case 'reserve':
        this.#applyToFloor(entry)
        break
      case 'attended':
      case 'group':
      case 'pause':
      case 'resume':
      case 'hold':
      case 'unhold':
      case 'message':
      case 'prices':
      case 'said':
      case 'stock':
      case 'sold-out':
      case 'window':
        break
    }
    return true
  }

  #applyToFloor(entry: Extract<LogRecord, { kind: 'admit' | 'enter' | 'extend' | 'handover' | 'reserve' }>): void {
    const ticket = this.#ticket(entry.ticket)
    if (entry.kind === 'handover') {
      ticket.fence = entry.fence ?? ticket.fence
      return
    }
    if (entry.kind === 'reserve') {
      ticket.hasReservation = entry.deadlineMs !== null
      ticket.deadlineMs = entry.deadlineMs ?? ticket.sessionEndMs
      return
    }
    if (entry.kind === 'admit') Object.assign(ticket, { fence: entry.fence ?? null, hasReservation: false })
    ticket.sessionEndMs = entry.deadlineMs ?? null
    // Entering does not shorten or lengthen a reservation; more time does.
    if (entry.kind !== 'enter' || !ticket.hasReservation) ticket.deadlineMs = entry.deadlineMs ?? null
  }

  #isNew({ epoch, seq, part = 0 }: LogRecord): boolean {
    const last = this.#last
    const advance = epoch - last.epoch || seq - last.seq || part - last.part
    if (advance <= 0) return false
    this.#last = { epoch, seq, part }
    return true
  }

  #put(entry: Extract<LogRecord, { kind: 'join' | 'return' }>): void {
    const { ticket: number, place, identity } = entry
    const known = this.tickets.get(number)
    if (known !== undefined && isPresent(known)) this.present -= 1
    this.tickets.set(number, newTicket(number, place, entry.class, identity, 'waiting'))
    this.present += 1
    if (known !== undefined) this.floor.delete(number)
  }

  #correct(entry: Extract<LogRecord, { kind: 'correct' }>): void {
    this.#move(entry.ticket, entry.state === 'completed' ? 'ended' : 'floor')
    const { deadlineMs, sessionEndMs, fence, hasReservation } = entry
    Object.assign(this.#ticket(entry.ticket), { deadlineMs, sessionEndMs, fence, hasReservation })
  }

  #move(number: number, state: ReplayedTicket['state']): void {
    const ticket = this.#ticket(number)
    if (isPresent(ticket)) this.present -= 1
    if (ticket.state === 'floor') this.floor.delete(number)
    ticket.state = state
    ticket.isAway = false
    if (state === 'waiting') this.present += 1
    if (state === 'floor') this.floor.add(number)
  }

  #change(number: number, apply: (ticket: ReplayedTicket) => void): void {
    const ticket = this.#ticket(number)
    const before = isPresent(ticket)
    apply(ticket)
    this.present += Number(isPresent(ticket)) - Number(before)
  }

  /** A ticket without a recorded join counts as class 0, with its number as place. */
  #ticket(number: number): ReplayedTicket {
    let ticket = this.tickets.get(number)
    if (ticket === undefined) {
      ticket = newTicket(number, number, 0, null, 'waiting')
      this.tickets.set(number, ticket)
      this.present += 1
    }
    return ticket
  }
}

export function isPresent({ state, isAway }: ReplayedTicket): boolean {
  return state === 'waiting' && !isAway
}

/** Equal places are ordered by number. */
export function comesBefore(a: InLine, b: InLine): boolean {
  return a.place < b.place || (a.place === b.place && a.number < b.number)
}

interface InLine {
  readonly place: number
  readonly number: number
}

/** Written out, because there are millions: object spread costs several times as much. */
function newTicket(
  number: number,
  place: number,
  ticketClass: PriorityClass,
  identity: string | null,
  state: ReplayedTicket['state'],
): ReplayedTicket {
  return {
    number,
    place,
    class: ticketClass,
    identity,
    state,
    isAway: false,
    deadlineMs: null,
    sessionEndMs: null,
    hasReservation: false,
    fence: null,
  }
}
