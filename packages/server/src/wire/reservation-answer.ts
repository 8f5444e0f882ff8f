import type { ReservationState } from '@seatwise/domain'
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
})

export const ReservationAnswer = Type.Object({
  id: Id,
  eventId: Id,
  status: Type.Unsafe<ReservationState>(
    Type.String({ description: 'PENDING_PAYMENT, PAID, CANCELED, EXPIRED or REFUNDED' }),
  ),
  items: Type.Array(Item),
  amount: Type.Integer(),
  currency: Type.String(),
  expiresAt: Time,
  paidAt: orNull<string>('string', { format: 'date-time' }),
  createdAt: Time,
  updatedAt: Time,
})
