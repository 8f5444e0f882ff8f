import type { Row } from '@seatwise/seats'
import Type, { type Static } from 'typebox'
import { ACCOUNT_ROLES } from '../access/access.ts'
import type { AccessTokens } from '../tokens/access-token.ts'

export const AccountRole = Type.Enum(ACCOUNT_ROLES)

/** An account as others may see it. The hash of its password is in no schema, so that it can be in no answer. */
const Account = Type.Object({
  id: Type.String({ format: 'uuid' }),
  email: Type.String(),
  name: Type.String(),
  role: AccountRole,
})
type Account = Static<typeof Account>

export const Profile = Type.Object({
  ...Account.properties,
  avatar: Type.Union([Type.String(), Type.Null()]),
})
export type Profile = Static<typeof Profile>

/** What registering and signing in answer. */
export const Session = Type.Object({
  user: Account,
  accessToken: Type.String(),
  expiresIn: Type.Integer({ description: 'Seconds' }),
  tickets: Type.Optional(
    Type.Array(
      Type.Object({ roomId: Type.String({ format: 'uuid' }), ticketId: Type.String(), ticketToken: Type.String() }),
      { description: 'With the header Seatwise-Guest: tickets of the guest that are the account’s now' },
    ),
  ),
})
export type Session = Static<typeof Session>

type AccountRow = Pick<Row<'users'>, 'id' | 'email' | 'name' | 'role' | 'avatar'>

function toAccount({ id, email, name, role }: Omit<AccountRow, 'avatar'>): Account {
  return { id, email, name, role }
}

export function toProfile(row: Row<'users'>): Profile {
  return { ...toAccount(row), avatar: row.avatar }
}

export function openSession(tokens: AccessTokens, row: AccountRow): Session {
  const user = toAccount(row)
  return { user, ...tokens.issue({ ...user, avatar: row.avatar }) }
}
