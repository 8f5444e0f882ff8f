import { CHECKOUT_LIMITS, EVENT_LIMITS, SHAPE_KINDS } from '@seatwise/domain'
import Type, { type TProperties, type TSchema } from 'typebox'
import { RoomSettingsBody } from '../../rooms/index.ts'
import { EventImageAnswer, HostAnswer } from '../../wire/index.ts'

const strict = { additionalProperties: false }
const limits = EVENT_LIMITS

const nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])
const Time = Type.String({ format: 'date-time', maxLength: 40, examples: ['2026-11-15T10:00:00Z'] })
const SeatNumbers = Type.Array(Type.Integer({ minimum: 1, maximum: limits.seatNumber }), {
  maxItems: limits.seatsPerRow,
})
const Coordinate = Type.Number({ minimum: -limits.coordinate, maximum: limits.coordinate })

const Outline = Type.Array(Type.Tuple([Coordinate, Coordinate]), {
  minItems: 3,
  maxItems: limits.corners,
  description: 'Corners of a polygon on the map, in the unit of the rows',
})
const Shape = Type.Object(
  {
    kind: Type.Union(SHAPE_KINDS.map((kind) => Type.Literal(kind))),
    label: Type.Optional(Type.String({ minLength: 1, maxLength: limits.shapeLabelLength })),
    outline: Outline,
  },
  strict,
)

const rowProperties = {
  label: Type.String({ minLength: 1, maxLength: limits.rowLabelLength }),
  section: Type.Optional(
    Type.String({ minLength: 1, maxLength: limits.sectionLength, description: '`label` begins with it and a space' }),
  ),
  numbers: Type.Optional(
    Type.Array(Type.Integer({ minimum: 1, maximum: limits.seatNumber }), {
      maxItems: limits.seatsPerRow,
      description: 'Of the seats along the row; 1, 2, 3 and so on where it is left out',
    }),
  ),
  aisles: Type.Optional(
    Type.Array(Type.Integer({ minimum: 1, maximum: limits.seatNumber }), {
      maxItems: limits.seatsPerRow,
      description: 'Numbers of seats that an aisle follows, one seat wide',
    }),
  ),
  blocked: Type.Optional(SeatNumbers),
  accessible: Type.Optional(SeatNumbers),
  x: Type.Optional(Coordinate),
  y: Type.Optional(Coordinate),
  seatPitch: Type.Optional(Coordinate),
  angle: Type.Optional(
    Type.Number({ minimum: -360, maximum: 360, description: 'Degrees, clockwise, around the first seat' }),
  ),
  curve: Type.Optional(
    Type.Number({ minimum: -360, maximum: 360, description: 'Degrees by which the row turns on its way' }),
  ),
  spots: Type.Optional(
    Type.Array(Type.Tuple([Coordinate, Coordinate]), {
      maxItems: limits.seatsPerRow,
      description: 'Where each seat is, instead of `x`, `y`, `seatPitch`, `angle` and `curve`',
    }),
  ),
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
const Price = Type.Integer({ minimum: 0, maximum: limits.price, description: 'In minor units' })
const Percent = Type.Number({ minimum: 0, maximum: limits.percent, description: 'At most three decimals' })
const Variant = Type.Object(
  {
    id: Type.Optional(
      Type.String({
        pattern: `^[A-Za-z0-9_-]{1,${limits.variantIdLength}}$`,
        description: 'Made up when it is left out; an edit keeps the id of the variant of the same name',
      }),
    ),
    name,
    price: Price,
  },
  strict,
)
const Fee = Type.Object(
  { name, perTicket: Type.Optional(Price), percent: Type.Optional(Percent) },
  { ...strict, description: '`perTicket` for each seat and `percent` of the seats after a discount; one or both' },
)
const seatTypeProperties = {
  description: Type.Optional(Type.String({ maxLength: limits.descriptionLength })),
  price: Type.Optional(Price),
  variants: Type.Optional(
    Type.Array(Variant, {
      maxItems: limits.variants,
      description: 'Other prices, such as for children; where there are any, the first stands for `price`',
    }),
  ),
  currency: Type.Optional(Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217' })),
  reservedSeating: Type.Optional(Type.Boolean()),
  area: Type.Optional(
    Type.Union([Outline, Type.Null()], {
      description: 'Where visitors stand, on the map; only without `reservedSeating`',
    }),
  ),
  hidden: Type.Optional(
    Type.Boolean({ description: 'In no public answer; reserved only with a code that has `access`' }),
  ),
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

const Label = Type.String({ minLength: 1, maxLength: CHECKOUT_LIMITS.labelLength })
const Question = Type.Object(
  {
    id: Type.Optional(
      Type.String({
        pattern: `^[A-Za-z0-9][A-Za-z0-9_-]{0,${CHECKOUT_LIMITS.questionIdLength - 1}}$`,
        description: 'Made up when it is left out; an edit keeps the id of the question of the same label',
      }),
    ),
    kind: Type.Union([Type.Literal('text'), Type.Literal('choice')]),
    label: Label,
    choices: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: CHECKOUT_LIMITS.choiceLength }), {
        maxItems: CHECKOUT_LIMITS.choices,
        description: 'At least two, for the kind `choice` only',
      }),
    ),
    per: Type.Union([Type.Literal('order'), Type.Literal('ticket')]),
    required: Type.Optional(Type.Boolean({ description: 'No payment without an answer; false unless given' })),
  },
  strict,
)
const Terms = Type.Object(
  {
    label: Type.Optional(nullable(Label)),
    url: Type.String({ maxLength: CHECKOUT_LIMITS.urlLength, description: 'Begins with https://' }),
  },
  strict,
)
const Checkout = Type.Object(
  {
    names: Type.Optional(Type.Boolean({ description: 'Each ticket needs the name of its holder' })),
    questions: Type.Optional(Type.Array(Question, { maxItems: CHECKOUT_LIMITS.questions })),
    terms: Type.Optional(nullable(Terms)),
    marketing: Type.Optional(Type.Boolean({ description: 'Offers to consent to marketing' })),
  },
  { ...strict, description: 'What buyers are asked before they pay; an edit replaces the parts that it names' },
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
  doorsAt: Type.Optional(nullable(Time)),
  ageMin: Type.Optional(nullable(Type.Integer({ minimum: 0, maximum: limits.age, description: 'In years' }))),
  presaleStartAt: Type.Optional(nullable(Time)),
  taxRate: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: limits.percent,
      description: 'Percent that prices and fees contain; at most three decimals',
    }),
  ),
  fees: Type.Optional(Type.Array(Fee, { maxItems: limits.fees })),
  after: Type.Optional(
    Type.Object(
      {
        transfersUntil: Type.Optional(nullable(Time)),
        returnsOfferMinutes: Type.Optional(
          Type.Integer({ minimum: limits.offerMinutesMin, maximum: limits.offerMinutesMax }),
        ),
        refundsUntil: Type.Optional(nullable(Time)),
        refundFee: Type.Optional(
          nullable(
            Type.Object(
              {
                perTicket: Type.Optional(Price),
                percent: Type.Optional(Percent),
                keepFees: Type.Optional(Type.Boolean({ description: 'The fees of the order stay, too' })),
              },
              { ...strict, description: 'What stays of each seat that a buyer refunds' },
            ),
          ),
        ),
      },
      { ...strict, description: 'What buyers may do with seats after they paid, until when, and what it costs' },
    ),
  ),
  shapes: Type.Optional(
    Type.Array(Shape, {
      maxItems: limits.shapes,
      description: 'Parts of the seat plan that have no seats: stage, aisles; an edit replaces all of them',
    }),
  ),
  checkout: Type.Optional(Checkout),
  additionalInfo: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { maxProperties: 1_000 })),
}
const State = Type.Union([Type.Literal('draft'), Type.Literal('published')], {
  description: 'A draft is in no list, and only its organization and admins find it; `published` unless it is given',
})
export const NewEvent = Type.Object(
  {
    organizationId: Type.Optional(
      Type.String({ format: 'uuid', description: 'Whose event it is; by default your first organization’s' }),
    ),
    name,
    ...factProperties,
    salesStartAt: Time,
    salesEndAt: Time,
    totalSeats: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.seats })),
    seatTypes: Type.Optional(Type.Array(SeatType, { minItems: 1, maxItems: limits.seatTypes })),
    state: Type.Optional(State),
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
    state: Type.Optional(State),
    offerRefundUntil: Type.Optional(
      Type.Union([Time, Type.Null()], {
        description: 'Because the date was moved: until then buyers may refund themselves; null ends that',
      }),
    ),
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
  organizationId: Id,
  name,
  ...required(factProperties).properties,
  salesStartAt: Time,
  salesEndAt: Time,
  state: Type.Union([Type.Literal('draft'), Type.Literal('published'), Type.Literal('cancelled')]),
  organizer: HostAnswer,
  image: nullable(EventImageAnswer),
  refundsUntil: nullable(Time),
  seatTypes: Type.Array(
    Type.Object({
      id: Id,
      name,
      ...required(seatTypeProperties).properties,
      totalQuantity: Type.Integer(),
      remaining: Type.Integer({ description: 'Seats that can be taken now' }),
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
        along: Type.Optional(
          Type.Integer({
            description:
              'How far along the row, where that is not the number: two seats that differ by one are side by side',
          }),
        ),
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
