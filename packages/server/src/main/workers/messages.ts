import type { ChildProcess } from 'node:child_process'
import type { Measured } from '../../http/index.ts'

/** What a worker tells the operator who started the program. The first worker tells it for all. */
export interface Introduction {
  readonly url: string
  readonly places: ReadonlyArray<{ readonly name: string; readonly url: string }>
  readonly notices: readonly string[]
}

/** From the supervisor to a worker. */
export type ToWorker =
  /** How many workers serve now, of how many. */
  | { readonly kind: 'team'; readonly serving: number; readonly wanted: number }
  | { readonly kind: 'measure'; readonly id: number }
  | { readonly kind: 'total'; readonly id: number; readonly text: string }
  /** Readiness fails from now on. */
  | { readonly kind: 'announceStop' }
  | { readonly kind: 'stop' }

/** From a worker to the supervisor. */
export type FromWorker =
  | { readonly kind: 'serving'; readonly introduction: Introduction }
  | { readonly kind: 'measured'; readonly id: number; readonly metrics: readonly Measured[] }
  /** A client asked this worker for the metrics of all. */
  | { readonly kind: 'wantTotal'; readonly id: number }

/** A worker that has just died cannot be told anything; its exit is handled where it is noticed. */
export function sendTo(worker: ChildProcess, message: ToWorker): void {
  if (worker.connected) worker.send(message, () => undefined)
}
