import { type Check, type CheckRun, Findings, getOrMake } from '../../check.ts'
import type { HistoryRecord, LedgerRecord, LogRecord } from '../../records/records.ts'

/** How far the line may be behind the ledger, plus the difference of their clocks. */
const NEWS_MS_MAX = 2_000
/** How long after seats returned clients may still be told sold out. */
const REOPEN_MS_MAX = 5_000

/**
 * I25. No client is told sold out while a seat is free or held, and returned seats end it. I18 checks that freed slots and
 * seats are used again.
 */
export const soldOutWhenTrue: Check = {
  id: 'I25',
  name: 'sold out only when nothing is free or held',
  start(): CheckRun {
    const findings = new Findings('times sold out', 'times reopened', 'told to visitors')
    const events = new Map<string, Stock>()
    const rooms = new Map<string, ToldRoom>()
    let lastMs = 0
    return {
      see(record: HistoryRecord) {
        if (record.record === 'ledger') {
          lastMs = Math.max(lastMs, record.atMs)
          const stock = getOrMake(events, record.event, newStock)
          move(stock, record)
          if (record.kind === 'hold' && record.room !== undefined) getOrMake(rooms, record.room, newRoom).of = stock
        } else if (record.record === 'log') {
          lastMs = Math.max(lastMs, record.atMs)
          follow(findings, getOrMake(rooms, record.room, newRoom), record)
        }
      },
      finish() {
        const [only] = events.size === 1 ? events.values() : []
        for (const room of rooms.values()) {
          const stock = room.of ?? only
          if (stock !== undefined) for (const time of room.times) judge(findings, stock, time, lastMs)
        }
        return findings.verdict('times sold out')
      },
    }
  },
}

interface Stock {
  /** Seats that are free or held, from each instant on. */
  readonly steps: { atMs: number; seats: number }[]
  total: number
}

interface SoldOutTime {
  readonly record: LogRecord
  endMs: number | undefined
}

interface ToldRoom {
  of: Stock | undefined
  readonly times: SoldOutTime[]
}

const newStock = (): Stock => ({ steps: [], total: 0 })
const newRoom = (): ToldRoom => ({ of: undefined, times: [] })

function move(stock: Stock, record: LedgerRecord): void {
  const change = changeOf(stock, record)
  if (change === 0) return
  const last = stock.steps.at(-1)
  const seats = (last?.seats ?? 0) + change
  if (last?.atMs === record.atMs) last.seats = seats
  else stock.steps.push({ atMs: record.atMs, seats })
}

function changeOf(stock: Stock, record: LedgerRecord): number {
  if (record.kind === 'sell' || record.kind === 'block') return -record.seats.length
  if (record.kind === 'refund' || record.kind === 'unblock') return record.seats.length
  if (record.kind !== 'total') return 0
  const change = record.total - stock.total
  stock.total = record.total
  return change
}

function follow(findings: Findings, room: ToldRoom, record: LogRecord): void {
  const current = room.times.at(-1)
  const isSoldOut = current !== undefined && current.endMs === undefined
  if (record.kind === 'expire' && record.reason === 'sold_out') {
    findings.count('told to visitors')
    if (!isSoldOut) findings.violate(`Ticket ${record.ticket} was told sold out while it was not`, record)
  }
  if (record.kind !== 'sold-out') return
  if (record.isSoldOut === false) {
    if (isSoldOut) {
      current.endMs = record.atMs
      findings.count('times reopened')
    }
  } else if (!isSoldOut) {
    room.times.push({ record, endMs: undefined })
    findings.count('times sold out')
  }
}

function judge(findings: Findings, stock: Stock, { record, endMs }: SoldOutTime, lastMs: number): void {
  const untilMs = endMs ?? lastMs
  for (const { fromMs, toMs, seats } of stretches(stock, lastMs)) {
    const isThroughout = fromMs <= record.atMs - NEWS_MS_MAX && toMs >= Math.min(record.atMs + NEWS_MS_MAX, lastMs)
    if (isThroughout) {
      findings.violate(`Sold out was said while seats were free or held, ${seats} at most`, record)
      return
    }
    const overlapMs = Math.round(Math.min(toMs, untilMs) - Math.max(fromMs, record.atMs))
    if (overlapMs > REOPEN_MS_MAX) {
      findings.violate(`Seats came back, ${seats} at most, and ${overlapMs} ms later it was still sold out`, record)
      return
    }
  }
}

/** The intervals in which seats were free or held, with the largest number. */
function* stretches({ steps }: Stock, lastMs: number): Generator<{ fromMs: number; toMs: number; seats: number }> {
  let open: { fromMs: number; seats: number } | undefined
  for (const { atMs, seats } of steps) {
    if (seats > 0) open = { fromMs: open?.fromMs ?? atMs, seats: Math.max(open?.seats ?? 0, seats) }
    else if (open !== undefined) {
      yield { ...open, toMs: atMs }
      open = undefined
    }
  }
  if (open !== undefined) yield { ...open, toMs: lastMs }
}
