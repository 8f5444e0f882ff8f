import type { HistoryRecord, LedgerRecord } from '@seatwise/checker'
import type { Corrected } from '@seatwise/domain'
import {
  type LoadedTicket,
  type LogEntry,
  NO_PLACE,
  type ReplayedTicket,
  replay,
  type SeatCounts,
} from '@seatwise/line'
import { LogRecords } from 'seatwise'

type Without<Union, Key extends PropertyKey> = Union extends unknown ? Omit<Union, Key> : never

export interface Hold {
  readonly id: string
  readonly ticket: number
  readonly fence: number
  readonly buyer: string
  readonly operation: string
  readonly quantity: number
  readonly untilMs: number
  state: 'held' | 'sold' | 'ended'
}

/** Numbers that the lost part of a log may have given out. */
const UNSEEN_MAX = 100
const EVENT = 'event'

/** What PostgreSQL would know: the followed log, the epoch, and the seats. It decides alone and at once. */
export class ModelLedger {
  readonly records: HistoryRecord[] = []
  readonly #translate: LogRecords
  readonly #total: number
  readonly #joinedAt = new Map<number, number>()
  readonly #identities = new Map<number, string>()
  readonly #places = new Map<number, number>()
  #passedPlace = NO_PLACE
  readonly marks: Record<number, number> = {}
  readonly holds = new Map<string, Hold>()
  #entries: LogEntry[] = []
  #loaded: LoadedTicket[] = []
  #highest = 0
  /** Where the numbers of this epoch began. */
  #nextNumber = 1
  readonly #lastPlaces: [number, number, number, number] = [NO_PLACE, NO_PLACE, NO_PLACE, NO_PLACE]
  epoch = 0
  seq = 0
  #version = 1

  constructor(room: string, total: number, nowMs: number) {
    this.#translate = new LogRecords(room)
    this.#total = total
    this.#write(nowMs, { kind: 'total', total })
  }

  /** Takes over what follows, and only that; false when these entries are of another line. */
  copy(entries: readonly LogEntry[]): boolean {
    for (const entry of entries) {
      if (entry.epoch !== this.epoch || entry.seq > this.seq + 1) return false
      if (entry.seq <= this.seq) continue
      this.seq = entry.seq
      this.#entries.push(entry)
      this.records.push(...this.#translate.translate(entry))
      this.#note(entry)
    }
    return true
  }

  knows(number: number): boolean {
    return this.#identities.has(number)
  }

  /** The next epoch, with all live tickets as the log tells, and what the seats tell otherwise. */
  beginEpoch(): {
    epoch: number
    nextNumber: number
    lastPlaces: [number, number, number, number]
    passedPlace: number
    tickets: LoadedTicket[]
    corrections: Corrected[]
  } {
    const { line, away, floor } = replay(this.#entries, this.#loaded)
    const tickets = [...line, ...away, ...floor].map((ticket) => this.#load(ticket))
    if (this.epoch > 0) this.marks[this.epoch] = this.#highest
    this.epoch += 1
    this.seq = 0
    this.#entries = []
    this.#loaded = tickets
    // Also when nothing of the epoch before was ever followed, it may have given out numbers.
    this.#nextNumber = Math.max(this.#nextNumber, this.#highest + 1) + UNSEEN_MAX
    const corrections = tickets.flatMap((ticket) => this.#correct(ticket) ?? [])
    const [nextNumber, lastPlaces, passedPlace] = [this.#nextNumber, this.#lastPlaces, this.#passedPlace]
    return { epoch: this.epoch, nextNumber, lastPlaces, passedPlace, tickets, corrections }
  }

  counts(): SeatCounts {
    const of = (state: Hold['state']): number =>
      [...this.holds.values()].reduce((sum, hold) => sum + (hold.state === state ? hold.quantity : 0), 0)
    return { version: this.#version, stock: this.#total - of('held') - of('sold'), heldSeats: of('held') }
  }

  claim(hold: Omit<Hold, 'state'>, nowMs: number, room: string): boolean {
    if (this.holds.has(hold.id)) return true
    if (this.counts().stock < hold.quantity) return false
    this.holds.set(hold.id, { ...hold, state: 'held' })
    const { id, buyer, untilMs, ticket, fence } = hold
    const pass = { room, ticket, fence }
    this.#change(nowMs, { kind: 'hold', hold: id, buyer, seats: seatsOf(hold), expiresAtMs: untilMs, ...pass })
    return true
  }

  end(hold: Hold, how: 'release' | 'expire' | 'sell', nowMs: number): void {
    if (hold.state !== 'held') return
    hold.state = how === 'sell' ? 'sold' : 'ended'
    const seats = seatsOf(hold)
    this.#change(
      nowMs,
      how === 'sell' ? { kind: how, hold: hold.id, buyer: hold.buyer, seats } : { kind: how, hold: hold.id, seats },
    )
  }

  #change(atMs: number, body: Without<LedgerRecord, 'record' | 'event' | 'atMs'>): void {
    this.#version += 1
    this.#write(atMs, body)
  }

  #write(atMs: number, body: Without<LedgerRecord, 'record' | 'event' | 'atMs'>): void {
    this.records.push({ record: 'ledger', event: EVENT, atMs, ...body })
  }

  #note({ at, change }: LogEntry): void {
    if (change.kind === 'admitted')
      this.#passedPlace = Math.max(this.#passedPlace, this.#places.get(change.number) ?? 0)
    if (change.kind !== 'joined' && change.kind !== 'restored') return
    const { number, identity, place, class: ticketClass } = change
    this.#joinedAt.set(number, change.kind === 'restored' ? change.joinedAt : at)
    this.#identities.set(number, identity)
    this.#places.set(number, place)
    this.#highest = Math.max(this.#highest, number)
    this.#lastPlaces[ticketClass] = Math.max(this.#lastPlaces[ticketClass], place)
  }

  #load({ number, identity, class: ticketClass, place, generation, state, ...rest }: ReplayedTicket): LoadedTicket {
    if (state === 'completed' || state === 'expired') throw new Error(`Ticket ${number} has ended`)
    return {
      ...{ number, identity, class: ticketClass, place, generation, state, away: rest.away },
      ...{ joinedAt: this.#joinedAt.get(number) ?? 0, fence: rest.fence, extended: false, limitKey: null, shown: null },
      ...{ deadline: rest.deadline, reservedSeats: rest.reservedSeats },
      sessionEnd: state === 'active' ? rest.sessionDeadline : null,
    }
  }

  /** The seats are the truth about who has reserved and who has paid. */
  #correct({ number, state: from, fence, deadline, sessionEnd, reservedSeats }: LoadedTicket): Corrected | null {
    const holds = [...this.holds.values()].filter(({ ticket }) => ticket === number)
    const held = holds.find(({ state }) => state === 'held')
    const head = { kind: 'corrected', number, from } as const
    if (held === undefined && holds.some(({ state }) => state === 'sold')) {
      return { ...head, state: 'completed', fence: null, deadline: null, sessionEnd: null, quantity: 0 }
    }
    if (held !== undefined) {
      if (from === 'active' && deadline === held.untilMs && reservedSeats === held.quantity) return null
      const floor = { deadline: held.untilMs, sessionEnd: sessionEnd ?? held.untilMs, quantity: held.quantity }
      return { ...head, state: 'active', fence: Math.max(fence ?? 0, held.fence), ...floor }
    }
    if (reservedSeats === 0 || from === 'waiting') return null
    return { ...head, state: from, fence, deadline: sessionEnd ?? deadline, sessionEnd, quantity: 0 }
  }
}

function seatsOf({ id, quantity }: Pick<Hold, 'id' | 'quantity'>): string[] {
  return Array.from({ length: quantity }, (_, index) => `${id}/${index}`)
}
