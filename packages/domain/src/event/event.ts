import type { RoomSettings } from '../line/room-settings.ts'

/** Numbered seats side by side. Seats count from 1. */
export interface SeatRow {
  label: string
  seats: number
  /** Numbers of seats that are not for sale. */
  blocked?: number[]
  /** Numbers of accessible seats. */
  accessible?: number[]
  /** Position of the first seat on the map; the others follow it to the right. */
  x?: number
  y?: number
  /** Distance from one seat to the next on the map. */
  seatPitch?: number
}

/** A price category. */
export interface SeatTypeDraft {
  name: string
  description: string
  /** In minor units. */
  price: number
  currency: string
  reservedSeating: boolean
  totalQuantity: number
  /** Null where seats have no number. */
  rows: SeatRow[] | null
}

export interface SeatType extends SeatTypeDraft {
  id: string
  /** Seats that are available now. */
  remaining: number
}

interface EventFacts {
  name: string
  code: string | null
  description: string
  location: string
  /** Time zone of the venue: an IANA name. */
  timeZone: string
  startsAt: Date | null
  endsAt: Date | null
  salesStartAt: Date
  salesEndAt: Date
  additionalInfo: Record<string, unknown>
}

/** An event as an organiser wants it. */
export interface EventDraft extends EventFacts {
  /** The currency of every seat type. */
  currency: string
  seatTypes: SeatTypeDraft[]
  room: RoomSettings
  paused: boolean
}

/** An event as the public sees it. `JSON.stringify` makes its wire form, `parseSaleEvent` reads that back. */
export interface SaleEvent extends EventFacts {
  id: string
  roomId: string
  organizerId: string | null
  seatTypes: SeatType[]
  room: RoomSettings & { paused: boolean; message: string | null }
  totalSeats: number
  remainingSeats: number
  createdAt: Date
  updatedAt: Date
}

/** Values outside are refused, never clamped. */
export const EVENT_LIMITS = {
  nameLength: 200,
  codeLength: 40,
  descriptionLength: 20_000,
  locationLength: 300,
  seatTypes: 200,
  /** The largest stadiums hold fewer; a plan of this size is still made in one statement within seconds. */
  seats: 200_000,
  rows: 5_000,
  rowLabelLength: 20,
  seatsPerRow: 5_000,
  price: 1_000_000_000,
  /** Coordinates of a row on the map, and the distance from one seat to the next. */
  coordinate: 100_000,
  /** `additionalInfo` as JSON text. */
  extrasBytes: 16_384,
  extrasDepth: 8,
} as const

export function seatsOf(type: Pick<SeatTypeDraft, 'rows' | 'totalQuantity'>): number {
  return type.rows === null ? type.totalQuantity : type.rows.reduce((sum, row) => sum + row.seats, 0)
}
