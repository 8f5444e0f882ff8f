import { type Check, type CheckRun, Findings, getOrMake } from '../../check.ts'
import type { ClientRecord, HistoryRecord, LedgerRecord } from '../../records/records.ts'

/** I2. Never more seats sold than there are, by the ledger and by what clients were told, at every prefix. */
export const soldAtMostTotal: Check = {
  id: 'I2',
  name: 'sold ≤ total',
  start(): CheckRun {
    const findings = new Findings('sales', 'sales before any total', 'purchases told to clients')
    const events = new Map<string, Sold>()
    return {
      see(record: HistoryRecord) {
        if (record.record === 'ledger') {
          follow(findings, getOrMake(events, record.event, emptySale), record)
        } else if (record.record === 'client' && record.event !== undefined && record.phase === 'ok') {
          hear(findings, getOrMake(events, record.event, emptySale), record)
        }
      },
      finish() {
        // Client and ledger records are not ordered against each other, so clients are compared with the largest total.
        for (const [event, sale] of events) {
          const told = [...sale.toldBy.values()].reduce((sum, seats) => sum + seats, 0)
          if (sale.totalMax !== undefined && told > sale.totalMax) {
            findings.violate(`Clients were told of ${told} seats bought in ${event}, which has ${sale.totalMax}`)
          }
        }
        return findings.verdict('sales')
      },
    }
  },
}

interface Sold {
  sold: number
  total: number | undefined
  totalMax: number | undefined
  /** Seats of each purchase, by operation: a retry is told the same again. */
  toldBy: Map<string, number>
}

const emptySale = (): Sold => ({ sold: 0, total: undefined, totalMax: undefined, toldBy: new Map() })

function follow(findings: Findings, sale: Sold, record: LedgerRecord): void {
  if (record.kind === 'total') {
    sale.total = record.total
    sale.totalMax = Math.max(sale.totalMax ?? 0, record.total)
  } else if (record.kind === 'refund') {
    sale.sold -= record.seats.length
  } else if (record.kind === 'sell') {
    sale.sold += record.seats.length
    // Without a total there is nothing to compare with.
    findings.count(sale.total === undefined ? 'sales before any total' : 'sales')
    if (sale.total !== undefined && sale.sold > sale.total) {
      findings.violate(`${sale.sold} seats are sold in ${record.event}, which has ${sale.total}`, record)
    }
  }
}

function hear(findings: Findings, sale: Sold, record: ClientRecord): void {
  const seats = record.seats?.length ?? 0
  const operation = record.operation ?? record.call
  if (record.action === 'purchase') {
    findings.count('purchases told to clients')
    sale.toldBy.set(operation, seats)
  } else if (record.action === 'refund') {
    sale.toldBy.set(operation, -seats)
  }
}
