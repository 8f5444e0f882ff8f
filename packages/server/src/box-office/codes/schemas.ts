import { CODE_LIMITS, EVENT_LIMITS } from '@seatwise/domain'
import Type from 'typebox'
import { orNull } from '../../wire/index.ts'

const strict = { additionalProperties: false }
const Id = Type.String({ format: 'uuid' })
const Time = Type.String({ format: 'date-time', maxLength: 40, examples: ['2026-11-15T10:00:00Z'] })
const Uses = Type.Integer({ minimum: 1, maximum: CODE_LIMITS.uses })
const TypedCode = Type.String({ minLength: 1, maxLength: CODE_LIMITS.codeLength })

export const CodesPath = Type.Object({ id: Type.String() })
export const CodePath = Type.Object({ id: Type.String(), codeId: Type.String() })

export const CodesBody = Type.Object(
  {
    code: Type.Optional(
      Type.String({ ...TypedCode, description: 'Unique in the event; case, blanks and hyphens do not count' }),
    ),
    count: Type.Optional(
      Type.Integer({ minimum: 1, maximum: CODE_LIMITS.count, description: 'Instead: so many random codes' }),
    ),
    percent: Type.Optional(
      Type.Number({ minimum: 0, maximum: EVENT_LIMITS.percent, description: 'Off the seats it is for' }),
    ),
    amountOff: Type.Optional(
      Type.Integer({ minimum: 1, maximum: EVENT_LIMITS.price, description: 'Once for an order, in minor units' }),
    ),
    price: Type.Optional(
      Type.Integer({ minimum: 0, maximum: EVENT_LIMITS.price, description: 'Of each seat, in minor units' }),
    ),
    access: Type.Optional(Type.Boolean({ description: 'Opens hidden seat types, and the presale' })),
    seatTypeIds: Type.Optional(
      Type.Array(Id, { minItems: 1, maxItems: EVENT_LIMITS.seatTypes, description: 'Left out, it is for all types' }),
    ),
    usesMax: Type.Optional(Uses),
    perBuyerMax: Type.Optional(Uses),
    validFrom: Type.Optional(Time),
    validUntil: Type.Optional(Time),
  },
  { ...strict, description: 'One of percent, amountOff and price, or access, or access with one of them' },
)

export const MadeCodesAnswer = Type.Object({
  items: Type.Array(Type.Object({ id: Id, code: Type.String() })),
})

const NumberOrNull = Type.Unsafe<number | null>({ type: ['number', 'null'] })
const IntegerOrNull = orNull<number>('integer')
const TimeOrNull = orNull<string>('string', { format: 'date-time' })
const IdsOrNull = Type.Unsafe<readonly string[] | null>({ type: ['array', 'null'], items: { type: 'string' } })

/** What a code does. */
const termsProperties = {
  code: Type.String(),
  percent: NumberOrNull,
  amountOff: IntegerOrNull,
  price: IntegerOrNull,
  access: Type.Boolean(),
  seatTypeIds: IdsOrNull,
}
const CodeAnswer = Type.Object({
  id: Id,
  ...termsProperties,
  usesMax: IntegerOrNull,
  perBuyerMax: IntegerOrNull,
  validFrom: TimeOrNull,
  validUntil: TimeOrNull,
  endedAt: TimeOrNull,
  createdAt: Type.String({ format: 'date-time' }),
  uses: Type.Integer({ description: 'Reservations with it that are pending or paid' }),
})
export const CodesAnswer = Type.Object({ items: Type.Array(CodeAnswer), nextCursor: orNull<string>('string') })

export const CodesQuery = Type.Object(
  {
    cursor: Type.Optional(Type.String({ format: 'uuid' })),
    limit: Type.Integer({ minimum: 1, maximum: 500, default: 100 }),
  },
  strict,
)

export const CheckBody = Type.Object({ code: TypedCode }, strict)
/** Documentation only: what is opened is serialised beforehand. */
export const CheckAnswer = Type.Unsafe<unknown>(
  Type.Object({
    ...termsProperties,
    seatTypes: Type.Array(Type.Object({ id: Id, name: Type.String() }), {
      description: 'The hidden seat types that it opens, as in the list of seats',
    }),
    seats: Type.Array(Type.Object({ id: Id }), { description: 'Their seats, as in the list of seats' }),
  }),
)
