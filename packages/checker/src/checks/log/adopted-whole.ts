import { type Check, type CheckRun, Findings } from '../../check.ts'
import type { HistoryRecord, LedgerRecord } from '../../records/records.ts'

type Adoption = Extract<LedgerRecord, { kind: 'adoption' }>
type Owned = Extract<LedgerRecord, { kind: 'hold' | 'operation' | 'payment' }>

/**
 * I31. An adopted guest owns nothing any more: no reservation, no payment and no stored answer, unless the account has used
 * the same key itself. All of it belongs to the account that adopted the guest, and to no other.
 */
export const adoptedWhole: Check = {
  id: 'I31',
  name: 'what belonged to an adopted guest belongs to the account, all of it',
  start(): CheckRun {
    const findings = new Findings('adoptions', 'reservations adopted')
    const adoptions = new Map<string, Adoption>()
    const owned: Owned[] = []
    const keys = new Set<string>()
    return {
      see(record: HistoryRecord) {
        if (record.record !== 'ledger') return
        switch (record.kind) {
          case 'adoption':
            findings.count('adoptions')
            adoptions.set(record.guest, record)
            return
          case 'operation':
            keys.add(`${record.actor} ${record.operation}`)
            owned.push(record)
            return
          case 'hold':
          case 'payment':
            owned.push(record)
            return
          default:
            return
        }
      },
      finish() {
        for (const record of owned) judge(record)
        return findings.verdict('adoptions')
      },
    }

    function judge(record: Owned): void {
      const left = adoptions.get(ownerOf(record) ?? '')
      if (left !== undefined && !isUsedByBoth(record, left.account)) {
        findings.violate(`A ${record.kind} stayed with the guest ${left.guest}`, left, record)
      }
      if (record.kind !== 'hold' || record.guest === undefined) return
      findings.count('reservations adopted')
      const adoption = adoptions.get(record.guest)
      if (adoption?.account !== record.buyer) {
        findings.violate(`Hold ${record.hold} went to ${record.buyer}`, ...(adoption ? [adoption] : []), record)
      }
    }

    function isUsedByBoth(record: Owned, account: string): boolean {
      return record.kind !== 'hold' && record.operation !== undefined && keys.has(`${account} ${record.operation}`)
    }
  },
}

function ownerOf(record: Owned): string | undefined {
  if (record.kind === 'hold') return record.buyer
  return record.kind === 'operation' ? record.actor : record.by
}
