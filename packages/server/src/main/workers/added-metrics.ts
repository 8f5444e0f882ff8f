import type { ChildProcess } from 'node:child_process'
import { AggregatorRegistry, type Registry } from 'prom-client'
import type { Measured } from '../../http/index.ts'
import { waitMs } from '../../kit/index.ts'
import { sendTo } from './messages.ts'

/** A worker that does not answer in this time is counted as it was at the last question. */
const ANSWER_MS_MAX = 1_000

interface Collection {
  readonly id: number
  readonly missing: Set<ChildProcess>
  readonly complete: () => void
}

/**
 * The metrics of all workers, added up. Counters never go back: what a worker had counted when it was last asked is kept
 * after it ended. Otherwise a restart would look like a burst of everything that the other workers ever counted.
 */
export class AddedMetrics {
  readonly #team: () => readonly ChildProcess[]
  readonly #latest = new Map<ChildProcess, readonly Measured[]>()
  /** What ended workers had counted; one list after each collection. */
  #retired: (readonly Measured[])[] = []
  #collection: Collection | null = null
  #total: Promise<string> | null = null
  #collections = 0

  constructor(team: () => readonly ChildProcess[]) {
    this.#team = team
  }

  /** In the text format of Prometheus. Callers that ask together share one collection. */
  total(): Promise<string> {
    this.#total ??= this.#collect().finally(() => {
      this.#total = null
    })
    return this.#total
  }

  /** A worker answered. */
  arrived(worker: ChildProcess, id: number, metrics: readonly Measured[]): void {
    this.#latest.set(worker, metrics)
    if (this.#collection?.id !== id) return
    this.#collection.missing.delete(worker)
    if (this.#collection.missing.size === 0) this.#collection.complete()
  }

  /** A worker ended. */
  retire(worker: ChildProcess): void {
    const counted = (this.#latest.get(worker) ?? []).filter(isCounted)
    this.#latest.delete(worker)
    if (this.#collection?.missing.delete(worker) && this.#collection.missing.size === 0) this.#collection.complete()
    if (counted.length > 0) this.#retired.push(counted)
  }

  async #collect(): Promise<string> {
    const asked = this.#team()
    const id = ++this.#collections
    const complete = new Promise<void>((resolve) => {
      this.#collection = { id, missing: new Set(asked), complete: resolve }
      if (asked.length === 0) resolve()
    })
    for (const worker of asked) sendTo(worker, { kind: 'measure', id })
    await Promise.race([complete, waitMs(ANSWER_MS_MAX)])
    this.#collection = null
    if (this.#retired.length > 1) this.#retired = [await addUp(this.#retired).getMetricsAsJSON()]
    return await addUp([...this.#retired, ...this.#latest.values()]).metrics()
  }
}

/** Gauges say how it is now, so that of an ended worker they say nothing. */
function isCounted({ type }: Measured): boolean {
  return String(type) === 'counter' || String(type) === 'histogram'
}

function addUp(parts: readonly (readonly Measured[])[]): Registry {
  return AggregatorRegistry.aggregate(parts.map((metrics) => [...metrics]))
}
