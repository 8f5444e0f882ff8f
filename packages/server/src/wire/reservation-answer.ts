import type { PriceLine, ReservationState } from '@seatwise/domain'
import Type from 'typebox'
import { orNull } from './or-null.ts'

const Id = Type.String({ format: 'uuid' })
const Time = Type.String({ format: 'date-time' })

const Item = Type.Object({
  seatId: Id,
  seatTypeId: Id,
  row: orNull<string>('string'),
  number: orNull<number>('integer'),
  price: Type.Integer({ description: 'In minor units, as it was when the seat was reserved' }),
  variantId: orNull<string>('string', { description: 'Of the seat type; null where it has none' }),
  paid: Type.Integer({ description: 'The share of this seat in all lines; together they are `amount`' }),
})

/** A variant of `PriceLine`: the serialiser picks fields by this schema, and some lines have no quantity. */
const Line = Type.Unsafe<PriceLine>(
  Type.Object({
    kind: Type.String({ description: 'seat, discount or fee' }),
    name: Type.String(),
    quantity: Type.Optional(Type.Integer({ description: 'Of seats' })),
    unitPrice: Type.Optional(Type.Integer({ description: 'Of a seat' })),
    amount: Type.Integer({ description: 'In minor units; below 0 for a discount' }),
    tax: Type.Integer({ description: 'Contained in the amount' }),
  }),
)

export const ReservationAnswer = Type.Object({
  id: Id,
  eventId: Id,
  status: Type.Unsafe<ReservationState>(
    Type.String({ description: 'PENDING_PAYMENT, PAID, CANCELED, EXPIRED or REFUNDED' }),
  ),
  items: Type.Array(Item),
  lines: Type.Array(Line),
  tax: Type.Integer({ description: 'Contained in `amount`' }),
  amount: Type.Integer({ description: 'The sum of the lines: what is paid' }),
  currency: Type.String(),
  expiresAt: Time,
  paidAt: orNull<string>('string', { format: 'date-time' }),
  createdAt: Time,
  updatedAt: Time,
})
