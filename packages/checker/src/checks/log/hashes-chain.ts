import { createHash } from 'node:crypto'
import { type Check, type CheckRun, Findings } from '../../check.ts'
import type { HistoryRecord, LogRecord } from '../../records/records.ts'

/**
 * I21. Each hash is the SHA-256 of the hash before it, in hex, followed by the text of its entry; before the first entry
 * of a room stands nothing. It is recomputed here, from the texts: an entry that was altered, left out, put in or moved
 * breaks the chain. Only the last entries can be missing without a trace.
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
        // Of an entry in several parts the first stands for all.
        if (record.record !== 'log' || (record.part ?? 0) !== 0) return
        if (record.hash === undefined && record.hashedText === undefined) return
        findings.count('hashes recomputed')
        judge(findings, record, chains.get(record.room) ?? '')
        // As it is stated: one broken link is told once, not again with every entry after it.
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
