import type { RoomSettings } from '../line/room-settings.ts'
import type { RoomPace } from './pace-meter.ts'

/** What the pace of a room follows from, at one moment. */
export interface RoomFacts {
  readonly now: number
  readonly opensAt: number
  readonly paused: boolean
  /** Why no ticket is admitted, apart from the operator's pause. */
  readonly held: string | null
  readonly settings: RoomSettings
  readonly floor: number
  /** Available seats; null when stock does not matter. */
  readonly stock: number | null
  /** Seats that claims may still cost, that tickets on the floor are promised, and that are held. */
  readonly taken: number
  readonly promised: number
  readonly heldSeats: number
}

export function roomPaceOf({ settings, stock, taken, promised, heldSeats, floor, ...room }: RoomFacts): RoomPace {
  const { capacity, ratePerMinute, sessionSeconds, reservationSeconds, stockAware } = settings
  const isStockless = stock === null || !stockAware
  return {
    ...{ capacity, floor, ratePerSecond: ratePerMinute / 60 },
    closed: room.now < room.opensAt ? 'not_open' : room.paused || room.held !== null ? 'paused' : null,
    usualMax: Math.min(sessionSeconds, reservationSeconds),
    seats: isStockless ? null : { free: stock - taken - promised, claimed: promised + taken + heldSeats },
  }
}
