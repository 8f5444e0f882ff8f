import { setTimeout as delay } from 'node:timers/promises'
import { SeatwiseError } from '@seatwise/domain'
import { LineLost } from '../contract.ts'
import type { LogEntry } from '../log-entry.ts'
import { entriesAfter, type Room } from './state/room.ts'

/** Makes entries durable. Called with consecutive entries, one call at a time for each room. */
export type Commit = (room: string, entries: LogEntry[]) => Promise<void>
export type Pause = (ms: number, signal: AbortSignal) => Promise<void>

export const pauseFor: Pause = async (ms, signal) => {
  await delay(ms, undefined, { signal, ref: false })
}

/** Bounds one transaction of the ledger; the remaining entries go into the next. */
const ENTRIES_PER_COMMIT_MAX = 5_000
const BACK_OFF_FIRST_MS = 50
const BACK_OFF_MAX_MS = 2_000

/**
 * Commits the log of one room in batches: entries appended during a commit go into the next one. A caller that waits for
 * a seq continues when it is committed. When a commit fails, all waiting callers get the error, and the same entries are
 * retried after a pause: the room's state already contains them, so dropping them would fork it. Callers may repeat their
 * step at once, because steps are idempotent. A commit that throws LineLost ends the queue. The log's bound limits how many
 * entries can queue up. Rule L34.
 */
export class CommitQueue {
  /** Everything up to here is durable, and may be shown to callers. */
  committedSeq = 0
  readonly #room: Room
  readonly #commit: Commit | null
  readonly #pause: Pause
  readonly #waiters: { seq: number; resolve: () => void; reject: (error: Error) => void }[] = []
  readonly #listeners = new Set<() => void>()
  readonly #stop = new AbortController()
  #running: Promise<void> | null = null
  #failures = 0
  #lostBy: Error | null = null

  constructor(room: Room, commit: Commit | null, pause: Pause) {
    this.#room = room
    this.#commit = commit
    this.#pause = pause
  }

  /** Resolves when everything up to `seq` is durable. */
  async through(seq: number): Promise<void> {
    if (this.#commit === null && this.#room.seq > this.committedSeq) this.#committed(this.#room.seq)
    if (seq <= this.committedSeq) return
    if (this.#lostBy !== null) throw this.#lostBy
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.#waiters.push({ seq, resolve, reject })
    this.#running ??= this.#run()
    await promise
  }

  /** Nothing will be committed any more. */
  get isOver(): boolean {
    return this.#stop.signal.aborted
  }

  /** Calls back once at the next commit, or when the room is gone. Returns a function that stops listening. */
  onNext(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Gives up: waiting callers get this error, and nothing is retried. */
  abandon(error: Error): void {
    this.#lostBy = error
    this.#stop.abort()
    this.#rejectAll(error)
    this.#wakeListeners()
  }

  /** Commits what is left, with one last try. */
  async close(): Promise<void> {
    this.#stop.abort()
    await this.#running
    const left = this.#uncommitted(Number.POSITIVE_INFINITY)
    if (left.length > 0 && this.#commit !== null) await this.#commit(this.#room.id, left)
    this.#committed(this.#room.seq)
  }

  async #run(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      const entries = this.#uncommitted(ENTRIES_PER_COMMIT_MAX)
      if (entries.length === 0) break
      await this.#tryCommit(entries)
    }
    this.#running = null
  }

  async #tryCommit(entries: LogEntry[]): Promise<void> {
    try {
      await this.#commit?.(this.#room.id, entries)
    } catch (error) {
      if (error instanceof LineLost) return this.abandon(error)
      this.#rejectAll(notCommitted(this.#room.id, error))
      return await this.#backOff()
    }
    this.#failures = 0
    this.#committed(this.committedSeq + entries.length)
  }

  async #backOff(): Promise<void> {
    const ms = Math.min(BACK_OFF_MAX_MS, BACK_OFF_FIRST_MS * 2 ** this.#failures)
    this.#failures++
    try {
      await this.#pause(ms, this.#stop.signal)
    } catch (error) {
      if (!this.#stop.signal.aborted) throw error
    }
  }

  #uncommitted(max: number): LogEntry[] {
    return entriesAfter(this.#room, this.committedSeq, max)
  }

  #committed(seq: number): void {
    this.committedSeq = seq
    // Callers wait in the order of their steps, so the committed ones are at the front.
    let done = 0
    while ((this.#waiters[done]?.seq ?? Number.POSITIVE_INFINITY) <= seq) done++
    for (const { resolve } of this.#waiters.splice(0, done)) resolve()
    this.#wakeListeners()
  }

  #rejectAll(error: Error): void {
    for (const { reject } of this.#waiters.splice(0)) reject(error)
  }

  #wakeListeners(): void {
    const listeners = [...this.#listeners]
    this.#listeners.clear()
    for (const listener of listeners) listener()
  }
}

function notCommitted(room: string, cause: unknown): SeatwiseError {
  return new SeatwiseError('UNAVAILABLE', {
    message: `The changes of room ${room} could not be committed; try again`,
    cause,
    retryAfterSeconds: 1,
  })
}
