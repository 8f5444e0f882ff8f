import type { KeyRole } from '@seatwise/domain'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../engine/index.ts'
import { recordAction } from '../trail/index.ts'

export interface ApiKey {
  readonly id: string
  readonly name: string
  readonly role: KeyRole
  /** The last characters of the key. */
  readonly ending: string
  readonly createdAt: Date
  readonly expiresAt: Date | null
  /** At most a minute late. */
  readonly lastUsedAt: Date | null
  readonly madeBy: string
}

export interface NewApiKey {
  readonly id: string
  readonly organizationId: string
  readonly name: string
  readonly role: KeyRole
  readonly hash: Buffer
  readonly ending: string
  readonly madeBy: string
  readonly expiresAt: Date | null
}

/** False when the organization has as many as allowed. Counted under a lock, so that concurrent calls do not exceed it. */
export async function createApiKey(db: Kysely<Schema>, key: NewApiKey, max: number): Promise<boolean> {
  const { organizationId, name, role } = key
  return await db.transaction().execute(async (transaction) => {
    await sql`select from organizations where id = ${organizationId} for no key update`.execute(transaction)
    const own = await live(transaction, organizationId).select('id').execute()
    if (own.length >= max) return false
    const { id, hash, ending, madeBy: made_by, expiresAt: expires_at } = key
    await transaction
      .insertInto('api_keys')
      .values({ id, organization_id: organizationId, name, role, hash, ending, made_by, expires_at })
      .execute()
    const after = { name, role, organizationId }
    await recordAction(transaction, { actorId: made_by, kind: 'key.made', subject: id, after })
    return true
  })
}

export async function listApiKeys(db: Kysely<Schema>, organizationId: string): Promise<ApiKey[]> {
  return await live(db, organizationId)
    .select(['id', 'name', 'role', 'ending', 'created_at as createdAt', 'expires_at as expiresAt'])
    .select(['last_used_at as lastUsedAt', 'made_by as madeBy'])
    .orderBy('id')
    .execute()
}

/** Whether there was such a key. */
export async function revokeApiKey(
  db: Kysely<Schema>,
  { organizationId, id, by }: { organizationId: string; id: string; by: string },
): Promise<boolean> {
  return await db.transaction().execute(async (transaction) => {
    const row = await transaction
      .updateTable('api_keys')
      .set({ revoked_at: sql<Date>`now()`, written_by: sql<string>`pg_current_xact_id()` })
      .where('id', '=', id)
      .where('organization_id', '=', organizationId)
      .where('revoked_at', 'is', null)
      .returning('name')
      .executeTakeFirst()
    if (row === undefined) return false
    const before = { name: row.name, organizationId }
    await recordAction(transaction, { actorId: by, kind: 'key.revoked', subject: id, before })
    return true
  })
}

/** Notes that keys were used; does not count as a change of theirs, and happens at most once a minute for each. */
export async function noteKeysUsed(db: Kysely<Schema>, ids: readonly string[]): Promise<void> {
  await sql`
    update api_keys set last_used_at = now()
     where id = any (${[...ids]}::uuid[]) and (last_used_at is null or last_used_at < now() - interval '1 minute')
  `.execute(db)
}

/** Not only live ones: the name of an actor in the trail. */
const live = (db: Kysely<Schema>, organizationId: string) =>
  db.selectFrom('api_keys').where('organization_id', '=', organizationId).where('revoked_at', 'is', null)
