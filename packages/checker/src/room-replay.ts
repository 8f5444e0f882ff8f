import type { LogRecord, PriorityClass, RoomLimits } from './records.ts'

export interface ReplayedTicket {
  readonly number: number
  readonly place: number
  readonly class: PriorityClass
  state: 'waiting' | 'floor' | 'ended'
  isAway: boolean
}

/**
 * The state of one room, as its log tells it. A rebuild keeps it: the new epoch begins with what the ledger had, and says
 * by `restore` and `return` entries what it changed.
 */
export class RoomReplay {
  readonly tickets = new Map<number, ReplayedTicket>()
  readonly floor = new Set<number>()
  limits: RoomLimits | undefined
  #last: { epoch: number; seq: number; part: number } = { epoch: 0, seq: 0, part: 0 }

  /** Applies the entry; false when it was applied before, because the same entry may be recorded twice. */
  apply(entry: LogRecord): boolean {
    if (!this.#isNew(entry)) return false
    switch (entry.kind) {
      case 'epoch':
      case 'settings':
        this.limits = { capacity: entry.capacity, ratePerMinute: entry.ratePerMinute, burst: entry.burst }
        break
      case 'join':
      case 'return':
        this.#put(entry, 'waiting')
        break
      case 'restore':
        this.#put(entry, RESTORED_AS[entry.state])
        break
      case 'away':
      case 'back':
        this.#ticket(entry.ticket).isAway = entry.kind === 'away'
        break
      case 'admit':
        this.#move(entry.ticket, 'floor')
        break
      case 'complete':
      case 'expire':
      case 'leave':
      case 'terminate':
        this.#move(entry.ticket, 'ended')
        break
      case 'claim':
      case 'extend':
      case 'handover':
      case 'pause':
      case 'resume':
      case 'message':
      case 'stock':
      case 'sold-out':
        break
    }
    return true
  }

  #isNew({ epoch, seq, part = 0 }: LogRecord): boolean {
    const last = this.#last
    const advance = epoch - last.epoch || seq - last.seq || part - last.part
    if (advance <= 0) return false
    this.#last = { epoch, seq, part }
    return true
  }

  #put(entry: { ticket: number; place: number; class: PriorityClass }, state: ReplayedTicket['state']): void {
    const { ticket: number, place } = entry
    this.tickets.set(number, { number, place, class: entry.class, state: 'waiting', isAway: false })
    this.#move(number, state)
  }

  #move(number: number, state: ReplayedTicket['state']): void {
    this.#ticket(number).state = state
    if (state === 'floor') this.floor.add(number)
    else this.floor.delete(number)
  }

  /** A ticket whose join was not recorded counts as one of class 0 at its number. */
  #ticket(number: number): ReplayedTicket {
    let ticket = this.tickets.get(number)
    if (ticket === undefined) {
      ticket = { number, place: number, class: 0, state: 'waiting', isAway: false }
      this.tickets.set(number, ticket)
    }
    return ticket
  }
}

const RESTORED_AS = {
  waiting: 'waiting',
  admitted: 'floor',
  active: 'floor',
  completed: 'ended',
  expired: 'ended',
} as const
