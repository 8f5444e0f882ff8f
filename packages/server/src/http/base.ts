import type { Ledger } from '@seatwise/ledger'
import type { RedisConnection } from '@seatwise/line'
import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import type { Config } from '../config/index.ts'

/** The services that every folder of the server may use. `main` creates them; each folder below adds its own. */
export interface Base {
  readonly config: Config
  readonly log: Logger
  readonly ledger: Ledger
  /** Null in embedded mode. */
  readonly redis: RedisConnection | null
  /** The first secret signs, all verify; there is at least one. */
  readonly secrets: readonly Buffer[]
  /** Milliseconds since 1970. Not used to decide anything about a sale: rooms use Redis's clock, seats the ledger's. */
  readonly now: () => number
  /** Set when the process is asked to stop: readiness fails first, so that load balancers send no new visitors. */
  readonly lifecycle: { stopping: boolean }
  /** The registry behind `/metrics`, beside the metrics of the process; features register their own. */
  readonly metrics: Registry
}
