import type { MemberRole } from '@seatwise/domain'
import { type Kysely, sql } from 'kysely'
import { inTransaction, type Primary, type Schema } from '../engine/index.ts'
import { tellLetter } from '../outbox/index.ts'
import { recordAction } from '../trail/index.ts'

export interface Invitation {
  readonly id: string
  readonly organizationId: string
  readonly organizationName: string
  readonly email: string
  readonly emailKey: string
  readonly role: MemberRole
  readonly language: string | null
  readonly invitedBy: string
  readonly createdAt: Date
  readonly expiresAt: Date
}

export interface NewInvitation {
  readonly id: string
  readonly organizationId: string
  readonly email: string
  readonly emailKey: string
  readonly role: MemberRole
  readonly language: string | null
  readonly invitedBy: string
  readonly keptSeconds: number
}

/** Keeps the invitation and sends its mail. A later one of an address replaces the earlier one. Null when the organization has as many as allowed. */
export async function keepInvitation(ledger: Primary, invitation: NewInvitation, max: number): Promise<Date | null> {
  const { id, organizationId, email, emailKey, role, language, invitedBy, keptSeconds } = invitation
  return await inTransaction(ledger, async (transaction) => {
    const { db } = transaction
    await sql`select from organizations where id = ${organizationId} for no key update`.execute(db)
    const others = await db
      .selectFrom('invitations')
      .select('id')
      .where('organization_id', '=', organizationId)
      .where('email_key', '<>', emailKey)
      .where('expires_at', '>', sql<Date>`now()`)
      .execute()
    if (others.length >= max) return null
    const { rows } = await sql<{ expires_at: Date }>`
      insert into invitations (id, organization_id, email, email_key, role, language, invited_by, expires_at)
      values (${id}, ${organizationId}, ${email}, ${emailKey}, ${role}, ${language}, ${invitedBy},
              now() + make_interval(secs => ${keptSeconds}))
      on conflict (organization_id, email_key) do update
         set id = excluded.id, email = excluded.email, role = excluded.role, language = excluded.language,
             invited_by = excluded.invited_by, created_at = now(), expires_at = excluded.expires_at
      returning expires_at
    `.execute(db)
    const after = { role, organizationId }
    await tellLetter(transaction, { about: 'invitation', id, type: 'member.invited' })
    await recordAction(db, { actorId: invitedBy, kind: 'member.invited', subject: id, after })
    return rows[0]?.expires_at ?? null
  })
}

export async function listInvitations(db: Kysely<Schema>, organizationId: string): Promise<Invitation[]> {
  return await invitations(db).where('organization_id', '=', organizationId).orderBy('invitations.created_at').execute()
}

/** Null once it was used, withdrawn or is over. */
export async function readInvitation(db: Kysely<Schema>, id: string): Promise<Invitation | null> {
  return (await invitations(db).where('invitations.id', '=', id).executeTakeFirst()) ?? null
}

/** Uses the invitation up; null when another call was faster or it is over. Pass the transaction that makes the member. */
export async function takeInvitation(transaction: Kysely<Schema>, id: string): Promise<Invitation | null> {
  const invitation = await readInvitation(transaction, id)
  if (invitation === null) return null
  const taken = await transaction.deleteFrom('invitations').where('id', '=', id).executeTakeFirst()
  return taken.numDeletedRows > 0n ? invitation : null
}

/** Whether there was one. */
export async function withdrawInvitation(
  db: Kysely<Schema>,
  { organizationId, id }: { organizationId: string; id: string },
): Promise<boolean> {
  const deletion = db.deleteFrom('invitations').where('id', '=', id).where('organization_id', '=', organizationId)
  return (await deletion.executeTakeFirst()).numDeletedRows > 0n
}

const invitations = (db: Kysely<Schema>) =>
  db
    .selectFrom('invitations')
    .innerJoin('organizations', 'organizations.id', 'invitations.organization_id')
    .select(['invitations.id', 'organization_id as organizationId', 'organizations.name as organizationName'])
    .select(['email', 'email_key as emailKey', 'role', 'language', 'invited_by as invitedBy'])
    .select(['invitations.created_at as createdAt', 'expires_at as expiresAt'])
    .where('expires_at', '>', sql<Date>`now()`)
