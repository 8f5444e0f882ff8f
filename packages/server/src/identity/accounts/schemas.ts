import Type from 'typebox'
import { EMAIL_LENGTH_MAX } from './email-address.ts'
import { NAME_LENGTH_MAX } from './profile-fields.ts'

const strict = { additionalProperties: false }

/** The fields of an account. */
export const Registration = Type.Object(
  {
    email: Type.String({ maxLength: EMAIL_LENGTH_MAX, examples: ['ada@example.com'] }),
    // Only bounds the work of normalising; the rules are in password-rules.ts.
    password: Type.String({ maxLength: 1_024 }),
    name: Type.String({ maxLength: 4 * NAME_LENGTH_MAX }),
  },
  strict,
)

export const Credentials = Type.Object(
  { email: Type.String({ maxLength: EMAIL_LENGTH_MAX }), password: Type.String({ maxLength: 1_024 }) },
  strict,
)

/** No maximum length: an unrecognised token is ignored, and must not keep the visitor from signing in. */
export const GuestHeader = Type.Object({
  'seatwise-guest': Type.Optional(
    Type.String({ description: 'The access token of a guest: the account takes over everything that is theirs' }),
  ),
})
