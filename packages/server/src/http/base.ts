import type { Ledger } from '@seatwise/ledger'
import type { RedisConnection } from '@seatwise/line'
import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import type { Config } from '../config/index.ts'
import type { Pulse } from '../kit/index.ts'

/** The processes of this program that share its port. */
export interface Siblings {
  /** Whether all of them serve. */
  readonly isComplete: boolean
  /** The metrics of all of them added up, in the text format of Prometheus. */
  metrics(): Promise<string>
}

/** The services that every folder of the server may use. `main` creates them; each folder below adds its own. */
export interface Base {
  readonly config: Config
  readonly log: Logger
  readonly ledger: Ledger
  /** Whether the ledger answers: for reads that have something to fall back to. */
  readonly pulse: Pulse
  /** Null in embedded mode. */
  readonly redis: RedisConnection | null
  /** The first secret signs, all verify; there is at least one. */
  readonly secrets: readonly Buffer[]
  /** Milliseconds since 1970. Not used to decide anything about a sale: rooms use Redis's clock, seats the ledger's. */
  readonly now: () => number
  readonly lifecycle: Lifecycle
  /** The registry behind `/metrics`, beside the metrics of the process; features register their own. */
  readonly metrics: Registry
  /** Absent when this process alone serves its port. */
  readonly siblings?: Siblings
}

export interface Lifecycle {
  /** Set when the process is asked to stop: readiness fails first, so that load balancers send no new visitors. */
  stopping: boolean
  /** Requests are answered: the routes are there, and the server is not overloaded. */
  answering: boolean
}
