import type { HistoryRecord, LogRecord } from '@seatwise/checker'

const ROOM = 'room'
const EVENT = 'event'
/** Of so many who join, one is let in and buys. */
const JOINS_PER_SALE = 4
const STEP_MS = 1

/** Leaves the members of a union apart, which Omit alone does not. */
type Without<Union, Key extends PropertyKey> = Union extends unknown ? Omit<Union, Key> : never
type Body = Without<LogRecord, 'record' | 'room' | 'epoch' | 'seq' | 'atMs' | 'operation'>

/** A sound sale with so many entries in its log: people join, some leave, some are let in, reserve and pay. */
export function* longHistory(entries: number): Generator<HistoryRecord> {
  let seq = 0
  let atMs = Date.UTC(2026, 10, 15)
  const log = (body: Body): LogRecord => {
    seq += 1
    atMs += STEP_MS
    return { record: 'log', room: ROOM, epoch: 1, seq, atMs, operation: `operation ${seq}`, ...body }
  }
  const limits = { capacity: 100, ratePerMinute: 1_000_000, burst: 1_000 }
  yield { record: 'ledger', event: EVENT, atMs, kind: 'total', total: entries }
  yield log({ kind: 'epoch', reason: 'created', tokens: 0, ...limits })
  // Only the entries below admit visitors, so no check waits for progress.
  for (let ticket = 1, next = 1; seq < entries; ) {
    for (let join = 0; join < JOINS_PER_SALE; join += 1, ticket += 1) {
      yield log({ kind: 'join', ticket, place: ticket, class: 0, identity: `visitor ${ticket}` })
    }
    const hold = `hold ${next}`
    const seats = [`seat ${next}`]
    const buyer = `visitor ${next}`
    yield log({ kind: 'admit', ticket: next, deadlineMs: atMs + 60_000, fence: seq + 1 })
    yield log({ kind: 'enter', ticket: next, deadlineMs: atMs + 60_000 })
    const expiresAtMs = atMs + 30_000
    const claimed = { room: ROOM, ticket: next, fence: seq - 1, amount: 0 }
    yield { record: 'ledger', event: EVENT, atMs, kind: 'hold', hold, buyer, seats, expiresAtMs, ...claimed }
    yield log({ kind: 'reserve', ticket: next, deadlineMs: expiresAtMs })
    yield { record: 'ledger', event: EVENT, atMs, kind: 'sell', hold, buyer, seats }
    yield log({ kind: 'complete', ticket: next })
    yield log({ kind: 'leave', ticket: next + 1 })
    next += 2
  }
}
