import { type Check, type CheckRun, Findings, getOrMake } from '../../check.ts'
import type { HistoryRecord, LedgerRecord } from '../../records/records.ts'

/** I3. Available + held + sold + blocked = total, each at least 0: in the replay, and in the ledger's counts. */
export const seatsAddUp: Check = {
  id: 'I3',
  name: 'available + held + sold + blocked = total',
  start(): CheckRun {
    const findings = new Findings('changes', 'counts')
    const events = new Map<string, SeatCounts>()
    return {
      see(record: HistoryRecord) {
        if (record.record !== 'ledger') return
        const seats = getOrMake(events, record.event, () => ({ available: 0, held: 0, sold: 0, blocked: 0, total: 0 }))
        if (record.kind === 'count') {
          findings.count('counts')
          judgeCount(findings, record)
          if (record.exact === true) compare(findings, seats, record)
          return
        }
        if (change(seats, record)) findings.count('changes')
        judgeReplay(findings, seats, record)
      },
      finish: () => findings.verdict('changes'),
    }
  },
}

interface SeatCounts {
  available: number
  held: number
  sold: number
  blocked: number
  total: number
}

/** Counters, not sets, so that seats that return twice give a number below zero. True if seats moved. */
function change(seats: SeatCounts, record: LedgerRecord): boolean {
  const move = (from: keyof SeatCounts, to: keyof SeatCounts, count: number): boolean => {
    seats[from] -= count
    seats[to] += count
    return true
  }
  switch (record.kind) {
    case 'total':
      seats.available += record.total - seats.total
      seats.total = record.total
      return false
    case 'block':
      return move('available', 'blocked', record.seats.length)
    case 'unblock':
      return move('blocked', 'available', record.seats.length)
    case 'hold':
      return move('available', 'held', record.seats.length)
    case 'release':
    case 'expire':
      return move('held', 'available', record.seats.length)
    case 'sell':
      return move(record.late === true ? 'available' : 'held', 'sold', record.seats.length)
    case 'refund':
      return move('sold', 'available', record.seats.length)
    case 'extend':
    case 'count':
    case 'payment':
    case 'provider':
    case 'operation':
    case 'adoption':
    case 'news':
    case 'delivery':
      return false
  }
}

function judgeReplay(findings: Findings, seats: SeatCounts, record: LedgerRecord): void {
  const negative = (['available', 'held', 'sold', 'blocked'] as const).filter((state) => seats[state] < 0)
  for (const state of negative) {
    findings.violate(`After this ${record.kind}, ${seats[state]} seats of ${record.event} are ${state}`, record)
    // Reported once; later records are checked from a valid state again.
    seats[state] = 0
  }
}

function judgeCount(findings: Findings, record: Extract<LedgerRecord, { kind: 'count' }>): void {
  const { available, held, sold, blocked, total } = record
  const sum = available + held + sold + blocked
  if (sum !== total || Math.min(available, held, sold, blocked) < 0) {
    findings.violate(`The ledger counted ${available} + ${held} + ${sold} + ${blocked} seats, of ${total}`, record)
  }
}

function compare(findings: Findings, seats: SeatCounts, record: Extract<LedgerRecord, { kind: 'count' }>): void {
  for (const state of ['available', 'held', 'sold', 'blocked', 'total'] as const) {
    if (seats[state] === record[state]) continue
    const counted = state === 'total' ? `${record.total} seats` : `${record[state]} ${state} seats`
    findings.violate(`The ledger counted ${counted}; its own history leaves ${seats[state]}`, record)
  }
}
