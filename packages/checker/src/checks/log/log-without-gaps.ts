import { type Check, type CheckRun, Findings, getOrMake } from '../../check.ts'
import type { HistoryRecord, LogRecord } from '../../records/records.ts'

/** I21. `seq` has no gaps within an epoch and one content each, and no entry of an ended epoch is accepted. */
export const logWithoutGaps: Check = {
  id: 'I21',
  name: 'seq gap-free, one content per seq, no old epoch',
  start(): CheckRun {
    const findings = new Findings('entries', 'epoch changes', 'entries seen again')
    const rooms = new Map<string, LoggedRoom>()
    return {
      see(record: HistoryRecord) {
        if (record.record !== 'log') return
        const room = getOrMake(rooms, record.room, () => ({ epochs: new Map(), cutAfter: new Map() }))
        if (record.kind === 'epoch') beginEpoch(findings, room, record)
        place(findings, room, record)
      },
      finish() {
        for (const room of rooms.values()) judgeCuts(findings, room)
        return findings.verdict('entries')
      },
    }
  },
}

interface LoggedRoom {
  readonly epochs: Map<number, LoggedEpoch>
  /** The last valid entry of an epoch, as stated by the epoch after it. */
  readonly cutAfter: Map<number, { seq: number; saidBy: LogRecord }>
}

interface LoggedEpoch {
  /** By `seq` and part, as one number. */
  readonly entries: Map<number, LogRecord>
  last: LogRecord | undefined
}

function beginEpoch(findings: Findings, room: LoggedRoom, record: Extract<LogRecord, { kind: 'epoch' }>): void {
  if (record.seq !== 1) findings.violate(`Epoch ${record.epoch} is opened by entry ${record.seq} instead of 1`, record)
  if (record.reason === '') findings.violate(`Epoch ${record.epoch} has no reason`, record)
  if (record.afterEpoch === undefined || record.afterSeq === undefined) return
  if (!room.epochs.has(record.epoch)) findings.count('epoch changes')
  if (record.afterEpoch >= record.epoch) findings.violate(`Epoch ${record.epoch} follows ${record.afterEpoch}`, record)
  room.cutAfter.set(record.afterEpoch, { seq: record.afterSeq, saidBy: record })
}

/** No entry changes more tickets than one step may touch. */
const PARTS_MAX = 8_192

function place(findings: Findings, room: LoggedRoom, record: LogRecord): void {
  const epoch = getOrMake<number, LoggedEpoch>(room.epochs, record.epoch, () => ({
    entries: new Map(),
    last: undefined,
  }))
  const key = record.seq * PARTS_MAX + (record.part ?? 0)
  const known = epoch.entries.get(key)
  if (known !== undefined) {
    findings.count('entries seen again')
    if (content(known) !== content(record)) {
      findings.violate(`Entry ${record.epoch}-${record.seq} has two contents`, known, record)
    }
    return
  }
  findings.count('entries')
  if (!follows(record, epoch.last)) {
    const before = epoch.last === undefined ? 'the beginning' : `${epoch.last.epoch}-${epoch.last.seq}`
    const around = epoch.last === undefined ? [record] : [epoch.last, record]
    findings.violate(`Entry ${record.epoch}-${record.seq} does not follow ${before}`, ...around)
  }
  if (epoch.last === undefined && record.kind !== 'epoch') {
    findings.violate(`Epoch ${record.epoch} begins without saying why`, record)
  }
  epoch.entries.set(key, record)
  epoch.last = record
}

/** The next part of the same entry, or the first part of the next. */
function follows(record: LogRecord, last: LogRecord | undefined): boolean {
  const part = record.part ?? 0
  if (last === undefined) return record.seq === 1 && part === 0
  if (record.seq === last.seq) return part === (last.part ?? 0) + 1 && record.operation === last.operation
  return record.seq === last.seq + 1 && part === 0
}

function judgeCuts(findings: Findings, room: LoggedRoom): void {
  for (const [number, { seq, saidBy }] of room.cutAfter) {
    const last = room.epochs.get(number)?.last
    if (last !== undefined && last.seq > seq) {
      findings.violate(
        `Entry ${number}-${last.seq} was accepted after epoch ${number} had ended at ${seq}`,
        last,
        saidBy,
      )
    }
    if (last !== undefined && last.seq < seq) {
      findings.violate(`Epoch ${number} ended at ${seq}, and its last entry is ${last.seq}`, last, saidBy)
    }
  }
}

/** Whether two records have the same fields with the same values, in any order. */
function content(record: LogRecord): string {
  return JSON.stringify(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)))
}
