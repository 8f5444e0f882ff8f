import { SeatwiseError } from '@seatwise/domain'
import { RecentMap } from './recent-map.ts'

/*
 * What a crowd reads, from memory.
 *
 *   age of an answer   0 ─────────── fresh ─────────── stale ─────────▶
 *   a reader gets      it, at once   it, at once; one  waits for one
 *                                    load in the back  load with all others
 *
 * One key is loaded once, however many ask. Loads that are asked for together go in one batch, few batches run at a
 * time, and few keys may wait: so no crowd and no flood of made-up ids can bring the ledger down.
 */

/** An answer is never older than this, measured from before its load began. */
const STALE_MS = 970
/** Spread, so that the answers of one moment are not all refreshed in one moment; the rest is time for the refresh. */
const FRESH_MS_MIN = 700
const FRESH_MS_SPREAD = 200
/** How long after a write here its key is read from the primary: far longer than a replica may lag and be used. */
const WRITTEN_MS = 10_000
const WRITTEN_MAX = 10_000
/** What does not exist is remembered as long as what does, in a place of its own: made-up ids push nothing real out. */
const UNKNOWN_MAX = 10_000

export interface Load<Value> {
  readonly keys: readonly string[]
  /** True when somebody must see what was just written: the primary has to be asked. */
  readonly isFresh: boolean
  /** What was loaded before, if it is still there. */
  known(key: string): Value | undefined
}

export interface ReadCacheOptions<Value> {
  /** Keys that are missing in the answer do not exist. */
  readonly load: (load: Load<Value>) => Promise<ReadonlyMap<string, Value>>
  readonly weigh: (value: Value) => number
  readonly weightMax: number
  readonly batchMax: number
  readonly batchesAtOnce: number
  readonly waitingMax: number
  readonly now: () => number
  readonly random?: () => number
}

interface Entry<Value> {
  readonly value: Value
  readonly weight: number
  readonly startedAt: number
  readonly freshUntil: number
}

interface Flight<Value> {
  readonly promise: Promise<Value | null>
  readonly resolve: (value: Value | null) => void
  readonly reject: (error: unknown) => void
  isFresh: boolean
  startedAt: number
  /** Something was written since it started: nobody may be told what it brings who asks from now on. */
  isOutdated: boolean
}

export class ReadCache<Value> {
  readonly #options: ReadCacheOptions<Value>
  /** In the order of their loads: those in use are refreshed again and again, so the first is the one to drop. */
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

  /** What can be said at once: the value, null for what does not exist, undefined when one has to `read`. */
  peek(key: string): Value | null | undefined {
    const now = this.#options.now()
    const entry = this.#entries.get(key)
    if (entry === undefined) {
      return this.#isRecent(this.#unknown.get(key), now) ? null : undefined
    }
    if (!this.#isRecent(entry.startedAt, now)) return undefined
    if (now >= entry.freshUntil) this.#refresh(key)
    return entry.value
  }

  async read(key: string): Promise<Value | null> {
    const value = this.peek(key)
    if (value !== undefined) return value
    return await (this.#runningFor(key) ?? this.#join(key)).promise
  }

  /** For those who may have written: nothing that was asked for before this call is good enough. */
  async readNow(key: string): Promise<Value | null> {
    const flight = this.#join(key)
    flight.isFresh = true
    return await flight.promise
  }

  /** Must be called after something under this key was written here. */
  forget(key: string): void {
    this.#written.set(key, this.#options.now())
    this.#drop(key)
    this.#unknown.delete(key)
    const running = this.#running.get(key)
    if (running !== undefined) running.isOutdated = true
  }

  /** The same for all keys. */
  forgetAll(): void {
    for (const key of [...this.#entries.keys(), ...this.#running.keys()]) this.forget(key)
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

  /** The flight for this key that has not started yet. */
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
      // Everybody who asks in this turn of the loop is in the batch.
      this.#isStarting = true
      setImmediate(() => this.#start())
    }
    return flight
  }

  /** A load under way that is good enough: neither outdated nor so slow that its answer will be too old. */
  #runningFor(key: string): Flight<Value> | undefined {
    const running = this.#running.get(key)
    if (running === undefined || running.isOutdated) return undefined
    return this.#isRecent(running.startedAt, this.#options.now()) ? running : undefined
  }

  /** Nobody waits for it. When it fails, the next reader after `STALE_MS` waits, and hears why. */
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
        // A key is loaded by one batch at a time, so that an older answer cannot land on a newer one.
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
    this.#entries.set(key, { value, weight, startedAt, freshUntil })
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

  /** A clock that was set back makes an answer older, never younger. */
  #isRecent(startedAt: number | undefined, now: number): boolean {
    return startedAt !== undefined && now >= startedAt && now - startedAt < STALE_MS
  }

  #wasWritten(key: string): boolean {
    const at = this.#written.get(key)
    return at !== undefined && Math.abs(this.#options.now() - at) < WRITTEN_MS
  }
}
