import { type Check, type CheckRun, Findings } from '../../check.ts'
import type { HistoryRecord, LedgerRecord } from '../../records/records.ts'

type Hold = Extract<LedgerRecord, { kind: 'hold' }>

/** I8. Every seat sold was held by the same buyer until then; a late payment takes back only free seats. */
export const soldAfterAHold: Check = {
  id: 'I8',
  name: 'sold only after a live hold of the same buyer',
  start(): CheckRun {
    const findings = new Findings('sales', 'sales for late money')
    const begun = new Map<string, Hold>()
    const live = new Map<string, Hold>()
    const holderOf = new Map<string, string>()

    const free = ({ event, seats, hold }: { event: string; seats: readonly string[]; hold: string }): void => {
      for (const seat of seats) {
        if (holderOf.get(`${event}/${seat}`) === hold) holderOf.delete(`${event}/${seat}`)
      }
    }
    const sell = (record: Extract<LedgerRecord, { kind: 'sell' }>): void => {
      findings.count('sales')
      const hold = (record.late === true ? begun : live).get(record.hold)
      if (hold === undefined) findings.violate(`${record.hold} was sold without a hold`, record)
      else if (hold.buyer !== record.buyer) {
        findings.violate(`${record.hold} was held by ${hold.buyer} and sold to ${record.buyer}`, hold, record)
      } else if (record.late === true) {
        findings.count('sales for late money')
        const foreign = record.seats.filter((seat) => holderOf.has(`${record.event}/${seat}`))
        if (foreign.length > 0)
          findings.violate(`A late payment took ${foreign.join(', ')}, held by another buyer`, hold, record)
      } else {
        const strange = record.seats.filter((seat) => !hold.seats.includes(seat))
        if (strange.length > 0) findings.violate(`${strange.join(', ')} were sold and not held`, hold, record)
      }
      live.delete(record.hold)
      for (const seat of record.seats) holderOf.set(`${record.event}/${seat}`, record.hold)
    }
    return {
      see(record: HistoryRecord) {
        if (record.record !== 'ledger') return
        if (record.kind === 'hold') {
          begun.set(record.hold, record)
          live.set(record.hold, record)
          for (const seat of record.seats) holderOf.set(`${record.event}/${seat}`, record.hold)
        } else if (record.kind === 'sell') sell(record)
        else if (record.kind === 'release' || record.kind === 'expire') {
          live.delete(record.hold)
          free(record)
        } else if (record.kind === 'refund') free(record)
      },
      finish: () => findings.verdict('sales'),
    }
  },
}
