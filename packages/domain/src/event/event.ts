import type { Checkout, CheckoutDraft } from '../checkout/checkout.ts'
import type { RoomSettings } from '../line/room-settings.ts'
import type { Host } from '../organization/host.ts'
import type { Variant } from '../prices/choose-variants.ts'
import type { Fee } from '../prices/price-lines.ts'
import type { Outline, PlanShape } from '../seats/plan-shape.ts'
import type { AfterSale } from './after-sale.ts'

/** Numbered seats side by side. */
export interface SeatRow {
  label: string
  /** The part of the house that the row is in; its label begins with it. */
  section?: string
  seats: number
  /** The numbers of the seats along the row; 1, 2, 3 and so on where it is left out. */
  numbers?: number[]
  /** Numbers of seats that an aisle follows, one seat wide. */
  aisles?: number[]
  /** Numbers of seats that are not for sale. */
  blocked?: number[]
  /** Numbers of accessible seats. */
  accessible?: number[]
  /** Position of the first seat on the map; the others follow it to the right, or as `angle` and `curve` say. */
  x?: number
  y?: number
  /** Distance from one seat to the next on the map. */
  seatPitch?: number
  /** Degrees, clockwise, by which the row is turned around its first seat. */
  angle?: number
  /** Degrees by which the row turns on its way from the first seat to the last: below 0 its ends bend towards the top. */
  curve?: number
  /** Where each seat is, instead of all of the above: for rows that are no line and no arc. */
  spots?: [x: number, y: number][]
}

/** A price category. */
export interface SeatTypeDraft {
  name: string
  description: string
  /** In minor units. */
  price: number
  /** Other prices, such as for children. Where there are any, the first stands for the type's own price. */
  variants: VariantDraft[]
  currency: string
  reservedSeating: boolean
  totalQuantity: number
  /** Null where seats have no number. */
  rows: SeatRow[] | null
  /** Where visitors stand, on the map: only where seats have no number, and null where the map does not show it. */
  area: Outline | null
  /** In no public answer; reserved only with a code that opens it. */
  hidden: boolean
}

/** A variant without an id is new. */
export interface VariantDraft extends Omit<Variant, 'id'> {
  readonly id: string | null
}

export interface SeatType extends Omit<SeatTypeDraft, 'variants'> {
  id: string
  variants: Variant[]
  /** Seats that are available now. */
  remaining: number
}

/** A picture as we serve it. */
export interface ServedImage {
  /** A path on our own site; it never shows another picture. */
  url: string
  /** In pixels. */
  width: number
  height: number
}

/** The event's picture. */
export interface EventImage extends ServedImage {
  /** What it shows, for visitors who do not see it; empty until the organiser has said it. */
  alt: string
  /** What stays in view where the picture is cut: percent from the left and from the top. */
  focus: { x: number; y: number }
}

/** Only a published event is sold and listed; one that is cancelled stays so. */
export type EventState = 'draft' | 'published' | 'cancelled'

interface EventFacts {
  name: string
  code: string | null
  description: string
  location: string
  /** Time zone of the venue: an IANA name. */
  timeZone: string
  startsAt: Date | null
  endsAt: Date | null
  /** When visitors are let in. */
  doorsAt: Date | null
  /** In years; null where visitors of any age may come. */
  ageMin: number | null
  /** From then on visitors with an access code join and reserve; null where there is no such time. */
  presaleStartAt: Date | null
  salesStartAt: Date
  salesEndAt: Date
  /** Percent that is contained in every price. */
  taxRate: number
  fees: Fee[]
  after: AfterSale
  /** Parts of the seat plan that have no seats. */
  shapes: PlanShape[]
  additionalInfo: Record<string, unknown>
}

/** An event as an organiser wants it. */
export interface EventDraft extends EventFacts {
  state: 'draft' | 'published'
  checkout: CheckoutDraft
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
  /** The account that made it. */
  organizerId: string | null
  organizationId: string
  /** That organization, as visitors see it. */
  organizer: Host
  state: EventState
  image: EventImage | null
  /** Until when buyers may refund themselves, because the date was moved; null when they may not. */
  refundsUntil: Date | null
  seatTypes: SeatType[]
  /** What buyers are asked for before they pay. */
  checkout: Checkout
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
  rowLabelLength: 60,
  sectionLength: 40,
  seatsPerRow: 5_000,
  seatNumber: 99_999,
  price: 1_000_000_000,
  variants: 20,
  variantIdLength: 64,
  fees: 10,
  /** How long an offer of returned seats may last: long enough to read mail, and at most two days. */
  offerMinutesMin: 10,
  offerMinutesMax: 2_880,
  /** Of a tax rate and of a fee; both have at most three decimals. */
  percent: 100,
  /** Coordinates of a row on the map, and the distance from one seat to the next. */
  coordinate: 100_000,
  shapes: 200,
  shapeLabelLength: 40,
  /** Corners of a shape: as many as a circle needs to look round. */
  corners: 64,
  /** The least width and height of a shape: below it, rounding makes a line of it. */
  outlineSide: 0.01,
  /** In years. */
  age: 120,
  /** `additionalInfo` as JSON text. */
  extrasBytes: 16_384,
  extrasDepth: 8,
} as const

export function seatsOf(type: Pick<SeatTypeDraft, 'rows' | 'totalQuantity'>): number {
  return type.rows === null ? type.totalQuantity : type.rows.reduce((sum, row) => sum + row.seats, 0)
}
