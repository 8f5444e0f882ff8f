import { type Check, type CheckRun, Findings } from '../../check.ts'
import type { HistoryRecord, LedgerRecord } from '../../records/records.ts'

type Hold = Extract<LedgerRecord, { kind: 'hold' }>

/** I4. At most one live hold per seat. The seats of an overdue hold may be taken, whether it was expired or not. */
export const oneHoldPerSeat: Check = {
  id: 'I4',
  name: 'at most one live hold per seat',
  start(): CheckRun {
    const findings = new Findings('seats held', 'expired holds taken over', 'seats held across epochs')
    const holdOf = new Map<string, Hold>()
    const expiryOf = new Map<string, number>()

    const take = (record: Hold): void => {
      expiryOf.set(record.hold, record.expiresAtMs)
      for (const seat of record.seats) {
        findings.count('seats held')
        const key = `${record.event}/${seat}`
        const other = holdOf.get(key)
        if (other !== undefined && other.hold !== record.hold) judge(other, record, seat)
        holdOf.set(key, record)
      }
    }
    const judge = (other: Hold, record: Hold, seat: string): void => {
      if ((expiryOf.get(other.hold) ?? 0) <= record.atMs) findings.count('expired holds taken over')
      else if (other.epoch !== record.epoch) findings.count('seats held across epochs')
      else findings.violate(`Seat ${seat} is held by ${other.hold} and was also given to ${record.hold}`, other, record)
    }
    const free = (record: { event: string; hold: string; seats: readonly string[] }): void => {
      for (const seat of record.seats) {
        const key = `${record.event}/${seat}`
        if (holdOf.get(key)?.hold === record.hold) holdOf.delete(key)
      }
    }
    return {
      see(record: HistoryRecord) {
        if (record.record !== 'ledger') return
        if (record.kind === 'hold') take(record)
        else if (record.kind === 'extend') expiryOf.set(record.hold, record.expiresAtMs)
        else if (record.kind === 'release' || record.kind === 'expire' || record.kind === 'sell') free(record)
      },
      finish: () => findings.verdict('seats held'),
    }
  },
}
