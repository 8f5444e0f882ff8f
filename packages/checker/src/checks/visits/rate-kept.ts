import { type Check, type CheckRun, Findings, getOrMake } from '../../check.ts'
import type { HistoryRecord, LogRecord } from '../../records/records.ts'
import { RoomReplay } from '../../replay/room-replay.ts'
import { TokenBucket } from '../../replay/token-bucket.ts'

/**
 * I14. In every interval at most rate × length + burst tickets are admitted.
 *
 * A bucket of `burst` tokens that gains `rate` tokens and loses one for each admission is never below zero if and only
 * if no interval has too many, so one pass checks all of them. A change of the rate refills the bucket first, and an
 * epoch begins with the tokens that its first entry states, or with those that were left. Tickets that an operator let in
 * use no token.
 */
export const rateKept: Check = {
  id: 'I14',
  name: 'admissions ≤ rate × length + burst in every interval',
  start(): CheckRun {
    const findings = new Findings(
      'admissions',
      'rate changes',
      'admissions that used the whole burst',
      'admissions by an operator',
    )
    const rooms = new Map<string, PacedRoom>()
    return {
      see(record: HistoryRecord) {
        if (record.record !== 'log') return
        const room = getOrMake(rooms, record.room, () => ({ replay: new RoomReplay(), bucket: undefined }))
        if (!room.replay.apply(record)) return
        if (record.kind === 'settings' || record.kind === 'epoch') setPace(findings, room, record)
        else if (record.kind === 'admit' && record.by === 'operator') findings.count('admissions by an operator')
        else if (record.kind === 'admit') judge(findings, room, record)
      },
      finish: () => findings.verdict('admissions'),
    }
  },
}

interface PacedRoom {
  readonly replay: RoomReplay
  /** Undefined until limits are known. */
  bucket: TokenBucket | undefined
}

function setPace(
  findings: Findings,
  room: PacedRoom,
  record: Extract<LogRecord, { kind: 'settings' | 'epoch' }>,
): void {
  const tokens = record.kind === 'epoch' ? record.tokens : undefined
  if (room.bucket?.change(record, record.atMs) === true) findings.count('rate changes')
  if (room.bucket === undefined || tokens !== undefined) {
    room.bucket = new TokenBucket(record, tokens ?? record.burst, tokens === undefined ? BEGINNING : record.atMs)
  }
}

/** A bucket starts full. */
const BEGINNING = Number.NEGATIVE_INFINITY

function judge(findings: Findings, room: PacedRoom, record: LogRecord): void {
  findings.count('admissions')
  const { bucket } = room
  if (bucket === undefined) {
    findings.violate(`Room ${record.room} admitted a ticket before its rate was set`, record)
    return
  }
  // A violation is reported once: later admissions are checked as if this one had been allowed.
  const left = bucket.take(record.atMs)
  if (left < 0) {
    const { ratePerMinute, burst } = room.replay.limits ?? { ratePerMinute: 0, burst: 0 }
    findings.violate(
      `This admission is ${(-left).toFixed(3)} too many for ${ratePerMinute} a minute and a burst of ${burst}`,
      record,
    )
  } else if (left < 1) findings.count('admissions that used the whole burst')
}
