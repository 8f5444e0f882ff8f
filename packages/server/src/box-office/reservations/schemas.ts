import Type from 'typebox'

const strict = { additionalProperties: false }
const Id = Type.String({ format: 'uuid' })
const Time = Type.String({ format: 'date-time' })
/** A list of types, not a union of schemas: those are serialised by trying one validator after the other. */
const orNull = <Value>(type: 'integer' | 'string', options = {}) =>
  Type.Unsafe<Value | null>({ ...options, type: [type, 'null'] })

/** More than anybody may have: what lies between that and a room's own limit is LIMIT_REACHED. */
const SEATS_MAX = 1_000

const wishProperties = {
  seatIds: Type.Optional(
    Type.Array(Id, { minItems: 1, maxItems: SEATS_MAX, uniqueItems: true, description: 'These very seats' }),
  ),
  seatTypeId: Type.Optional(Type.String({ format: 'uuid', description: 'Or some of this type' })),
  quantity: Type.Optional(Type.Integer({ minimum: 1, maximum: SEATS_MAX, description: 'The best available ones' })),
  accessible: Type.Optional(Type.Boolean({ description: 'At least one that is made for wheelchairs' })),
}
export const WishBody = Type.Object(wishProperties, strict)
export const WishForEventBody = Type.Object({ eventId: Id, ...wishProperties }, strict)

export const EventPath = Type.Object({ id: Type.String() })
export const ReservationPath = Type.Object({ id: Type.String() })
export const OwnReservationsQuery = Type.Object(
  { limit: Type.Integer({ minimum: 1, maximum: 100, default: 50 }) },
  strict,
)

const Item = Type.Object({
  seatId: Id,
  seatTypeId: Id,
  row: orNull<string>('string'),
  number: orNull<number>('integer'),
  price: Type.Integer({ description: 'In minor units, as it was when the seat was reserved' }),
})

export const ReservationAnswer = Type.Object({
  id: Id,
  eventId: Id,
  status: Type.String({ description: 'PENDING_PAYMENT, PAID, CANCELED, EXPIRED or REFUNDED' }),
  items: Type.Array(Item),
  amount: Type.Integer(),
  currency: Type.String(),
  expiresAt: Time,
  paidAt: orNull<string>('string', { format: 'date-time' }),
  createdAt: Time,
  updatedAt: Time,
})
export const ReservationsAnswer = Type.Object({ items: Type.Array(ReservationAnswer) })
