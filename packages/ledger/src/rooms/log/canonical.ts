import { type LogEntry, publicEntry } from '@seatwise/domain'

/** The text of an entry that is hashed, and that is public. */
export function canonical(entry: LogEntry): string {
  const { epoch, seq, at, change } = entry
  if (change.kind !== 'joined' || change.code !== null) return JSON.stringify(publicEntry(entry))
  const { number, class: ticketClass, place, rank } = change
  // The same by hand, to the letter.
  return `{"epoch":${epoch},"seq":${seq},"at":${at},"kind":"joined","number":${number},"class":${ticketClass},"place":${place},"rank":${rank}}`
}

/** An entry as the ledger keeps it. */
export interface StoredEntry {
  epoch: number
  seq: number
  at: number
  operation: string
  kind: LogEntry['change']['kind']
  body: Record<string, unknown>
}

/** The profile is kept once, with the ticket. */
export function fromStored(stored: StoredEntry): LogEntry {
  const change = { kind: stored.kind, ...(stored.kind === 'joined' ? ORDINARY : {}), ...stored.body }
  // What `storedBody` took apart is put together again; the kinds and their fields are the same type.
  return { epoch: stored.epoch, seq: stored.seq, at: stored.at, operation: stored.operation, change } as LogEntry
}

/** Default values of a join, which the ledger does not store. */
const ORDINARY = { code: null, limitKey: null, shown: null, profile: '' }
