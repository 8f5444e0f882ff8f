import { type Check, type CheckRun, Findings, getOrMake } from '../../check.ts'
import type { ClientRecord, FaultRecord, HistoryRecord, LogRecord, RoomLimits } from '../../records/records.ts'
import { faultTimes } from '../../replay/fault-times.ts'
import { comesBefore, type ReplayedTicket, RoomReplay } from '../../replay/room-replay.ts'
import { TicketHeap } from '../../replay/ticket-heap.ts'

/** How soon after its time a ticket must be marked away, or end. */
const LATE_MS_MAX = 5_000
/** Servers collect heartbeats for a moment, so that the last one of a client may arrive this much later. */
const HEARTBEAT_MS = 2_000

/**
 * I38. A ticket of a client that vanished is in no count soon after its timeout. An away ticket ends as a no-show when
 * admission has passed it for the grace time, or when it was away for too long: not before, and soon after. Times in which no
 * server took heartbeats do not count; the log tells them.
 */
export const absenteesLeaveTheCount: Check = {
  id: 'I38',
  name: 'absent tickets leave the count, keep their place, and end in their time',
  start(): CheckRun {
    const findings = new Findings('tickets away', 'tickets back', 'no-shows', 'clients vanished', 'late under a fault')
    const rooms = new Map<string, WatchedRoom>()
    const faults: FaultRecord[] = []
    const roomOf = (name: string) => getOrMake(rooms, name, () => new WatchedRoom(findings))
    return {
      see(record: HistoryRecord) {
        if (record.record === 'fault') faults.push(record)
        else if (record.record === 'log') roomOf(record.room).follow(record)
        else if (record.record === 'client' && record.room !== undefined) roomOf(record.room).hear(record)
      },
      finish() {
        const excuses = faultTimes(faults)
        for (const { message, fromMs, toMs, record } of [...rooms.values()].flatMap((room) => room.finish())) {
          if (excuses.some(({ from, to }) => from <= toMs && fromMs <= to)) findings.count('late under a fault')
          else findings.violate(message, record)
        }
        return findings.verdict('tickets away')
      },
    }
  },
}

/** What came too late, between which times. */
interface Late {
  readonly message: string
  readonly fromMs: number
  readonly toMs: number
  readonly record: HistoryRecord
}

interface Absence {
  readonly ticket: ReplayedTicket
  readonly sinceMs: number
  /** When a ticket with a higher place was admitted; null when none was. */
  passedMs: number | null
  readonly record: LogRecord
}

class WatchedRoom {
  readonly #findings: Findings
  readonly #replay = new RoomReplay()
  readonly #away = new Map<number, Absence>()
  /** Away tickets that admission has not passed, by place; those that came back or ended are dropped when they are met. */
  readonly #unpassed = new TicketHeap(comesBefore)
  readonly #vanished = new Map<number, { atMs: number; record: ClientRecord }>()
  readonly #late: Late[] = []
  #limits: RoomLimits | null = null
  /** The shortest and the longest of the times that were ever set: a change counts for tickets that are away already. */
  #grace = { min: Number.POSITIVE_INFINITY, max: 0 }
  #absence = { min: Number.POSITIVE_INFINITY, max: 0 }
  #passedPlace = Number.NEGATIVE_INFINITY
  #attendedMs = 0
  #lastMs = 0

  constructor(findings: Findings) {
    this.#findings = findings
  }

  follow(record: LogRecord): void {
    const before = 'ticket' in record ? this.#away.get(record.ticket) : undefined
    if (!this.#replay.apply(record)) return
    this.#lastMs = record.atMs
    if (record.kind === 'epoch' || record.kind === 'settings') this.#learnLimits(record)
    if (record.kind === 'epoch' || record.kind === 'attended') this.#attendedMs = record.atMs
    if (record.kind === 'admit') this.#pass(record)
    if ('ticket' in record) this.#follow(record, before)
  }

  /** A client that says so sends nothing more for its ticket, until its next record. */
  hear(record: ClientRecord): void {
    const { ticket, action, atMs } = record
    if (ticket === undefined) return
    this.#vanished.delete(ticket)
    if (action !== 'vanish' || atMs === undefined) return
    this.#findings.count('clients vanished')
    this.#vanished.set(ticket, { atMs, record })
  }

  finish(): readonly Late[] {
    for (const absence of this.#away.values()) this.#judgeEnd(absence, this.#lastMs)
    const silenceMs = this.#limits?.silenceMs
    for (const [number, { atMs, record }] of this.#vanished) {
      const ticket = this.#replay.tickets.get(number)
      if (silenceMs === undefined || ticket?.state !== 'waiting' || ticket.isAway) continue
      const dueMs = Math.max(atMs, this.#attendedMs) + silenceMs + HEARTBEAT_MS + LATE_MS_MAX
      if (dueMs >= this.#lastMs) continue
      const message = `Ticket ${number}, whose client vanished, still counts ${this.#lastMs - dueMs} ms after it should not`
      this.#late.push({ message, fromMs: atMs, toMs: this.#lastMs, record })
    }
    return this.#late
  }

  #follow(record: Extract<LogRecord, { ticket: number }>, before: Absence | undefined): void {
    if (record.kind === 'away') {
      const ticket = this.#replay.tickets.get(record.ticket)
      if (ticket === undefined) return
      this.#findings.count('tickets away')
      const passedMs = ticket.place < this.#passedPlace ? record.atMs : null
      this.#away.set(record.ticket, { ticket, sinceMs: record.atMs, passedMs, record })
      if (passedMs === null) this.#unpassed.push(ticket)
      return
    }
    if (before === undefined || this.#replay.tickets.get(record.ticket)?.isAway === true) return
    this.#away.delete(record.ticket)
    this.#judgeEnd(before, record.atMs)
    if (record.kind === 'back') this.#findings.count('tickets back')
    if (record.kind === 'expire' && record.reason === 'no_show') this.#judgeNoShow(before, record)
  }

  #pass({ ticket: number, atMs }: Extract<LogRecord, { kind: 'admit' }>): void {
    this.#passedPlace = Math.max(this.#passedPlace, this.#replay.tickets.get(number)?.place ?? this.#passedPlace)
    for (let top = this.#unpassed.peek(); top !== undefined; top = this.#unpassed.peek()) {
      const absence = this.#away.get(top.number)
      if (absence?.ticket === top && top.place >= this.#passedPlace) return
      this.#unpassed.pop()
      if (absence?.ticket === top) absence.passedMs ??= atMs
    }
  }

  #judgeNoShow({ sinceMs, passedMs, ticket }: Absence, record: LogRecord): void {
    this.#findings.count('no-shows')
    const graceMs = passedMs === null ? null : record.atMs - Math.max(passedMs, this.#attendedMs)
    const awayMs = record.atMs - Math.max(sinceMs, this.#attendedMs)
    // Being away counts from the timeout on, and is logged by the next sweep.
    if ((graceMs !== null && graceMs >= this.#grace.min) || awayMs >= this.#absence.min - LATE_MS_MAX) return
    const passed = graceMs === null ? 'before admission passed it' : `${graceMs} ms after admission passed it`
    this.#findings.violate(`Ticket ${ticket.number} ended as a no-show ${passed}, away for ${awayMs} ms`, record)
  }

  /** An away ticket was there until this time. */
  #judgeEnd({ sinceMs, passedMs, ticket, record }: Absence, atMs: number): void {
    const from = (ms: number) => Math.max(ms, this.#attendedMs)
    const dueMs = Math.min(
      passedMs === null ? Number.POSITIVE_INFINITY : from(passedMs) + this.#grace.max,
      from(sinceMs) + this.#absence.max,
    )
    if (!(atMs > dueMs + LATE_MS_MAX)) return
    const message = `Ticket ${ticket.number} was away ${atMs - dueMs} ms after it should have ended`
    this.#late.push({ message, fromMs: sinceMs, toMs: atMs, record })
  }

  #learnLimits(limits: RoomLimits): void {
    this.#limits = limits
    this.#grace = widened(this.#grace, limits.graceMs)
    this.#absence = widened(this.#absence, limits.awayMs)
  }
}

/** A time that is not told sets no limit. */
function widened({ min, max }: { min: number; max: number }, ms: number | undefined): { min: number; max: number } {
  return { min: Math.min(min, ms ?? 0), max: Math.max(max, ms ?? Number.POSITIVE_INFINITY) }
}
