import type { CheckoutDraft } from '../checkout/checkout.ts'
import { readCheckout } from '../checkout/read-checkout.ts'
import { readShapes } from '../seats/plan-shape.ts'
import { readAfterSale } from './after-sale.ts'
import type { SaleEvent, SeatRow, SeatType, SeatTypeDraft } from './event.ts'
import {
  type EventBody,
  readArea,
  readCurrency,
  readRows,
  readSeatType,
  requireOrder,
  requirePlan,
  type SeatTypeBody,
} from './event-draft.ts'
import { badField, requireExtras, requireInstant, requireText, requireTimeZone } from './event-fields.ts'
import { highestPrice, readFees, readVariants, requirePercent } from './event-prices.ts'

/** A new seat type, or changes to the one with this id. A named row replaces the row of that name; without seats it removes it. */
export interface SeatTypeEditBody extends Partial<SeatTypeBody> {
  id?: string
}

/** An organiser's changes. Fields that are not named stay as they are. */
export interface EventEditBody extends Partial<Omit<EventBody, 'room' | 'seatTypes'>> {
  seatTypes?: SeatTypeEditBody[]
  /** With another `startsAt`: buyers may refund themselves until then; null ends that. */
  offerRefundUntil?: string | null
}

/** An edit applied to the current event: all fields afterwards, and which of them change. */
export interface EventEdit {
  event: Omit<SaleEvent, 'seatTypes' | 'checkout'>
  /** Its new questions have no id yet. */
  checkout: CheckoutDraft
  /** The currency of every seat type afterwards. */
  currency: string
  added: SeatTypeDraft[]
  changed: SeatTypeChange[]
}

export interface SeatTypeChange {
  before: SeatType
  /** Its new variants have no id yet. */
  after: Omit<SeatType, 'variants'> & Pick<SeatTypeDraft, 'variants'>
  /** The new and changed rows; a removed row has no seats. Empty where seats have no number. */
  rows: SeatRow[]
}

/** Throws BAD_REQUEST when the edit is inconsistent. Whether it would break a sale is decided by the ledger. */
export function readEventEdit(current: SaleEvent, body: EventEditBody): EventEdit {
  const event = readFacts(current, body)
  const edits = readTypeEdits(current, body)
  const currency = readCurrency(edits, current.seatTypes[0]?.currency ?? null)
  const added = edits.flatMap((edit, index) =>
    edit.id === undefined ? [readSeatType(requireName(edit, index), `seatTypes/${index}`, currency)] : [],
  )
  const named = edits.flatMap((edit, index) => {
    if (edit.id === undefined) return []
    const before = current.seatTypes.find(({ id }) => id === edit.id)
    if (before === undefined) throw badField(`seatTypes/${index}/id`, 'is not a seat type of this event')
    return [changeType(before, edit, `seatTypes/${index}`, currency)]
  })
  const changed = [...named, ...followCurrency(current, named, currency)]
  const after = current.seatTypes.map((type) => changed.find(({ before }) => before.id === type.id)?.after ?? type)
  requirePlan([...after, ...added])
  const checkout = readCheckout(body.checkout ?? {}, current.checkout)
  return { event, checkout, currency, added, changed }
}

/** Free seat types that an edit does not name follow a change of the event's currency; a price is never converted. */
function followCurrency(current: SaleEvent, named: readonly SeatTypeChange[], currency: string): SeatTypeChange[] {
  const others = current.seatTypes.filter(({ id }) => named.every(({ before }) => before.id !== id))
  return others.flatMap((before) => {
    if (before.currency === currency) return []
    if (highestPrice(before) > 0)
      throw badField('seatTypes', `must all have the same currency: ${before.name} has another`)
    return [{ before, after: { ...before, currency }, rows: [] }]
  })
}

function readFacts(current: SaleEvent, body: EventEditBody): EventEdit['event'] {
  const { seatTypes: _types, checkout: _checkout, ...facts } = current
  const event = { ...facts }
  if (body.name !== undefined) event.name = requireText('name', body.name)
  if (body.code !== undefined) event.code = body.code === null ? null : requireText('code', body.code)
  if (body.description !== undefined) {
    event.description = requireText('description', body.description, { mayBeBlank: true, lines: true })
  }
  if (body.location !== undefined) event.location = requireText('location', body.location, { mayBeBlank: true })
  if (body.timeZone !== undefined) event.timeZone = requireTimeZone('timeZone', body.timeZone)
  if (body.startsAt !== undefined)
    event.startsAt = body.startsAt === null ? null : requireInstant('startsAt', body.startsAt)
  if (body.endsAt !== undefined) event.endsAt = body.endsAt === null ? null : requireInstant('endsAt', body.endsAt)
  if (body.doorsAt !== undefined) event.doorsAt = body.doorsAt === null ? null : requireInstant('doorsAt', body.doorsAt)
  if (body.ageMin !== undefined) event.ageMin = body.ageMin
  if (body.presaleStartAt !== undefined) {
    event.presaleStartAt = body.presaleStartAt === null ? null : requireInstant('presaleStartAt', body.presaleStartAt)
  }
  if (body.salesStartAt !== undefined) event.salesStartAt = requireInstant('salesStartAt', body.salesStartAt)
  if (body.salesEndAt !== undefined) event.salesEndAt = requireInstant('salesEndAt', body.salesEndAt)
  if (body.taxRate !== undefined) event.taxRate = requirePercent('taxRate', body.taxRate)
  if (body.fees !== undefined) event.fees = readFees(body.fees)
  if (body.after !== undefined) event.after = readAfterSale(body.after, current.after)
  if (body.shapes !== undefined) event.shapes = readShapes(body.shapes)
  if (body.additionalInfo !== undefined) event.additionalInfo = requireExtras('additionalInfo', body.additionalInfo)
  if (body.state !== undefined) event.state = body.state
  if (body.offerRefundUntil !== undefined) event.refundsUntil = readOffer(body.offerRefundUntil)
  requireOrder(event)
  return event
}

const readOffer = (until: string | null): Date | null =>
  until === null ? null : requireInstant('offerRefundUntil', until)

/** The short form: `totalSeats` is the quantity of the only seat type, if that has no rows. */
function readTypeEdits(current: SaleEvent, body: EventEditBody): SeatTypeEditBody[] {
  if (body.totalSeats === undefined) return body.seatTypes ?? []
  const [only, ...others] = current.seatTypes
  if (body.seatTypes !== undefined || only === undefined || others.length > 0 || only.rows !== null) {
    throw badField('totalSeats', 'can be changed where one seat type without rows is all there is; else send seatTypes')
  }
  return [{ id: only.id, totalQuantity: body.totalSeats }]
}

function requireName(edit: SeatTypeEditBody, index: number): SeatTypeBody {
  const { id: _, name, ...rest } = edit
  if (name === undefined) throw badField(`seatTypes/${index}/name`, 'is required for a new seat type')
  return { name, ...rest }
}

function changeType(before: SeatType, edit: SeatTypeEditBody, field: string, currency: string): SeatTypeChange {
  if (edit.reservedSeating !== undefined && edit.reservedSeating !== before.reservedSeating) {
    throw badField(`${field}/reservedSeating`, 'cannot be changed; add another seat type')
  }
  const isKept = edit.price === undefined && edit.currency === undefined && highestPrice(before) > 0
  if (isKept && currency !== before.currency) throw badField(`${field}/currency`, 'is required with another currency')
  const after: SeatTypeChange['after'] = { ...before, currency }
  if (edit.name !== undefined) after.name = requireText(`${field}/name`, edit.name)
  if (edit.description !== undefined) {
    after.description = requireText(`${field}/description`, edit.description, { mayBeBlank: true, lines: true })
  }
  if (edit.price !== undefined) after.price = edit.price
  if (edit.hidden !== undefined) after.hidden = edit.hidden
  if (edit.area !== undefined) after.area = readArea(edit.area, before.reservedSeating, `${field}/area`)
  if (edit.variants !== undefined) after.variants = readVariants(edit.variants, before.variants, field)
  if (before.rows === null) {
    if (edit.rows !== undefined) throw badField(`${field}/rows`, 'are only for a seat type with reservedSeating')
    after.totalQuantity = edit.totalQuantity ?? before.totalQuantity
    return { before, after, rows: [] }
  }
  const rows = readRows(edit.rows ?? [], `${field}/rows`)
  after.rows = mergeRows(before.rows, rows)
  after.totalQuantity = after.rows.reduce((sum, row) => sum + row.seats, 0)
  if (edit.totalQuantity !== undefined && edit.totalQuantity !== after.totalQuantity) {
    throw badField(`${field}/totalQuantity`, 'follows from the rows; change those')
  }
  return { before, after, rows }
}

function mergeRows(before: readonly SeatRow[], edits: readonly SeatRow[]): SeatRow[] {
  const edited = new Map(edits.map((row) => [row.label, row]))
  const known = new Set(before.map(({ label }) => label))
  const kept = before.map((row) => edited.get(row.label) ?? row)
  const added = edits.filter(({ label }) => !known.has(label))
  return [...kept, ...added].filter(({ seats }) => seats > 0)
}
