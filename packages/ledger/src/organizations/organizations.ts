import { randomUUIDv7 } from 'node:crypto'
import type { MemberRole } from '@seatwise/domain'
import type { Kysely } from 'kysely'
import type { Schema } from '../engine/index.ts'
import { recordAction } from '../trail/index.ts'
import { freeSlug } from './hosts.ts'
import { writeMember } from './members.ts'

/** The organization that is there from the first start; its owners are the admins. */
export const HOUSE_ID = '00000000-0000-4000-8000-000000000001'

export interface NewOrganization {
  readonly name: string
  /** Its first owner; null where the admins look after it. */
  readonly ownerId: string | null
  readonly by: string
}

export async function createOrganization(
  db: Kysely<Schema>,
  { name, ownerId, by }: NewOrganization,
): Promise<{ id: string; name: string }> {
  const id = randomUUIDv7()
  return await db.transaction().execute(async (transaction) => {
    await insertOrganization(transaction, { id, name, by })
    if (ownerId !== null) await writeMember(transaction, { organizationId: id, userId: ownerId, role: 'owner' })
    return { id, name }
  })
}

/** The first organization that the account owns; a new one, with the account's name, if there is none. */
export async function ownOrganizationOf(transaction: Kysely<Schema>, userId: string, by: string): Promise<string> {
  // Two servers that do this at once wait here.
  const account = transaction.selectFrom('users').select('name').where('id', '=', userId).forUpdate()
  const { name } = await account.executeTakeFirstOrThrow()
  const owned = await transaction
    .selectFrom('members')
    .select('organization_id')
    .where('user_id', '=', userId)
    .where('role', '=', 'owner')
    .where('ended_at', 'is', null)
    .where('organization_id', '<>', HOUSE_ID)
    .orderBy('since')
    .limit(1)
    .executeTakeFirst()
  if (owned !== undefined) return owned.organization_id
  const id = randomUUIDv7()
  await insertOrganization(transaction, { id, name, by })
  await writeMember(transaction, { organizationId: id, userId, role: 'owner' })
  return id
}

async function insertOrganization(
  transaction: Kysely<Schema>,
  { id, name, by }: { id: string; name: string; by: string },
): Promise<void> {
  const row = { id, name, slug: await freeSlug(transaction, name) }
  const insert = transaction.insertInto('organizations').values(row)
  const made = await insert
    .onConflict((conflict) => conflict.column('slug').doNothing())
    .returning('id')
    .execute()
  // Another server has just made a namesake: this one gets an address of its own until it chooses another.
  if (made.length === 0) await transaction.insertInto('organizations').values({ id, name }).execute()
  await recordAction(transaction, { actorId: by, kind: 'organization.created', subject: id, after: { name } })
}

/** How many organizations an account owns, the house left out. */
export async function countOwned(db: Kysely<Schema>, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom('members')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('role', '=', 'owner')
    .where('ended_at', 'is', null)
    .where('organization_id', '<>', HOUSE_ID)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** The organization that an account joined first, of those in which it has one of these roles. */
export async function firstOrganization(
  db: Kysely<Schema>,
  userId: string,
  roles: readonly MemberRole[],
): Promise<string | null> {
  const row = await db
    .selectFrom('members')
    .select('organization_id')
    .where('user_id', '=', userId)
    .where('role', 'in', roles)
    .where('ended_at', 'is', null)
    .orderBy('since')
    .orderBy('organization_id')
    .limit(1)
    .executeTakeFirst()
  return row?.organization_id ?? null
}
