import { faults, type LogEntry } from '@seatwise/domain'
import { copyLog, type Ledger, readRoom } from '@seatwise/ledger'
import type { Line, RoomAt } from '@seatwise/line'
import type { Logger } from 'pino'
import { waitMs } from '../../kit/index.ts'
import type { RoomLink } from '../room-link.ts'
import type { Lease } from './lease.ts'

/** The size of one transaction: large enough to be cheap, small enough to be quick. */
const BATCH_MAX = 5_000
/** Entries buffered in this process for copying. Beyond this, they are read from the line again. */
const PENDING_MAX = 20_000
/** Entries that stay in the line's log for other servers, which read it a little later than the follower. */
export const KEPT_ENTRIES = 2_000
/**
 * The minimum time between the starts of two copies, unless one was full. Each copy costs both sides a fixed
 * millisecond, so pausing copies a crowd for two thirds of the work.
 */
const APART_MS = 50
const RETRY_MS_MAX = 1_000

/** How long a follower may be silent before another server takes over. */
export const FOLLOWER_LEASE_MS = 1_200
/** The holder renews three times per lease, and other servers ask as often: a takeover takes at most 1.6 s. */
const ASK_LEASE_MS = 400

export interface FollowerParts {
  readonly ledger: Ledger
  readonly line: Line
  readonly link: Pick<RoomLink, 'lost' | 'runPatiently' | 'saw' | 'seenSeq'>
  readonly room: string
  readonly log: Logger
  readonly lease: Lease
  /** The ledger has new entries, or this server copies them from now on. */
  readonly onCopied: () => void
}

interface Followed {
  readonly epoch: number
  readonly seq: number
}

/**
 * Copies a room's log into the ledger while this server holds the lease for it. The lease only saves work: the ledger
 * applies each entry once and in order, from any server, so two concurrent followers do no harm. Rules R14, R42.
 */
export class LogFollower {
  readonly #parts: FollowerParts
  /** Consecutive entries that this server has read from the line and that the ledger may lack. */
  #pending: LogEntry[] = []
  /** How far the ledger has followed; null until this server reads it. */
  #followed: Followed | null = null
  /** How far it was when copying last failed; null while copying works, here or at another server. */
  #stuck: Followed | null = null
  #isHolding = false
  #askedLeaseAt = Number.NEGATIVE_INFINITY
  #wake: () => void = () => {}

  constructor(parts: FollowerParts) {
    this.#parts = parts
  }

  /** Whether this server holds the lease. */
  get isHolding(): boolean {
    return this.#isHolding
  }

  /** The number of entries the ledger lacks, as far as this server knows; 0 where another server copies. */
  get behind(): number {
    const followed = this.#followed ?? this.#stuck
    return followed === null ? 0 : Math.max(0, this.#parts.link.seenSeq - followed.seq)
  }

  get pending(): number {
    return this.#pending.length
  }

  /** The room's reader passes on what it read, so that the follower need not read the log again. */
  read(entries: readonly LogEntry[]): void {
    const [first] = entries
    if (!this.#isHolding || first === undefined) return
    const last = this.#pending.at(-1)
    const continues = last === undefined || (first.epoch === last.epoch && first.seq === last.seq + 1)
    if (!continues || this.#pending.length + entries.length > PENDING_MAX) this.#pending = []
    else this.#pending.push(...entries)
    this.#wake()
  }

  async run(isOpen: () => boolean): Promise<void> {
    let retryMs = 0
    while (isOpen()) {
      const startedAt = performance.now()
      try {
        const isHolding = await this.#hold()
        if (!isHolding && this.#stuck !== null) await this.#lookAgain()
        const isFull = isHolding && (await this.#parts.link.runPatiently((at) => this.#copy(at)))
        if (isHolding) this.#stuck = null
        retryMs = 0
        if (isFull) continue
        // Idle: wait for news or until it is time to ask for the lease.
        if (this.#pending.length === 0) await this.#rest(ASK_LEASE_MS)
        const restMs = startedAt + APART_MS - performance.now()
        if (restMs > 0) await waitMs(restMs)
      } catch (err) {
        if (!isOpen()) break
        const { log, room } = this.#parts
        if (retryMs === 0) log.warn({ err, room }, 'the log cannot be copied to the ledger, trying again')
        retryMs = Math.min(Math.max(50, retryMs * 2), RETRY_MS_MAX)
        this.#stuck = this.#followed ?? this.#stuck
        // Another server may reach the ledger.
        await this.#release()
        await waitMs(retryMs)
      }
    }
    await this.#release()
  }

  async #hold(): Promise<boolean> {
    if (performance.now() - this.#askedLeaseAt < ASK_LEASE_MS) return this.#isHolding
    this.#askedLeaseAt = performance.now()
    const isHolding = (await this.#parts.lease.hold(this.#parts.room)) !== null
    if (isHolding !== this.#isHolding) this.#begin(isHolding)
    return isHolding
  }

  #begin(isHolding: boolean): void {
    this.#isHolding = isHolding
    this.#pending = []
    this.#followed = null
    if (isHolding) this.#parts.onCopied()
  }

  async #release(): Promise<void> {
    this.#askedLeaseAt = Number.NEGATIVE_INFINITY
    if (!this.#isHolding) return
    this.#begin(false)
    const { lease, log, room } = this.#parts
    await lease.release(room).catch((err: unknown) => log.debug({ err, room }, 'the lease expires by itself'))
  }

  /** Another server has the lease; only the ledger shows whether it can copy. */
  async #lookAgain(): Promise<void> {
    await this.#parts.link.runPatiently(async (at) => {
      const followed = await this.#readFollowed(at)
      this.#stuck = followed.seq < this.#parts.link.seenSeq ? followed : null
    })
  }

  /** Copies what the ledger lacks, up to one batch. Returns whether there may be more. */
  async #copy(at: RoomAt): Promise<boolean> {
    const { ledger, line, link, room } = this.#parts
    const from = this.#followed?.epoch === at.epoch ? this.#followed : null
    const followed = from ?? (await this.#readFollowed(at))
    const entries = await this.#entriesAfter(at, followed, from === null)
    const last = entries.at(-1)
    this.#followed = followed
    // The first read compares even when nothing is new: the line may have lost its memory and reached the same seq
    // again.
    if (last === undefined || (last.seq <= followed.seq && from !== null)) return false
    const reply = await copyLog(ledger, room, entries, { isFirstKnown: entries[0]?.seq === followed.seq })
    switch (reply.status) {
      case 'copied':
        if (faults.on) await faults.reach('follow.after-commit')
        link.saw(at.epoch, reply.seq)
        await line.trim(at, reply.seq, KEPT_ENTRIES)
        this.#followed = { epoch: at.epoch, seq: reply.seq }
        this.#parts.onCopied()
        return entries.length >= BATCH_MAX
      case 'gap':
        // The log begins after the ledger's last entry: the entries between are lost.
        if (reply.seq === followed.seq) link.lost(at.epoch, 'conflict')
        this.#followed = { epoch: at.epoch, seq: reply.seq }
        return false
      case 'conflict':
      case 'other-epoch':
        link.lost(at.epoch, reply.status)
        return false
    }
  }

  /**
   * The entries that the ledger lacks, beginning with the last one that it has. The line is asked for that one each
   * time, because a line that lost its memory and continued has another entry there.
   */
  async #entriesAfter(at: RoomAt, followed: Followed, isFirstLook: boolean): Promise<LogEntry[]> {
    const { line, link } = this.#parts
    const after = Math.max(0, followed.seq - 1)
    this.#pending = this.#pending.filter(({ epoch, seq }) => epoch === at.epoch && seq > followed.seq)
    const [next] = this.#pending
    if (next === undefined && link.seenSeq <= followed.seq && !isFirstLook) return []
    if (next?.seq === followed.seq + 1 && followed.seq > 0) {
      const [known] = await line.readLog(at, after, { limit: 1, waitMs: 0 })
      if (known?.seq === followed.seq) return [known, ...this.#pending.slice(0, BATCH_MAX - 1)]
    }
    return await line.readLog(at, after, { limit: BATCH_MAX, waitMs: 0 })
  }

  async #readFollowed(at: RoomAt): Promise<Followed> {
    const { ledger, link, room } = this.#parts
    const row = await readRoom(ledger.db, { roomId: room })
    if (row === null) throw new Error(`The ledger has no room ${room}`)
    if (row.epoch !== at.epoch) link.lost(at.epoch, 'other-epoch')
    return { epoch: at.epoch, seq: row.epoch === at.epoch ? row.seq : 0 }
  }

  /** Waits until the reader brings entries, at most this long. */
  #rest(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      timer.unref()
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}
