import type { Ledger } from '@seatwise/ledger'
import type { RedisConnection } from '@seatwise/line'
import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import type { Config } from '../config/index.ts'

/** What every folder of the server may use. `main` opens it; each folder below adds its own to it. */
export interface Base {
  readonly config: Config
  readonly log: Logger
  readonly ledger: Ledger
  /** Null in embedded mode. */
  readonly redis: RedisConnection | null
  /** The first signs, all verify; at least one. */
  readonly secrets: readonly Buffer[]
  /** Milliseconds since 1970. Decides nothing about a sale: rooms use Redis's clock, seats the ledger's. */
  readonly now: () => number
  /** Turned on when the program was asked to stop: readiness fails first, so that no new visitors are sent here. */
  readonly lifecycle: { stopping: boolean }
  /** What `/metrics` shows beside the process itself; features add theirs. */
  readonly metrics: Registry
}
