import { isCurrency } from './currencies.ts'
import { EVENT_LIMITS, type EventDraft, type SeatRow, type SeatTypeDraft, seatsOf } from './event.ts'
import { badField, requireExtras, requireInstant, requireText } from './event-fields.ts'
import { ROOM_DEFAULTS, type RoomSettings } from './room-settings.ts'

/** A seat type as it is sent. The shape was checked before; what fields mean together is checked here. */
export interface SeatTypeBody {
  name: string
  description?: string
  price?: number
  currency?: string
  totalQuantity?: number
  reservedSeating?: boolean
  rows?: SeatRow[]
}

/** An event as it is sent, in the long form (`seatTypes`) or the short one (`totalSeats`). */
export interface EventBody {
  name: string
  code?: string | null
  description?: string
  location?: string
  startsAt?: string | null
  endsAt?: string | null
  salesStartAt: string
  salesEndAt: string
  additionalInfo?: Record<string, unknown>
  totalSeats?: number
  seatTypes?: SeatTypeBody[]
  room?: Partial<RoomSettings> & { paused?: boolean }
}

/** Where nothing is charged it does not matter, but a price needs one. */
export const DEFAULT_CURRENCY = 'EUR'

/** Makes a whole draft of what was sent, or throws BAD_REQUEST and says which field is wrong. */
export function readEventDraft(body: EventBody): EventDraft {
  const { paused = false, ...settings } = body.room ?? {}
  const draft: EventDraft = {
    name: requireText('name', body.name),
    code: body.code == null ? null : requireText('code', body.code),
    description: requireText('description', body.description ?? '', { mayBeBlank: true, lines: true }),
    location: requireText('location', body.location ?? '', { mayBeBlank: true }),
    startsAt: body.startsAt == null ? null : requireInstant('startsAt', body.startsAt),
    endsAt: body.endsAt == null ? null : requireInstant('endsAt', body.endsAt),
    salesStartAt: requireInstant('salesStartAt', body.salesStartAt),
    salesEndAt: requireInstant('salesEndAt', body.salesEndAt),
    additionalInfo: requireExtras('additionalInfo', body.additionalInfo ?? {}),
    seatTypes: readSeatTypes(body),
    room: { ...ROOM_DEFAULTS, ...settings },
    paused,
  }
  requireOrder(draft)
  requirePlan(draft.seatTypes)
  return draft
}

function readSeatTypes(body: EventBody): SeatTypeDraft[] {
  if ((body.seatTypes === undefined) === (body.totalSeats === undefined)) {
    throw badField('seatTypes', 'send either totalSeats or seatTypes')
  }
  if (body.seatTypes !== undefined) return body.seatTypes.map((type, index) => readSeatType(type, `seatTypes/${index}`))
  const general = { name: 'General', price: 0, totalQuantity: body.totalSeats ?? 0, reservedSeating: false }
  return [readSeatType(general, 'totalSeats')]
}

export function readSeatType(body: SeatTypeBody, field: string): SeatTypeDraft {
  const { price = 0, rows, totalQuantity } = body
  const reservedSeating = body.reservedSeating ?? rows !== undefined
  if (price > 0 && body.currency === undefined) throw badField(`${field}/currency`, 'is required with a price')
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
    currency: body.currency ?? DEFAULT_CURRENCY,
    reservedSeating,
    totalQuantity: quantity,
    rows: rows === undefined ? null : readRows(rows, `${field}/rows`),
  }
}

export function readRows(rows: readonly SeatRow[], field: string): SeatRow[] {
  const labels = new Set<string>()
  return rows.map((row, index) => {
    const place = `${field}/${index}`
    requireText(`${place}/label`, row.label)
    if (labels.has(row.label)) throw badField(`${place}/label`, 'must not be used by two rows')
    labels.add(row.label)
    requireNumbers(`${place}/blocked`, row.blocked, row.seats)
    requireNumbers(`${place}/accessible`, row.accessible, row.seats)
    if ((row.x === undefined) !== (row.y === undefined)) throw badField(place, 'must have both x and y, or neither')
    if (row.seatPitch !== undefined && row.x === undefined) throw badField(`${place}/seatPitch`, 'needs x and y')
    return row
  })
}

function requireNumbers(field: string, numbers: readonly number[] | undefined, seats: number): void {
  if (numbers === undefined) return
  if (new Set(numbers).size < numbers.length) throw badField(field, 'must not name a seat twice')
  if (numbers.some((number) => number > seats)) throw badField(field, `must name seats from 1 to ${seats}`)
}

export function requireOrder(times: Pick<EventDraft, 'startsAt' | 'endsAt' | 'salesStartAt' | 'salesEndAt'>): void {
  if (times.salesEndAt <= times.salesStartAt) throw badField('salesEndAt', 'must be after salesStartAt')
  if (times.startsAt !== null && times.endsAt !== null && times.endsAt < times.startsAt) {
    throw badField('endsAt', 'must not be before startsAt')
  }
}

/** What must hold over all seat types of an event together. */
export function requirePlan(types: readonly SeatTypeDraft[]): void {
  const seats = types.reduce((sum, type) => sum + seatsOf(type), 0)
  if (seats > EVENT_LIMITS.seats) throw badField('seatTypes', `must not have more than ${EVENT_LIMITS.seats} seats`)
  const rows = types.reduce((sum, type) => sum + (type.rows?.length ?? 0), 0)
  if (rows > EVENT_LIMITS.rows) throw badField('seatTypes', `must not have more than ${EVENT_LIMITS.rows} rows`)
  if (types.length > EVENT_LIMITS.seatTypes) {
    throw badField('seatTypes', `must not be more than ${EVENT_LIMITS.seatTypes}`)
  }
  const index = types.findIndex(({ currency }) => !isCurrency(currency))
  if (index >= 0) throw badField(`seatTypes/${index}/currency`, 'must be a currency of ISO 4217, like EUR')
  // A reservation is paid in one currency, and may hold seats of several types.
  const currencies = new Set(types.filter(({ price }) => price > 0).map(({ currency }) => currency))
  if (currencies.size > 1) throw badField('seatTypes', 'must all have the same currency')
}
