import { type Check, type CheckRun, Findings } from '../../check.ts'
import type { HistoryRecord, LedgerRecord } from '../../records/records.ts'

/** How late the expiry of holds may be. */
const SWEEP_MS_MAX = 5_000

/** I6. Each hold ends exactly once (released, expired, converted), and its seats return at most once. */
export const oneEndPerHold: Check = {
  id: 'I6',
  name: 'each hold has exactly one end',
  start(): CheckRun {
    const findings = new Findings('holds ended', 'holds still live at the end', 'late payments')
    const open = new Map<string, OpenHold>()
    const endOf = new Map<string, LedgerRecord>()
    const told = new Map<string, LedgerRecord>()
    let lastMs = 0

    const end = (record: Extract<LedgerRecord, { kind: 'release' | 'expire' | 'sell' }>): void => {
      const earlier = endOf.get(record.hold)
      const begun = open.get(record.hold)?.begun
      if (record.kind === 'sell' && record.late === true && earlier !== undefined) {
        findings.count('late payments')
      } else if (earlier !== undefined) {
        findings.violate(`Hold ${record.hold} ended twice: ${earlier.kind}, then ${record.kind}`, earlier, record)
      } else if (begun === undefined) {
        findings.violate(`Hold ${record.hold} ended and never began`, record)
      } else {
        findings.count('holds ended')
        const strange = record.seats.filter((seat) => !begun.seats.includes(seat))
        if (strange.length > 0) findings.violate(`Hold ${record.hold} never held ${strange.join(', ')}`, begun, record)
      }
      open.delete(record.hold)
      endOf.set(record.hold, record)
    }
    // The ledger stores only the last end of a hold; the outbox has every end that was announced.
    const hearEnd = (record: Extract<LedgerRecord, { kind: 'news' }>): void => {
      if (record.type !== 'reservation.expired' && record.type !== 'reservation.canceled') return
      const earlier = told.get(record.hold)
      if (earlier !== undefined) findings.violate(`Hold ${record.hold} was told to have ended twice`, earlier, record)
      told.set(record.hold, record)
    }
    return {
      see(record: HistoryRecord) {
        if (record.record !== 'ledger') return
        lastMs = Math.max(lastMs, record.atMs)
        if (record.kind === 'hold') {
          open.set(record.hold, { begun: record, expiresAtMs: record.expiresAtMs })
        } else if (record.kind === 'extend') {
          const hold = open.get(record.hold)
          if (hold !== undefined) hold.expiresAtMs = record.expiresAtMs
        } else if (record.kind === 'release' || record.kind === 'expire' || record.kind === 'sell') {
          end(record)
        } else if (record.kind === 'news') hearEnd(record)
      },
      finish() {
        for (const { begun, expiresAtMs } of open.values()) {
          if (expiresAtMs + SWEEP_MS_MAX < lastMs) findings.violate(`Hold ${begun.hold} never ended`, begun)
          else findings.count('holds still live at the end')
        }
        return findings.verdict('holds ended')
      },
    }
  },
}

interface OpenHold {
  begun: Extract<LedgerRecord, { kind: 'hold' }>
  expiresAtMs: number
}
