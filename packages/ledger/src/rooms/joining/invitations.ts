import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../engine/index.ts'
import { recordAction } from '../../trail/index.ts'

/** What an operator lets visitors into a room with: a code, or the verified address of an account. */
export type InvitationKind = 'code' | 'address'

export interface InvitedRoom {
  readonly roomId: string
  readonly eventId: string | null
  /** Whom the trail names. */
  readonly by: string
}

/** Adds keyed hashes; those that are there stay as they are. Returns how many are new. */
export async function addInvitations(
  db: Kysely<Schema>,
  { roomId, eventId, by }: InvitedRoom,
  { kind, hashes }: { readonly kind: InvitationKind; readonly hashes: readonly string[] },
): Promise<number> {
  return await db.transaction().execute(async (transaction) => {
    const added = await sql`
      insert into room_invitations (room_id, kind, hash)
      select ${roomId}::uuid, ${kind}, hash from unnest(${[...hashes]}::text[]) as given(hash)
          on conflict do nothing
      returning 1`.execute(transaction)
    const after = { kind, count: added.rows.length }
    await recordAction(transaction, { actorId: by, kind: 'invitations.added', eventId, roomId, after })
    return added.rows.length
  })
}

/** Removes a room's invitations of one kind that no visitor has used. Returns how many. */
export async function removeInvitations(
  db: Kysely<Schema>,
  { roomId, eventId, by }: InvitedRoom,
  kind: InvitationKind,
): Promise<number> {
  return await db.transaction().execute(async (transaction) => {
    const removed = await transaction
      .deleteFrom('room_invitations')
      .where('room_id', '=', roomId)
      .where('kind', '=', kind)
      .where('holder_id', 'is', null)
      .returning('hash')
      .execute()
    const after = { kind, count: removed.length }
    await recordAction(transaction, { actorId: by, kind: 'invitations.removed', eventId, roomId, after })
    return removed.length
  })
}

export interface InvitationCount {
  readonly kind: InvitationKind
  readonly total: number
  readonly used: number
}

export async function countInvitations(db: Kysely<Schema>, roomId: string): Promise<InvitationCount[]> {
  const rows = await db
    .selectFrom('room_invitations')
    .select(({ fn }) => ['kind', fn.countAll<string>().as('total'), fn.count<string>('holder_id').as('used')])
    .where('room_id', '=', roomId)
    .groupBy('kind')
    .execute()
  return rows.map(({ kind, total, used }) => ({ kind, total: Number(total), used: Number(used) }))
}

/** The address of an account if its owner has proven it; else null. */
export async function readVerifiedAddress(db: Kysely<Schema>, userId: string): Promise<string | null> {
  const row = await db
    .selectFrom('users')
    .select('email_key')
    .where('id', '=', userId)
    .where('verified_at', 'is not', null)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row?.email_key ?? null
}

/** Whether a visitor has used a code of this room, or their address is invited. */
export async function isInvited(
  db: Kysely<Schema>,
  { roomId, visitorId, addressHash }: { roomId: string; visitorId: string; addressHash: string | null },
): Promise<boolean> {
  const row = await db
    .selectFrom('room_invitations')
    .select('hash')
    .where('room_id', '=', roomId)
    .where(({ or, and, eb }) =>
      or([
        eb('holder_id', '=', visitorId),
        ...(addressHash === null ? [] : [and([eb('kind', '=', 'address'), eb('hash', '=', addressHash)])]),
      ]),
    )
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Gives a code to a visitor. `new`: no visitor had it before; null: it is unknown, or another visitor's. */
export async function claimInvitation(
  db: Kysely<Schema>,
  { roomId, hash, visitorId }: { roomId: string; hash: string; visitorId: string },
): Promise<'new' | 'own' | null> {
  const free = await db
    .updateTable('room_invitations')
    .set({ holder_id: visitorId, used_at: sql`clock_timestamp()` })
    .where('room_id', '=', roomId)
    .where('kind', '=', 'code')
    .where('hash', '=', hash)
    .where('holder_id', 'is', null)
    .returning('hash')
    .executeTakeFirst()
  if (free !== undefined) return 'new'
  const own = await db
    .selectFrom('room_invitations')
    .select('hash')
    .where('room_id', '=', roomId)
    .where('kind', '=', 'code')
    .where('hash', '=', hash)
    .where('holder_id', '=', visitorId)
    .executeTakeFirst()
  return own === undefined ? null : 'own'
}

/** Takes a code back that its visitor could not join with after all. */
export async function releaseInvitation(
  db: Kysely<Schema>,
  { roomId, hash, visitorId }: { roomId: string; hash: string; visitorId: string },
): Promise<void> {
  await db
    .updateTable('room_invitations')
    .set({ holder_id: null, used_at: null })
    .where('room_id', '=', roomId)
    .where('kind', '=', 'code')
    .where('hash', '=', hash)
    .where('holder_id', '=', visitorId)
    .execute()
}
