import { type Check, type CheckRun, Findings } from '../../check.ts'
import type { ClientRecord, HistoryRecord } from '../../records/records.ts'

/** Actions in the line have no key in the ledger: repeating them gives the same answer. */
const IN_THE_LINE = new Set(['join', 'enter', 'complete', 'leave', 'extend', 'move'])

/**
 * I12. A client that got no answer can ask for the outcome, and is told what the ledger says: the effect, or that there was
 * none. An answered retry resolves it as well.
 */
export const unknownsResolved: Check = {
  id: 'I12',
  name: 'every unknown is resolved by asking, and truly',
  needsClients: true,
  start(): CheckRun {
    const findings = new Findings('unknowns', 'that had an effect')
    const unknown = new Map<string, ClientRecord>()
    const resolved = new Map<string, ClientRecord>()
    const effectOf = new Map<string, string>()

    const hear = (record: ClientRecord): void => {
      if (record.operation === undefined || record.read === true || IN_THE_LINE.has(record.action)) return
      const key = `${record.identity ?? record.client}/${record.operation}`
      if (record.phase === 'info') unknown.set(key, record)
      // The last answer counts: before it, the first attempt may still have been under way.
      else if (record.phase === 'ok' && record.effect !== undefined) resolved.set(key, record)
    }
    return {
      see(record: HistoryRecord) {
        if (record.record === 'client') hear(record)
        if (record.record !== 'ledger') return
        if (record.kind === 'operation') effectOf.set(`${record.actor}/${record.operation}`, record.effect)
        if (record.kind === 'payment' && record.operation !== undefined) {
          effectOf.set(`${record.by}/${record.operation}`, record.payment)
        }
      },
      finish() {
        for (const [key, record] of unknown) {
          findings.count('unknowns')
          const effect = effectOf.get(key) ?? null
          if (effect !== null) findings.count('that had an effect')
          const answer = resolved.get(key)
          if (answer === undefined) findings.violate(`The outcome of ${record.operation} was never found out`, record)
          else if (answer.effect !== effect) {
            const truth = effect === null ? 'nothing took effect' : `${effect} did`
            findings.violate(`${record.client} was told ${answer.effect}, and ${truth}`, record, answer)
          }
        }
        return findings.verdict('unknowns')
      },
    }
  },
}
