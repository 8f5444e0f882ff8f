import { type Check, type CheckRun, Findings } from '../../check.ts'
import type { ClientRecord, HistoryRecord, LedgerRecord } from '../../records/records.ts'

type Effect = Extract<LedgerRecord, { kind: 'operation' | 'payment' }>

/**
 * I11. One operation has at most one effect, and one effect has one operation. A repeated operation gets the same answer.
 */
export const oneEffectPerOperation: Check = {
  id: 'I11',
  name: 'at most one effect per operation, and the same answer',
  start(): CheckRun {
    const findings = new Findings('operations with an effect', 'answers compared')
    const effectOf = new Map<string, { effect: string; record: Effect }>()
    const operationOf = new Map<string, Effect>()
    const told = new Map<string, ClientRecord>()

    const note = (key: string, effect: string, record: Effect): void => {
      const known = effectOf.get(key)
      const other = operationOf.get(effect)
      if (known !== undefined) {
        if (known.effect !== effect) findings.violate(`Operation ${key} had two effects`, known.record, record)
        return
      }
      findings.count('operations with an effect')
      if (other !== undefined) findings.violate(`${effect} was made by two operations`, other, record)
      effectOf.set(key, { effect, record })
      operationOf.set(effect, record)
    }
    const hear = (record: ClientRecord): void => {
      if (record.phase !== 'ok' || record.read === true || record.operation === undefined) return
      if (typeof record.effect !== 'string') return
      const key = `${record.identity ?? record.client}/${record.operation}`
      const before = told.get(key)
      if (before === undefined) told.set(key, record)
      else if (before.effect === record.effect) findings.count('answers compared')
      else findings.violate(`Operation ${record.operation} was answered in two ways`, before, record)
    }
    return {
      see(record: HistoryRecord) {
        if (record.record === 'client') hear(record)
        if (record.record !== 'ledger') return
        if (record.kind === 'operation') note(`${record.actor}/${record.operation}`, record.effect, record)
        if (record.kind === 'payment' && record.operation !== undefined) {
          note(`${record.by}/${record.operation}`, record.payment, record)
        }
      },
      finish: () => findings.verdict('operations with an effect'),
    }
  },
}
