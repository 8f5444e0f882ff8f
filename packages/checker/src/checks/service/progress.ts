import { type Check, type CheckRun, Findings, getOrMake } from '../../check.ts'
import type { FaultRecord, HistoryRecord, LogRecord } from '../../records/records.ts'
import { faultTimes, type Time } from '../../replay/fault-times.ts'
import { RoomReplay } from '../../replay/room-replay.ts'
import { TokenBucket } from '../../replay/token-bucket.ts'

/** Rooms tick at least once a second. */
const TICK_MS_MAX = 1_000

/**
 * I18. With free capacity, a token, stock to promise, a present ticket in line, no fault and no pause, a ticket is admitted,
 * or marked away, within two ticks.
 */
export const progress: Check = progressWithin(2 * TICK_MS_MAX)

export function progressWithin(withinMs: number): Check {
  return {
    id: 'I18',
    name: `a ticket that can be admitted is, within ${withinMs} ms`,
    start(): CheckRun {
      const findings = new Findings(
        ...[
          'chances taken',
          'chances that a fault excuses',
          'chances that a slow ledger excuses',
          'longest wait in ms',
        ],
      )
      const rooms = new Map<string, WatchedRoom>()
      const faults: FaultRecord[] = []
      const late: LateChance[] = []
      const copying = new SlowCopies()
      return {
        see(record: HistoryRecord) {
          if (record.record === 'fault') faults.push(record)
          if (record.record !== 'log') return
          const room = getOrMake(rooms, record.room, () => new WatchedRoom())
          const chance = room.see(record)
          copying.see(record)
          if (chance === undefined) return
          if (isAdmissionStep(record)) findings.count('chances taken')
          if (chance.waitedMs > withinMs) {
            // A chance that lasts over many entries is reported once.
            if (late.at(-1)?.sinceMs !== chance.sinceMs) late.push(chance)
          } else findings.atLeast('longest wait in ms', chance.waitedMs)
        },
        finish() {
          const excuses = faultTimes(faults)
          for (const { sinceMs, waitedMs, record } of late) {
            const isDuring = ({ from, to }: Time): boolean => from <= record.atMs && sinceMs <= to
            if (excuses.some(isDuring)) {
              findings.count('chances that a fault excuses')
            } else if (copying.times.get(record.room)?.some(isDuring)) {
              findings.count('chances that a slow ledger excuses')
            } else {
              findings.violate(`A ticket could have been admitted for ${waitedMs} ms before this entry`, record)
            }
          }
          return findings.verdict('chances taken')
        },
      }
    },
  }
}

/** The heads of the line were considered: admitted, or passed over as absent. A sweep also marks tickets away, and admits none. */
function isAdmissionStep({ kind, operation }: LogRecord): boolean {
  return kind === 'admit' || (kind === 'away' && operation !== 'sweep')
}

interface LateChance {
  sinceMs: number
  waitedMs: number
  record: LogRecord
}

/** Follows one room, and tracks since when a ticket could be admitted. */
class WatchedRoom {
  readonly #replay = new RoomReplay()
  #bucket: TokenBucket | undefined
  #closedBy = new Set<'pause' | 'hold' | 'sold-out'>()
  #stock: number | null = null
  #window = { opensAtMs: Number.NEGATIVE_INFINITY, closesAtMs: Number.POSITIVE_INFINITY }
  /** Since when a ticket could be admitted; undefined while none can. */
  #sinceMs: number | undefined

  /** Applies the entry, and returns the chance that lasted until it came. */
  see(record: LogRecord): LateChance | undefined {
    const sinceMs = this.#sinceMs
    if (!this.#replay.apply(record)) return undefined
    this.#follow(record)
    const isStep = isAdmissionStep(record)
    const readyAtMs = this.#readyAtMs(record.atMs)
    if (readyAtMs === undefined) this.#sinceMs = undefined
    // A step that admitted a ticket considered all of them, so the remaining ones start to wait anew.
    else if (isStep || this.#sinceMs === undefined || record.kind === 'epoch') this.#sinceMs = readyAtMs
    // A rebuilt line starts anew, and time before the next token does not count.
    if (sinceMs === undefined || record.kind === 'epoch' || record.atMs <= sinceMs)
      return isStep ? none(record) : undefined
    return { sinceMs, waitedMs: record.atMs - sinceMs, record }
  }

  #follow(record: LogRecord): void {
    switch (record.kind) {
      case 'epoch':
        this.#bucket = new TokenBucket(record, record.tokens ?? 0, record.atMs)
        this.#closedBy = new Set(record.paused === true ? ['pause'] : [])
        return
      case 'settings':
        this.#bucket?.change(record, record.atMs)
        return
      case 'admit':
        if (record.by !== 'operator') this.#bucket?.take(record.atMs)
        return
      case 'pause':
      case 'hold':
        this.#closedBy.add(record.kind)
        return
      case 'resume':
        this.#closedBy.delete('pause')
        return
      case 'unhold':
        this.#closedBy.delete('hold')
        return
      case 'sold-out':
        if (record.isSoldOut === false) this.#closedBy.delete('sold-out')
        else this.#closedBy.add('sold-out')
        return
      case 'stock':
        this.#stock = record.remaining
        return
      case 'window':
        this.#window = record
        return
      default:
        return
    }
  }

  /** When the first ticket in line can be admitted, if nothing changes; undefined: not at all. */
  #readyAtMs(atMs: number): number | undefined {
    const { limits, floor, present } = this.#replay
    if (limits === undefined || this.#bucket === undefined || this.#closedBy.size > 0) return undefined
    if (present === 0 || floor.size >= limits.capacity) return undefined
    if (this.#stock !== null && this.#stock <= floor.size) return undefined
    const readyAtMs = Math.max(this.#bucket.readyAtMs(atMs), this.#window.opensAtMs)
    return readyAtMs > this.#window.closesAtMs ? undefined : readyAtMs
  }
}

function none(record: LogRecord): LateChance {
  return { sinceMs: record.atMs, waitedMs: 0, record }
}

/** Admission stops while the ledger is this far behind, so that little is lost with the line. */
const FOLLOW_MS_MAX = 2_000

/**
 * The times when admission stopped because the ledger was slow. A copy begins when the one before is done, if there are
 * entries to copy. So the ledger was slow where two copies are further apart than it may be behind, and an entry waited for
 * the second.
 */
class SlowCopies {
  readonly times = new Map<string, Time[]>()
  readonly #last = new Map<string, number>()

  see({ room, atMs, copiedAtMs }: LogRecord): void {
    if (copiedAtMs === undefined) return
    const from = this.#last.get(room)
    if (from === copiedAtMs) return
    this.#last.set(room, copiedAtMs)
    // The first entry of a copy is the one that waited longest.
    if (from === undefined || copiedAtMs - Math.max(from, atMs) <= FOLLOW_MS_MAX) return
    getOrMake(this.times, room, (): Time[] => []).push({ from, to: copiedAtMs + TICK_MS_MAX })
  }
}
