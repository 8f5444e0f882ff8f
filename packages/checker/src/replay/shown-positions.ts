import type { ClientRecord, LogRecord } from '../records/records.ts'
import { Fenwick } from './fenwick.ts'
import { comesBefore, isPresent, RoomReplay } from './room-replay.ts'

/** A position that a client was told, together with the log's. */
export interface JudgedPosition {
  readonly record: ShownRecord
  /**
   * How many tickets were before it at that entry; null when it did not wait then. A rank map may be older than the
   * ticket: then it is how many were before its place.
   */
  readonly rank: number | null
  /** How many tickets were placed before it until then by priority or by returning. */
  readonly putBefore: number
}

export type ShownRecord = ClientRecord & { room: string; epoch: number; seq: number; ticket: number; rank: number }

export interface PositionsOfRoom {
  readonly judged: readonly JudgedPosition[]
  /** Positions as of entries that are not in the records: an epoch lost its tail, or the run ended first. */
  readonly unjudged: number
}

/**
 * Collects the moves of one room's line and the positions that were shown, and compares them at the end: the places are
 * sorted once, then both are read in the order of the log. Records may come in any order.
 */
export class ShownPositions {
  readonly #replay = new RoomReplay()
  readonly #moves: Move[] = []
  readonly #shown: ShownRecord[] = []
  readonly #lastSeq = new Map<number, number>()

  seeLog(record: LogRecord): void {
    const number = 'ticket' in record ? record.ticket : undefined
    const before = number === undefined ? undefined : this.#replay.tickets.get(number)
    const was = before !== undefined && isPresent(before) ? { place: before.place, number: before.number } : undefined
    if (!this.#replay.apply(record)) return
    const { epoch, seq } = record
    this.#lastSeq.set(epoch, seq)
    if (number === undefined) return
    const after = this.#replay.tickets.get(number)
    const is = after !== undefined && isPresent(after) ? { place: after.place, number } : undefined
    if (was?.place === is?.place) return
    if (was !== undefined) this.#moves.push({ epoch, seq, ...was, by: -1, mayPass: false })
    if (is !== undefined) this.#moves.push({ epoch, seq, ...is, by: 1, mayPass: mayPass(record) })
  }

  seeShown(record: ShownRecord): void {
    this.#shown.push(record)
  }

  judge(): PositionsOfRoom {
    if (this.#shown.length === 0) return { judged: [], unjudged: 0 }
    const places = sortedPlaces(this.#moves)
    const line = new Fenwick(places.size)
    const passing = new Fenwick(places.size)
    const present = new Map<number, number>()
    const lastEntered = new Map(this.#moves.filter(({ by }) => by > 0).map((move) => [move.number, move]))
    const shown = this.#shown.filter(({ epoch, seq }) => seq <= (this.#lastSeq.get(epoch) ?? -1)).sort(byEntry)
    const judged: JudgedPosition[] = []
    let next = 0
    for (const record of shown) {
      for (let move = this.#moves[next]; move !== undefined && byEntry(move, record) <= 0; move = this.#moves[++next]) {
        const index = places.get(key(move)) ?? 0
        line.add(index, move.by)
        if (move.mayPass) passing.add(index, 1)
        if (move.by > 0) present.set(move.number, index)
        else present.delete(move.number)
      }
      const index = present.get(record.ticket) ?? indexToCome(places, record, lastEntered.get(record.ticket))
      judged.push({
        record,
        rank: index === undefined ? null : line.sumBefore(index),
        putBefore: index === undefined ? 0 : passing.sumBefore(index),
      })
    }
    return { judged, unjudged: this.#shown.length - shown.length }
  }
}

function indexToCome(places: Map<string, number>, shown: ShownRecord, entered: Move | undefined): number | undefined {
  if (shown.exact !== false || entered === undefined || byEntry(entered, shown) <= 0) return undefined
  return places.get(key(entered))
}

/** A ticket joined the line (+1) or left it (−1). */
interface Move {
  readonly epoch: number
  readonly seq: number
  readonly place: number
  readonly number: number
  readonly by: 1 | -1
  readonly mayPass: boolean
}

/** Priority joins, codes and returns may place a ticket before waiting ones; a normal join may not. */
function mayPass(record: LogRecord): boolean {
  switch (record.kind) {
    case 'join':
      return record.class > 0
    case 'return':
    case 'back':
    case 'promote':
      return true
    default:
      return false
  }
}

function sortedPlaces(moves: readonly Move[]): Map<string, number> {
  const sorted = [...new Map(moves.map((move) => [key(move), move])).entries()].sort(([, a], [, b]) =>
    comesBefore(a, b) ? -1 : 1,
  )
  return new Map(sorted.map(([name], index) => [name, index]))
}

function key({ place, number }: { place: number; number: number }): string {
  return `${place}/${number}`
}

function byEntry(a: { epoch: number; seq: number }, b: { epoch: number; seq: number }): number {
  return a.epoch - b.epoch || a.seq - b.seq
}

/** An answer that names a ticket's position and the entry as of which it is true. */
export function isShownPosition(record: ClientRecord): record is ShownRecord {
  const { phase, room, epoch, seq, ticket, rank } = record
  const named = [room, epoch, seq, ticket, rank]
  return phase === 'ok' && named.every((field) => field !== undefined)
}

/** The error that a rank map may have. */
export function mapError(rank: number): number {
  return Math.max(1, Math.ceil(rank * 0.02))
}
