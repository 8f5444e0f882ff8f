import { KEY_ROLES, MEMBER_ROLES } from '@seatwise/domain'
import type { ApiKey, Invitation, Member } from '@seatwise/ledger'
import Type from 'typebox'
import { EMAIL_LENGTH_MAX } from '../accounts/email-address.ts'

const strict = { additionalProperties: false }
const Id = Type.String({ format: 'uuid' })
const Time = Type.String({ format: 'date-time' })
const TimeOrNull = Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time' })

const MemberRoleField = Type.Enum([...MEMBER_ROLES])
const KeyRoleField = Type.Enum([...KEY_ROLES])
const EmailField = Type.String({ maxLength: EMAIL_LENGTH_MAX, examples: ['ada@example.com'] })
const KeyNameField = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '\\S',
  examples: ['Till at the door'],
})

export const OrganizationPath = Type.Object({ id: Id })
// What is no id names nothing: 404.
export const MemberPath = Type.Object({ id: Id, userId: Type.String() })
export const InvitationPath = Type.Object({ id: Id, invitationId: Type.String() })
export const KeyPath = Type.Object({ id: Id, keyId: Type.String() })
export const TokenPath = Type.Object({ token: Type.String({ maxLength: 100 }) })

export const NewOrganization = Type.Object(
  { name: Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' }) },
  { ...strict, examples: [{ name: 'Opera House' }] },
)
export const MadeOrganization = Type.Object({ id: Id, name: Type.String() })

export const NewMember = Type.Object(
  { email: EmailField, role: MemberRoleField },
  { ...strict, examples: [{ email: 'ada@example.com', role: 'box_office' }] },
)
export const RoleChange = Type.Object({ role: MemberRoleField }, { ...strict, examples: [{ role: 'manager' }] })
export const MemberAnswer = Type.Object({
  userId: Id,
  name: Type.String(),
  email: Type.String(),
  role: MemberRoleField,
  since: Time,
})
export const InvitedAnswer = Type.Object({
  status: Type.Literal('INVITED'),
  id: Id,
  email: Type.String(),
  role: MemberRoleField,
  expiresAt: Time,
})
export const TeamAnswer = Type.Object({
  items: Type.Array(MemberAnswer),
  invitations: Type.Array(
    Type.Object({ id: Id, email: Type.String(), role: MemberRoleField, createdAt: Time, expiresAt: Time }),
  ),
})
export const InvitationAnswer = Type.Object({
  organizationId: Id,
  organizationName: Type.String(),
  email: Type.String(),
  role: MemberRoleField,
})

export const NewKey = Type.Object(
  {
    name: KeyNameField,
    role: KeyRoleField,
    expiresAt: Type.Optional(
      Type.String({ format: 'date-time', maxLength: 40, description: 'Without it the key lasts' }),
    ),
  },
  { ...strict, examples: [{ name: 'Till at the door', role: 'box_office', expiresAt: '2027-01-01T00:00:00Z' }] },
)
export const MadeKey = Type.Object({
  id: Id,
  key: Type.String({ description: 'Shown only this once', examples: ['swk_…'] }),
  name: Type.String(),
  role: KeyRoleField,
  expiresAt: TimeOrNull,
})
export const KeysAnswer = Type.Object({
  items: Type.Array(
    Type.Object({
      id: Id,
      name: Type.String(),
      role: KeyRoleField,
      ending: Type.String({ description: 'The last characters of the key' }),
      createdAt: Time,
      expiresAt: TimeOrNull,
      lastUsedAt: Type.Unsafe<string | null>({
        ...{ type: ['string', 'null'], format: 'date-time' },
        description: 'A minute or two late',
      }),
    }),
  ),
})

export function describeMember({ since, ...member }: Member) {
  return { ...member, since: since.toISOString() }
}

export function describeInvitation({ id, email, role, createdAt, expiresAt }: Invitation) {
  return { id, email, role, createdAt: createdAt.toISOString(), expiresAt: expiresAt.toISOString() }
}

export function describeKey({ id, name, role, ending, createdAt, expiresAt, lastUsedAt }: ApiKey) {
  return {
    ...{ id, name, role, ending, createdAt: createdAt.toISOString() },
    ...{ expiresAt: expiresAt?.toISOString() ?? null, lastUsedAt: lastUsedAt?.toISOString() ?? null },
  }
}
