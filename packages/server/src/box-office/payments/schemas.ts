import Type from 'typebox'
import { orNull, ReservationAnswer } from '../../wire/index.ts'

const strict = { additionalProperties: false }
const Time = Type.String({ format: 'date-time' })
const Id = Type.String({ format: 'uuid' })

export const PurchasePath = Type.Object({ id: Type.String() })
export const ProviderPath = Type.Object({ provider: Type.String() })

export const PurchaseBody = Type.Object(
  {
    reservationId: Id,
    paymentMethod: Type.Optional(
      Type.String({
        maxLength: 200,
        description:
          'Of the configured provider: `sandbox_ok`, `sandbox_declined`, `sandbox_slow`, `sandbox_3ds`, or `pm_…` of ' +
          'Stripe. Not needed where nothing is to be paid.',
      }),
    ),
  },
  strict,
)

export const PurchaseAnswer = Type.Object({
  id: Id,
  status: Type.String(),
  amount: Type.Integer(),
  currency: Type.String(),
  reason: orNull<string>('string', { description: 'Why it was declined, is stuck, or goes back' }),
  createdAt: Time,
  updatedAt: Time,
  reservation: ReservationAnswer,
  etickets: Type.Array(Type.Object({ id: Id, code: Type.String(), seatId: Id })),
})

export const ProcessingAnswer = Type.Object({
  id: Id,
  status: Type.Literal('PROCESSING'),
  operationId: Type.String({ description: 'Ask `/api/operations/:key` with it how it ended' }),
  action: Type.Optional(Type.Object({ url: Type.String({ description: 'Where the buyer has to go first' }) })),
})

export const StuckAnswer = Type.Object({
  items: Type.Array(
    Type.Object({
      id: Id,
      eventId: Id,
      reservationId: Id,
      buyerId: Id,
      provider: Type.String(),
      providerRef: orNull<string>('string'),
      status: Type.String(),
      amount: Type.Integer(),
      currency: Type.String(),
      captured: Type.Integer(),
      refunded: Type.Integer(),
      reason: orNull<string>('string'),
      createdAt: Time,
      updatedAt: Time,
    }),
  ),
})

export const ResolveBody = Type.Object(
  {
    action: Type.Union([Type.Literal('ask'), Type.Literal('refund'), Type.Literal('cancel')], {
      description:
        '`ask` the provider again and do what follows; `refund` what was captured; `cancel` the payment so that no ' +
        'money comes any more (what has come counts)',
    }),
  },
  strict,
)
