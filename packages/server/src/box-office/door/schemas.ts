import { DOOR_METHODS } from '@seatwise/ledger'
import Type from 'typebox'
import { EMAIL_LENGTH_MAX } from '../../identity/index.ts'
import { orNull } from '../../wire/index.ts'
import { PurchaseAnswer } from '../payments/schemas.ts'
import { WishBody } from '../reservations/schemas.ts'

const Method = Type.Enum([...DOOR_METHODS], { description: 'How it was paid; complimentary seats cost nothing' })

export const DoorSaleBody = Type.Object(
  {
    ...WishBody.properties,
    method: Method,
    email: Type.Optional(
      Type.String({ maxLength: EMAIL_LENGTH_MAX, description: 'Where the e-tickets go; without it they are printed' }),
    ),
  },
  { additionalProperties: false },
)

export const DoorSaleAnswer = Type.Object({ ...PurchaseAnswer.properties, method: Method })

export const CashUpQuery = Type.Object(
  { day: Type.Optional(Type.String({ format: 'date', description: 'Of the venue; without it all days' })) },
  { additionalProperties: false },
)

export const CashUpAnswer = Type.Object({
  items: Type.Array(
    Type.Object({
      day: Type.String({ description: 'Of the venue: 2026-11-18' }),
      sellerId: orNull<string>('string'),
      sellerName: orNull<string>('string'),
      method: Method,
      currency: Type.String(),
      sales: Type.Integer(),
      seats: Type.Integer(),
      taken: Type.Integer({ description: 'In minor units' }),
      paidOut: Type.Integer({ description: 'Refunds that were paid out on that day by that seller' }),
    }),
  ),
})

export const ResendAnswer = Type.Object({ id: Type.String(), status: Type.Literal('SENDING') })
