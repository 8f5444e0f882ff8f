import { createHash } from 'node:crypto'
import { type Check, type CheckRun, Findings } from '../../check.ts'
import type { HistoryRecord, LogRecord } from '../../records/records.ts'

/**
 * I21. Each hash is the SHA-256 of the hash before it, in hex, followed by the text of its entry; the first entry of a room
 * has no hash before it. The hashes are recomputed from the texts: an entry that was altered, removed, inserted or moved
 * breaks the chain. Only the last entries can be removed without detection.
 */
export const hashesChain: Check = {
  id: 'I21',
  name: 'each hash recomputed from its entry and the hash before',
  start(): CheckRun {
    const findings = new Findings('hashes recomputed')
    /** The last hash of each room. */
    const chains = new Map<string, string>()
    return {
      see(record: HistoryRecord) {
        // The first part of an entry carries the hash for all parts.
        if (record.record !== 'log' || (record.part ?? 0) !== 0) return
        if (record.hash === undefined && record.hashedText === undefined) return
        findings.count('hashes recomputed')
        judge(findings, record, chains.get(record.room) ?? '')
        // The stated hash, so that one broken link is reported once, not again with every later entry.
        chains.set(record.room, record.hash ?? '')
      },
      finish: () => findings.verdict('hashes recomputed'),
    }
  },
}

function judge(findings: Findings, record: LogRecord, before: string): void {
  const { epoch, seq, hash, hashedText } = record
  if (hash === undefined || hashedText === undefined) {
    findings.violate(`Entry ${epoch}-${seq} has ${hash === undefined ? 'no hash' : 'no text to hash'}`, record)
    return
  }
  if (createHash('sha256').update(before).update(hashedText).digest('hex') === hash) return
  findings.violate(`The hash of entry ${epoch}-${seq} is not that of the hash before it and its text`, record)
}
