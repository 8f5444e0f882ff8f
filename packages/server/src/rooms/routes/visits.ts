import type { ShownReservation } from '../../wire/index.ts'
import type { Position, Room } from '../room.ts'

/** A visitor's position, and what they have reserved. */
export interface Visit {
  readonly position: Position
  readonly reservation: ShownReservation | null
}

/** What the line does not know about a visit. The box office provides it. */
export interface Visits {
  /** The position as the visitor may see it, and what they have reserved. */
  visitOf(room: Room, position: Position): Promise<Visit>
}
