import type { Kysely } from 'kysely'
import type { Schema } from '../../engine/index.ts'

/** The secret of a draw, encrypted, under the commitment that the log announces. */
export interface NewDraw {
  readonly roomId: string
  readonly commitment: string
  readonly sealedSecret: string
  readonly sealedWith: string
}

/** Stores a secret before its commitment is announced: a draw without it could never be revealed. */
export async function keepDraw(db: Kysely<Schema>, draw: NewDraw): Promise<void> {
  const { roomId: room_id, commitment, sealedSecret: sealed_secret, sealedWith: sealed_with } = draw
  await db.insertInto('room_draws').values({ room_id, commitment, sealed_secret, sealed_with }).execute()
}

/** The newest secret of a room whose commitment was never announced: the server that made it has died. */
export async function readUnannounced(db: Kysely<Schema>, room: string): Promise<NewDraw | null> {
  const row = await db
    .selectFrom('room_draws')
    .selectAll()
    .where('room_id', '=', room)
    .orderBy('created_at', 'desc')
    .executeTakeFirst()
  if (row === undefined) return null
  const { commitment, sealed_secret: sealedSecret, sealed_with: sealedWith } = row
  return { roomId: row.room_id, commitment, sealedSecret, sealedWith }
}

export interface DrawNews {
  readonly tree_size?: number
  readonly tree_root?: string
  readonly signature?: string
}

/** Stores what became known of a draw. */
export async function noteDraw(
  db: Kysely<Schema>,
  { room, commitment }: { readonly room: string; readonly commitment: string },
  news: DrawNews,
): Promise<void> {
  await db
    .updateTable('room_draws')
    .set(news)
    .where('room_id', '=', room)
    .where('commitment', '=', commitment)
    .execute()
}

/** Draws whose secret is encrypted under one of these keys. */
export async function listDrawsSealedWith(
  db: Kysely<Schema>,
  keyIds: readonly string[],
  max: number,
): Promise<NewDraw[]> {
  if (keyIds.length === 0) return []
  const rows = await db.selectFrom('room_draws').selectAll().where('sealed_with', 'in', keyIds).limit(max).execute()
  return rows.map((row) => {
    const { commitment, sealed_secret: sealedSecret, sealed_with: sealedWith } = row
    return { roomId: row.room_id, commitment, sealedSecret, sealedWith }
  })
}

/** Stores the secret encrypted under a newer key, unless another server has done so already. */
export async function sealDrawAgain(
  db: Kysely<Schema>,
  { roomId, commitment, sealedSecret: before }: NewDraw,
  sealed: Pick<NewDraw, 'sealedSecret' | 'sealedWith'>,
): Promise<void> {
  await db
    .updateTable('room_draws')
    .set({ sealed_secret: sealed.sealedSecret, sealed_with: sealed.sealedWith })
    .where('room_id', '=', roomId)
    .where('commitment', '=', commitment)
    .where('sealed_secret', '=', before)
    .execute()
}
