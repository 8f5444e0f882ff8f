import type { KeyRole, MemberRole } from '@seatwise/domain'
import type { Generated } from 'kysely'
import type { Nullable, NullableTime, StampedTime, Time } from './schema-columns.ts'

export interface MembersTable {
  organization_id: string
  user_id: string
  role: MemberRole
  since: StampedTime
  ended_at: NullableTime
  written_by: Generated<string>
}

export interface InvitationsTable {
  id: string
  organization_id: string
  email: string
  email_key: string
  role: MemberRole
  invited_by: string
  language: Nullable<string>
  created_at: StampedTime
  expires_at: Time
}

export interface ApiKeysTable {
  id: string
  organization_id: string
  name: string
  role: KeyRole
  hash: Buffer
  ending: string
  made_by: string
  created_at: StampedTime
  expires_at: NullableTime
  last_used_at: NullableTime
  revoked_at: NullableTime
  written_by: Generated<string>
}
