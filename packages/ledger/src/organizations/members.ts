import type { MemberRole } from '@seatwise/domain'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../engine/index.ts'
import { recordAction } from '../trail/index.ts'

export interface Member {
  readonly userId: string
  readonly name: string
  readonly email: string
  readonly role: MemberRole
  readonly since: Date
}

export interface NewMember {
  readonly organizationId: string
  readonly userId: string
  readonly role: MemberRole
}

export type MemberChange =
  | { readonly status: 'done'; readonly member: Member | null }
  | { readonly status: 'unknown' }
  /** The organization would be without an owner. */
  | { readonly status: 'last_owner' }

/** Owners first, then in the order of joining. */
export async function listMembers(db: Kysely<Schema>, organizationId: string): Promise<Member[]> {
  return await members(db, organizationId)
    .orderBy(sql`array_position(array['owner', 'manager', 'box_office', 'door', 'viewer'], members.role)`)
    .orderBy('members.since')
    .orderBy('users.id')
    .execute()
}

export async function readMember(db: Kysely<Schema>, organizationId: string, userId: string): Promise<Member | null> {
  return (await members(db, organizationId).where('user_id', '=', userId).executeTakeFirst()) ?? null
}

/** Makes the account a member, or gives a member another role. */
export async function setMember(db: Kysely<Schema>, member: NewMember, by: string): Promise<MemberChange> {
  return await db.transaction().execute(async (transaction) => await setMemberInside(transaction, member, by))
}

/** The same in a transaction of the caller. */
export async function setMemberInside(
  transaction: Kysely<Schema>,
  { organizationId, userId, role }: NewMember,
  by: string,
): Promise<MemberChange> {
  const owners = await lockOwners(transaction, organizationId)
  if (role !== 'owner' && isLast(owners, userId)) return { status: 'last_owner' }
  const before = await readMember(transaction, organizationId, userId)
  if (before?.role !== role) {
    await writeMember(transaction, { organizationId, userId, role })
    const kind = before === null ? 'member.added' : 'member.changed'
    await recordAction(transaction, {
      ...{ actorId: by, kind, subject: userId },
      ...{ before: { role: before?.role ?? null }, after: { role, organizationId } },
    })
  }
  return { status: 'done', member: await readMember(transaction, organizationId, userId) }
}

/** Ends a membership; the last owner stays. */
export async function removeMember(
  db: Kysely<Schema>,
  { organizationId, userId }: Omit<NewMember, 'role'>,
  by: string,
): Promise<MemberChange> {
  return await db.transaction().execute(async (transaction) => {
    const owners = await lockOwners(transaction, organizationId)
    const before = await readMember(transaction, organizationId, userId)
    if (before === null) return { status: 'unknown' } as const
    if (isLast(owners, userId)) return { status: 'last_owner' } as const
    await endMemberships(transaction, userId, organizationId)
    await recordAction(transaction, {
      ...{ actorId: by, kind: 'member.removed', subject: userId },
      ...{ before: { role: before.role }, after: { organizationId } },
    })
    return { status: 'done', member: null } as const
  })
}

/** Ends all memberships of an account, or the one in an organization. Pass the transaction that takes the power away. */
export async function endMemberships(
  transaction: Kysely<Schema>,
  userId: string,
  organizationId: string | null = null,
): Promise<void> {
  let update = transaction
    .updateTable('members')
    .set({ ended_at: sql<Date>`now()`, written_by: sql<string>`pg_current_xact_id()` })
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
  if (organizationId !== null) update = update.where('organization_id', '=', organizationId)
  await update.execute()
}

/** The organizations of which this account is the only owner. A deletion of the account must wait for another owner. */
export async function listOnlyOwned(db: Kysely<Schema>, userId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('members as own')
    .select('own.organization_id as id')
    .where('own.user_id', '=', userId)
    .where('own.role', '=', 'owner')
    .where('own.ended_at', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('members as other')
            .select('other.user_id')
            .whereRef('other.organization_id', '=', 'own.organization_id')
            .where('other.role', '=', 'owner')
            .where('other.ended_at', 'is', null)
            .where('other.user_id', '<>', userId),
        ),
      ),
    )
    .execute()
  return rows.map(({ id }) => id)
}

/** A former member has the row still: it lives again. */
export async function writeMember(
  transaction: Kysely<Schema>,
  { organizationId, userId, role }: NewMember,
): Promise<void> {
  await sql`
    insert into members (organization_id, user_id, role)
    values (${organizationId}, ${userId}, ${role})
    on conflict (organization_id, user_id) do update
       set role = excluded.role, since = case when members.ended_at is null then members.since else now() end,
           ended_at = null, written_by = excluded.written_by
  `.execute(transaction)
}

/** Forgets members that every server has heard of. A server that was silent for longer reads everything again. */
export async function forgetFormerMembers(db: Kysely<Schema>): Promise<void> {
  await sql`delete from members where ended_at < now() - interval '1 day'`.execute(db)
  await sql`delete from invitations where expires_at < now()`.execute(db)
  await sql`
    delete from mail_links
     where kind = 'invitation' and not exists (select from invitations where invitations.id = subject_id)
  `.execute(db)
}

/** Two owners who leave at once wait here. */
async function lockOwners(transaction: Kysely<Schema>, organizationId: string): Promise<string[]> {
  await sql`select from organizations where id = ${organizationId} for no key update`.execute(transaction)
  const rows = await transaction
    .selectFrom('members')
    .select('user_id')
    .where('organization_id', '=', organizationId)
    .where('role', '=', 'owner')
    .where('ended_at', 'is', null)
    .execute()
  return rows.map(({ user_id }) => user_id)
}

const isLast = (owners: readonly string[], userId: string): boolean => owners.length === 1 && owners[0] === userId

const members = (db: Kysely<Schema>, organizationId: string) =>
  db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select(['users.id as userId', 'users.name', 'users.email', 'members.role', 'members.since'])
    .where('organization_id', '=', organizationId)
    .where('ended_at', 'is', null)
