import { LANGUAGES } from '@seatwise/web'
import Type from 'typebox'
import { EMAIL_LENGTH_MAX } from '../../identity/index.ts'
import { orNull } from '../../wire/index.ts'

const strict = { additionalProperties: false }
const Email = Type.String({ maxLength: EMAIL_LENGTH_MAX, examples: ['ada@example.com'] })
const MailLanguage = Type.Optional(Type.Enum([...LANGUAGES], { description: 'Of the mail' }))
/** More than any visitor may have: between the limit of a room and this, the refusal is LIMIT_REACHED. */
const SEATS_MAX = 1_000

export const TokenPath = Type.Object({ token: Type.String({ maxLength: 200 }) })

export const TransferBody = Type.Object({ email: Email, language: MailLanguage }, strict)

export const ReturnsBody = Type.Object(
  {
    email: Email,
    seatTypeId: Type.Optional(Type.String({ format: 'uuid', description: 'Left out, seats of any one type' })),
    quantity: Type.Integer({ minimum: 1, maximum: SEATS_MAX }),
    language: MailLanguage,
  },
  strict,
)

export const ReturnsAnswer = Type.Object({
  eventId: Type.String({ format: 'uuid' }),
  email: Type.String(),
  seatTypeId: orNull<string>('string'),
  quantity: Type.Integer(),
  status: Type.String({ description: 'UNCONFIRMED: it counts once the link in the mail was used' }),
})

export const ListedAnswer = Type.Object({
  eventId: Type.String({ format: 'uuid' }),
  seatTypeId: orNull<string>('string'),
  quantity: Type.Integer(),
  status: Type.String({ description: 'WAITING, OFFERED, SERVED, LAPSED or LEFT' }),
})
