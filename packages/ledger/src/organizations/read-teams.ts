import type { KeyRole, MemberRole } from '@seatwise/domain'
import type { Kysely } from 'kysely'
import { loadStatement, runStatement, type Schema } from '../engine/index.ts'

const READ_TEAMS = loadStatement(import.meta.url, 'read-teams.sql')

/** What an account may be for an organization; null once it is no member any more. */
export interface Membership {
  readonly userId: string
  readonly organizationId: string
  readonly role: MemberRole | null
}

export interface KeyFact {
  readonly id: string
  readonly organizationId: string
  readonly role: KeyRole
  /** SHA-256 of the key, in hex. */
  readonly hash: string
  readonly expiresAt: Date | null
  readonly madeBy: string
  readonly isRevoked: boolean
}

export interface TeamsSince {
  readonly members: readonly Membership[]
  readonly keys: readonly KeyFact[]
  /** Where the next read begins. */
  readonly seenTo: string
}

/** Before everything. */
export const TEAMS_FROM_THE_START = '0'

/** Members and keys that changed since an earlier read; as with `readEnded`, a row may come twice and none is missed. */
export async function readTeams(db: Kysely<Schema>, seenTo: string): Promise<TeamsSince> {
  const rows = await runStatement<TeamRow>(db, READ_TEAMS, [seenTo])
  const [first] = rows
  if (first === undefined) throw new Error('read-teams.sql returned no row')
  const members: Membership[] = []
  const keys: KeyFact[] = []
  for (const { id, organizationId, role, hasEnded, hash, expiresAt, madeBy } of rows) {
    if (id === null) continue
    if (hash === null) members.push({ userId: id, organizationId, role: hasEnded ? null : role })
    else keys.push({ id, organizationId, role: role as KeyRole, hash, expiresAt, madeBy, isRevoked: hasEnded })
  }
  return { members, keys, seenTo: first.seen_to }
}

interface TeamRow {
  readonly seen_to: string
  readonly id: string | null
  readonly organizationId: string
  readonly role: MemberRole
  readonly hasEnded: boolean
  readonly hash: string | null
  readonly expiresAt: Date | null
  readonly madeBy: string
}
