import Type from 'typebox'
import { ReservationAnswer } from '../../wire/index.ts'

const strict = { additionalProperties: false }
const Id = Type.String({ format: 'uuid' })
/** More than any visitor may have: between the limit of a room and this, the refusal is LIMIT_REACHED. */
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

export const ReservationsAnswer = Type.Object({ items: Type.Array(ReservationAnswer) })
