import { randomUUID } from 'node:crypto'
import { keepSession, type Ledger, type Row, type SignInMethod } from '@seatwise/ledger'
import Type, { type Static } from 'typebox'
import { ACCOUNT_ROLES } from '../../http/index.ts'
import { ReservationAnswer } from '../../wire/index.ts'
import { ACCESS_TOKEN_SECONDS, type AccessTokens } from '../sessions/access-token.ts'

export const AccountRole = Type.Enum(ACCOUNT_ROLES)

/** The public fields of an account. No schema has the password hash, so no answer can contain it. */
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

/** The answer to registering and signing in. */
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
  canceled: Type.Optional(
    Type.Array(ReservationAnswer, {
      description: 'With that header: reservations that would have brought the account over maxSeatsPerBuyer',
    }),
  ),
})
export type Session = Static<typeof Session>

type AccountRow = Pick<Row<'users'>, 'id' | 'email' | 'name' | 'role' | 'avatar' | 'session_version'>

function toAccount({ id, email, name, role }: Pick<AccountRow, 'id' | 'email' | 'name' | 'role'>): Account {
  return { id, email, name, role }
}

export function toProfile(row: Row<'users'>): Profile {
  return { ...toAccount(row), avatar: row.avatar }
}

/** How and where an account signs in. */
export interface Arrival {
  readonly method: SignInMethod
  /** In a few words, for the list of sessions. */
  readonly device: string
}

/** Begins a session. If the account's sessions were ended after the row was read, this one has ended with them. */
export async function openSession(
  { ledger, identity }: { readonly ledger: Ledger; readonly identity: { readonly tokens: AccessTokens } },
  row: AccountRow,
  arrival: Arrival,
): Promise<Session> {
  const { id, role, name, avatar } = row
  const session = { id: randomUUID(), version: row.session_version }
  await keepSession(ledger.db, { id: session.id, userId: id, seconds: ACCESS_TOKEN_SECONDS, ...arrival })
  return { user: toAccount(row), ...identity.tokens.issue({ id, role, name, avatar, session }) }
}
