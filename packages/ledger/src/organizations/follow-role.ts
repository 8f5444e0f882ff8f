import type { Kysely } from 'kysely'
import type { Schema, UserRole } from '../engine/index.ts'
import { endMemberships, writeMember } from './members.ts'
import { HOUSE_ID, ownOrganizationOf } from './organizations.ts'

/**
 * Gives an account the memberships that its role of the house stands for, in the transaction that changes the role: an admin
 * owns the house, staff is its box office, an organizer owns an organization. A lower role takes away all memberships.
 */
export async function followRole(
  transaction: Kysely<Schema>,
  { userId, before, role, by }: { userId: string; before: UserRole; role: UserRole; by: string },
): Promise<void> {
  if (RANK[role] < RANK[before]) await endMemberships(transaction, userId)
  if (role === 'admin') await writeMember(transaction, { organizationId: HOUSE_ID, userId, role: 'owner' })
  if (role === 'staff') await writeMember(transaction, { organizationId: HOUSE_ID, userId, role: 'box_office' })
  if (role === 'organizer') await ownOrganizationOf(transaction, userId, by)
}

const RANK = { buyer: 0, staff: 1, organizer: 2, admin: 3 } as const satisfies Record<UserRole, number>
