import type { RoomServices } from '../rooms/index.ts'
import type { BoxOffice } from './box-office.ts'
import type { OperationsUnderWay } from './operations/under-way.ts'

/** What the box office and the folders below it are built from. */
export interface BoxOfficeServices extends RoomServices {
  /** Calls in progress on this server, by idempotency key. */
  readonly underWay: OperationsUnderWay
  readonly boxOffice: BoxOffice
}
