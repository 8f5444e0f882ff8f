import { EVENT_LIMITS } from '@seatwise/domain'
import Type, { type TProperties, type TSchema } from 'typebox'
import { RoomSettingsBody } from '../../rooms/index.ts'

const strict = { additionalProperties: false }
const limits = EVENT_LIMITS

const nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])
const Time = Type.String({ format: 'date-time', maxLength: 40, examples: ['2026-11-15T10:00:00Z'] })
const SeatNumbers = Type.Array(Type.Integer({ minimum: 1, maximum: limits.seatsPerRow }), {
  maxItems: limits.seatsPerRow,
})
const Coordinate = Type.Number({ minimum: -limits.coordinate, maximum: limits.coordinate })

const rowProperties = {
  label: Type.String({ minLength: 1, maxLength: limits.rowLabelLength }),
  blocked: Type.Optional(SeatNumbers),
  accessible: Type.Optional(SeatNumbers),
  x: Type.Optional(Coordinate),
  y: Type.Optional(Coordinate),
  seatPitch: Type.Optional(Coordinate),
}
const Row = Type.Object({ ...rowProperties, seats: Type.Integer({ minimum: 1, maximum: limits.seatsPerRow }) }, strict)
const EditedRow = Type.Object(
  {
    ...rowProperties,
    seats: Type.Integer({ minimum: 0, maximum: limits.seatsPerRow, description: 'No seats removes the row' }),
  },
  strict,
)

const name = Type.String({ minLength: 1, maxLength: limits.nameLength })
const seatTypeProperties = {
  description: Type.Optional(Type.String({ maxLength: limits.descriptionLength })),
  price: Type.Optional(Type.Integer({ minimum: 0, maximum: limits.price, description: 'In minor units' })),
  currency: Type.Optional(Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217' })),
  reservedSeating: Type.Optional(Type.Boolean()),
}
const SeatType = Type.Object(
  {
    name,
    ...seatTypeProperties,
    totalQuantity: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.seats })),
    rows: Type.Optional(Type.Array(Row, { minItems: 1, maxItems: limits.rows })),
  },
  strict,
)
const EditedSeatType = Type.Object(
  {
    id: Type.Optional(Type.String({ format: 'uuid', description: 'Without one it is a new seat type' })),
    name: Type.Optional(name),
    ...seatTypeProperties,
    totalQuantity: Type.Optional(Type.Integer({ minimum: 0, maximum: limits.seats })),
    rows: Type.Optional(Type.Array(EditedRow, { maxItems: limits.rows })),
  },
  strict,
)

const factProperties = {
  code: Type.Optional(nullable(Type.String({ minLength: 1, maxLength: limits.codeLength }))),
  description: Type.Optional(Type.String({ maxLength: limits.descriptionLength })),
  location: Type.Optional(Type.String({ maxLength: limits.locationLength })),
  timeZone: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'IANA name, of the venue',
      examples: ['Asia/Ho_Chi_Minh'],
    }),
  ),
  startsAt: Type.Optional(nullable(Time)),
  endsAt: Type.Optional(nullable(Time)),
  additionalInfo: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { maxProperties: 1_000 })),
}
export const NewEvent = Type.Object(
  {
    name,
    ...factProperties,
    salesStartAt: Time,
    salesEndAt: Time,
    totalSeats: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.seats })),
    seatTypes: Type.Optional(Type.Array(SeatType, { minItems: 1, maxItems: limits.seatTypes })),
    room: Type.Optional(RoomSettingsBody),
  },
  strict,
)
export const EventChange = Type.Object(
  {
    name: Type.Optional(name),
    ...factProperties,
    salesStartAt: Type.Optional(Time),
    salesEndAt: Type.Optional(Time),
    totalSeats: Type.Optional(Type.Integer({ minimum: 0, maximum: limits.seats })),
    seatTypes: Type.Optional(Type.Array(EditedSeatType, { maxItems: limits.seatTypes })),
  },
  { ...strict, minProperties: 1 },
)

// Response schemas are documentation only: answers are serialised beforehand, so the serialiser need not know them.
const described = (schema: TSchema) => Type.Unsafe<unknown>(schema)
const required = <Properties extends TProperties>(properties: Properties) => Type.Required(Type.Object(properties))
const Id = Type.String({ format: 'uuid' })
const Event = Type.Object({
  id: Id,
  roomId: Id,
  organizerId: nullable(Id),
  name,
  ...required(factProperties).properties,
  salesStartAt: Time,
  salesEndAt: Time,
  seatTypes: Type.Array(
    Type.Object({
      id: Id,
      name,
      ...required(seatTypeProperties).properties,
      totalQuantity: Type.Integer(),
      remaining: Type.Integer({ description: 'Seats that somebody could take now' }),
      rows: nullable(Type.Array(Row)),
    }),
  ),
  room: required({ ...RoomSettingsBody.properties, message: nullable(Type.String()) }),
  totalSeats: Type.Integer(),
  remainingSeats: Type.Integer(),
  createdAt: Time,
  updatedAt: Time,
})
export const EventAnswer = described(Event)
export const PageAnswer = described(Type.Object({ items: Type.Array(Event), nextCursor: nullable(Type.String()) }))
export const SeatMapAnswer = described(
  Type.Object({
    version: Type.Integer({ description: 'Grows with every change of a seat' }),
    seatTypes: Type.Array(Type.Object({ id: Id, name, ...required(seatTypeProperties).properties })),
    seats: Type.Array(
      Type.Object({
        id: Id,
        seatTypeId: Id,
        row: nullable(Type.String()),
        number: nullable(Type.Integer()),
        status: Type.Union(['available', 'held', 'sold', 'blocked'].map((status) => Type.Literal(status))),
        accessible: Type.Optional(Type.Boolean()),
        x: Type.Optional(Type.Number()),
        y: Type.Optional(Type.Number()),
      }),
    ),
  }),
)

export const SeatsQuery = Type.Object(
  { since: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })) },
  strict,
)
export const EventId = Type.Object({ id: Type.String() })
const pageProperties = {
  cursor: Type.Optional(Type.String({ maxLength: 200 })),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
}
export const ListQuery = Type.Object(pageProperties, strict)
export const SearchQuery = Type.Object(
  {
    q: Type.String({ maxLength: 100, default: '', description: 'Words; none finds by date and place alone' }),
    from: Type.Optional(Type.String({ maxLength: 40, description: 'A time, or a day that begins at 00:00 UTC' })),
    to: Type.Optional(Type.String({ maxLength: 40, description: 'A time, or a day that is included' })),
    location: Type.String({ maxLength: 100, default: '' }),
    ...pageProperties,
  },
  strict,
)
