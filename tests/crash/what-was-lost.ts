import type { HistoryRecord, LogRecord } from '@seatwise/checker'

/** No slot may be kept longer than its deadline and this. */
const SLOT_LEAK_MS_MAX = 5_000

/** Everything that a client was told was done, and that the log does not have. */
export function lostAcknowledgements(records: readonly HistoryRecord[]): string[] {
  const logged = new Set<string>()
  for (const record of records) {
    if (record.record !== 'log' || !('ticket' in record)) continue
    logged.add(`${record.kind === 'return' ? 'join' : record.kind} ${record.ticket}`)
  }
  return records.flatMap((record) => {
    if (record.record !== 'client' || record.phase !== 'ok' || record.read === true) return []
    const act = `${record.action} ${record.ticket}`
    return logged.has(act) ? [] : [`${record.client} was told: ${act}`]
  })
}

/** Tickets that kept their slot too long after their time was over. */
export function leakedSlots(records: readonly HistoryRecord[]): string[] {
  const deadlines = new Map<number, number>()
  const leaks: string[] = []
  for (const record of records) {
    if (record.record !== 'log') continue
    for (const [ticket, deadline] of deadlines) {
      if (record.atMs <= deadline + SLOT_LEAK_MS_MAX) continue
      leaks.push(`ticket ${ticket} still had its slot ${record.atMs - deadline} ms after its deadline`)
      deadlines.delete(ticket)
    }
    follow(deadlines, record)
  }
  return leaks
}

function follow(deadlines: Map<number, number>, record: LogRecord): void {
  switch (record.kind) {
    case 'admit':
    case 'enter':
    case 'extend':
      if (record.deadlineMs !== undefined) deadlines.set(record.ticket, record.deadlineMs)
      return
    case 'complete':
    case 'expire':
    case 'leave':
    case 'terminate':
      deadlines.delete(record.ticket)
      return
    default:
      return
  }
}
