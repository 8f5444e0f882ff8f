import type { Generated } from 'kysely'
import type { Nullable, StampedTime, Time } from './schema-columns.ts'

export type UserRole = 'buyer' | 'staff' | 'organizer' | 'admin'

export interface UsersTable {
  id: string
  email: string
  email_key: string
  password_hash: string
  name: string
  avatar: Nullable<string>
  role: UserRole
  session_version: Generated<number>
  created_at: StampedTime
  updated_at: StampedTime
}

export interface EndedIdentitiesTable {
  kind: 'session' | 'account' | 'guest'
  subject: string
  below_version: Nullable<number>
  except_session: Nullable<string>
  ended_at: StampedTime
  forget_at: Time
  written_by: Generated<string>
}

export interface LastingKeysTable {
  purpose: string
  key: string
  created_at: StampedTime
}

export interface SigningKeysTable {
  kid: string
  generation: number
  public_key: string
  sealed_private_key: Nullable<string>
  sealed_with: Nullable<string>
  signs_from: Time
  signs_until: Time
  published_until: Time
  created_at: StampedTime
}
