import type { LogRecord, RoomLimits } from '@seatwise/checker'
import type { Changed, EndReason, Grouped, LogEntry, Opened, RoomSettings } from '@seatwise/domain'
import { DrawnPlaces, type DrawnTicket } from './drawn-places.ts'

/** What paying may add to a reservation (B18). The checker learns it here: the product's own constant proves nothing. */
const PAYING_MS = 180_000

/** Leaves the members of a union apart, which Omit alone does not. */
type Without<Union, Key extends PropertyKey> = Union extends unknown ? Omit<Union, Key> : never
type Body = Without<LogRecord, 'record' | 'room' | 'epoch' | 'seq' | 'part' | 'atMs' | 'operation'>

/**
 * Translates the log of one room into the checker's records, entry by entry. The checker knows nothing of the product;
 * the caller translates the product's words.
 */
export class LogRecords {
  readonly #room: string
  #settings: RoomSettings | undefined
  #stock: number | null = null
  #window = { opensAtMs: 0, closesAtMs: 0 }
  readonly #draw: DrawnPlaces
  readonly #companions = new Set<number>()
  #last: { epoch: number; seq: number } | undefined

  constructor(room: string) {
    this.#room = room
    this.#draw = new DrawnPlaces(room)
  }

  /** `text`: as it was hashed; the order of a draw follows from the texts. */
  translate(entry: LogEntry, text?: string): LogRecord[] {
    const { epoch, seq, at, operation } = entry
    const drawn = text === undefined ? [] : this.#draw.follow(entry, text)
    const bodies = [...drawn.map(promoted), ...this.#bodies(entry)]
    this.#last = { epoch, seq }
    return bodies.map((body, part) => ({
      ...{ record: 'log', room: this.#room, epoch, seq, ...(bodies.length > 1 ? { part } : {}) },
      ...{ atMs: at, operation },
      ...body,
    }))
  }

  #bodies({ change }: LogEntry): Body[] {
    switch (change.kind) {
      case 'opened':
        return this.#opened(change)
      case 'changed':
        return this.#changed(change)
      case 'joined':
      case 'restored': {
        const { number: ticket, place, class: ticketClass, identity } = change
        return [{ kind: change.kind === 'joined' ? 'join' : 'return', ticket, place, class: ticketClass, identity }]
      }
      case 'admitted':
        return [
          {
            ...{ kind: 'admit', ticket: change.number, deadlineMs: change.deadline, fence: change.fence },
            ...(change.by === undefined ? {} : { by: change.by }),
          },
        ]
      case 'entered':
        return [{ kind: 'enter', ticket: change.number, deadlineMs: change.deadline }]
      case 'extended':
        return [{ kind: 'extend', ticket: change.number, deadlineMs: change.deadline, sessionEndMs: change.sessionEnd }]
      case 'reserved':
        return change.numbers.map((ticket) => ({ kind: 'reserve', ticket, deadlineMs: change.deadline }))
      case 'corrected': {
        const { number: ticket, state, fence, deadline: deadlineMs, sessionEnd, quantity } = change
        const floor = { deadlineMs, sessionEndMs: sessionEnd ?? deadlineMs, fence }
        return [{ kind: 'correct', ticket, state, ...floor, hasReservation: quantity > 0 }]
      }
      case 'moved': {
        // Of one who stands with another ticket: the line has only that.
        if (this.#companions.has(change.number)) return [{ kind: 'said', what: change.kind }]
        const fence = change.fence === null ? {} : { fence: change.fence }
        return [{ kind: 'handover', ticket: change.number, generation: change.generation, ...fence }]
      }
      case 'adopted':
        if (this.#companions.has(change.number)) return [{ kind: 'said', what: change.kind }]
        return [{ kind: 'adopt', ticket: change.number, identity: change.identity }]
      case 'away':
      case 'back':
        return change.numbers.map((ticket) => ({ kind: change.kind, ticket }))
      case 'attended':
        return [{ kind: 'attended', unattendedSinceMs: change.unattendedSince }]
      case 'classed':
        return [{ kind: 'promote', ticket: change.number, place: change.place, class: change.class }]
      case 'prices':
        return [{ kind: 'prices', listHash: change.hash, list: change.list }]
      case 'grouped':
        return this.#grouped(change)
      case 'codes':
      case 'sealed':
        return [{ kind: 'said', what: change.kind }]
      // No ticket is let in until the draw is revealed.
      case 'draw':
        return [{ kind: 'hold', reason: 'the draw' }]
      case 'revealed':
        return [{ kind: 'unhold' }]
      case 'completed':
        return [{ kind: 'complete', ticket: change.number }]
      case 'expired':
        return change.numbers.map((ticket) => endOf(ticket, change.reason))
    }
  }

  /** Two tickets became one, or one visitor left the others. */
  #grouped({ number: ticket, members, merged }: Grouped): Body[] {
    for (const member of members) if (member !== ticket) this.#companions.add(member)
    const group: Body = { kind: 'group', ticket, people: members.length }
    return merged === null ? [group] : [{ kind: 'merged', ticket: merged }, group]
  }

  #opened({ reason, rules }: Opened): Body[] {
    const { settings, paused, soldOut, opensAt, closesAt, stock } = rules
    const before = this.#last === undefined ? {} : { afterEpoch: this.#last.epoch, afterSeq: this.#last.seq }
    this.#settings = settings
    this.#stock = stock
    this.#window = { opensAtMs: opensAt, closesAtMs: closesAt }
    return [
      // Every epoch begins with an empty bucket (L26).
      { kind: 'epoch', reason, paused, tokens: 0, ...limitsOf(settings), ...before },
      { kind: 'window', ...this.#window },
      { kind: 'stock', remaining: this.#promisable() },
      { kind: 'sold-out', isSoldOut: soldOut },
      { kind: 'unhold' },
    ]
  }

  #changed(change: Changed): Body[] {
    if (this.#settings === undefined) throw new Error(`Room ${this.#room} changes before it is opened`)
    this.#settings = { ...this.#settings, ...change.settings }
    if (change.stock !== undefined) this.#stock = change.stock
    this.#window = {
      opensAtMs: change.opensAt ?? this.#window.opensAtMs,
      closesAtMs: change.closesAt ?? this.#window.closesAtMs,
    }
    const bodies: Body[] = [
      { kind: 'settings', ...limitsOf(this.#settings) },
      { kind: 'window', ...this.#window },
      { kind: 'stock', remaining: this.#promisable() },
    ]
    if (change.paused !== undefined)
      bodies.push(change.paused ? { kind: 'pause', reason: 'operator' } : { kind: 'resume' })
    if (change.held !== undefined)
      bodies.push(change.held === null ? { kind: 'unhold' } : { kind: 'hold', reason: change.held })
    if (change.settings?.draw === 'none') bodies.push({ kind: 'unhold' })
    if (change.message !== undefined) bodies.push({ kind: 'message', text: change.message ?? '' })
    if (change.soldOut !== undefined) bodies.push({ kind: 'sold-out', isSoldOut: change.soldOut })
    return bodies
  }

  /** Null when stock does not decide who goes in. */
  #promisable(): number | null {
    return this.#settings?.stockAware === true ? this.#stock : null
  }
}

/** A ticket that drew its place. */
function promoted({ number: ticket, class: ticketClass, place }: DrawnTicket): Body {
  return { kind: 'promote', ticket, class: ticketClass, place }
}

function endOf(ticket: number, reason: EndReason): Body {
  if (reason === 'cancelled') return { kind: 'leave', ticket }
  if (reason === 'terminated') return { kind: 'terminate', ticket }
  return { kind: 'expire', ticket, reason }
}

function limitsOf(settings: RoomSettings): RoomLimits {
  const { capacity, ratePerMinute, burst, maxSeatsPerBuyer, sessionSeconds, reservationSeconds } = settings
  const { heartbeatTimeoutSeconds, graceSeconds, awaySeconds } = settings
  return {
    ...{ capacity, ratePerMinute, burst, seatsPerBuyer: maxSeatsPerBuyer },
    ...{ sessionMs: sessionSeconds * 1_000, reservationMs: reservationSeconds * 1_000, payingMs: PAYING_MS },
    ...{ silenceMs: heartbeatTimeoutSeconds * 1_000, graceMs: graceSeconds * 1_000, awayMs: awaySeconds * 1_000 },
  }
}
