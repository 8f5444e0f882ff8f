import type { SeatMapChange, SeatMapNews, SeatPlan } from '@seatwise/ledger'
import { SeatMapCopy } from './seat-map-copy.ts'

/** An older copy is not used: the ledger may be down, or the server was suspended for a while. */
const AGE_MS_MAX = 1_000

export interface FollowedSeatMapOptions {
  readonly readPlan: () => Promise<SeatPlan | null>
  readonly readChanges: (since: number) => Promise<SeatMapNews | null>
  readonly onError: (error: unknown) => void
  readonly now: () => number
}

/** Keeps one copy of a seat map up to date. One query to the ledger at a time, however many callers wait for it. */
export class FollowedSeatMap {
  readonly #options: FollowedSeatMapOptions
  usedAt: number
  #copy: SeatMapCopy | null = null
  /** When the query was sent that filled the copy. */
  #askedAt = Number.NEGATIVE_INFINITY
  #running: Promise<SeatMapCopy | null> | null = null
  #next: Promise<SeatMapCopy | null> | null = null
  #isFailing = false

  constructor(options: FollowedSeatMapOptions) {
    this.#options = options
    this.usedAt = options.now()
  }

  get size(): number {
    return this.#copy?.size ?? 0
  }

  peek(): SeatMapCopy | null {
    if (this.#options.now() - this.#askedAt <= AGE_MS_MAX) return this.#copy
    this.refreshQuietly()
    return null
  }

  /** The copy however old it is, for readers who are told its age. */
  last(): { readonly copy: SeatMapCopy; readonly ageMs: number } | null {
    if (this.#copy === null) return null
    return { copy: this.#copy, ageMs: Math.max(0, this.#options.now() - this.#askedAt) }
  }

  async read(): Promise<SeatMapCopy | null> {
    return this.peek() ?? (await (this.#running ?? this.refresh()))
  }

  /** Queries the ledger after this call, not before: a caller that found the copy behind gets a newer one. */
  refresh(): Promise<SeatMapCopy | null> {
    if (this.#running === null) return this.#ask()
    this.#next ??= this.#running.then(
      () => this.#askNext(),
      () => this.#askNext(),
    )
    return this.#next
  }

  /** For the timer: a caller that needs the copy gets the failure when it asks. */
  refreshQuietly(): void {
    if (this.#running === null) this.#ask().catch(() => undefined)
  }

  /**
   * Applies this server's own change at once if it is the next version; otherwise queries the ledger for those between.
   */
  learn({ version, counts, changes }: SeatMapChange): void {
    const copy = this.#copy
    if (copy === null || version <= copy.version) return
    // Without changes the version belongs to another writer.
    if (version === copy.version + 1 && changes.length > 0) copy.apply(version, counts, changes)
    else this.refreshQuietly()
  }

  /** Resolves when no query is running. */
  async whenIdle(): Promise<void> {
    await Promise.allSettled([this.#running, this.#next])
  }

  #askNext(): Promise<SeatMapCopy | null> {
    this.#next = null
    return this.#running ?? this.#ask()
  }

  #ask(): Promise<SeatMapCopy | null> {
    this.#running = this.#load().finally(() => {
      this.#running = null
    })
    return this.#running
  }

  async #load(): Promise<SeatMapCopy | null> {
    const askedAt = this.#options.now()
    try {
      await this.#follow()
      this.#isFailing = false
    } catch (error) {
      if (!this.#isFailing) this.#options.onError(error)
      this.#isFailing = true
      throw error
    }
    this.#askedAt = askedAt
    return this.#copy
  }

  async #follow(): Promise<void> {
    const copy = this.#copy
    const news = copy === null ? null : await this.#options.readChanges(copy.version)
    if (copy !== null && news !== null && news.changes !== null) {
      // Our own change may have overtaken the answer.
      if (news.version > copy.version) copy.apply(news.version, news.counts, news.changes)
      return
    }
    const plan = await this.#options.readPlan()
    this.#copy = plan === null ? null : new SeatMapCopy(plan)
  }
}
