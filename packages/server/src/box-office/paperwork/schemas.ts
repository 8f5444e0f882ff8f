import Type from 'typebox'
import { orNull } from '../../wire/index.ts'

const strict = { additionalProperties: false }
const Id = Type.String({ format: 'uuid' })
const Money = Type.Integer({ description: 'In minor units' })

export const PurchasePath = Type.Object({ id: Type.String() })
export const ReceiptQuery = Type.Object(
  {
    number: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: 'Another paper of the purchase, such as a credit note; else its receipt',
      }),
    ),
  },
  strict,
)

export const OrganizationPath = Type.Object({ id: Type.String() })
export const OrganizationBody = Type.Object(
  {
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' })),
    address: Type.Optional(Type.String({ maxLength: 500, description: 'May have several lines' })),
    taxNumber: Type.Optional(Type.String({ maxLength: 50 })),
    stripeAccount: Type.Optional(
      Type.Unsafe<string | null>({
        type: ['string', 'null'],
        pattern: '^acct_[A-Za-z0-9]{1,64}$',
        description: 'Stripe’s id of the connected account that gets the money; null for the house’s own',
      }),
    ),
  },
  { ...strict, minProperties: 1 },
)
export const OrganizationAnswer = Type.Object({
  id: Id,
  name: Type.String(),
  role: orNull<string>('string', { description: 'Yours; null for an admin who is no member' }),
  address: Type.String(),
  taxNumber: Type.String(),
  stripeAccount: orNull<string>('string', { description: 'Null also for members who are not owners' }),
})

const Day = Type.String({ format: 'date' })
const period = { from: Type.Optional(Day), to: Type.Optional(Day) }
export const EventPeriodQuery = Type.Object(period, strict)
export const PeriodQuery = Type.Object(
  {
    ...period,
    timeZone: Type.Optional(
      Type.String({ maxLength: 64, description: 'Where days begin, an IANA name; `UTC` if left out' }),
    ),
  },
  strict,
)

const sums = {
  currency: Type.String(),
  receipts: Type.Integer(),
  creditNotes: Type.Integer(),
  gross: Type.Integer({ description: 'What was paid, in minor units' }),
  fees: Type.Integer({ description: 'The part of it that is fees' }),
  tax: Type.Integer({ description: 'Contained in it' }),
  refunds: Type.Integer({ description: 'What went back' }),
  refundedTax: Type.Integer({ description: 'Contained in what went back' }),
  charges: Type.Integer({ description: 'What providers kept, as far as they said; in their own currency' }),
  payout: Money,
}
export const SettlementAnswer = Type.Object({
  from: Type.Union([Day, Type.Null()]),
  to: Type.Union([Day, Type.Null()]),
  timeZone: Type.String(),
  totals: Type.Array(Type.Object(sums)),
  days: Type.Array(Type.Object({ day: Day, ...sums })),
  events: Type.Array(Type.Object({ eventId: Id, event: Type.String(), ...sums })),
  unnumbered: Type.Integer({
    description: 'Sales and refunds that wait for their number, within seconds; not in the sums',
  }),
  chargesUnknown: Type.Integer({ description: 'Sales with a charge that the provider has not told; not in the sums' }),
})
