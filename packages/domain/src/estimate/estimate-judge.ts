import type { Change, LogEntry, Opened } from '../line/log-entry.ts'
import type { RoomSettings } from '../line/room-settings.ts'
import { estimateWait } from './estimate.ts'
import { PaceMeter, type RoomPace } from './pace-meter.ts'
import { roomPaceOf } from './room-pace.ts'

/** How good the estimates of a sale were. Shares from 0 to 1; null where nothing could be judged. */
export interface EstimateFigures {
  /** Visitors who joined an open room and were admitted at least 5 s later. */
  readonly judged: number
  /** The share of them that got an estimate when they joined. */
  readonly knownShare: number | null
  /** |P50 at joining − true wait| ÷ true wait, at the median of those. */
  readonly medianError: number | null
  /** The share of those that waited no longer than P90. */
  readonly withinP90: number | null
}

/** Shorter waits cannot be estimated to the per cent, and are not judged. */
const JUDGED_MS_MIN = 5_000
/** Errors are counted in steps of half a per cent, the largest together. */
const ERROR_STEP = 0.005
const ERROR_STEPS = 1_000
/** Tickets with a higher number are not judged; the others cost 16 bytes each. */
const TICKETS_MAX = 4_000_000

/**
 * Judges the estimates of a sale from its log alone: what each visitor was to be told at joining, by the model that the
 * servers answer with, beside the wait that came true. So every reader of the log gets the same figures.
 */
export class EstimateJudge {
  readonly #floor = new Map<number, { readonly since: number; seats: number }>()
  /** By ticket number: when it joined, and its estimate in seconds; NaN where there was none. */
  #joinedAt = new Float64Array(1_024)
  #p50 = new Float32Array(1_024)
  #p90 = new Float32Array(1_024)
  #meter: PaceMeter | null = null
  #room: RoomOfLog | null = null
  #waiting = 0
  #pace: { readonly second: number; readonly room: RoomPace } | null = null
  readonly #errors = new Uint32Array(ERROR_STEPS)
  #known = 0
  #unknown = 0
  #withinP90 = 0

  /** Takes the next entry. Returns the error of the estimate of the visitor it admits, if that can be judged. */
  follow({ at, change }: LogEntry): number | null {
    if (change.kind === 'opened') this.#open(at, change)
    if (this.#meter === null || this.#room === null) return null
    if (change.kind === 'admitted') return this.#admit(change.number, at, this.#meter)
    if (change.kind === 'joined') this.#join(change.number, change.rank, at, this.#meter, this.#room)
    else this.#note(change, at, this.#meter, this.#room)
    return null
  }

  figures(): EstimateFigures {
    const judged = this.#known + this.#unknown
    return {
      judged,
      knownShare: judged === 0 ? null : this.#known / judged,
      medianError: this.#known === 0 ? null : this.#median(),
      withinP90: this.#known === 0 ? null : this.#withinP90 / this.#known,
    }
  }

  #open(at: number, { rules, waiting }: Opened): void {
    this.#meter ??= new PaceMeter(at)
    // Who is on the floor of the new epoch, and since when, its log does not tell.
    this.#meter.loseSight()
    this.#floor.clear()
    this.#room = { ...rules, held: null }
    this.#waiting = waiting
    this.#pace = null
  }

  #join(number: number, rank: number, at: number, meter: PaceMeter, room: RoomOfLog): void {
    this.#waiting += 1
    if (number >= TICKETS_MAX) return
    const { p50, p90, reason } = estimateWait(rank, meter.read(this.#paceAt(at, room, meter), at))
    // While the room is closed there is nothing to estimate.
    if (reason === 'paused' || reason === 'not_open') return
    if (number >= this.#p50.length) this.#grow(number)
    this.#joinedAt[number] = at
    this.#p50[number] = p50 ?? Number.NaN
    this.#p90[number] = p90 ?? Number.NaN
  }

  /** As of the first join in each second: a server's picture is about as old. */
  #paceAt(at: number, room: RoomOfLog, meter: PaceMeter): RoomPace {
    const second = Math.floor(at / 1_000)
    if (this.#pace?.second === second) return this.#pace.room
    meter.counted(at, this.#waiting)
    const seats = [...this.#floor.values()].map((ticket) => ticket.seats)
    const promised = seats.filter((count) => count === 0).length
    const heldSeats = seats.reduce((sum, count) => sum + count, 0)
    const facts = { ...room, now: at, floor: this.#floor.size, taken: 0, promised, heldSeats }
    this.#pace = { second, room: roomPaceOf(facts) }
    return this.#pace.room
  }

  #admit(number: number, at: number, meter: PaceMeter): number | null {
    this.#waiting -= 1
    this.#floor.set(number, { since: at, seats: 0 })
    meter.admitted(at)
    const joinedAt = this.#joinedAt[number] ?? 0
    if (joinedAt === 0 || at - joinedAt < JUDGED_MS_MIN) return null
    this.#joinedAt[number] = 0
    const [waited, p50, p90] = [(at - joinedAt) / 1_000, this.#p50[number] ?? 0, this.#p90[number] ?? 0]
    if (Number.isNaN(p50)) {
      this.#unknown += 1
      return null
    }
    const error = Math.abs(p50 - waited) / waited
    const step = Math.min(ERROR_STEPS - 1, Math.floor(error / ERROR_STEP))
    this.#errors[step] = (this.#errors[step] ?? 0) + 1
    this.#known += 1
    this.#withinP90 += Number(waited <= p90)
    return error
  }

  #note(change: Change, at: number, meter: PaceMeter, room: RoomOfLog): void {
    switch (change.kind) {
      case 'completed':
        this.#leaveFloor(change.number, at, true, meter)
        return
      case 'expired':
        this.#waiting -= change.ranks?.length ?? 0
        meter.leftLine(at, change.ranks?.length ?? 0)
        for (const number of change.numbers) this.#leaveFloor(number, at, false, meter)
        return
      case 'away':
        this.#waiting -= change.ranks.length
        meter.wentAway(at, change.ranks)
        return
      case 'back':
        this.#waiting += change.ranks.length
        meter.cameBack(at, change.ranks.length)
        return
      case 'restored':
        this.#waiting += 1
        return
      case 'reserved':
        for (const number of change.numbers) {
          const ticket = this.#floor.get(number)
          if (ticket !== undefined) ticket.seats = change.quantity
        }
        return
      case 'changed': {
        const { settings, paused, held, stock, opensAt } = change
        if (settings !== undefined || paused !== undefined) meter.paceChanged(at)
        room.settings = { ...room.settings, ...settings }
        Object.assign(room, definedOf({ paused, held, stock, opensAt }))
        return
      }
      default:
        return
    }
  }

  #leaveFloor(number: number, at: number, isDone: boolean, meter: PaceMeter): void {
    const ticket = this.#floor.get(number)
    if (ticket === undefined) return
    this.#floor.delete(number)
    const kept = isDone ? ticket.seats : 0
    const demand = { claimed: Math.max(1, ticket.seats), kept, keptSquares: kept ** 2 }
    meter.leftFloor(at, { count: 1, cameAtMs: ticket.since, ...demand })
  }

  #median(): number {
    let below = 0
    for (const [step, count] of this.#errors.entries()) {
      below += count
      if (below * 2 >= this.#known) return (step + 0.5) * ERROR_STEP
    }
    return ERROR_STEPS * ERROR_STEP
  }

  #grow(number: number): void {
    const length = Math.min(TICKETS_MAX, Math.max(number + 1, this.#p50.length * 2))
    const [joinedAt, p50, p90] = [new Float64Array(length), new Float32Array(length), new Float32Array(length)]
    joinedAt.set(this.#joinedAt)
    p50.set(this.#p50)
    p90.set(this.#p90)
    this.#joinedAt = joinedAt
    this.#p50 = p50
    this.#p90 = p90
  }
}

interface RoomOfLog {
  settings: RoomSettings
  paused: boolean
  held: string | null
  stock: number | null
  opensAt: number
}

/** Without the fields that are undefined. */
function definedOf<Fields extends object>(fields: Fields): Partial<Fields> {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given) as Partial<Fields>
}
