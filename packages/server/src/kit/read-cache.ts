import { SeatwiseError } from '@seatwise/domain'
import { isLedgerAway } from '@seatwise/ledger'
import { RecentMap } from './recent-map.ts'

/*
 * An in-memory cache for data that many visitors read.
 *
 *   age of an answer   0 ─────────── fresh ─────────── stale ────────────────── COPY_MS_MAX ──▶
 *   a reader gets      it, at once   it, at once; one  what one load returns,   what one load
 *                                    load in the back  shared with all others;  returns
 *                                                      it, if the ledger is away
 *
 * Each key is loaded once, however many readers ask for it. Loads requested together run as one batch; the number of
 * concurrent batches and of waiting keys is bounded, so neither a crowd nor a flood of made-up ids can overload the
 * ledger. Loads go through a `Pulse`, which fails them at once while the ledger is away.
 */

/** The maximum age of a cached answer, measured from before its load began. */
const STALE_MS = 970
/** Random spread, so that answers loaded together are not all refreshed together; the rest is time for the refresh. */
const FRESH_MS_MIN = 700
const FRESH_MS_SPREAD = 200
/** How long after a local write its key is read from the primary: far longer than the lag of a replica in use. */
const WRITTEN_MS = 10_000
const WRITTEN_MAX = 10_000
/** Missing keys are cached as long as existing ones, but in a separate map: made-up ids evict nothing real. */
const UNKNOWN_MAX = 10_000
/** While the ledger is away, an answer of this age is still given. */
const COPY_MS_MAX = 15 * 60_000
/** From this age on, readers are told how old their answer is. */
const TOLD_MS = 5_000

export interface Load<Value> {
  readonly keys: readonly string[]
  /** True when the reader must see its own write: the load has to ask the primary. */
  readonly isFresh: boolean
  /** The previously loaded value, if it is still cached. */
  known(key: string): Value | undefined
}

export interface ReadCacheOptions<Value> {
  /** Keys that are missing in the result do not exist. */
  readonly load: (load: Load<Value>) => Promise<ReadonlyMap<string, Value>>
  readonly weigh: (value: Value) => number
  readonly weightMax: number
  readonly batchMax: number
  readonly batchesAtOnce: number
  readonly waitingMax: number
  readonly now: () => number
  readonly random?: () => number
}

/** A value, and how old it is where readers have to know: the ledger is away, and it is the last one known. */
export interface Copy<Value> {
  readonly value: Value
  /** Null unless it is older than 5 s. */
  readonly staleSeconds: number | null
}

interface Entry<Value> {
  readonly value: Value
  readonly weight: number
  readonly startedAt: number
  readonly freshUntil: number
  /** A write may have changed it: good only while the ledger is away. */
  isOutdated: boolean
}

interface Flight<Value> {
  readonly promise: Promise<Value | null>
  readonly resolve: (value: Value | null) => void
  readonly reject: (error: unknown) => void
  isFresh: boolean
  startedAt: number
  /** The key was written after this load started: later readers must not get its result. */
  isOutdated: boolean
}

export class ReadCache<Value> {
  readonly #options: ReadCacheOptions<Value>
  /** In load order. Keys in use are refreshed and move to the end, so the first entry is the one to evict. */
  readonly #entries = new Map<string, Entry<Value>>()
  readonly #unknown = new RecentMap<string, number>(UNKNOWN_MAX)
  readonly #written = new RecentMap<string, number>(WRITTEN_MAX)
  readonly #running = new Map<string, Flight<Value>>()
  readonly #waiting = new Map<string, Flight<Value>>()
  #weight = 0
  #batches = 0
  #isStarting = false

  constructor(options: ReadCacheOptions<Value>) {
    this.#options = options
  }

  /** What the cache can answer at once: the value, null for a missing key, undefined when the caller has to `read`. */
  peek(key: string): Value | null | undefined {
    const now = this.#options.now()
    const entry = this.#entries.get(key)
    if (entry === undefined) {
      return this.#isRecent(this.#unknown.get(key), now) ? null : undefined
    }
    if (entry.isOutdated || !this.#isRecent(entry.startedAt, now)) return undefined
    if (now >= entry.freshUntil) this.#refresh(key)
    return entry.value
  }

  async read(key: string): Promise<Value | null> {
    return (await this.readCopy(key))?.value ?? null
  }

  /** The same, with its age if it is old: while the ledger is away, the last good value is given. */
  async readCopy(key: string): Promise<Copy<Value> | null> {
    const known = this.peek(key)
    if (known !== undefined) return known === null ? null : { value: known, staleSeconds: null }
    try {
      const value = await (this.#runningFor(key) ?? this.#join(key)).promise
      return value === null ? null : { value, staleSeconds: null }
    } catch (error) {
      const copy = isLedgerAway(error) ? this.#copyOf(key) : null
      if (copy === null) throw error
      return copy
    }
  }

  /** For callers that may have written the key: joins only a load that starts after this call. */
  async readNow(key: string): Promise<Value | null> {
    const flight = this.#join(key)
    flight.isFresh = true
    return await flight.promise
  }

  /** The caller must call this after writing something under this key. A key in use is loaded again at once. */
  forget(key: string): void {
    const isInUse = this.#entries.has(key)
    this.#drop(key)
    this.#outdate(key)
    if (isInUse) this.#refresh(key)
  }

  /**
   * A write may have changed the value of any key. Values that contain what was written are dropped; the others are
   * kept for when the ledger is away.
   */
  forgetAll(contains: (value: Value) => boolean): void {
    for (const [key, entry] of this.#entries) {
      entry.isOutdated = true
      if (contains(entry.value)) this.#drop(key)
      this.#outdate(key)
    }
    for (const key of this.#running.keys()) this.#outdate(key)
  }

  get size(): number {
    return this.#entries.size
  }

  /** Keys that wait for a load. */
  get waiting(): number {
    return this.#waiting.size
  }

  get weight(): number {
    return this.#weight
  }

  #outdate(key: string): void {
    this.#written.set(key, this.#options.now())
    this.#unknown.delete(key)
    const running = this.#running.get(key)
    if (running !== undefined) running.isOutdated = true
  }

  #copyOf(key: string): Copy<Value> | null {
    const entry = this.#entries.get(key)
    if (entry === undefined) return null
    // A clock that was set back makes no copy older.
    const ageMs = Math.max(0, this.#options.now() - entry.startedAt)
    return ageMs < COPY_MS_MAX ? { value: entry.value, staleSeconds: tellAge(ageMs) } : null
  }

  /** The load for this key that has not started yet. */
  #join(key: string): Flight<Value> {
    const waiting = this.#waiting.get(key)
    if (waiting !== undefined) return waiting
    if (this.#waiting.size >= this.#options.waitingMax) throw new SeatwiseError('OVERLOADED', { retryAfterSeconds: 1 })
    const flight: Flight<Value> = {
      ...Promise.withResolvers<Value | null>(),
      isFresh: this.#wasWritten(key),
      startedAt: Number.NaN,
      isOutdated: false,
    }
    this.#waiting.set(key, flight)
    if (!this.#isStarting) {
      // All requests of this turn of the event loop join the batch.
      this.#isStarting = true
      setImmediate(() => this.#start())
    }
    return flight
  }

  /** A running load that can be shared: neither outdated nor so slow that its result will be stale. */
  #runningFor(key: string): Flight<Value> | undefined {
    const running = this.#running.get(key)
    if (running === undefined || running.isOutdated) return undefined
    return this.#isRecent(running.startedAt, this.#options.now()) ? running : undefined
  }

  /** Runs in the background. If it fails, the next reader after `STALE_MS` waits for a load and gets its error. */
  #refresh(key: string): void {
    if (this.#runningFor(key) !== undefined) return
    if (this.#waiting.has(key) || this.#waiting.size >= this.#options.waitingMax) return
    this.#join(key).promise.catch(() => undefined)
  }

  #start(): void {
    this.#isStarting = false
    while (this.#batches < this.#options.batchesAtOnce) {
      const batch = new Map<string, Flight<Value>>()
      for (const [key, flight] of this.#waiting) {
        if (batch.size === this.#options.batchMax) break
        // One batch at a time loads a key, so that an older answer cannot overwrite a newer one.
        if (!this.#running.has(key)) batch.set(key, flight)
      }
      if (batch.size === 0) return
      void this.#run(batch)
    }
  }

  async #run(batch: ReadonlyMap<string, Flight<Value>>): Promise<void> {
    const startedAt = this.#options.now()
    let isFresh = false
    this.#batches += 1
    for (const [key, flight] of batch) {
      this.#waiting.delete(key)
      this.#running.set(key, flight)
      flight.startedAt = startedAt
      isFresh ||= flight.isFresh || this.#wasWritten(key)
    }
    try {
      const known = (key: string): Value | undefined => this.#entries.get(key)?.value
      const values = await this.#options.load({ keys: [...batch.keys()], isFresh, known })
      for (const [key, flight] of batch) this.#land(key, flight, values.get(key), startedAt)
    } catch (error) {
      for (const flight of batch.values()) flight.reject(error)
    } finally {
      this.#batches -= 1
      for (const [key, flight] of batch) if (this.#running.get(key) === flight) this.#running.delete(key)
      this.#start()
    }
  }

  #land(key: string, flight: Flight<Value>, value: Value | undefined, startedAt: number): void {
    if (!flight.isOutdated) this.#keep(key, value, startedAt)
    flight.resolve(value ?? null)
  }

  #keep(key: string, value: Value | undefined, startedAt: number): void {
    this.#drop(key)
    if (value === undefined) {
      this.#unknown.set(key, startedAt)
      return
    }
    const { weigh, weightMax, random = Math.random } = this.#options
    const weight = weigh(value)
    const freshUntil = startedAt + FRESH_MS_MIN + random() * FRESH_MS_SPREAD
    this.#entries.set(key, { value, weight, startedAt, freshUntil, isOutdated: false })
    this.#weight += weight
    for (const oldest of this.#entries.keys()) {
      if (this.#weight <= weightMax) break
      this.#drop(oldest)
    }
  }

  #drop(key: string): void {
    const entry = this.#entries.get(key)
    if (entry === undefined) return
    this.#weight -= entry.weight
    this.#entries.delete(key)
  }

  /** A clock that was set back makes an answer stale, never fresher. */
  #isRecent(startedAt: number | undefined, now: number): boolean {
    return startedAt !== undefined && now >= startedAt && now - startedAt < STALE_MS
  }

  #wasWritten(key: string): boolean {
    const at = this.#written.get(key)
    return at !== undefined && Math.abs(this.#options.now() - at) < WRITTEN_MS
  }
}

/** The age that readers are told, in whole seconds; null for an age that they need not know. */
export function tellAge(ageMs: number): number | null {
  return ageMs > TOLD_MS ? Math.floor(ageMs / 1_000) : null
}
