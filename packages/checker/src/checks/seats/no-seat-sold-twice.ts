import { type Check, type CheckRun, Findings } from '../../check.ts'
import type { HistoryRecord, LedgerRecord } from '../../records/records.ts'

/** I1. A sold seat is not sold again before it was given back. */
export const noSeatSoldTwice: Check = {
  id: 'I1',
  name: 'no seat sold twice',
  start(): CheckRun {
    const findings = new Findings('seats sold', 'seats given back')
    const soldBy = new Map<string, LedgerRecord>()
    return {
      see(record: HistoryRecord) {
        if (record.record !== 'ledger') return
        if (record.kind === 'sell') {
          for (const seat of record.seats) {
            const earlier = soldBy.get(key(record, seat))
            if (earlier !== undefined) findings.violate(`Seat ${seat} was sold although it is sold`, earlier, record)
            soldBy.set(key(record, seat), record)
            findings.count('seats sold')
          }
        }
        if (record.kind === 'refund') {
          for (const seat of record.seats) {
            if (soldBy.delete(key(record, seat))) findings.count('seats given back')
          }
        }
      },
      finish: () => findings.verdict('seats sold'),
    }
  },
}

function key(record: LedgerRecord, seat: string): string {
  return `${record.event}/${seat}`
}
