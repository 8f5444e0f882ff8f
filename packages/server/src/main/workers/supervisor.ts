import { type ChildProcess, fork } from 'node:child_process'
import type { Logger } from 'pino'
import { DeadlinePassed, waitMs, withDeadline } from '../../kit/index.ts'
import { AddedMetrics } from './added-metrics.ts'
import { type FromWorker, type Introduction, sendTo } from './messages.ts'

/** A worker that served for this long has started well: the next failure is a first one again. */
const STABLE_MS = 10_000
const BACKOFF_MS_MIN = 100
const BACKOFF_MS_MAX = 30_000
/** So many failures in a row without any worker that serves end the program: its own supervisor must know. */
const FAILURES_MAX = 5
/** A worker finishes its requests within ten seconds; after this long it hangs. */
const STOP_MS_MAX = 15_000
/** After this long of stopping one after the other, the rest stop together: orchestrators wait for thirty seconds. */
const ONE_BY_ONE_MS_MAX = 12_000

/** A worker's place in the team: it keeps its number when its process is replaced. */
interface Place {
  readonly number: number
  process: ChildProcess | null
  servingSince: number | null
  failures: number
}

export interface SupervisorParts {
  readonly count: number
  /** Starts one worker. */
  readonly command: (worker: number) => { readonly file: string; readonly args: readonly string[] }
  readonly log: Logger
  /** No worker serves, and none can be started. */
  readonly onFailure: (error: Error) => void
}

/** Keeps the workers running: replaces one that ends, and stops them one after the other. It serves no request itself. */
export class Supervisor {
  readonly #parts: SupervisorParts
  readonly #places: Place[]
  readonly #metrics = new AddedMetrics(() => this.#team())
  #stopping: Promise<void> | null = null

  constructor(parts: SupervisorParts) {
    this.#parts = parts
    this.#places = Array.from({ length: parts.count }, (_, index) => {
      return { number: index + 1, process: null, servingSince: null, failures: 0 }
    })
  }

  /**
   * Starts the first worker alone, because it brings the schema up and introduces the program; what keeps it from serving
   * would keep all. The others follow together.
   */
  async start(): Promise<Introduction> {
    const [first, ...others] = this.#places
    if (first === undefined) throw new Error('There must be at least one worker')
    const introduction = await this.#launch(first)
    await Promise.all(others.map((place) => this.#launch(place)))
    for (const place of this.#places) this.#watch(place)
    return introduction
  }

  /** Readiness fails at once; after the drain time the workers stop one after the other. */
  stop(drainSeconds: number): Promise<void> {
    this.#stopping ??= this.#stopAll(drainSeconds)
    return this.#stopping
  }

  /** Ends all workers without waiting for their requests. */
  kill(): void {
    for (const { process } of this.#places) process?.kill('SIGKILL')
  }

  /** Resolves when the worker serves; rejects when it ends before. */
  #launch(place: Place): Promise<Introduction> {
    const { file, args } = this.#parts.command(place.number)
    // Structured clones: a metric may be NaN, which JSON does not have.
    const worker = fork(file, [...args], { serialization: 'advanced' })
    place.process = worker
    return new Promise((resolve, reject) => {
      worker.on('message', (message: FromWorker) => {
        if (message.kind !== 'serving') return this.#hear(worker, message)
        place.servingSince = performance.now()
        this.#parts.log.info({ worker: place.number, process: worker.pid }, 'worker serves')
        this.#tellTeam()
        resolve(message.introduction)
      })
      worker.once('error', reject)
      worker.once('exit', (code, signal) => {
        place.process = null
        this.#metrics.retire(worker)
        reject(new Error(`Worker ${place.number} ended with ${signal ?? code} before it served`))
        this.#tellTeam()
      })
    })
  }

  #hear(worker: ChildProcess, message: Exclude<FromWorker, { kind: 'serving' }>): void {
    if (message.kind === 'measured') {
      this.#metrics.arrived(worker, message.id, message.metrics)
      return
    }
    this.#metrics
      .total()
      .then((text) => sendTo(worker, { kind: 'total', id: message.id, text }))
      .catch((err: unknown) => this.#parts.log.error({ err }, 'the metrics could not be added up'))
  }

  /** From now on, the process of this place is replaced whenever it ends. */
  #watch(place: Place): void {
    const { process } = place
    if (process === null) void this.#replace(place)
    else process.once('exit', () => void this.#replace(place))
  }

  async #replace(place: Place): Promise<void> {
    const { log, onFailure } = this.#parts
    while (this.#stopping === null) {
      const servedMs = place.servingSince === null ? 0 : performance.now() - place.servingSince
      place.failures = servedMs >= STABLE_MS ? 0 : place.failures + 1
      place.servingSince = null
      if (place.failures >= FAILURES_MAX && this.#serving() === 0) {
        onFailure(new Error(`No worker serves, and worker ${place.number} failed ${place.failures} times in a row`))
        return
      }
      const pauseMs = place.failures <= 1 ? 0 : Math.min(BACKOFF_MS_MAX, BACKOFF_MS_MIN * 2 ** place.failures)
      log.error({ worker: place.number, failures: place.failures, pauseMs }, 'a worker ended and is replaced')
      if (pauseMs > 0) await waitMs(pauseMs)
      if (this.#stopping !== null) return
      try {
        await this.#launch(place)
        this.#watch(place)
        return
      } catch (err) {
        log.error({ err, worker: place.number }, 'a worker could not be replaced, trying again')
      }
    }
  }

  async #stopAll(drainSeconds: number): Promise<void> {
    for (const worker of this.#team()) sendTo(worker, { kind: 'announceStop' })
    await waitMs(drainSeconds * 1_000)
    const togetherAt = performance.now() + ONE_BY_ONE_MS_MAX
    const ending: Promise<void>[] = []
    for (const worker of this.#team()) {
      const ended = endOf(worker)
      ending.push(ended)
      const leftMs = togetherAt - performance.now()
      if (leftMs > 0) await Promise.race([ended, waitMs(leftMs)])
    }
    await Promise.all(ending)
  }

  #team(): ChildProcess[] {
    return this.#places.flatMap(({ process }) => (process?.connected === true ? [process] : []))
  }

  #serving(): number {
    return this.#places.filter(({ process, servingSince }) => process !== null && servingSince !== null).length
  }

  #tellTeam(): void {
    const team = { kind: 'team', serving: this.#serving(), wanted: this.#places.length } as const
    for (const worker of this.#team()) sendTo(worker, team)
  }
}

/** Asks a worker to stop, and makes it end when it does not. */
async function endOf(worker: ChildProcess): Promise<void> {
  const ended = new Promise<void>((resolve) => {
    if (worker.exitCode !== null || worker.signalCode !== null) resolve()
    else worker.once('exit', () => resolve())
  })
  sendTo(worker, { kind: 'stop' })
  try {
    await withDeadline(ended, STOP_MS_MAX, 'A worker')
  } catch (error) {
    if (!(error instanceof DeadlinePassed)) throw error
    worker.kill('SIGKILL')
    await ended
  }
}
