import { CHECKOUT_LIMITS, CODE_LIMITS, EVENT_LIMITS } from '@seatwise/domain'
import { LANGUAGES } from '@seatwise/web'
import Type from 'typebox'
import { EMAIL_LENGTH_MAX, NAME_LENGTH_MAX } from '../../identity/index.ts'
import { orNull, ReservationAnswer } from '../../wire/index.ts'

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
  variants: Type.Optional(
    Type.Array(
      Type.Object(
        {
          variantId: Type.String({ minLength: 1, maxLength: EVENT_LIMITS.variantIdLength }),
          quantity: Type.Integer({ minimum: 1, maximum: SEATS_MAX }),
        },
        strict,
      ),
      {
        minItems: 1,
        maxItems: SEATS_MAX,
        description:
          'How many seats have which variant; together all seats of types that have variants. Left out, every seat has ' +
          'the first variant of its type',
      },
    ),
  ),
  accessible: Type.Optional(Type.Boolean({ description: 'At least one that is made for wheelchairs' })),
  code: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: CODE_LIMITS.codeLength,
      description:
        'Of the event: a discount, access to hidden seat types, or both. Case, blanks and hyphens do not count',
    }),
  ),
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

export const AddresseeBody = Type.Object(
  {
    email: Type.String({ maxLength: EMAIL_LENGTH_MAX, examples: ['ada@example.com'] }),
    name: Type.Optional(Type.String({ maxLength: 4 * NAME_LENGTH_MAX })),
    language: Type.Optional(Type.Enum([...LANGUAGES], { description: 'Of the mail' })),
  },
  strict,
)

/** A question's id: never a name that objects have by themselves. */
const QuestionId = Type.String({ minLength: 1, maxLength: CHECKOUT_LIMITS.questionIdLength })
const Answer = Type.String({ maxLength: CHECKOUT_LIMITS.answerLength })
const HolderName = Type.String({ minLength: 1, maxLength: CHECKOUT_LIMITS.holderNameLength })

/** Everything that a buyer can say about an order; what is left out stays. */
export const DetailsBody = Type.Object(
  {
    ...AddresseeBody.properties,
    email: Type.Optional(AddresseeBody.properties.email),
    answers: Type.Optional(
      Type.Array(Type.Object({ questionId: QuestionId, seatId: Type.Optional(Id), answer: Answer }, strict), {
        maxItems: SEATS_MAX,
        description: 'To the questions of the event; `seatId` for those about each ticket. A blank one removes it',
      }),
    ),
    names: Type.Optional(
      Type.Array(Type.Object({ seatId: Id, name: HolderName }, strict), {
        maxItems: SEATS_MAX,
        description: 'Of the holders of tickets, where the event asks for them',
      }),
    ),
    acceptTerms: Type.Optional(Type.Literal(true)),
    termsUrl: Type.Optional(
      Type.String({
        maxLength: CHECKOUT_LIMITS.urlLength,
        description: 'The address of the terms that the buyer saw; refused when the event has another one by now',
      }),
    ),
    marketing: Type.Optional(Type.Boolean({ description: 'Consent to marketing; false unless given' })),
  },
  strict,
)

/** Answers as the buyer and the organiser see them. */
export const answerProperties = {
  answers: Type.Array(
    Type.Object({
      questionId: Type.String(),
      seatId: orNull<string>('string', { description: 'Null for a question about the whole order' }),
      label: Type.String({ description: 'The question as it was asked' }),
      answer: Type.String(),
    }),
  ),
  names: Type.Array(Type.Object({ seatId: Id, name: Type.String() })),
  terms: Type.Unsafe<{ url: string; acceptedAt: string } | null>({
    type: ['object', 'null'],
    description: 'The terms that were accepted, by their address at that time',
    properties: { url: Type.String(), acceptedAt: Type.String() },
    required: ['url', 'acceptedAt'],
  }),
  marketing: Type.Object({
    given: Type.Boolean(),
    at: orNull<string>('string', { description: 'Since when' }),
    words: orNull<string>('string', { description: 'As they were shown' }),
  }),
}

/** A reservation with all that its buyer said about it; nulls where nothing was said. */
export const AddressedAnswer = Type.Object({
  ...ReservationAnswer.properties,
  ...answerProperties,
  email: orNull<string>('string'),
  name: orNull<string>('string'),
  language: orNull<string>('string'),
})
