import { type CheckoutBody, readCheckout } from '../checkout/read-checkout.ts'
import { ROOM_DEFAULTS, type RoomSettings } from '../line/room-settings.ts'
import { DRAW_DEFAULTS, readStart } from '../line/room-start.ts'
import { type Outline, type PlanShape, readShapes, requireOutline } from '../seats/plan-shape.ts'
import { numbersOf } from '../seats/seat-row.ts'
import { type AfterSaleBody, readAfterSale } from './after-sale.ts'
import { isCurrency } from './currencies.ts'
import { EVENT_LIMITS, type EventDraft, type SeatRow, type SeatTypeDraft, seatsOf } from './event.ts'
import { badField, requireExtras, requireInstant, requireText, requireTimeZone } from './event-fields.ts'
import {
  type FeeBody,
  highestPrice,
  readFees,
  readVariants,
  requirePercent,
  requireVariantIds,
  type VariantBody,
} from './event-prices.ts'
import { DEFAULT_TIME_ZONE } from './time-zone.ts'

/** A seat type as it is sent. Its shape is already validated; this file checks how fields depend on each other. */
export interface SeatTypeBody {
  name: string
  description?: string
  price?: number
  variants?: VariantBody[]
  currency?: string
  totalQuantity?: number
  reservedSeating?: boolean
  rows?: SeatRow[]
  area?: Outline | null
  hidden?: boolean
}

/** An event as it is sent, in the long form (`seatTypes`) or the short one (`totalSeats`). */
export interface EventBody {
  name: string
  code?: string | null
  description?: string
  location?: string
  timeZone?: string
  startsAt?: string | null
  endsAt?: string | null
  doorsAt?: string | null
  ageMin?: number | null
  presaleStartAt?: string | null
  salesStartAt: string
  salesEndAt: string
  taxRate?: number
  fees?: FeeBody[]
  after?: AfterSaleBody
  shapes?: PlanShape[]
  additionalInfo?: Record<string, unknown>
  state?: 'draft' | 'published'
  checkout?: CheckoutBody
  totalSeats?: number
  seatTypes?: SeatTypeBody[]
  room?: Partial<RoomSettings> & { paused?: boolean }
}

/** The currency of an event in which nothing is charged and no seat type states one. */
export const DEFAULT_CURRENCY = 'EUR'

/** Makes a complete draft of the sent event, or throws BAD_REQUEST and names the wrong field. */
export function readEventDraft(body: EventBody): EventDraft {
  const { paused = false, ...settings } = body.room ?? {}
  const draft: EventDraft = {
    name: requireText('name', body.name),
    code: body.code == null ? null : requireText('code', body.code),
    description: requireText('description', body.description ?? '', { mayBeBlank: true, lines: true }),
    location: requireText('location', body.location ?? '', { mayBeBlank: true }),
    timeZone: requireTimeZone('timeZone', body.timeZone ?? DEFAULT_TIME_ZONE),
    startsAt: body.startsAt == null ? null : requireInstant('startsAt', body.startsAt),
    endsAt: body.endsAt == null ? null : requireInstant('endsAt', body.endsAt),
    doorsAt: body.doorsAt == null ? null : requireInstant('doorsAt', body.doorsAt),
    ageMin: body.ageMin ?? null,
    presaleStartAt: body.presaleStartAt == null ? null : requireInstant('presaleStartAt', body.presaleStartAt),
    salesStartAt: requireInstant('salesStartAt', body.salesStartAt),
    salesEndAt: requireInstant('salesEndAt', body.salesEndAt),
    taxRate: requirePercent('taxRate', body.taxRate ?? 0),
    fees: readFees(body.fees ?? []),
    after: readAfterSale(body.after ?? {}),
    shapes: readShapes(body.shapes ?? []),
    additionalInfo: requireExtras('additionalInfo', body.additionalInfo ?? {}),
    checkout: readCheckout(body.checkout ?? {}),
    ...readSeatTypes(body),
    state: body.state ?? 'published',
    room: { ...ROOM_DEFAULTS, ...(hasDraw(settings) ? DRAW_DEFAULTS : {}), ...settings },
    paused,
  }
  draft.room = readStart(draft.room, draft)
  requireOrder(draft)
  requirePlan(draft.seatTypes)
  return draft
}

const hasDraw = ({ draw = 'none' }: Partial<RoomSettings>): boolean => draw !== 'none'

function readSeatTypes(body: EventBody): Pick<EventDraft, 'currency' | 'seatTypes'> {
  if ((body.seatTypes === undefined) === (body.totalSeats === undefined)) {
    throw badField('seatTypes', 'send either totalSeats or seatTypes')
  }
  if (body.seatTypes !== undefined) {
    const currency = readCurrency(body.seatTypes, null)
    return {
      currency,
      seatTypes: body.seatTypes.map((type, index) => readSeatType(type, `seatTypes/${index}`, currency)),
    }
  }
  const general = { name: 'General', price: 0, totalQuantity: body.totalSeats ?? 0, reservedSeating: false }
  return { currency: DEFAULT_CURRENCY, seatTypes: [readSeatType(general, 'totalSeats', DEFAULT_CURRENCY)] }
}

/**
 * The currency of an event: the first that a seat type states, else the one the event has. A reservation may hold seats of
 * several types and is paid in one currency, so a seat type that states another currency is refused.
 */
export function readCurrency(types: readonly Partial<SeatTypeBody>[], known: string | null): string {
  let currency: string | undefined
  for (const [index, { currency: stated }] of types.entries()) {
    if (stated === undefined) continue
    const field = `seatTypes/${index}/currency`
    if (!isCurrency(stated)) throw badField(field, 'must be a currency of ISO 4217, like EUR')
    currency ??= stated
    if (stated !== currency) throw badField(field, `must be ${currency}: all seat types must have the same currency`)
  }
  if (currency !== undefined) return currency
  const priced = known === null ? types.findIndex((type) => highestPrice(type) > 0) : -1
  if (priced >= 0) throw badField(`seatTypes/${priced}/currency`, 'is required with a price')
  return known ?? DEFAULT_CURRENCY
}

/** `currency` is that of the event. */
export function readSeatType(body: SeatTypeBody, field: string, currency: string): SeatTypeDraft {
  const { price = 0, rows, totalQuantity } = body
  const reservedSeating = body.reservedSeating ?? rows !== undefined
  if (reservedSeating !== (rows !== undefined)) {
    throw badField(`${field}/rows`, 'are required with reservedSeating, and only there')
  }
  const quantity = rows === undefined ? totalQuantity : seatsOf({ rows, totalQuantity: 0 })
  if (quantity === undefined) throw badField(`${field}/totalQuantity`, 'is required where seats have no rows')
  if (totalQuantity !== undefined && totalQuantity !== quantity) {
    throw badField(`${field}/totalQuantity`, `must be ${quantity}, as many as there are seats in the rows, or left out`)
  }
  return {
    name: requireText(`${field}/name`, body.name),
    description: requireText(`${field}/description`, body.description ?? '', { mayBeBlank: true, lines: true }),
    price,
    variants: readVariants(body.variants ?? [], [], field),
    currency,
    reservedSeating,
    totalQuantity: quantity,
    rows: rows === undefined ? null : readRows(rows, `${field}/rows`),
    area: readArea(body.area ?? null, reservedSeating, `${field}/area`),
    hidden: body.hidden ?? false,
  }
}

/** Seats with numbers are where their rows are. */
export function readArea(area: Outline | null, reservedSeating: boolean, field: string): Outline | null {
  if (area === null) return null
  if (reservedSeating) throw badField(field, 'is only for a seat type without reservedSeating')
  return requireOutline(field, area)
}

export function readRows(rows: readonly SeatRow[], field: string): SeatRow[] {
  const labels = new Set<string>()
  return rows.map((row, index) => {
    const place = `${field}/${index}`
    requireText(`${place}/label`, row.label)
    if (labels.has(row.label)) throw badField(`${place}/label`, 'must not be used by two rows')
    labels.add(row.label)
    requireSection(row, place)
    requireNumbers(row, place)
    if ((row.x === undefined) !== (row.y === undefined)) throw badField(place, 'must have both x and y, or neither')
    for (const field of ['seatPitch', 'angle', 'curve'] as const) {
      if (row[field] !== undefined && row.x === undefined) throw badField(`${place}/${field}`, 'needs x and y')
    }
    requireSpots(row, place)
    return row
  })
}

/** The label alone is what tickets say, and it is unique in its seat type: so it contains the section. */
function requireSection({ label, section }: SeatRow, place: string): void {
  if (section === undefined) return
  requireText(`${place}/section`, section)
  if (!label.startsWith(`${section} `)) throw badField(`${place}/label`, `must begin with the section, "${section} "`)
}

function requireSpots({ spots, seats, x }: SeatRow, place: string): void {
  if (spots === undefined || seats === 0) return
  if (x !== undefined) throw badField(`${place}/spots`, 'cannot be combined with x and y')
  if (spots.length !== seats) throw badField(`${place}/spots`, `must be ${seats}, one for each seat`)
}

/** A row that is to be removed has no seats, and may still carry the numbers it had. */
function requireNumbers(row: SeatRow, place: string): void {
  if (row.numbers !== undefined && row.seats > 0) {
    requireOnce(`${place}/numbers`, row.numbers)
    if (row.numbers.length !== row.seats) throw badField(`${place}/numbers`, `must be ${row.seats}, one for each seat`)
  }
  const numbers = new Set(numbersOf(row))
  for (const field of ['blocked', 'accessible', 'aisles'] as const) {
    const named = row[field] ?? []
    requireOnce(`${place}/${field}`, named)
    if (!named.every((number) => numbers.has(number))) {
      const expected = row.numbers === undefined ? `seats from 1 to ${row.seats}` : 'numbers of the row'
      throw badField(`${place}/${field}`, `must name ${expected}`)
    }
  }
}

function requireOnce(field: string, numbers: readonly number[]): void {
  if (new Set(numbers).size < numbers.length) throw badField(field, 'must not name a seat twice')
}

export function requireOrder(
  times: Pick<EventDraft, 'startsAt' | 'endsAt' | 'doorsAt' | 'presaleStartAt' | 'salesStartAt' | 'salesEndAt'>,
): void {
  if (times.presaleStartAt !== null && times.presaleStartAt >= times.salesStartAt) {
    throw badField('presaleStartAt', 'must be before salesStartAt')
  }
  if (times.salesEndAt <= times.salesStartAt) throw badField('salesEndAt', 'must be after salesStartAt')
  if (times.startsAt !== null && times.endsAt !== null && times.endsAt < times.startsAt) {
    throw badField('endsAt', 'must not be before startsAt')
  }
  if (times.startsAt !== null && times.doorsAt !== null && times.doorsAt > times.startsAt) {
    throw badField('doorsAt', 'must not be after startsAt')
  }
}

/** What must hold over all seat types of an event together. */
export function requirePlan(types: readonly SeatTypeDraft[]): void {
  requireVariantIds(types)
  const seats = types.reduce((sum, type) => sum + seatsOf(type), 0)
  if (seats > EVENT_LIMITS.seats) throw badField('seatTypes', `must not have more than ${EVENT_LIMITS.seats} seats`)
  const rows = types.reduce((sum, type) => sum + (type.rows?.length ?? 0), 0)
  if (rows > EVENT_LIMITS.rows) throw badField('seatTypes', `must not have more than ${EVENT_LIMITS.rows} rows`)
  if (types.length > EVENT_LIMITS.seatTypes) {
    throw badField('seatTypes', `must not be more than ${EVENT_LIMITS.seatTypes}`)
  }
}
