import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  ERRORS,
  type ErrorCode,
  errorToJson,
  parseError,
  parseInstant,
  parseQueueEntry,
  parseReservation,
  parseRoomSettings,
  parseSaleEvent,
  type QueueEntry,
  type Reservation,
  ROOM_DEFAULTS,
  type RoomSettings,
  type SaleEvent,
  SeatwiseError,
} from '../../src/index.ts'

const time = fc.date({ min: new Date(0), max: new Date('2999-12-31T23:59:59.999Z'), noInvalidDate: true })
const maybe = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | null> => fc.option(value)
const text = fc.string({ unit: 'grapheme' })
const count = fc.nat()
// What JSON itself cannot carry, such as -0, is no domain object's business.
const extras = fc
  .dictionary(text, fc.jsonValue({ noUnicodeString: false }))
  .map((value) => JSON.parse(JSON.stringify(value)) as Record<string, unknown>)

const settings: fc.Arbitrary<RoomSettings> = fc.record({
  preQueueAt: maybe(time.map((at) => at.toISOString())),
  draw: fc.constantFrom('none', 'commit', 'drand'),
  capacity: count,
  ratePerMinute: count,
  burst: count,
  claimSeconds: count,
  sessionSeconds: count,
  reservationSeconds: count,
  heartbeatTimeoutSeconds: count,
  graceSeconds: count,
  awaySeconds: count,
  maxWaiting: count,
  maxSeatsPerBuyer: count,
  priorityMode: fc.constantFrom('skip', 'lanes'),
  reserveOnAdmit: fc.boolean(),
  stockAware: fc.boolean(),
  guests: fc.boolean(),
  guestsPerAddress: count,
  guestsPerDevice: count,
  entry: fc.constantFrom('anyone', 'verified', 'invited'),
  challenge: fc.constantFrom('off', 'auto', 'always'),
  keepLineWhenSoldOut: fc.boolean(),
  presence: fc.boolean(),
  groupMax: count,
})

const row = fc.record(
  {
    label: text,
    seats: count,
    blocked: fc.array(count),
    accessible: fc.array(count),
    x: fc.integer(),
    y: fc.integer(),
    seatPitch: count,
  },
  { requiredKeys: ['label', 'seats'] },
)
const outline = fc.array(fc.tuple(fc.integer(), fc.integer()))
const shape = fc.record(
  { kind: fc.constantFrom('stage', 'aisle', 'other'), label: text, outline },
  { requiredKeys: ['kind', 'outline'] },
)
const event: fc.Arbitrary<SaleEvent> = fc.record({
  id: fc.uuid(),
  roomId: fc.uuid(),
  organizerId: maybe(fc.uuid()),
  organizationId: fc.uuid(),
  organizer: fc.record({
    name: text,
    slug: text,
    logo: maybe(fc.record({ url: text, width: count, height: count })),
    colour: maybe(text),
    face: fc.constantFrom('programme', 'poster', 'plain'),
  }),
  name: text,
  code: maybe(text),
  description: text,
  location: text,
  timeZone: fc.constantFrom('UTC', 'Asia/Ho_Chi_Minh'),
  startsAt: maybe(time),
  endsAt: maybe(time),
  doorsAt: maybe(time),
  ageMin: maybe(count),
  presaleStartAt: maybe(time),
  salesStartAt: time,
  salesEndAt: time,
  state: fc.constantFrom('draft', 'published', 'cancelled'),
  image: maybe(
    fc.record({
      ...{ url: text, width: count, height: count, alt: text },
      focus: fc.record({ x: count, y: count }),
    }),
  ),
  refundsUntil: maybe(time),
  taxRate: fc.integer({ min: 0, max: 100_000 }).map((thousandths) => thousandths / 1_000),
  fees: fc.array(fc.record({ name: text, perTicket: count, percent: fc.constantFrom(1, 2.125) })),
  after: fc.record({
    transfersUntil: maybe(time.map((at) => at.toISOString())),
    returnsOfferMinutes: count,
    refundsUntil: maybe(time.map((at) => at.toISOString())),
    refundFee: maybe(fc.record({ perTicket: count, percent: fc.constantFrom(0, 2.125), keepFees: fc.boolean() })),
  }),
  shapes: fc.array(shape),
  additionalInfo: extras,
  seatTypes: fc.array(
    fc.record({
      id: fc.uuid(),
      name: text,
      description: text,
      price: count,
      variants: fc.array(fc.record({ id: text, name: text, price: count })),
      currency: fc.constantFrom('EUR', 'VND'),
      reservedSeating: fc.boolean(),
      totalQuantity: count,
      rows: maybe(fc.array(row)),
      area: maybe(outline),
      hidden: fc.boolean(),
      remaining: count,
    }),
  ),
  checkout: fc.record({
    names: fc.boolean(),
    questions: fc.array(
      fc.record({
        ...{ id: text, kind: fc.constantFrom('text', 'choice'), label: text, choices: fc.array(text) },
        ...{ per: fc.constantFrom('order', 'ticket'), required: fc.boolean() },
      }),
    ),
    terms: maybe(fc.record({ label: maybe(text), url: fc.webUrl() })),
    marketing: fc.boolean(),
  }),
  room: fc.tuple(settings, fc.boolean(), maybe(text)).map(([room, paused, message]) => ({ ...room, paused, message })),
  totalSeats: count,
  remainingSeats: count,
  createdAt: time,
  updatedAt: time,
})

const reservation: fc.Arbitrary<Reservation> = fc.record({
  id: fc.uuid(),
  eventId: fc.uuid(),
  buyerId: fc.uuid(),
  status: fc.constantFrom('PENDING_PAYMENT', 'PAID', 'CANCELED', 'EXPIRED', 'REFUNDED'),
  items: fc.array(
    fc.record({
      ...{ seatId: fc.uuid(), seatTypeId: fc.uuid(), row: maybe(text), number: maybe(count), price: count },
      ...{ variantId: maybe(text), paid: count },
    }),
  ),
  lines: fc.array(fc.record({ kind: fc.constantFrom('discount', 'fee'), name: text, amount: count, tax: count })),
  tax: count,
  amount: count,
  currency: fc.constantFrom('EUR', 'KRW'),
  expiresAt: time,
  paidAt: maybe(time),
  createdAt: time,
  updatedAt: time,
})

const entry: fc.Arbitrary<QueueEntry> = fc.record({
  roomId: fc.uuid(),
  number: count,
  identity: text,
  userId: maybe(fc.uuid()),
  class: fc.constantFrom(0, 1, 2, 3),
  place: count,
  state: fc.constantFrom('waiting', 'admitted', 'active', 'completed', 'expired'),
  reason: maybe(fc.constantFrom('no_show', 'timeout', 'cancelled', 'terminated', 'sold_out', 'sale_ended')),
  away: fc.boolean(),
  generation: count,
  epoch: count,
  fence: maybe(fc.record({ epoch: count, seq: count })),
  joinedAt: time,
  admittedAt: maybe(time),
  enteredAt: maybe(time),
  deadline: maybe(time),
  endedAt: maybe(time),
  name: maybe(text),
  avatar: maybe(text),
  metadata: maybe(extras),
})

function survives<Value>(values: fc.Arbitrary<Value>, parse: (json: string) => Value): void {
  fc.assert(
    fc.property(values, (value) => {
      expect(parse(JSON.stringify(value))).toEqual(value)
    }),
    { numRuns: 200 },
  )
}

describe('JSON there and back', () => {
  it('[P10] events', () => survives(event, parseSaleEvent))
  it('[P10] reservations', () => survives(reservation, parseReservation))
  it('[P10] queue entries', () => survives(entry, parseQueueEntry))
  it('[P10] room settings', () => {
    survives(settings, parseRoomSettings)
    expect(parseRoomSettings(JSON.stringify(ROOM_DEFAULTS))).toEqual(ROOM_DEFAULTS)
  })
  it('[P10] errors', () => {
    const codes = Object.keys(ERRORS) as ErrorCode[]
    const error = fc
      .tuple(fc.constantFrom(...codes), text, extras, fc.option(count, { nil: undefined }))
      .map(([code, message, details, retry]) => {
        const options = { message, details }
        return new SeatwiseError(code, retry === undefined ? options : { ...options, retryAfterSeconds: retry })
      })
    fc.assert(
      fc.property(error, (value) => {
        const back = parseError(errorToJson(value))
        const facts = ({ code, status, message, details, retryAfterSeconds }: SeatwiseError): object => ({
          code,
          status,
          message,
          details,
          retryAfterSeconds,
        })
        expect(facts(back)).toEqual(facts(value))
      }),
      { numRuns: 200 },
    )
  })
})

describe('times', () => {
  it('[E3] every real time is read as it was written', () => {
    fc.assert(
      fc.property(time, (value) => {
        expect(parseInstant(value.toISOString())).toEqual(value)
      }),
    )
  })
  it.each([
    '2026-02-30T00:00:00Z',
    '2026-04-31T00:00:00Z',
    '2025-02-29T00:00:00Z',
    '2026-01-01',
    '',
    'now',
    '1969-12-31T00:00:00Z',
  ])('[E3] %s is no time', (value) => expect(parseInstant(value)).toBeNull())
  it('[E3] a zone is taken into account', () => {
    expect(parseInstant('2028-02-29T23:00:00-02:00')).toEqual(new Date('2028-03-01T01:00:00Z'))
  })
})
