import Type, { type Static } from 'typebox'
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
          'Of the sandbox: `sandbox_ok`, `sandbox_declined`, `sandbox_slow`, `sandbox_3ds`. Left out where nothing is ' +
          'to be paid, and where the provider has a page of its own (Stripe, Mollie): `action` then leads there.',
      }),
    ),
  },
  strict,
)

const RefundFields = Type.Object(
  {
    seatIds: Type.Optional(
      Type.Array(Id, { minItems: 1, maxItems: 1_000, uniqueItems: true, description: 'Left out: all that are left' }),
    ),
    keepFees: Type.Optional(Type.Boolean({ description: 'The fees of these seats stay' })),
    amount: Type.Optional(
      Type.Integer({ minimum: 0, description: 'Refuses with 409 `REFUND_CHANGED` if not exactly this would go back' }),
    ),
    evenIfUsed: Type.Optional(Type.Boolean({ description: 'Also seats that a visitor was let in with' })),
  },
  strict,
)
/** The body may be left out. */
export const RefundBody = Type.Unsafe<Static<typeof RefundFields> | null>({ ...RefundFields, type: ['object', 'null'] })

const RefundFacts = Type.Object({
  id: Id,
  seatIds: Type.Array(Id, { description: 'Empty for money that came without a sale' }),
  amount: Type.Integer({ description: 'What goes back' }),
  keptFees: Type.Integer({ description: 'What stays of these seats: their fees, or the fee for refunding them' }),
  status: Type.Union([Type.Literal('PENDING'), Type.Literal('DONE')]),
  createdAt: Time,
})

export const RefundAnswer = Type.Object({
  id: Id,
  status: Type.String({ description: 'PARTLY_REFUNDED, REFUNDED, or REFUNDING while it is on its way' }),
  refundedAmount: Type.Integer({ description: 'What went back so far' }),
  refunds: Type.Array(RefundFacts),
})

export const RefundOfferAnswer = Type.Object({
  until: orNull<string>('string', { description: 'Null while there is nothing that the buyer may refund' }),
  amount: Type.Integer({ description: 'What would go back now' }),
  keptFees: Type.Integer({ description: 'What would stay' }),
  seatIds: Type.Array(Id),
  transferredSeatIds: Type.Array(Id, { description: 'Their e-tickets have another holder: they stay as they are' }),
})

export const PurchaseAnswer = Type.Object({
  id: Id,
  status: Type.String(),
  amount: Type.Integer(),
  currency: Type.String(),
  refundedAmount: Type.Integer({ description: 'What went back so far' }),
  refunds: Type.Array(RefundFacts),
  receiptNumber: orNull<number>('integer', { description: 'Null until a batch gives the number, within seconds' }),
  reason: orNull<string>('string', { description: 'Why it was declined, is stuck, or goes back' }),
  createdAt: Time,
  updatedAt: Time,
  reservation: ReservationAnswer,
  etickets: Type.Array(
    Type.Object({
      id: Id,
      code: orNull<string>('string', { description: 'Null once it was transferred' }),
      seatId: Id,
      shortCode: orNull<string>('string', { description: 'To type at the door; null with the code' }),
    }),
  ),
})

export const ReceiptsAnswer = Type.Object({
  items: Type.Array(
    Type.Object({
      number: Type.Integer({ description: 'Without gaps for each organization' }),
      kind: Type.Union([Type.Literal('receipt'), Type.Literal('credit_note')]),
      amount: Type.Integer(),
      currency: Type.String(),
      lines: Type.Array(
        Type.Object({
          kind: Type.String({ description: '`seat`, `discount`, `fee`, or `refund` for a part of an order' }),
          name: Type.String(),
          quantity: Type.Optional(Type.Integer()),
          unitPrice: Type.Optional(Type.Integer()),
          amount: Type.Integer({ description: 'Below 0 on a credit note' }),
          tax: Type.Integer(),
        }),
      ),
      tax: Type.Integer({ description: 'Contained in the amount' }),
      seller: Type.Object({ name: Type.String(), address: Type.String(), taxNumber: Type.String() }),
      issuedAt: Time,
    }),
  ),
})

export const ProcessingAnswer = Type.Object({
  id: Id,
  status: Type.Literal('PROCESSING'),
  operationId: Type.String({ description: 'Ask `/api/operations/:key` with it how it ended' }),
  action: Type.Optional(
    Type.Object({
      kind: Type.Literal('redirect'),
      url: Type.String({ description: 'Where the buyer has to go: the page of the provider, or of the bank' }),
    }),
  ),
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
