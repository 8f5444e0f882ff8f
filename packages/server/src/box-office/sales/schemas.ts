import Type from 'typebox'
import { ReservationAnswer } from '../../wire/index.ts'
import { answerProperties } from '../reservations/schemas.ts'

const strict = { additionalProperties: false }
const Id = Type.String({ format: 'uuid' })
const textOrNull = (options = {}) => Type.Unsafe<string | null>({ ...options, type: ['string', 'null'] })
const Count = Type.Integer({ minimum: 0 })

export const EventPath = Type.Object({ id: Type.String() })
export const ReservationsQuery = Type.Object(
  {
    q: Type.Optional(
      Type.String({
        maxLength: 200,
        description:
          'The id of a reservation, a buyer, a payment or an e-ticket; a part of a name or an e-mail address; or a ' +
          'seat such as `B 12`',
      }),
    ),
    status: Type.Optional(
      Type.Union([
        Type.Literal('PENDING_PAYMENT'),
        Type.Literal('PAID'),
        Type.Literal('CANCELED'),
        Type.Literal('EXPIRED'),
        Type.Literal('REFUNDED'),
      ]),
    ),
    cursor: Type.Optional(Type.String()),
    limit: Type.Integer({ minimum: 1, maximum: 100, default: 50 }),
  },
  strict,
)

export const FoundReservationsAnswer = Type.Object({
  items: Type.Array(
    Type.Object({
      ...ReservationAnswer.properties,
      ...answerProperties,
      buyer: Type.Object({
        id: Id,
        email: textOrNull({ description: 'Guests have none' }),
        name: textOrNull(),
      }),
      purchase: Type.Unsafe<{ id: string; status: string; refundedSeatIds: string[] } | null>({
        type: ['object', 'null'],
        description: 'The payment that was tried last; refund it at `/api/purchases/:id/refund`',
        properties: { id: Id, status: Type.String(), refundedSeatIds: Type.Array(Id) },
        required: ['id', 'status', 'refundedSeatIds'],
      }),
    }),
  ),
  nextCursor: textOrNull(),
})

const counts = { available: Count, held: Count, sold: Count, blocked: Count, total: Count }
export const SalesAnswer = Type.Object({
  ...counts,
  revenue: Type.Array(Type.Object({ currency: Type.String(), amount: Count }), {
    description: 'What was paid for the seats that are sold, in minor units; refunded money is not in it',
  }),
  seatTypes: Type.Array(
    Type.Object({
      id: Id,
      name: Type.String(),
      price: Type.Integer(),
      currency: Type.String(),
      ...counts,
      revenue: Count,
    }),
  ),
})
