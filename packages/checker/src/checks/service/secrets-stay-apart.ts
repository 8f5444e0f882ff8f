import { type Check, type CheckRun, Findings } from '../../check.ts'
import type { ClientRecord, HistoryRecord } from '../../records/records.ts'

/**
 * I24. No answer to one visitor contains another's secret. Ticket tokens, passes, access tokens and codes are made for the
 * answer that carries them, so a secret is first told to its owner. A secret in answers to two visitors is a violation.
 */
export const secretsStayApart: Check = {
  id: 'I24',
  name: "no answer contains another visitor's secret",
  needsClients: true,
  start(): CheckRun {
    const findings = new Findings('secrets told', 'told again to the same')
    const ownerOf = new Map<string, ClientRecord>()
    return {
      see(record: HistoryRecord) {
        if (record.record !== 'client' || record.secrets === undefined) return
        for (const secret of record.secrets) {
          const first = ownerOf.get(secret)
          if (first === undefined) {
            ownerOf.set(secret, record)
            findings.count('secrets told')
          } else if (isSame(first, record)) findings.count('told again to the same')
          else findings.violate(`${record.client} was told a secret of ${first.client}`, first, record)
        }
      },
      finish: () => findings.verdict('secrets told'),
    }
  },
}

/** A visitor may become another identity by signing in, and an identity may have several clients. */
function isSame(a: ClientRecord, b: ClientRecord): boolean {
  return a.client === b.client || (a.identity !== undefined && a.identity === b.identity)
}
