import { type Check, type CheckRun, Findings, getOrMake } from '../check.ts'
import type { HistoryRecord, LogRecord } from '../records.ts'
import { RoomReplay } from '../room-replay.ts'

const MS_PER_MINUTE = 60_000

/**
 * I14. In every interval at most rate × length + burst tickets are admitted.
 *
 * With admissions at t₁…tₙ the interval from the i-th to the j-th has j − i + 1 of them, so the rule is broken if
 * (j − rate·tⱼ) − min(i − rate·tᵢ) + 1 > burst. One pass with the running minimum looks at all intervals. Everything is
 * multiplied by 60,000, so that all numbers are whole; times count from the first admission, so that they stay exact.
 */
export const rateKept: Check = {
  id: 'I14',
  name: 'admissions ≤ rate × length + burst in every interval',
  start(): CheckRun {
    const findings = new Findings('admissions', 'rate changes', 'admissions that used the whole burst')
    const rooms = new Map<string, PacedRoom>()
    return {
      see(record: HistoryRecord) {
        if (record.record !== 'log') return
        const room = getOrMake(rooms, record.room, () => ({ replay: new RoomReplay(), interval: undefined }))
        if (!room.replay.apply(record)) return
        if (record.kind === 'settings' || record.kind === 'epoch') splitIfChanged(findings, room)
        else if (record.kind === 'admit') judge(findings, room, record)
      },
      finish: () => findings.verdict('admissions'),
    }
  },
}

interface PacedRoom {
  readonly replay: RoomReplay
  /** Undefined until limits are known. */
  interval: Interval | undefined
}

/** The admissions since the rate or the burst last changed. */
interface Interval {
  readonly ratePerMinute: number
  readonly burst: number
  admissions: number
  startMs: number
  min: number
}

function splitIfChanged(findings: Findings, room: PacedRoom): void {
  const { limits } = room.replay
  if (limits === undefined) return
  const { ratePerMinute, burst } = limits
  if (room.interval?.ratePerMinute === ratePerMinute && room.interval.burst === burst) return
  if (room.interval !== undefined) findings.count('rate changes')
  room.interval = { ratePerMinute, burst, admissions: 0, startMs: 0, min: Number.POSITIVE_INFINITY }
}

function judge(findings: Findings, room: PacedRoom, record: LogRecord): void {
  findings.count('admissions')
  const { interval } = room
  if (interval === undefined) {
    findings.violate(`Room ${record.room} admitted somebody before its rate was set`, record)
    return
  }
  if (interval.admissions === 0) interval.startMs = record.atMs
  interval.admissions += 1
  const value = interval.admissions * MS_PER_MINUTE - interval.ratePerMinute * (record.atMs - interval.startMs)
  interval.min = Math.min(interval.min, value)
  const used = value - interval.min + MS_PER_MINUTE
  const allowed = interval.burst * MS_PER_MINUTE
  if (used > allowed) {
    const tooMany = (used - allowed) / MS_PER_MINUTE
    findings.violate(
      `This admission is ${tooMany.toFixed(3)} too many for ${interval.ratePerMinute} a minute and a burst of ${interval.burst}`,
      record,
    )
    // Reported once: what follows is judged as if this one had been allowed.
    interval.min += used - allowed
  } else if (used > allowed - MS_PER_MINUTE) {
    findings.count('admissions that used the whole burst')
  }
}
