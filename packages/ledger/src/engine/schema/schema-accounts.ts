import type { Generated } from 'kysely'
import type { Nullable, NullableTime, StampedTime, Time } from './schema-columns.ts'

export type UserRole = 'buyer' | 'staff' | 'organizer' | 'admin'

export interface UsersTable {
  id: string
  email: string
  email_key: string
  password_hash: Nullable<string>
  name: string
  avatar: Nullable<string>
  role: UserRole
  session_version: Generated<number>
  created_at: StampedTime
  updated_at: StampedTime
  verified_at: NullableTime
  deleted_at: NullableTime
}

/** Deletions of accounts that are under way. */
export interface ErasuresTable {
  user_id: string
  texts: string[]
  asked_at: StampedTime
}

export type SignInMethod = 'password' | 'link' | 'passkey' | 'openid' | 'recovery'

export interface SessionsTable {
  id: string
  user_id: string
  method: SignInMethod
  device: string
  begun_at: StampedTime
  confirmed_at: StampedTime
  is_strong: Generated<boolean>
  used_at: StampedTime
  ends_at: Time
}

export interface PasskeysTable {
  id: string
  user_id: string
  name: string
  public_key: string
  counter: Generated<number>
  transports: Generated<string[]>
  made_at: StampedTime
  used_at: NullableTime
}

/** Persons of the house's own provider, and the accounts they sign in to. */
export interface OutsideIdentitiesTable {
  issuer: string
  subject: string
  user_id: string
  role: Nullable<'admin' | 'manager' | 'box_office' | 'door' | 'viewer'>
  linked_at: StampedTime
  used_at: StampedTime
}

export interface RecoveryCodesTable {
  user_id: string
  code_hash: string
}

export interface SignInChallengesTable {
  challenge: string
  user_id: Nullable<string>
  expires_at: StampedTime
}

export interface SignInCodesTable {
  id: string
  email: string
  email_key: string
  language: string
  code_hashes: Generated<string[]>
  link_hashes: Generated<string[]>
  asker_hash: Nullable<string>
  next: Generated<string>
  tries: Generated<number>
  asked_at: StampedTime
  expires_at: StampedTime
}

export interface SignInTriesTable {
  code_id: string
  sender_hash: string
  tries: number
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

export interface AdoptionsTable {
  guest_id: string
  user_id: string
  identity: string
  canceled: Generated<string[]>
  adopted_at: StampedTime
  tried_at: NullableTime
  delivered_at: NullableTime
}
