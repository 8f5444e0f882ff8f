import type { ShownReservation } from '../../wire/index.ts'
import type { Position, Room } from '../room.ts'

/** Where a visitor stands, and what they have reserved. */
export interface Visit {
  readonly position: Position
  readonly reservation: ShownReservation | null
}

/** What the line does not know of a visit. The box office answers it. */
export interface Visits {
  /** What a visitor may know of where they stand, and what they have reserved. */
  visitOf(room: Room, position: Position): Promise<Visit>
}
