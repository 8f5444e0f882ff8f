import { type Check, type CheckRun, Findings } from '../../check.ts'
import type { HistoryRecord, LedgerRecord } from '../../records/records.ts'

/** How late the end of a hold may be. */
const LATE_MS_MAX = 5_000

type End = Extract<LedgerRecord, { kind: 'release' | 'expire' | 'sell' }>

/**
 * I7. No hold expires before its time, and none lives more than five seconds longer. A hold may have to wait while no server
 * works on the event: it is late only if the event was changed after the hold's time, with neither a fault nor a new epoch
 * since.
 */
export const holdsKeepTheirTime: Check = {
  id: 'I7',
  name: 'no hold ends early or lives 5 s too long',
  start(): CheckRun {
    const findings = new Findings('holds expired', 'ends without a server at work')
    const holds = new Map<string, { begun: LedgerRecord; event: string; expiresAtMs: number }>()
    const busy = new Map<string, number[]>()
    const interruptions: number[] = []
    const late: { dueMs: number; end: End; begun: LedgerRecord }[] = []

    const end = (record: End): void => {
      const hold = holds.get(record.hold)
      holds.delete(record.hold)
      if (hold === undefined) return
      if (record.kind === 'expire') {
        findings.count('holds expired')
        if (record.atMs < hold.expiresAtMs) {
          const early = Math.round(hold.expiresAtMs - record.atMs)
          findings.violate(`Hold ${record.hold} expired ${early} ms before its time`, hold.begun, record)
        }
      }
      if (record.atMs > hold.expiresAtMs + LATE_MS_MAX) {
        late.push({ dueMs: hold.expiresAtMs, end: record, begun: hold.begun })
      }
    }
    return {
      see(record: HistoryRecord) {
        if (record.record === 'fault' && record.atMs !== undefined) interruptions.push(record.atMs)
        if (record.record === 'log' && record.kind === 'epoch') interruptions.push(record.atMs)
        if (record.record !== 'ledger') return
        if (isChange(record)) {
          const times = busy.get(record.event)
          if (times === undefined) busy.set(record.event, [record.atMs])
          else if (times.at(-1) !== record.atMs) times.push(record.atMs)
        }
        if (record.kind === 'hold') {
          holds.set(record.hold, { begun: record, event: record.event, expiresAtMs: record.expiresAtMs })
        } else if (record.kind === 'extend') {
          const hold = holds.get(record.hold)
          if (hold !== undefined) hold.expiresAtMs = record.expiresAtMs
        } else if (record.kind === 'release' || record.kind === 'expire' || record.kind === 'sell') end(record)
      },
      finish() {
        for (const { dueMs, end: record, begun } of late) {
          const seenMs = lastUpTo(busy.get(record.event) ?? [], record.atMs - LATE_MS_MAX)
          const isExcused = interruptions.some((atMs) => seenMs <= atMs + LATE_MS_MAX && atMs <= record.atMs)
          if (seenMs < dueMs || isExcused) findings.count('ends without a server at work')
          else {
            const tooLong = Math.round(record.atMs - dueMs)
            findings.violate(`Hold ${record.hold} lived ${tooLong} ms longer than its time`, begun, record)
          }
        }
        return findings.verdict('holds expired')
      },
    }
  },
}

/** Whether a record is a change of the event, not a count taken afterwards. */
function isChange({ kind }: LedgerRecord): boolean {
  return kind === 'hold' || kind === 'release' || kind === 'expire' || kind === 'sell' || kind === 'refund'
}

/** The largest of the ascending numbers up to the limit. */
function lastUpTo(numbers: readonly number[], limit: number): number {
  let low = 0
  let high = numbers.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((numbers[middle] ?? 0) <= limit) low = middle + 1
    else high = middle
  }
  return numbers[low - 1] ?? Number.NEGATIVE_INFINITY
}
