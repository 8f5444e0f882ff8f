import { type FloorNow, type Habits, lookAhead, type Outlook } from './outlook.ts'
import { SeatDemand } from './seat-demand.ts'
import { ServiceTimes } from './service-times.ts'
import { ThroughputMeter } from './throughput.ts'

/** What a room allows at one moment. */
export interface RoomPace extends FloorNow {
  /** Why no ticket is admitted now, whatever happens on the floor. */
  readonly closed: 'paused' | 'not_open' | null
  /** By the settings, few visitors stay on the floor for longer, in seconds. */
  readonly usualMax: number
}

/** The pace of a room: what it allows, how its visitors behave, and what follows from both. */
export interface Pace extends Habits {
  readonly room: RoomPace
  /** The share of tickets that are absent when their turn comes. */
  readonly absentShare: number
  /** How many visitors have left the floor. With few of them, most of the pace is assumed. */
  readonly served: number
  /** For how many seconds visitors on the floor have been observed. Slower ones than that are not known yet. */
  readonly observedSeconds: number
  readonly outlook: Outlook
}

/** Visitors who left the floor together, after the same time. */
export interface Leavers {
  readonly count: number
  readonly cameAtMs: number
  /** Seats, added up: those they had reserved (or one each, for those who had none), those they bought, and their squares. */
  readonly claimed: number
  readonly kept: number
  readonly keptSquares: number
}

/** Measures the pace of a room from its log, on every server alike. All times are those of the room's clock. */
export class PaceMeter {
  readonly #throughput: ThroughputMeter
  readonly #serviceTimes = new ServiceTimes()
  readonly #demand = new SeatDemand()
  #firstAdmittedAt: number | null = null
  /** The pace of this second, for the room as it was when it was last asked for. */
  #read: { readonly second: number; readonly pace: Pace } | null = null

  constructor(nowMs: number) {
    this.#throughput = new ThroughputMeter(nowMs)
  }

  admitted(atMs: number, count = 1): void {
    this.#firstAdmittedAt ??= atMs
    this.#throughput.admitted(atMs, count)
    this.#serviceTimes.came(secondOf(atMs), count)
  }

  leftFloor(atMs: number, { count, cameAtMs, claimed, kept, keptSquares }: Leavers): void {
    this.#throughput.served(atMs, count)
    this.#serviceTimes.left(secondOf(cameAtMs), secondOf(atMs), count, kept)
    this.#demand.left(count, claimed, kept, keptSquares)
  }

  /**
   * Tickets went away from these ranks. At the head, where admission finds them, they are absentees that were not missed
   * yet; elsewhere they leave the count before their turn, like those who say goodbye.
   */
  wentAway(atMs: number, ranks: readonly number[]): void {
    const atHead = ranks.filter((rank) => rank === 0).length
    this.#throughput.absent(atMs, atHead)
    this.#throughput.left(atMs, ranks.length - atHead)
  }

  /** Tickets that were away are counted again. */
  cameBack(atMs: number, count: number): void {
    this.#throughput.left(atMs, -count)
  }

  /** Tickets left the line before their turn. */
  leftLine(atMs: number, count = 1): void {
    this.#throughput.left(atMs, count)
  }

  /** How many wait; to be called about once a second. */
  counted(atMs: number, waiting: number): void {
    this.#throughput.counted(atMs, waiting)
  }

  /** The pace changed: earlier admissions no longer tell the rate. */
  paceChanged(atMs: number): void {
    this.#throughput.paceChanged(atMs)
    this.#read = null
  }

  /** Part of the log was missed: visitors may have left the floor unseen. */
  loseSight(): void {
    this.#serviceTimes.loseSight()
  }

  admissionsPerSecond(nowMs: number): number {
    return this.#throughput.read(nowMs).admissionsPerSecond ?? 0
  }

  /** Computed once a second: only complete seconds count. */
  read(room: RoomPace, nowMs: number): Pace {
    const second = secondOf(nowMs)
    if (this.#read?.second === second && this.#read.pace.room === room) return this.#read.pace
    const { absentShare, leaving, served } = this.#throughput.read(nowMs)
    const demand = this.#demand.read({ count: room.floor, claimed: room.seats?.claimed ?? 0 })
    const stays = this.#serviceTimes.read(second, room.usualMax, demand.kept)
    const habits: Habits = { stays, leaving, demand }
    const observedSeconds = Math.max(0, nowMs - (this.#firstAdmittedAt ?? nowMs)) / 1_000
    const pace: Pace = { ...habits, room, absentShare, served, observedSeconds, outlook: lookAhead(room, habits) }
    this.#read = { second, pace }
    return pace
  }
}

const secondOf = (ms: number): number => Math.floor(ms / 1_000)
