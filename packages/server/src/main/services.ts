import type { Ledger } from '@seatwise/ledger'
import type { RedisConnection } from '@seatwise/line'
import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import type { BoxOffice } from '../box-office/box-office.ts'
import type { OperationsUnderWay } from '../box-office/operations/under-way.ts'
import type { Config } from '../config/config.ts'
import type { Identity } from '../identity/identity.ts'
import type { Rooms } from '../rooms/room.ts'
import type { RoomTokens } from '../rooms/tokens/room-tokens.ts'

/** What the features are built from. Whoever starts a server opens these, and closes them when it ends. */
export interface Services {
  readonly config: Config
  readonly log: Logger
  readonly ledger: Ledger
  /** Null in embedded mode. */
  readonly redis: RedisConnection | null
  /** The first signs, all verify; at least one. */
  readonly secrets: readonly Buffer[]
  /** Access tokens, passwords and signing keys. */
  readonly identity: Identity
  /** What rooms sign, hash and check. */
  readonly roomTokens: RoomTokens
  readonly rooms: Rooms
  /** What the box office is doing on this server at the moment, by idempotency key. */
  readonly underWay: OperationsUnderWay
  readonly boxOffice: BoxOffice
  /** Milliseconds since 1970. Decides nothing about a sale: rooms use Redis's clock, seats the ledger's. */
  readonly now: () => number
  /** Turned on when the program was asked to stop: readiness fails first, so that no new visitors are sent here. */
  readonly lifecycle: { stopping: boolean }
  /** What `/metrics` shows beside the process itself; features add theirs. */
  readonly metrics: Registry
}
